"""Two sides' versions of a memory become one: no key and no line that one side alone made is lost."""

from __future__ import annotations

import random
from datetime import UTC

import pytest

from vault_memory.adapters.git.mergelines import merge_lines
from vault_memory.model.conflict import conflict_line
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.header import open_header
from vault_memory.model.memory import Memory
from vault_memory.model.merging.lines import values_of
from vault_memory.model.merging.memory import Merged, merge
from vault_memory.model.merging.values import texts_of
from vault_memory.model.namespace import VaultPath

BASE = """---
id: "01K8ZQ4T7R3M5N9V2XW6Y0ABCD"
title: NVDA RSI rule
importance: 0.5
tags: [trading, nvda]
ttl: 90d
created: 2026-01-01T00:00:00Z
updated: 2026-01-02T00:00:00Z
---
One line.

Another line.
"""


def merged(base: str, ours: str, theirs: str) -> Merged:
    return merge("a.md", base.encode(), ours.encode(), theirs.encode(), lines=merge_lines)


def edited(*changes: tuple[str, str]) -> str:
    text = BASE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def test_each_side_changes_another_key_on_neighbouring_lines() -> None:
    ours = edited(("importance: 0.5", "importance: 0.9  # sure now"))
    theirs = edited(("tags: [trading, nvda]", "tags: [trading, nvda, risk]"))
    both = edited(
        ("importance: 0.5", "importance: 0.9  # sure now"),
        ("tags: [trading, nvda]", "tags: [trading, nvda, risk]"),
    )
    assert merged(BASE, ours, theirs) == Merged(both.encode(), clean=True)
    assert merged(BASE, theirs, ours) == Merged(both.encode(), clean=True)


def test_tags_are_joined_and_what_one_took_out_stays_out() -> None:
    ours = edited(("[trading, nvda]", "[nvda, risk]"))
    theirs = edited(("[trading, nvda]", "[trading, nvda, RSI]"))
    found = merged(BASE, ours, theirs)
    assert found.clean
    assert b"tags: [nvda, risk, RSI]\n" in found.content


def test_tags_in_lines_stay_in_lines() -> None:
    lines = BASE.replace("tags: [trading, nvda]", "tags:\n  - trading  # first\n  - nvda")
    ours = lines.replace("  - nvda", "  - nvda\n  - risk")
    theirs = lines.replace("  - nvda", "  - nvda\n  - rsi")
    found = merged(lines, ours, theirs)
    assert found == Merged(lines.replace("  - nvda", "  - nvda\n  - risk\n  - rsi").encode(), clean=True)


@pytest.mark.parametrize("key", ["aliases", "links", "supersedes", "notify"])
def test_other_lists_are_joined_as_well(key: str) -> None:
    base, ours, theirs = (BASE.replace("ttl: 90d", f"{key}: [{one}]") for one in ("a, b", "b, c", "a, b, d"))
    found = merged(base, ours, theirs)
    assert found == Merged(BASE.replace("ttl: 90d", f"{key}: [b, c, d]").encode(), clean=True)


def test_the_later_time_of_an_update_wins_on_either_side() -> None:
    ours = edited(("updated: 2026-01-02T00:00:00Z", "updated: 2026-03-01"))
    theirs = edited(("updated: 2026-01-02T00:00:00Z", "updated: 2026-02-01T10:00:00+02:00"))
    assert merged(BASE, ours, theirs) == Merged(ours.encode(), clean=True)
    assert merged(BASE, theirs, ours) == Merged(ours.encode(), clean=True)


def test_a_real_conflict_is_readable_and_leaves_front_matter_valid() -> None:
    ours = edited(("importance: 0.5", "importance: 0.9"), ("One line.", "Our line."))
    theirs = edited(("importance: 0.5", "importance: 0.1"), ("Another line.", "Their other line."))
    found = merged(BASE, ours, theirs)
    body = """<<<<<<< ours
importance: 0.9
=======
importance: 0.1
>>>>>>> theirs
Our line.

Their other line.
"""
    head = BASE.split("---\n")[1].replace("importance: 0.5", "importance: 0.9")
    assert found.content.decode() == f"---\n{head}---\n{body}"
    assert not found.clean
    memory = memory_of(found.content)
    assert memory.conflicted
    assert memory.front["importance"] == "0.9"


def test_a_conflict_of_the_text_is_gits_own() -> None:
    found = merged(BASE, edited(("One line.", "Our line.")), edited(("One line.", "Their line.")))
    assert not found.clean
    markers = "<<<<<<< ours\nOur line.\n=======\nTheir line.\n>>>>>>> theirs\n"
    assert found.content.decode() == edited(("One line.\n", markers))


def test_a_key_that_one_took_out_and_the_other_changed_is_a_conflict_and_not_lost() -> None:
    without, changed = edited(("ttl: 90d\n", "")), edited(("ttl: 90d", "ttl: 7d"))
    for ours, theirs in ((without, changed), (changed, without)):
        found = merged(BASE, ours, theirs)
        assert not found.clean
        assert [one.key for one in found.clashes] == ["ttl"]
        assert memory_of(found.content).front["ttl"] == "7d"


def test_a_key_that_one_took_out_and_nobody_changed_is_gone() -> None:
    found = merged(BASE, edited(("ttl: 90d\n", "")), edited(("importance: 0.5", "importance: 0.6")))
    assert found == Merged(
        edited(("ttl: 90d\n", ""), ("importance: 0.5", "importance: 0.6")).encode(), clean=True
    )


def test_both_make_the_file() -> None:
    ours = "---\ntitle: Heron\ntags: [birds]\n---\nThe heron stands.\n"
    theirs = "---\ntitle: Heron\ntags: [ops]\nttl: 7d\n---\nThe heron stands.\n"
    found = merged("", ours, theirs)
    assert found == Merged(
        b"---\ntitle: Heron\ntags: [birds, ops]\nttl: 7d\n---\nThe heron stands.\n", clean=True
    )


def test_front_matter_that_one_side_alone_has_comes_along() -> None:
    found = merged("Text\n", "---\nttl: 7d\n---\nText\n", "Text\n\nmore\n")
    assert found == Merged(b"---\nttl: 7d\n---\nText\n\nmore\n", clean=True)
    found = merged("Text\n", "Text\n\nmore\n", "---\nttl: 7d\n---\nText\n")
    assert found == Merged(b"---\nttl: 7d\n---\nText\n\nmore\n", clean=True)


def test_front_matter_that_one_side_took_away_stays_away() -> None:
    found = merged("---\nttl: 7d\n---\nText\n", "Text\n", "---\nttl: 7d\n---\nText\n\nmore\n")
    assert found == Merged(b"Text\n\nmore\n", clean=True)


def test_remarks_of_their_side_are_not_lost_where_keys_are_merged_one_by_one() -> None:
    ours = edited(("importance: 0.5", "importance: 0.9"), ("tags: [trading, nvda]", "tags: [nvda, risk]"))
    theirs = edited(
        ("importance: 0.5", "importance: 0.5  # a guess"),
        ("tags: [trading, nvda]", "# mind these\ntags: [nvda, rsi]"),
    )
    found = merged(BASE, ours, theirs)
    assert found.clean
    assert "# mind these\n" in found.content.decode()
    assert "tags: [nvda, risk, rsi]\n" in found.content.decode()


def test_remarks_behind_values_are_not_lost_on_either_side() -> None:
    one = edited(("importance: 0.5", "importance: 0.9"), ("ttl: 90d", "ttl: 90d  # for the review"))
    other = edited(("importance: 0.5", "importance: 0.5  # a guess"), ("ttl: 90d", "ttl: 30d"))
    for ours, theirs in ((one, other), (other, one)):
        found = merged(BASE, ours, theirs)
        assert found.clean
        text = found.content.decode()
        assert "importance: 0.9\n" in text
        assert "ttl: 30d\n" in text
        assert text.count("# a guess\n") == text.count("# for the review\n") == 1


def test_entries_of_a_list_in_lines_keep_their_lines_quotes_and_remarks() -> None:
    base = BASE.replace("ttl: 90d", 'aliases:\n  - "Heron"  # the old one\n  - "Ibis"')
    ours = base.replace('  - "Ibis"', '  - "Ibis"\n  - "heron"')
    theirs = base.replace('  - "Ibis"', '  - "Owl"')
    found = merged(base, ours, theirs)
    assert found == Merged(base.replace('  - "Ibis"', '  - "heron"\n  - "Owl"').encode(), clean=True)


def test_a_list_in_one_text_that_may_hold_commas_is_for_a_person_to_decide() -> None:
    base, ours, theirs = (
        BASE.replace("ttl: 90d", f"links: {one}") for one in ('"[[a, b]]"', '"[[c, d]]"', "[x]")
    )
    found = merged(base, ours, theirs)
    assert [one.key for one in found.clashes] == ["links"]


def test_a_block_without_keys_stays_where_both_have_it() -> None:
    found = merged("---\n---\none\n\ntwo\n", "---\n---\nmy one\n\ntwo\n", "---\n---\none\n\ntheir two\n")
    assert found == Merged(b"---\n---\nmy one\n\ntheir two\n", clean=True)


def test_text_comes_below_a_block_that_ended_the_file() -> None:
    found = merged("---\nttl: 7d\n---", "---\nttl: 8d\n---", "---\nttl: 7d\n---\ntext\n")
    assert found == Merged(b"---\nttl: 8d\n---\ntext\n", clean=True)


def test_front_matter_that_nobody_can_read_is_merged_by_lines() -> None:
    broken = BASE.replace("title: NVDA RSI rule", "title: [NVDA")
    found = merged(broken, broken.replace("One", "Our"), broken.replace("Another", "Their"))
    assert found == Merged(broken.replace("One", "Our").replace("Another", "Their").encode(), clean=True)


def test_line_ends_stay_as_our_side_has_them() -> None:
    def crlf(text: str) -> str:
        return text.replace("\n", "\r\n")

    ours = crlf(edited(("importance: 0.5", "importance: 0.9"), ("ttl: 90d", "ttl: 30d")))
    theirs = crlf(edited(("[trading, nvda]", "[trading, nvda, rsi]"), ("ttl: 90d", "ttl: 7d")))
    found = merged(crlf(BASE), ours, theirs)
    assert found.content.count(b"\n") == found.content.count(b"\r\n")
    assert [one.key for one in found.clashes] == ["ttl"]


def memory_of(content: bytes) -> Memory:
    return parse_memory(VaultPath("a.md"), content, zone=UTC)


WORDS = "heron ibis kestrel owl newt plover osprey swift".split()


def drawn(chance: random.Random) -> tuple[str, str, str]:
    """A memory, and what two sides have made of it."""
    keys = {
        "title": chance.choice(WORDS),
        "importance": f"0.{chance.randrange(10)}",
        "tags": f"[{', '.join(chance.sample(WORDS, 3))}]",
        "x-own": chance.choice(WORDS),
        "updated": "2026-01-01",
    }
    body = [f"{word} {number}" for number, word in enumerate(chance.choices(WORDS, k=8))]
    return text_of(keys, body), changed(chance, keys, body, "o"), changed(chance, keys, body, "t")


def changed(chance: random.Random, keys: dict[str, str], body: list[str], side: str) -> str:
    keys, body = dict(keys), list(body)
    for _ in range(chance.randrange(5)):
        what = chance.randrange(7)
        if what == 0:
            keys["importance"] = f"0.{chance.randrange(10)}"
        elif what == 1:
            keys["tags"] = f"[{', '.join(dict.fromkeys(chance.choices(WORDS, k=chance.randrange(5))))}]"
        elif what == 2:
            keys[f"{side}-{chance.randrange(99)}"] = chance.choice(WORDS)
        elif what == 3:
            keys.pop(chance.choice(list(keys)), None) if len(keys) > 1 else None
        elif what == 4:
            keys["updated"] = f"2026-0{chance.randrange(1, 9)}-01"
        elif what == 5:
            body.insert(chance.randrange(len(body) + 1), f"{side} wrote {chance.randrange(10_000)}")
        else:
            body[chance.randrange(len(body))] = f"{side} changed {chance.randrange(10_000)}"
    order = list(keys)
    if chance.random() < 0.2:
        chance.shuffle(order)
    return text_of({key: keys[key] for key in order}, body)


def text_of(keys: dict[str, str], body: list[str]) -> str:
    head = "".join(f"{key}: {value}\n" for key, value in keys.items())
    return f"---\n{head}---\n" + "".join(f"{line}\n" for line in body)


def front(text: str) -> dict[str, object]:
    return values_of(open_header("a.md", text.encode()))


def lines_of(text: str) -> list[str]:
    return text.split("---\n", 2)[2].split("\n")


@pytest.mark.slow
def test_a_thousand_random_merges_lose_no_key_and_no_line() -> None:
    chance = random.Random(20261130)
    clean = 0
    for _ in range(1_000):
        base, ours, theirs = drawn(chance)
        one, other = merged(base, ours, theirs), merged(base, theirs, ours)
        check(base, ours, theirs, one)
        # Whoever merges whom, the same is decided and the same is left to decide.
        assert one.clean == other.clean
        assert {each.key for each in one.clashes} == {each.key for each in other.clashes}
        if one.clean:
            clean += 1
            assert folded(front(one.content.decode())) == folded(front(other.content.decode()))
            assert sorted(lines_of(one.content.decode())) == sorted(lines_of(other.content.decode()))
    assert 300 < clean < 950


def folded(values: dict[str, object]) -> dict[str, object]:
    return {key: sorted(value) if isinstance(value, list) else value for key, value in values.items()}


def check(base: str, ours: str, theirs: str, found: Merged) -> None:
    text = found.content.decode()
    was, mine, other, now = (front(one) for one in (base, ours, theirs, text))  # all can be read
    clashing = {one.key for one in found.clashes}
    for key in was | mine | other:
        a, b, c = was.get(key), mine.get(key), other.get(key)
        if key in clashing:
            assert a != b != c != a
            assert now[key] == (b if b is not None else c)
        elif key == "tags" and a != b != c != a:
            added = (set(texts_of(key, b)) | set(texts_of(key, c))) - set(texts_of(key, a))
            kept = set(texts_of(key, a)) & set(texts_of(key, b)) & set(texts_of(key, c))
            assert set(texts_of(key, now.get(key))) == added | kept
        elif key == "updated" and a != b != c != a and b and c:
            assert now[key] == max(str(b), str(c))
        else:
            assert now.get(key) == (c if b == a else b)
    before = set(lines_of(base))
    for side in (ours, theirs):
        assert set(lines_of(side)) - before <= set(text.split("\n"))
    if not found.clean:
        assert conflict_line(None, "\n".join(lines_of(text)), 1, []) is not None
