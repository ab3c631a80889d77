"""What each hint gains in fusion, and how words stand beside vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.model.fused import (
    NOTHING_ELSE,
    PLAIN,
    Question,
    relevance,
)
from tests.model.shelf import corpus
from vault_memory.model.asked import Asked, Day
from vault_memory.model.corpus import NO_DAY, Corpus
from vault_memory.model.cues import Cue
from vault_memory.model.fusion import MEANING

# One at a time


def shown(**columns: Sequence[int]) -> Corpus:
    """Passages 1 to 4, of one memory each unless told otherwise."""
    return corpus(
        [-1, 5, 5, 5, 5],
        columns.pop("memories", [-1, 1, 2, 3, 4]),
        names={1: "ann", 2: "bo"},
        **{name: [0 if name != "days" else NO_DAY, *column] for name, column in columns.items()},
    )


FOUR = {1: 0.5, 2: 0.5, 3: 0.5, 4: 0.4}


def evenness(store: Corpus, told: Asked, **weigh: float) -> list[float]:
    """What each of four has beside what its words alone would give it, the greatest as 1."""
    found = relevance(Question(FOUR, None, store, told, replace(PLAIN, **weigh)).answer())
    gains = [found[number] / FOUR[number] for number in sorted(found)]
    return [round(gain / max(gains), 4) for gain in gains]


def test_the_one_whom_the_question_names_gains() -> None:
    store = shown(voices=[1, 2, 0, 1])
    told = NOTHING_ELSE._replace(voice=1)
    assert evenness(store, told, voice=1.0) == [1.0, 0.5, 0.5, 1.0]
    assert evenness(store, NOTHING_ELSE, voice=1.0) == [1.0] * 4


def test_what_says_when_gains_where_the_question_asks_when() -> None:
    store = shown(cues=[Cue.TIMED, Cue.ASKS, 0, Cue.TIMED | Cue.ASKS])
    assert evenness(store, NOTHING_ELSE._replace(when=True), when=1.0) == [1.0, 0.5, 0.5, 1.0]
    assert evenness(store, NOTHING_ELSE, when=1.0) == [1.0] * 4


def test_what_is_of_the_day_asked_for_gains_and_more_the_nearer() -> None:
    day = 19_000  # 2022-01-08
    store = shown(days=[day, day + 5, NO_DAY, day + 20])
    told = NOTHING_ELSE._replace(day=Day(2022, 1, 8))
    assert evenness(store, told, date=1.0) == [1.0, 0.85, 0.5, 0.7]
    assert evenness(store, NOTHING_ELSE, date=1.0) == [1.0] * 4


def test_what_asks_something_itself_loses() -> None:
    store = shown(cues=[Cue.ASKS, 0, Cue.TIMED, Cue.ASKS])
    assert evenness(store, NOTHING_ELSE, asking=0.2) == [0.8, 1.0, 1.0, 0.8]


def test_a_memorys_best_passage_counts_for_its_others() -> None:
    store = shown(memories=[-1, 1, 2, 2, 3])
    found = relevance(
        Question({1: 0.5, 2: 0.5, 3: 1.0, 4: 0.5}, None, store, weights=replace(PLAIN, note=0.5)).answer()
    )
    assert found[3] > found[2] > found[1] == found[4]
    assert found[2] / found[3] == pytest.approx(1.0 / 1.5)
    assert found[1] / found[3] == pytest.approx(0.75 / 1.5)


def test_all_hints_together_multiply() -> None:
    store = shown(voices=[1, 0, 0, 0], cues=[Cue.TIMED, 0, 0, 0], days=[19_000, NO_DAY, NO_DAY, NO_DAY])
    told = Asked(1, frozenset({"ann"}), True, Day(2022, 1, 8))
    assert evenness(store, told, voice=1.0, when=1.0, date=1.0) == [1.0, 0.125, 0.125, 0.125]


# Words beside vectors


def test_the_span_maps_strangers_to_nothing_and_paraphrases_to_all() -> None:
    asked = Question({1: 0.5, 2: 0.5, 3: 0.5, 4: 0.5}, {1: 0.05, 2: 0.7, 3: 0.95, 4: 0.4})
    assert {one.number: one.meaning for one in asked.answer()} == pytest.approx(
        {1: 0.0, 2: 1.0, 3: 1.0, 4: 0.5}
    )


def test_likeness_alone_carries_no_further_than_it_may() -> None:
    (only,) = Question({}, {7: 0.9}).answer()
    assert (only.number, only.keyword, only.meaning) == (7, 0.0, 1.0)
    assert only.relevance == pytest.approx(MEANING)


def test_a_common_word_alone_crowds_out_no_paraphrase() -> None:
    found = Question({1: 0.1}, {1: 0.12, 2: 0.7}, trust=0.6, floor=0.1).answer()
    assert [one.number for one in found] == [2, 1]


def test_the_best_match_of_words_counts_more_than_the_greatest_likeness() -> None:
    found = Question({1: 0.9}, {2: 0.7}, trust=0.6, floor=0.1).answer()
    assert [one.number for one in found] == [1, 2]


def test_a_keyword_find_that_vectors_missed_has_no_meaning_but_stays() -> None:
    found = {one.number: one for one in Question({1: 0.5}, {2: 0.9}).answer()}
    assert found[1].meaning == 0.0
    assert found[1].relevance > 0


@pytest.mark.parametrize("floor", [-1.0, 0.2, math.nan])
def test_a_cosine_that_is_no_number_is_no_likeness(floor: float) -> None:
    (only,) = Question({1: 0.5}, {1: math.nan, 2: math.nan}, floor=floor).answer()
    assert (only.number, only.meaning) == (1, 0.0)
    assert only.relevance == pytest.approx(only.keyword)
    kept = Question({1: 0.5}, {1: 0.6, 2: math.nan}, floor=floor).answer()
    assert [one.number for one in kept] == [1]
    assert all(math.isfinite(one.relevance) for one in kept)


def test_a_span_of_no_width_still_tells_above_from_below() -> None:
    found = Question({}, {1: 0.6, 2: 0.4}, span=(0.5, 0.5)).answer()
    assert [(one.number, one.meaning) for one in found] == [(1, 1.0)]


def test_where_all_vectors_are_equally_near_each_is_the_nearest() -> None:
    found = Question({}, {1: 0.6, 2: 0.6}, floor=0.6).answer()
    assert relevance(found)[1] == relevance(found)[2] > 0


@pytest.mark.parametrize("near", [None, {}, {3: -0.5}], ids=["no vectors", "none near", "a stranger"])
def test_no_candidates_are_no_portions(near: dict[int, float] | None) -> None:
    found = Question({}, near).answer()
    assert (len(found), list(found), list(found.portions(5))) == (0, [], [])


@pytest.mark.parametrize("near", [None, {1: 0.5, 2: 0.0}])
def test_shares_of_nothing_are_no_fault(near: dict[int, float] | None) -> None:
    found = relevance(Question({1: 0.0, 2: 0.0}, near).answer())
    assert set(found) == {1, 2}
    assert all(math.isfinite(one) for one in found.values())


def test_where_all_there_is_asks_and_asking_takes_all_nothing_is_relevant() -> None:
    found = Question(
        {1: 0.5, 2: 0.2}, None, shown(cues=[1, 1, 0, 0]), weights=replace(PLAIN, asking=1.0)
    ).answer()
    assert relevance(found) == {1: 0.0, 2: 0.0}


def test_an_embedder_of_no_trust_adds_nothing() -> None:
    assert list(Question({1: 0.5}, {2: 0.9}, trust=0.0).answer()) == list(Question({1: 0.5}, None).answer())
