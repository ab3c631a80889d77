"""Fusion: words, likeness and what the question tells make one order, and a relevance within 0–1."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, islice
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.model.fused import (
    PLAIN,
    SIZE,
    SPAN,
    Question,
    asked,
    questions,
    relevance,
)
from tests.model.shelf import corpus
from vault_memory.model.asked import Asked
from vault_memory.model.bm25 import Shares, squash
from vault_memory.model.corpus import NO_DAY
from vault_memory.model.cues import Cue
from vault_memory.model.fusion import MEANING, Fusion, Near, fuse
from vault_memory.model.weights import DEFAULT


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
