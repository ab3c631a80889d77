"""Fusion: either evidence helps, neither can push past 0–1, and without vectors words decide alone."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.model.bm25 import Ranked
from vault_memory.model.fusion import MEANING, Fused, fuse

SPAN = (0.1, 0.7)
keywords = st.dictionaries(st.integers(1, 30), st.floats(0, 1), max_size=12)
meanings = st.dictionaries(st.integers(1, 30), st.floats(-1, 1), max_size=12)


def ranked(scores: dict[int, float]) -> Ranked:
    order = sorted(scores, key=lambda number: (-scores[number], number))
    return Ranked(np.array(order, np.int64), np.array([scores[number] for number in order], np.float64))


@given(keywords)
def test_without_vectors_relevance_is_the_keyword_score(scores: dict[int, float]) -> None:
    fused = fuse(ranked(scores), [], SPAN)
    assert {one.number: one.relevance for one in fused} == scores
    assert all(one == Fused(one.number, one.keyword, one.keyword, None) for one in fused)


@given(keywords, meanings)
def test_relevance_stays_within_bounds_and_never_below_either_part(
    scores: dict[int, float], cosines: dict[int, float]
) -> None:
    fused = fuse(ranked(scores), list(cosines.items()), SPAN)
    for one in fused:
        assert 0 <= one.relevance <= 1
        assert one.relevance >= one.keyword - 1e-12
        assert one.meaning is None or one.relevance >= MEANING * one.meaning - 1e-12
    assert list(fused) == sorted(fused, key=lambda one: (-one.relevance, one.number))


@given(keywords, meanings)
def test_all_keyword_finds_stay_and_strangers_are_not_added(
    scores: dict[int, float], cosines: dict[int, float]
) -> None:
    found = {one.number for one in fuse(ranked(scores), list(cosines.items()), SPAN)}
    assert found == set(scores) | {number for number, cosine in cosines.items() if cosine > SPAN[0]}


@given(st.floats(0, 1), st.floats(-1, 1), st.floats(-1, 1))
def test_more_likeness_never_lowers_relevance(word: float, one: float, other: float) -> None:
    low, high = sorted((one, other))
    weak, strong = (fuse(ranked({1: word}), [(1, cosine)], SPAN)[0] for cosine in (low, high))
    assert weak.relevance <= strong.relevance


def test_the_span_maps_strangers_to_nothing_and_paraphrases_to_all() -> None:
    fused = fuse(ranked({1: 0.5, 2: 0.5, 3: 0.5, 4: 0.5}), [(1, 0.05), (2, 0.7), (3, 0.95), (4, 0.4)], SPAN)
    assert {one.number: one.meaning for one in fused} == pytest.approx({1: 0.0, 2: 1.0, 3: 1.0, 4: 0.5})
    assert {one.number: one.relevance for one in fused} == pytest.approx({1: 0.5, 2: 0.8, 3: 0.8, 4: 0.65})


def test_a_keyword_find_that_vectors_missed_has_no_meaning_but_keeps_its_score() -> None:
    assert Fused(1, 0.5, 0.5, 0.0) in list(fuse(ranked({1: 0.5}), [(2, 0.9)], SPAN))


def test_a_cosine_that_is_no_number_is_no_likeness() -> None:
    assert list(fuse(ranked({1: 0.5}), [(1, math.nan), (2, math.nan)], SPAN)) == [Fused(1, 0.5, 0.5, 0.0)]


def test_a_span_of_no_width_still_tells_above_from_below() -> None:
    fused = fuse(ranked({}), [(1, 0.6), (2, 0.4)], (0.5, 0.5))
    assert [(one.number, one.meaning) for one in fused] == [(1, 1.0)]


def test_candidates_can_be_taken_one_at_a_time_or_in_portions() -> None:
    fused = fuse(ranked({number: number / 10 for number in range(1, 10)}), [], SPAN)
    assert len(fused) == 9
    assert [one.number for one in fused[2:4]] == [7, 6]
    assert fused[0].number == 9
    assert fused[-1].number == 1
    with pytest.raises(IndexError):
        fused[9]
    assert fused[9:20] == []
