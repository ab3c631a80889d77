"""Recall, reciprocal rank and discounted gain are what they are by hand, and never leave 0 to 1."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.evaluate.recall.metrics import hit_at, ndcg_at, recall_at, reciprocal_rank, share

RANKED = ["a", "b", "c", "d", "e"]

ranked = st.lists(st.integers(0, 20), unique=True, max_size=15)
wanted = st.sets(st.integers(0, 20), min_size=1, max_size=6)
depth = st.integers(1, 20)


@pytest.mark.parametrize(("k", "expected"), [(1, 0), (2, 1 / 3), (4, 2 / 3), (50, 2 / 3)])
def test_recall_is_the_share_of_what_is_wanted(k: int, expected: float) -> None:
    assert recall_at(RANKED, {"b", "d", "z"}, k) == pytest.approx(expected)


@pytest.mark.parametrize(("k", "expected"), [(1, 0.0), (3, 0.0), (4, 1.0)])
def test_a_hit_is_any_of_what_is_wanted(k: int, expected: float) -> None:
    assert hit_at(RANKED, ["z", "d"], k) == expected


@pytest.mark.parametrize(("sought", "expected"), [("a", 1), ("d", 1 / 4), ("z", 0)])
def test_the_reciprocal_rank_is_of_the_first(sought: str, expected: float) -> None:
    assert reciprocal_rank(RANKED, {sought, "e"} if sought != "z" else {"z"}) == expected


def test_the_gain_is_discounted_by_its_place() -> None:
    second_and_fourth = 1 / math.log2(3) + 1 / math.log2(5)
    best = 1 + 1 / math.log2(3) + 1 / math.log2(4)
    assert ndcg_at(RANKED, {"b", "d", "z"}, 10) == pytest.approx(second_and_fourth / best)
    assert ndcg_at(RANKED, {"a", "b", "z"}, 2) == pytest.approx(1)


def test_a_share_counts_each_thing_once() -> None:
    assert share(["a", "a", "b"], ["a", "c"]) == 0.5


@given(ranked, wanted, depth)
def test_every_metric_lies_between_nothing_and_all(ranks: list[int], sought: set[int], k: int) -> None:
    for value in (
        recall_at(ranks, sought, k),
        hit_at(ranks, sought, k),
        reciprocal_rank(ranks, sought),
        ndcg_at(ranks, sought, k),
    ):
        assert 0 <= value <= 1 + 1e-12


@given(ranked, wanted, depth)
def test_a_longer_list_finds_no_less(ranks: list[int], sought: set[int], k: int) -> None:
    assert recall_at(ranks, sought, k) <= recall_at(ranks, sought, k + 1)
    assert hit_at(ranks, sought, k) >= (recall_at(ranks, sought, k) > 0)


@given(wanted, st.lists(st.integers(21, 40), unique=True), depth)
def test_all_that_is_wanted_in_front_is_perfect(sought: set[int], others: list[int], k: int) -> None:
    perfect = [*sorted(sought), *others]
    assert ndcg_at(perfect, sought, k) == pytest.approx(1)
    assert reciprocal_rank(perfect, sought) == 1
    assert recall_at(perfect, sought, len(sought)) == 1


@given(ranked, wanted)
def test_moving_something_wanted_forward_never_lowers_the_gain(ranks: list[int], sought: set[int]) -> None:
    for at in range(1, len(ranks)):
        if ranks[at] in sought and ranks[at - 1] not in sought:
            moved = [*ranks[: at - 1], ranks[at], ranks[at - 1], *ranks[at + 1 :]]
            assert ndcg_at(moved, sought, 10) >= ndcg_at(ranks, sought, 10) - 1e-12
