"""What a passage weighs in a recall is what counting its boxed text gives, alone and beside others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.model.boxing import box, weight_of
from vault_memory.model.harmless import boxed
from vault_memory.model.prompt import GAP
from vault_memory.model.scale import ESTIMATED
from vault_memory.model.tokens import estimate, weigh

PIECES = [
    "word", "Two words", "1,234 at 5", "9", "  indented", "\ttab", "a  b", "end ", "", " ", "\n", "\n\n", "…",
    "重启", "größe", "\r", "\r\n", "\u2028", "\u200b", "\ud800", "\x00", "<", ">", "[", "]", "(", ")", "!",
    "![", "![a](http://x)", "![a][b]", "[b]: http://x", "<system>", "</memory", "[inst]", "[/", "inst]",
    "user:", "System：", "<img", "src=//x>", "```", "```py", "~~~", "> ```", "- x", "# Head", "|im_start|>",
    ":",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=12).map("".join)


@given(TEXTS)
def test_the_weight_of_a_text_is_that_of_its_box(text: str) -> None:
    weight = weight_of(text, ESTIMATED)
    assert abs(weight) == weigh(boxed(text))
    assert (weight == 0) == (boxed(text) == "")
    assert box(text) == boxed(text)


@given(st.lists(st.tuples(TEXTS, st.sampled_from(["\n", "\n\n", f"\n{GAP}\n"])), min_size=1, max_size=4))
def test_texts_that_stand_for_themselves_are_boxed_together_as_each_alone(
    pieces: list[tuple[str, str]],
) -> None:
    pieces = [(text, after) for text, after in pieces if weight_of(text, ESTIMATED) > 0]
    joined = "".join(text + after for text, after in pieces[:-1]) + "".join(text for text, _ in pieces[-1:])
    alone = "".join(boxed(text) + after.replace(GAP, f"  {GAP}") for text, after in pieces[:-1]) + "".join(
        boxed(text) for text, _ in pieces[-1:]
    )
    assert boxed(joined) == alone


@pytest.mark.parametrize(
    "text",
    ["An ordinary note: of a few words.\n\nAnd a line more.", "a < b > c", "[x] done", "```\ncode\n```"],
)
def test_ordinary_texts_stand_for_themselves(text: str) -> None:
    assert weight_of(text, ESTIMATED) > 0


@pytest.mark.parametrize("text", ["```\ncode", "a <b", "[in", "![a](x)", "\n\nx", "x\n "])
def test_a_text_that_reaches_beyond_its_ends_does_not(text: str) -> None:
    assert weight_of(text, ESTIMATED) < 0


@given(st.lists(TEXTS.map(boxed).filter(bool), min_size=1, max_size=4), st.lists(st.booleans(), min_size=3))
def test_weights_of_lines_add_up(texts: list[str], apart: list[bool]) -> None:
    together, weight = texts[0], weigh(texts[0])
    for text, is_apart in zip(texts[1:], apart, strict=False):
        together += ("\n\n" if is_apart else "\n") + text
        weight += (ESTIMATED.blank_line if is_apart else ESTIMATED.line_end) + weigh(text)
    assert weigh(together) == weight
    assert ESTIMATED.tokens(weight) == estimate(together)
