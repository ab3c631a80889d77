"""Some changes are taken out of a file, and all the others stay, in whatever order they were made."""

from __future__ import annotations

from datetime import UTC
from itertools import pairwise
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.model import takeback
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.merging.apart import merge_apart
from vault_memory.model.namespace import VaultPath
from vault_memory.model.revision import Op
from vault_memory.model.takeback import Change, State, Version, without

PATH = VaultPath("notes/plan.md")
ELSEWHERE = VaultPath("archive/plan.md")


def version(text: str | None, path: VaultPath = PATH) -> State:
    return None if text is None else Version(path, text.encode())


def story(*steps: tuple[str, str | None]) -> list[Change]:
    """Changes from the second step on: (who, the text that they left)."""
    return [
        Change(version(before), version(after), who == "akashi", who, str(at))
        for at, ((_, before), (who, after)) in enumerate(pairwise(steps))
    ]


def text(state: State) -> str | None:
    return None if state is None else state.content.decode()


# What a person and an agent wrote by turns


class Drawn(NamedTuple):
    """Versions of a file, each a list of lines of which none comes twice, and who made it of the last."""

    first: list[str]
    steps: list[tuple[str, list[str]]]


@st.composite
def drawn(draw: st.DrawFn) -> Drawn:
    first = [f"base {number}" for number in range(draw(st.integers(0, 5)))]
    lines, steps, count = first, [], 0
    for _ in range(draw(st.integers(1, 6))):
        who = draw(st.sampled_from(["akashi", "mira"]))
        lines = list(lines)
        for _ in range(draw(st.integers(1, 3))):
            at = draw(st.integers(0, len(lines)))
            added = draw(st.integers(0, 2))
            lines[at : at + draw(st.integers(0, 2))] = [f"{who} {count + n}" for n in range(added)]
            count += added
        steps.append((who, lines))
    return Drawn(first, steps)


@pytest.mark.parametrize("in_line", [True, False], ids=["made anew", "taken out"])
@given(case=drawn())
def test_what_others_wrote_stays_and_what_the_agent_alone_wrote_goes(case: Drawn, in_line: bool) -> None:
    joined = [("", case.first), *case.steps]
    changes = story(*((who, "".join(f"{line}\n" for line in lines)) for who, lines in joined))
    with pytest.MonkeyPatch.context() as patch:
        if not in_line:
            patch.setattr(takeback, "_in_line", lambda *_: False)
        found = without(changes, changes[-1].after)
    assert found.state is not None
    now, then = case.steps[-1][1], found.state.content.decode().splitlines()
    theirs = [line for line in now if not line.startswith("akashi")]
    assert [line for line in then if line in theirs] == theirs, "each line of theirs, once, in its order"
    assert len(then) == len(set(then))
    if found.by:
        return
    ever, gone = set(case.first), set[str]()
    for (_, before), (who, after) in zip(joined, case.steps, strict=False):
        if who != "akashi":
            ever |= set(after) - set(before)
            gone |= set(before) - set(after)
    assert set(then) <= ever - gone, "nothing that the agent wrote, nothing that somebody took out"
    assert not (ever - gone - set(then)) & set(now)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["akashi", "mira"]),
            st.sampled_from(["importance", "kind", "title"]),
            st.integers(0, 99),
        ),
        min_size=1,
        max_size=8,
    )
)
def test_a_key_has_the_value_that_somebody_else_gave_it_last(turns: list[tuple[str, str, int]]) -> None:
    keys = {"importance": "first", "kind": "first", "title": "first"}
    others = dict(keys)
    steps: list[tuple[str, str | None]] = [("", written(keys))]
    for who, key, number in turns:
        keys[key] = f"v{len(steps)} {number}"
        if who != "akashi":
            others[key] = keys[key]
        steps.append((who, written(keys)))
    found = without(story(*steps), version(written(keys)))
    assert text(found.state) == written(others)


def written(keys: dict[str, str]) -> str:
    lines = "".join(f"{key}: {value}\n" for key, value in keys.items())
    return f"---\n{lines}---\ntext\n"


# Whole files


def test_an_agents_new_file_goes_with_its_later_changes() -> None:
    changes = story(("", None), ("akashi", "one\n"), ("akashi", "one\ntwo\n"))
    assert without(changes, version("one\ntwo\n")) == (None, ())


def test_a_new_file_that_somebody_edited_stays_without_what_the_agent_did_later() -> None:
    changes = story(("", None), ("akashi", "one\n"), ("mira", "one\nmine\n"), ("akashi", "one\nmine\nmore\n"))
    found = without(changes, version("one\nmine\nmore\n"))
    assert (text(found.state), found.by) == ("one\nmine\n", ("mira",))


def test_stamping_a_new_file_is_no_edit_of_it() -> None:
    new, stamped = version("one\n"), version("---\nid: x\n---\none\n")
    changes = [
        Change(None, new, True, "akashi", "1", Op.REMEMBER),
        Change(new, stamped, False, "Ada", "2", Op.FIX),
    ]
    assert without(changes, stamped) == (None, ())


def test_a_file_that_somebody_took_away_stays_away_and_one_that_the_agent_took_away_comes_back() -> None:
    changes = story(("", "one\n"), ("akashi", "two\n"), ("mira", None))
    assert without(changes, None) == (None, ())
    changes = story(("", "one\n"), ("mira", "mine\n"), ("akashi", None))
    assert text(without(changes, None).state) == "mine\n"


def test_a_place_goes_back_but_not_from_where_somebody_else_put_the_file() -> None:
    moved = [Change(version("a\n"), version("a\n", ELSEWHERE), True, "akashi")]
    assert without(moved, version("a\n", ELSEWHERE)).state == version("a\n")
    third = version("a\n", VaultPath("third.md"))
    again = [*moved, Change(version("a\n", ELSEWHERE), third, False, "mira")]
    assert without(again, third).state == third


def test_what_was_undone_is_not_taken_back_twice_and_an_undone_undo_counts_as_never_done() -> None:
    a, b = version("a\n"), version("a\nb\n")
    did = Change(a, b, True, "akashi", "1", Op.EDIT)
    undid = Change(b, a, False, "Ada", "2", Op.REVERT, undoes="1")
    redid = Change(a, b, False, "Ada", "3", Op.UNDO, undoes="2")
    assert without([did, undid], a).state == a
    assert without([did, undid, redid], b).state == a


def test_bytes_that_are_no_text_are_never_mixed() -> None:
    changes = story(("", "a\0\n"), ("akashi", "b\0\n"), ("mira", "b\0\nmine\n"))
    found = without(changes, version("b\0\nmine\n"))
    assert (text(found.state), found.by) == ("b\0\nmine\n", ("mira",))


# Lines


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "merged", "clean"),
    [
        (b"x\nA\n", b"x\nA\nP\n", b"x\n", b"x\nP\n", True),
        (b"x\nA", b"x\nA\nP", b"x", b"x\nP", True),
        (b"x\r\nA", b"x\r\nA\r\nP", b"x", b"x\r\nP", True),
        (b"A\nB\n", b"P\nB\n", b"a\nb\n", b"P\nb\n", False),
        (b"A\nB\nC\n", b"A\nP\nC\n", b"", b"P\n", False),
        (b"A\n", b"", b"a\n", b"", True),
        (b"x\ny\n", b"x\nP\ny\n", b"x\nB\ny\n", b"x\nB\nP\ny\n", True),
        (b"x\ny\n", b"x\nB\nP\ny\n", b"x\nB\ny\n", b"x\nB\nP\ny\n", True),
        (b"", b"P\n", b"", b"P\n", True),
    ],
)  # fmt: skip
def test_lines_of_both_sides_count_though_they_touch(
    base: bytes, ours: bytes, theirs: bytes, merged: bytes, clean: bool
) -> None:
    assert merge_apart(base, ours, theirs) == (merged, clean)


def test_many_equal_lines_take_no_long_time_and_lose_none_of_ours() -> None:
    base = b"same\n" * 30_000 + b"end\n"
    merged, _ = merge_apart(base, base + b"mine\n", b"first\n" + base)
    assert merged == b"first\n" + base + b"mine\n"


def test_front_matter_of_both_sides_reads_as_it_did() -> None:
    first = "---\ntitle: T\ntags: [a]\n---\nx\n"
    agents = "---\ntitle: T\ntags: [a, wrong]\nimportance: 0.9\n---\nx\n"
    both = "---\ntitle: T\ntags: [a, wrong, mine]\nimportance: 0.9\n---\nx\nmine\n"
    found = without(story(("", first), ("akashi", agents), ("mira", both)), version(both))
    assert found.by == ()
    assert found.state is not None
    memory = parse_memory(PATH, found.state.content, zone=UTC)
    assert (memory.tags, memory.importance, memory.body) == (("a", "mine"), 0.5, "x\nmine\n")


def test_what_somebody_brought_back_to_what_it_was_is_taken_back_already_and_nobody_is_named_for_it() -> None:
    changes = story(("", "a\n"), ("akashi", "b\n"), ("mira", "a\n"), ("mira", "c\n"))
    assert without(changes, changes[-1].after) == (version("c\n"), ())


def test_what_an_agent_brought_back_is_its_own_doing_and_taken_out_like_any_other() -> None:
    changes = story(("", "a\n"), ("mira", "b\n"), ("akashi", "a\n"))
    assert without(changes, changes[-1].after) == (version("b\n"), ())
