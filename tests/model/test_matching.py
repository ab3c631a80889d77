"""What makes one text of another: the same as difflib says of short ones, and true of long ones."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from vault_memory.model.matching import FEW, Opcode, grouped, opcodes

LISTS = st.lists(st.integers(0, 9), max_size=40)


def made(left: Sequence[int], right: Sequence[int], found: Sequence[Opcode]) -> list[int]:
    """The right of the left by what is to be done, every step of it looked at."""
    at_left = at_right = 0
    lines: list[int] = []
    for tag, i1, i2, j1, j2 in found:
        assert (i1, j1) == (at_left, at_right)
        gone, came = left[i1:i2], right[j1:j2]
        assert {
            "equal": gone == came,
            "replace": bool(gone and came),
            "delete": not came,
            "insert": not gone,
        }[tag]
        lines += gone if tag == "equal" else came
        at_left, at_right = i2, j2
    assert (at_left, at_right) == (len(left), len(right))
    return lines


@given(LISTS, LISTS, st.booleans())
def test_few_parts_are_matched_as_difflib_matches_them(left: list[int], right: list[int], junk: bool) -> None:
    assert (
        opcodes(left, right, autojunk=junk) == difflib.SequenceMatcher(None, left, right, junk).get_opcodes()
    )


@given(
    st.lists(st.integers(0, 10_000), max_size=30), st.lists(st.integers(0, 10_000), max_size=30), LISTS, LISTS
)
def test_many_parts_are_made_of_each_other(a: list[int], b: list[int], c: list[int], d: list[int]) -> None:
    long = list(range(20_000, 20_000 + FEW))
    for left, right in (
        (a + long + b + c * 20, c + long[::2] + d + b + d * 20),
        (c * 40 + long[:5], d * 40 + long),
        ([*long[:500], *a, *long[500:]], [*b, *long]),
    ):
        assert made(left, right, opcodes(left, right)) == right


def test_of_many_parts_only_what_differs_is_told() -> None:
    left = [number for part in range(2_000) for number in (part, -1, part + 10_000)]
    right = [number for part in range(2_000) for number in (part, -1, part + 20_000)]
    found = opcodes(left, right)
    assert [one for one in found if one[0] == "equal"] == [
        ("equal", at, at + 2, at, at + 2) for at in range(0, len(left), 3)
    ]


@given(LISTS, LISTS, st.integers(0, 4))
def test_changes_are_grouped_as_difflib_groups_them(left: list[int], right: list[int], around: int) -> None:
    matcher = difflib.SequenceMatcher(None, left, right, autojunk=False)
    told = list(matcher.get_grouped_opcodes(around)) if left != right else []
    assert list(grouped(opcodes(left, right), around)) == told
