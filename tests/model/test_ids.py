"""Ids are ULIDs: 26 characters that sort by time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.model.ids import ALPHABET, MAX_MS, RANDOM_BYTES, is_ulid, short, short_apart, ulid

MOMENTS = st.integers(0, MAX_MS)
CHANCE = st.binary(min_size=RANDOM_BYTES, max_size=RANDOM_BYTES)


def test_a_ulid_has_the_published_form() -> None:
    assert ulid(1_469_918_176_385, bytes(10)) == "01ARYZ6S410000000000000000"
    assert ulid(0, bytes(10)) == "0" * 26
    assert ulid(MAX_MS, b"\xff" * 10) == "7" + "Z" * 25


@given(MOMENTS, CHANCE)
def test_a_ulid_holds_its_time_and_chance(at: int, chance: bytes) -> None:
    text = ulid(at, chance)
    assert is_ulid(text)
    assert is_ulid(text.lower())
    number = 0
    for char in text:
        number = number * 32 + ALPHABET.index(char)
    assert (number >> 80, (number & (2**80 - 1)).to_bytes(10, "big")) == (at, chance)


@given(MOMENTS, MOMENTS, CHANCE, CHANCE)
def test_ulids_sort_by_time(one: int, other: int, first: bytes, second: bytes) -> None:
    if one < other:
        assert ulid(one, first) < ulid(other, second)


@pytest.mark.parametrize(
    "text",
    ["", "0" * 25, "0" * 27, "8" + "0" * 25, "0" * 25 + "U", "0" * 25 + "I", "0" * 25 + "ſ", "0" * 26 + "\n"],
)
def test_other_texts_are_no_ulids(text: str) -> None:
    assert not is_ulid(text)


@pytest.mark.parametrize(
    ("at", "chance"), [(-1, bytes(10)), (MAX_MS + 1, bytes(10)), (0, bytes(9)), (0, bytes(11))]
)
def test_a_ulid_of_other_parts_is_refused(at: int, chance: bytes) -> None:
    with pytest.raises(ValueError, match="ULID"):
        ulid(at, chance)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 40)), min_size=1))
def test_ids_of_one_list_are_shown_as_long_as_tells_them_apart(drawn: list[tuple[int, int]]) -> None:
    ids = [ulid(1_700_000_000_000 + at, chance.to_bytes(10, "big")) for at, chance in drawn]
    shown = short_apart(ids)
    assert len(set(shown)) == len(set(ids))
    assert all(whole.startswith(one) for whole, one in zip(ids, shown, strict=True))


def test_ids_that_differ_early_stay_short_and_other_ids_whole() -> None:
    far, near = ulid(1_700_000_000_000, bytes(10)), ulid(1_700_000_100_000, bytes(10))
    assert short_apart([far, near, "k7-handmade", None]) == [short(far), short(near), "k7-handmade", ""]
