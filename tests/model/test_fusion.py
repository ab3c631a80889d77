"""Fusion: words, likeness and what the question tells make one order, and a relevance within 0–1."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.model.shelf import corpus
from vault_memory.model.asked import Asked, Day, nearness
from vault_memory.model.bm25 import Shares, squash
from vault_memory.model.corpus import NO_DAY, Corpus
from vault_memory.model.cues import Cue
from vault_memory.model.fusion import ENOUGH, MEANING, Fusion, Near, fuse
from vault_memory.model.weights import DEFAULT, Weights

SPAN = (0.1, 0.7)
NOTHING_ELSE = Asked(None, frozenset(), False, None)
PLAIN = replace(DEFAULT, voice=0, when=0, date=0, asking=0, note=0)
SIZE = 30
LONE = corpus([-1, *[5] * SIZE], [-1, *range(1, SIZE + 1)])
"""Passages 1 to 30, each of a memory of its own, of which nothing else is known."""

numbers = st.integers(1, SIZE)
shares = st.dictionaries(numbers, st.floats(0.001, 2.2), max_size=12)
cosines = st.dictionaries(numbers, st.floats(-1, 1), max_size=12)
hints = st.floats(0, 10)


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    """Memories of a few passages, with all that a passage may show."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=SIZE, max_size=SIZE))
    memories = [memory for memory, size in enumerate(sizes, 1) for _ in range(size)][:SIZE]

    def column(one: st.SearchStrategy[int], absent: int) -> list[int]:
        return [absent, *draw(st.lists(one, min_size=SIZE, max_size=SIZE))]

    return corpus(
        [-1, *[5] * SIZE],
        [-1, *memories],
        voices=column(st.integers(0, 2), 0),
        cues=column(st.integers(0, 3), 0),
        days=column(st.sampled_from([NO_DAY, 19_000, 19_003, 19_040]), NO_DAY),
        names={1: "ann", 2: "bo"},
    )


asked = st.builds(
    Asked,
    st.sampled_from([None, 1, 2]),
    st.just(frozenset[str]()),
    st.booleans(),
    st.sampled_from([None, Day(2022, 1, 8), Day(2022, 1, None), Day(2022, None, None)]),
)
weights = st.builds(
    Weights, meaning=hints, voice=hints, when=hints, date=hints, asking=st.floats(0, 1), note=hints
)


@dataclass(frozen=True, slots=True)
class Question:
    """All that `fuse` is given."""

    shares: Mapping[int, float]
    cosines: Mapping[int, float] | None
    corpus: Corpus = LONE
    asked: Asked = NOTHING_ELSE
    weights: Weights = PLAIN
    trust: float = 0.5
    span: tuple[float, float] = SPAN
    floor: float = -1.0

    def answer(self) -> Fusion:
        held = sorted(self.shares)
        words = Shares(np.array(held, np.int64), np.array([self.shares[one] for one in held], np.float64), 3)
        near = None
        if self.cosines is not None:
            held = sorted(self.cosines)
            floats = np.array([self.cosines[one] for one in held], np.float64)
            near = Near(np.array(held, np.int64), floats, self.floor)
        return fuse(words, near, self.corpus, self.asked, self.weights, trust=self.trust, span=self.span)

    def alike(self, number: int) -> float:
        low, high = self.span
        return min(max(((self.cosines or {}).get(number, low) - low) / (high - low), 0.0), 1.0)

    def evidence(self) -> dict[int, float]:
        """By the words of `fuse`, one passage after the other."""
        near = self.cosines or {}
        found = set(self.shares) | {number for number in near if self.alike(number) > 0}
        best = max(near.values(), default=0.0)
        most = max(self.shares.values(), default=0.0)
        alone: dict[int, float] = {}
        for number in found:
            said = self.shares.get(number, 0.0) / (most or 1.0)
            if self.cosines is not None:
                said *= min(1.0, most / ENOUGH) ** 2
            if number in near and self.alike(number) > 0:
                scaled = (near[number] - self.floor) / (best - self.floor) if best > self.floor else 1.0
                said += self.trust * self.weights.meaning * min(max(scaled, 0.0), 1.0)
            alone[number] = said * self.raised(number)
        memories = self.corpus.memories
        return {
            number: said
            + self.weights.note * max(alone[one] for one in alone if memories[one] == memories[number])
            for number, said in alone.items()
        }

    def raised(self, number: int) -> float:
        told, weigh = self.asked, self.weights
        factor = 1 - weigh.asking * bool(self.corpus.cues[number] & Cue.ASKS)
        factor *= 1 + weigh.voice * (told.voice is not None and told.voice == self.corpus.voices[number])
        factor *= 1 + weigh.when * (told.when and bool(self.corpus.cues[number] & Cue.TIMED))
        if told.day is not None:
            factor *= 1 + weigh.date * float(nearness(told.day, self.corpus.days[[number]])[0])
        return float(factor)


@st.composite
def questions(draw: st.DrawFn) -> Question:
    return Question(
        draw(shares),
        draw(st.none() | cosines),
        draw(corpora()),
        draw(asked),
        draw(weights),
        trust=draw(st.sampled_from([0.3, 0.6])),
        floor=draw(st.floats(-1, 1)),
    )


def relevance(found: Fusion) -> dict[int, float]:
    return {one.number: one.relevance for one in found}


@given(questions())
def test_relevance_lies_within_its_bounds(question: Question) -> None:
    for one in question.answer():
        assert 0 <= one.relevance <= 1
        assert 0 <= one.keyword < 1
        assert one.meaning is None or 0 <= one.meaning <= 1


@given(questions())
def test_every_find_by_words_stays_and_strangers_found_by_vectors_only_are_left_out(
    question: Question,
) -> None:
    alike = {number for number, cosine in (question.cosines or {}).items() if cosine > SPAN[0]}
    found = set(relevance(question.answer()))
    if question.trust * question.weights.meaning:
        assert found == set(question.shares) | alike
    else:
        assert found == set(question.shares)


@given(questions().filter(lambda question: question.trust * question.weights.meaning > 0))
def test_the_order_is_that_of_the_evidence_and_relevance_in_proportion_to_it(question: Question) -> None:
    expected, found = question.evidence(), relevance(question.answer())
    assert set(found) == set(expected)
    most = max(expected.values(), default=0.0)
    first = max(found.values(), default=0.0)
    for number, said in expected.items():
        assert found[number] == pytest.approx(first * said / most if most else 0.0)


@given(questions())
def test_how_relevant_the_first_is_words_and_likeness_say(question: Question) -> None:
    found = list(question.answer())
    if found:
        first = found[0]
        sure = first.keyword + (1 - first.keyword) * MEANING * (first.meaning or 0.0) ** 3
        everything_asks = first.relevance == 0 and question.weights.asking == 1
        assert everything_asks or first.relevance == pytest.approx(sure)


@given(questions())
def test_keyword_and_meaning_are_told_as_they_are(question: Question) -> None:
    for one in question.answer():
        assert one.keyword == pytest.approx(float(squash(np.array(question.shares.get(one.number, 0.0)))))
        if question.cosines is None or not question.weights.meaning:
            assert one.meaning is None
        else:
            assert one.meaning == pytest.approx(question.alike(one.number))


@given(questions(), st.integers(1, 7))
def test_portions_hold_each_candidate_once_best_first_and_equal_ones_by_number(
    question: Question, size: int
) -> None:
    found = question.answer()
    portions = list(found.portions(size))
    assert all(0 < len(portion) <= size for portion in portions)
    together = [one for portion in portions for one in portion]
    assert together == list(found) == sorted(found, key=lambda one: (-one.relevance, one.number))
    assert len(together) == len(found) == len(relevance(found))


def stays_before(question: Question, raised: Question, number: int) -> None:
    before, after = relevance(question.answer()), relevance(raised.answer())
    behind = [one for one in before if before[one] <= before[number]]
    assert all(after[one] <= after[number] + 1e-9 for one in behind)


@given(questions(), st.floats(0, 2), st.data())
def test_more_words_never_put_a_passage_behind_one_that_it_was_before(
    question: Question, more: float, given: st.DataObject
) -> None:
    assume(question.shares)
    question = replace(question, weights=PLAIN)
    number = given.draw(st.sampled_from(sorted(question.shares)))
    more += question.shares[number]
    stays_before(question, replace(question, shares={**question.shares, number: more}), number)


@given(questions(), st.floats(0, 2), st.data())
def test_more_likeness_never_puts_a_passage_behind_one_that_it_was_before(
    question: Question, more: float, given: st.DataObject
) -> None:
    # What a memory's best passage counts for it may be another's likeness, which is less beside the new best.
    question = replace(question, weights=replace(question.weights, note=0.0))
    found = sorted(relevance(question.answer()))
    assume(found and question.cosines is not None)
    number = given.draw(st.sampled_from(found))
    near = question.cosines or {}
    raised = {**near, number: near.get(number, -1.0) + more}
    stays_before(question, replace(question, cosines=raised), number)


@pytest.mark.parametrize("ingredient", ["meaning", "voice", "when", "date", "asking", "note"])
@given(question=questions())
def test_an_ingredient_of_weight_0_is_as_if_there_were_none(question: Question, ingredient: str) -> None:
    without = replace(question, weights=replace(question.weights, **{ingredient: 0.0}))
    blind: dict[str, Any] = {
        "meaning": {"cosines": None},
        "voice": {"asked": question.asked._replace(voice=None)},
        "when": {"asked": question.asked._replace(when=False)},
        "date": {"asked": question.asked._replace(day=None)},
        "asking": {"corpus": replace(question.corpus, cues=question.corpus.cues & ~Cue.ASKS)},
        "note": {"corpus": replace(question.corpus, memories=np.arange(SIZE + 1))},
    }
    if ingredient == "note":  # where each is of a memory of its own, all gain alike
        without = replace(without, weights=replace(without.weights, note=0.0))
        lone = replace(question, **blind["note"])
        assert relevance(without.answer()) == pytest.approx(relevance(lone.answer()))
        return
    assert list(without.answer()) == list(replace(without, **blind[ingredient]).answer())


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


@settings(deadline=None, max_examples=40)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 4),
    st.sampled_from([0.0, 0.2, 1.0, 10.0]),
    st.sampled_from([1, 7, 128]),
    st.sampled_from([2, 50, 100_000]),
    asked,
    st.booleans(),
)
def test_of_very_many_the_best_come_as_if_all_had_been_weighed(
    seed: int, longest: int, note: float, size: int, steps: int, hinted: Asked, by_meaning: bool
) -> None:
    chance = np.random.default_rng(seed)
    memories = np.repeat(np.arange(3_000), chance.integers(1, longest + 1, 3_000))
    count = memories.size
    store = corpus(
        [-1, *[5] * count],
        [-1, *memories.tolist()],
        voices=[0, *chance.integers(0, 3, count).tolist()],
        cues=[0, *chance.integers(0, 4, count).tolist()],
        days=[NO_DAY, *chance.choice([NO_DAY, 19_000, 19_003], count).tolist()],
        names={1: "ann", 2: "bo"},
    )
    # Few different shares make many equal ones; high powers make few good ones.
    said = np.ceil(chance.random(count) ** 6 * steps) / steps
    words = Shares(np.flatnonzero(said > 0) + 1, said[said > 0], 3)
    near = Near(np.sort(chance.choice(count, 100, replace=False)) + 1, chance.random(100), 0.1)
    weigh = replace(DEFAULT, note=note)

    def answer() -> Fusion:
        given_ = near if by_meaning else None
        return fuse(words, given_, store, hinted, weigh, trust=0.5, span=SPAN)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vault_memory.model.fusion.MANY", 100)
        some = list(islice(answer().portions(size), 4))
        every = list(chain.from_iterable(answer().portions(size)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vault_memory.model.fusion.MANY", 10**9)
        assert some == list(islice(answer().portions(size), 4))
        assert every == list(chain.from_iterable(answer().portions(size)))
