"""Passages: every line is in exactly one, what belongs together stays together, lines are right."""

from __future__ import annotations

import hashlib
import time
from dataclasses import replace
from itertools import pairwise

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from tests.model.shelf import memory
from vault_memory.model.cues import Cue
from vault_memory.model.longline import size, split_line
from vault_memory.model.packing import FENCE_LIMIT, TARGET
from vault_memory.model.passage import Passage, cut, passage_terms

FIRST = 7
lines = st.one_of(
    st.sampled_from(
        [
            "",
            "",
            "  ",
            "# Title",
            "## Sub",
            "### Deep ##",
            "#tag",
            "===",
            "---",
            "```",
            "~~~~",
            "```python",
            "- item",
            "1. one",
            "  more",
            "| a | b |",
            "|---|---|",
            "Alice: I was there, you know.",
            "**Bob**: Yes, so was I.",
            "Note: mind the gap",
            "text",
            "A sentence. " * 150,
            "x" * 1_500,
            "設定" * 500,
            "e\u0301" * 900,
            "> quote",
            "\t",
        ]
    ),
    st.text(alphabet=st.characters(exclude_characters="\n"), max_size=30),
)
markdown = st.lists(lines, max_size=25).map("\n".join)


def texts(body: str) -> list[str]:
    return [passage.text for passage in cut(body, 1)]


@given(markdown)
def test_passages_hold_the_lines_of_the_body_and_nothing_else(body: str) -> None:
    source = body.split("\n")
    for passage in cut(body, FIRST):
        own = source[passage.start_line - FIRST : passage.end_line - FIRST + 1]
        assert passage.text in "\n".join(own)
        assert passage.text.count("\n") == passage.end_line - passage.start_line
        assert passage.text_hash == hashlib.sha256(passage.text.encode("utf-8", "surrogatepass")).hexdigest()


@given(markdown)
def test_every_line_with_text_lies_in_exactly_one_passage(body: str) -> None:
    source = body.split("\n")
    passages = cut(body, FIRST)
    for number, line in enumerate(source, FIRST):
        holders = [one for one in passages if one.start_line <= number <= one.end_line]
        if not line.strip():
            continue
        if len(holders) > 1:
            assert size(line) > TARGET
            assert all(one.end_line == number for one in holders[:-1])
            assert all(one.start_line == number for one in holders[1:])
            joined = "".join(one.text.split("\n")[number - one.start_line] for one in holders)
            assert "".join(joined.split()) == "".join(line.split())
        else:
            assert [one.text.split("\n")[number - one.start_line] for one in holders] == [line]


@given(markdown)
def test_passages_are_numbered_in_the_order_of_their_lines(body: str) -> None:
    passages = cut(body, FIRST)
    assert [one.ordinal for one in passages] == list(range(len(passages)))
    for one, following in pairwise(passages):
        assert one.start_line <= one.end_line <= following.start_line
    assert passages


@given(markdown)
def test_no_passage_begins_or_ends_with_a_blank_line(body: str) -> None:
    if body.strip():
        for text in texts(body):
            assert text.split("\n")[0].strip()
            assert text.split("\n")[-1].strip()


@given(st.text(alphabet=st.characters(exclude_characters="\n"), max_size=200), st.integers(1, 40))
def test_a_line_is_parted_without_loss_and_never_inside_a_character(line: str, limit: int) -> None:
    pieces = split_line(line, limit)
    assert "".join(pieces) == line
    ends = {match.end() for match in regex.finditer(r"\X", line)}
    at = 0
    for piece in pieces:
        at += len(piece)
        assert at in ends
        assert size(piece) <= limit or len(regex.findall(r"\X", piece)) == 1


def test_a_line_is_parted_after_a_sentence_else_after_a_word() -> None:
    assert split_line("One is here. Two are there. Three", 17) == [
        "One is here. ",
        "Two are there. ",
        "Three",
    ]
    assert split_line("one two three four", 9) == ["one two ", "three ", "four"]
    assert split_line("これは文です。次の文です。", 24) == ["これは文です。", "次の文です。"]


@pytest.mark.parametrize("body", ["", "\n", "  \n\t\n"])
def test_a_body_without_text_gives_one_empty_passage(body: str) -> None:
    assert cut(body, 9) == (Passage(0, 9, 9, (), "", hashlib.sha256(b"").hexdigest()),)


def test_a_heading_begins_a_passage_and_is_kept_as_its_path() -> None:
    passages = cut("intro\n# One\nfirst\n## Two ##\nsecond\n# Three\nthird\n", 1)
    assert [(one.headings, one.text) for one in passages] == [
        ((), "intro"),
        (("One",), "# One\nfirst"),
        (("One", "Two"), "## Two ##\nsecond"),
        (("Three",), "# Three\nthird"),
    ]
    assert [(one.start_line, one.end_line) for one in passages] == [(1, 1), (2, 3), (4, 5), (6, 7)]


def test_a_heading_right_below_a_higher_one_stays_with_it() -> None:
    assert texts("# One\n\n## Two\ntext\n## Three\n# Four") == ["# One\n\n## Two\ntext", "## Three", "# Four"]


def test_an_underlined_line_is_a_heading() -> None:
    passages = cut("One\n===\nfirst\n\nTwo\n---\nsecond", 1)
    assert [one.headings for one in passages] == [("One",), ("One", "Two")]


def test_what_looks_like_a_heading_inside_a_fence_is_code() -> None:
    body = "~~~sh\n# not a heading\n```\n\nls\n~~~\nafter"
    assert texts(body) == [body]
    assert cut(body, 1)[0].headings == ()


def test_a_tag_is_not_a_heading() -> None:
    assert cut("#tag and more", 1)[0].headings == ()


@pytest.mark.parametrize("title", ["C#", "C #", "Of #1", "#"])
def test_only_a_run_of_hashes_apart_closes_a_heading(title: str) -> None:
    expected = {"C#": "C#", "C #": "C", "Of #1": "Of #1", "#": ""}[title]
    assert cut(f"# {title}\nx", 1)[0].headings == ((expected,) if expected else ())


def test_paragraphs_are_packed_up_to_the_target() -> None:
    paragraph = (
        "Words of about one hundred bytes, again and again, so that it fills its line nearly up to here now."
    )
    passages = cut("\n\n".join([paragraph] * 40), 1)
    assert all(TARGET - 250 < size(one.text) <= TARGET for one in passages[:-1])


def test_a_fence_up_to_its_limit_stays_whole() -> None:
    code = "\n".join(f"line {number} of the code\n" for number in range(150))
    fence = f"```python\n{code}\n```"
    assert TARGET < size(fence) < FENCE_LIMIT
    assert texts(f"before\n\n{fence}\n\nafter") == ["before", fence, "after"]


def test_a_longer_fence_is_parted_at_line_ends() -> None:
    fence = "```\n" + "\n".join(f"line {number} of the code" for number in range(2_000)) + "\n```"
    parts = texts(fence)
    assert "\n".join(parts) == fence
    assert all(size(part) <= FENCE_LIMIT for part in parts)


def test_a_fence_that_is_never_closed_goes_to_the_end() -> None:
    assert texts("```\ncode\n\n# still code\n") == ["```\ncode\n\n# still code"]


def test_a_list_and_a_table_that_fit_stay_whole() -> None:
    filler = "word " * 200
    listed = "\n".join(f"- item {number} of the list\n\n  with more" for number in range(12))
    table = "\n".join(f"| {number} | some cell of the row |" for number in range(20))
    assert texts(f"{filler}\n\n{listed}\n\n{filler}\n{table}") == [filler, listed, filler, table]


def test_a_longer_list_is_parted_between_items() -> None:
    item = "- an item whose text goes on\n  over a second line of words"
    parts = texts("\n".join([item] * 60))
    assert len(parts) > 2
    assert all(part.startswith("- an item") and part.endswith("of words") for part in parts)


TALK = (
    "Alice: Hi Bob, how was the trip to the lake?\nBob: Wonderful!\n\n"
    "Alice: I am glad to hear that.\nand more of it\n"
)


def test_each_turn_of_a_dialogue_is_a_passage() -> None:
    assert texts(TALK) == [
        "Alice: Hi Bob, how was the trip to the lake?",
        "Bob: Wonderful!",
        "Alice: I am glad to hear that.\nand more of it",
    ]


@pytest.mark.parametrize(
    "form",
    [
        "**{}**: {}",
        "**{}:** {}",
        "- {}: {}",
        "> {}: {}",
        "[10:05] {}: {}",
        "{}：{}",
        "2031-05-07 10:05 {}: {}",
        "{} (phone): {}",
    ],
)
@pytest.mark.parametrize(
    "names", [("Mary Ann Smith", "Jo"), ("user", "assistant"), ("小明", "小红"), ("Élodie", "Ötzi")]
)
def test_turns_are_known_in_the_usual_forms(form: str, names: tuple[str, str]) -> None:
    talk = [form.format(names[number % 2], f"what was said at {number} o'clock.") for number in range(4)]
    assert texts("\n".join(talk)) == talk


@pytest.mark.parametrize(
    "body",
    [
        "Name: Joe Smith\nEmail: joe@example.org\nPhone: 12345\nCity: New York in the state of it",
        "Note: this is a long remark.\nNote: and this is another one.\nTip: do this always.\nNote: so.",
        "Host: a\nPort: 1\nHost: b\nPort: 2",
        "Q: What is the question?\nA: It is this one here.\nQ: And the next of them?\nA: That one.",
        "Alice: I said it only once here.\nBob: So did I, just once.\n",
        "he: said this and that now.\nshe: said that and this now.\nhe: said this and that now.",
        "The Quick Brown Fox: a title of it.\nBob: x y z w.\nThe Quick Brown Fox: a title of it.",
        "```\nAlice: this is but a sample.\nBob: of how it could look.\nAlice: in some file or other.\n```",
    ],
)
def test_what_only_looks_like_a_dialogue_is_kept_together(body: str) -> None:
    assert texts(body) == [body.rstrip("\n")]


def test_turns_far_apart_are_no_dialogue() -> None:
    turns = [line for line in TALK.splitlines() if ":" in line]
    body = ("\n" + "just a line of prose\n" * 13).join(turns)
    assert texts(body) == [body]


def test_a_long_turn_keeps_apart_from_the_next() -> None:
    talk = ["Alice: " + "I have much to say. " * 100, "Bob: I see.", "Alice: Do you really?"]
    parts = texts("\n".join(talk))
    assert parts[-2:] == talk[1:]
    assert "".join(parts[:-2]) == talk[0]


def test_the_heading_of_a_dialogue_goes_with_its_first_turn() -> None:
    assert texts(f"# Monday\n{TALK}")[0] == "# Monday\nAlice: Hi Bob, how was the trip to the lake?"


def test_context_holds_title_aliases_tags_file_name_and_headings_once_each() -> None:
    body = "# Sizing rules\ntext here\n## Limits\nmore"
    one = memory(body, title="Sizing rules", path="shared/market/sizing-rules.md", tags=("risk", "nvda"))
    first, second = passage_terms(one)
    assert first.context == ("size", "rule", "risk", "nvda", "sizing-rules")
    assert second.context == ("size", "rule", "risk", "nvda", "sizing-rules", "limit")
    assert first.terms == ("size", "rule", "text", "here")
    assert second.passage.text == "## Limits\nmore"


def test_a_memory_without_text_has_its_title_s_terms() -> None:
    (only,) = passage_terms(memory("", title="NVDA RSI rule"))
    assert only.terms == ()
    assert {"nvda", "rsi", "rule"} <= set(only.context)


def voices_of(body: str, author: str | None = None) -> list[tuple[str, str]]:
    """(voice, first words) of each passage."""
    cut_up = passage_terms(replace(memory(body), source_agent=author))
    return [(one.voice, one.passage.text[:10]) for one in cut_up]


def test_each_turn_has_the_voice_of_its_speaker_and_what_is_no_turn_has_none() -> None:
    assert voices_of(f"Before the talk.\n\n{TALK}\n\n# After\n\nThe end.") == [
        ("", "Before the"),
        ("alice", "Alice: Hi "),
        ("bob", "Bob: Wonde"),
        ("alice", "Alice: I a"),
        ("", "# After\n\nT"),
    ]


def test_what_is_no_turn_has_the_voice_of_the_agent_that_wrote_it() -> None:
    found = voices_of(f"Before the talk.\n\n{TALK}", "Claude  Code")
    assert [voice for voice, _ in found] == ["claude code", "alice", "bob", "alice"]


@pytest.mark.parametrize(
    ("line", "voice"),
    [
        ("**Érik Müller**: that is what we said.", "erik müller"),
        ("- [10:15] Anna Maria (from home): that is what we said.", "anna maria"),
        ("> assistant: that is what we said.", "assistant"),
        ("小明：我们昨天去了海边，天气很好。", "小明"),
        ("O'Neil: that is what we said.", "o'neil"),
    ],
)
def test_a_voice_is_a_folded_name_however_the_turn_is_written(line: str, voice: str) -> None:
    other = "Bob: and what did you do then?"
    assert [found for found, _ in voices_of("\n".join([line, other] * 2))] == [voice, "bob"] * 2


def test_a_turn_too_long_for_one_passage_has_its_speaker_in_each() -> None:
    long = "Alice: " + "We walked on along the shore and talked. " * 60
    found = voices_of(f"{long}\nBob: And then?\nAlice: Home.\nBob: Good night then.")
    assert [voice for voice, _ in found][-4:] == ["alice", "bob", "alice", "bob"]
    assert len(found) > 4
    assert {voice for voice, _ in found[:-3]} == {"alice"}


@given(markdown)
def test_nobody_speaks_outside_of_turns(body: str) -> None:
    for voice, _ in voices_of(body):
        assert voice in {"", "alice", "bob"}
    assert [one.passage for one in passage_terms(memory(body))] == list(cut(body, 1))


def test_only_a_turn_asks() -> None:
    turns = passage_terms(memory("Alice: Where to?\nBob: To the lake, I think.\nAlice: When?\nBob: Now."))
    assert [bool(one.cues & Cue.ASKS) for one in turns] == [True, False, True, False]
    assert not any(one.cues & Cue.ASKS for one in passage_terms(memory("What is this? A note that asks.")))
    said = passage_terms(replace(memory("Shall we sell?"), source_agent="akashi"))
    assert [(one.voice, one.cues & Cue.ASKS) for one in said] == [("akashi", 0)]


@pytest.mark.parametrize(
    "body",
    [
        "word " * 200_000,
        "word. " * 200_000,
        "a" * 1_000_000,
        "設定" * 200_000,
        "# a\n" * 50_000,
        "\n" * 1_000_000 + "b",
        "a" + " " * 1_000_000 + "b",
        "- item\n" * 100_000,
        "```\n" * 60_000,
        "```\ncode\n" * 50_000,
        "|" * 1_000_000,
        "e" + "\u0301" * 500_000,
        "." * 500_000,
        "# a" + " " * 500_000 + "x",
        "# a" + " #" * 300_000,
        "Alice: hello there my friend.\nBob: hi.\n" * 15_000,
        "1:" * 300_000,
        "Aa " * 200_000,
        "[1" * 200_000,
        "- a\n\n\n\n" * 50_000,
        "(" * 500_000,
        "**" * 300_000,
        "Al (" + "x" * 300_000,
    ],
    ids=lambda body: repr(body[:6]),
)
def test_no_body_takes_more_than_linear_time(body: str) -> None:
    start = time.process_time()
    cut(body, 1)
    assert time.process_time() - start < 5
