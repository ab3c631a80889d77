"""All passages side by side: what is beside what, what it lends, and what is left where some are hidden."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model.shelf import corpus
from vault_memory.model import around
from vault_memory.model.corpus import (
    ANSWERED,
    LAST_BUT_ONE,
    NEXT,
    NEXT_BUT_ONE,
    NO_DAY,
    PREVIOUS,
    Corpus,
    Postings,
)
from vault_memory.model.cues import Cue
from vault_memory.model.weights import DEFAULT, Weights

if TYPE_CHECKING:
    from vault_memory.model.corpus import Flags

NAMES = {1: "ann", 2: "bo", 3: "nobody's"}
VOICES = st.sampled_from([0, 0, 1, 2])
shares = st.floats(0, 3)
weights = st.builds(Weights, before=shares, after=shares, before_two=shares, after_two=shares, answer=shares)


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    """Memories of some passages each, with gaps between their numbers."""
    lengths, memories, voices, cues, days = [-1], [-1], [0], [0], [NO_DAY]
    for memory in range(1, draw(st.integers(0, 6)) + 1):
        gap, size = draw(st.integers(0, 2)), draw(st.integers(0, 5))
        day = draw(st.sampled_from([NO_DAY, 19_000]))
        for absent in [True] * gap + [False] * size:
            lengths.append(-1 if absent else draw(st.integers(0, 20)))
            memories.append(-1 if absent else memory)
            voices.append(0 if absent else draw(VOICES))
            cues.append(0 if absent else draw(st.integers(0, 3)))
            days.append(NO_DAY if absent else day)
    return corpus(lengths, memories, voices=voices, cues=cues, days=days, names=NAMES)


def same_memory(store: Corpus, one: int, other: int) -> bool:
    inside = 0 <= other < store.memories.size
    return inside and store.memories[one] >= 0 and bool(store.memories[one] == store.memories[other])


def answers(store: Corpus, at: int) -> bool:
    """Whether the passage before asks, and is someone else's."""
    before = at - 1
    return (
        same_memory(store, at, before)
        and bool(store.cues[before] & Cue.ASKS)
        and store.voices[at] > 0
        and store.voices[before] > 0
        and bool(store.voices[at] != store.voices[before])
    )


def lent(store: Corpus, weigh: Weights, counts: dict[int, float], at: int) -> float:
    """What a passage gets of those around it."""
    before = weigh.before + (weigh.answer if answers(store, at) else 0.0)
    steps = {-1: before, 1: weigh.after, -2: weigh.before_two, 2: weigh.after_two}
    return sum(
        share * counts.get(at + step, 0.0)
        for step, share in steps.items()
        if same_memory(store, at, at + step)
    )


@given(corpora())
def test_a_passage_knows_which_of_those_around_it_are_of_the_same_memory(store: Corpus) -> None:
    for step, side in ((1, NEXT), (-1, PREVIOUS), (2, NEXT_BUT_ONE), (-2, LAST_BUT_ONE)):
        expected = [same_memory(store, at, at + step) for at in range(store.memories.size)]
        assert ((store.sides() & side) > 0).tolist() == expected


@given(corpora())
def test_a_passage_is_answered_by_someone_else_right_after_it_where_it_asks(store: Corpus) -> None:
    expected = [answers(store, at) for at in range(1, store.memories.size)]
    assert ((store.sides()[:-1] & ANSWERED) > 0).tolist() == expected


@given(corpora(), weights, st.data())
def test_what_neighbours_lend_is_their_counts_times_their_shares(
    store: Corpus, weigh: Weights, given_: st.DataObject
) -> None:
    held = np.flatnonzero(store.lengths >= 0).tolist()
    chosen = given_.draw(st.lists(st.sampled_from(held), unique=True).map(sorted)) if held else []
    counts = {at: float(given_.draw(st.integers(1, 5))) for at in chosen}
    own = np.array(list(counts.values()))
    found = around.spread(store, weigh, np.array(chosen, np.int64), own, own * 2)
    expected = {
        at: lent(store, weigh, counts, at) + 2 * counts.get(at, 0.0) for at in range(store.lengths.size)
    }
    assert dict(zip(found.numbers.tolist(), found.counts.tolist(), strict=True)) == pytest.approx(
        {at: count for at, count in expected.items() if count}
    )
    only = np.array([bool(given_.draw(st.booleans())) for _ in range(store.lengths.size)])
    some = around.spread(store, weigh, np.array(chosen, np.int64), own, own * 2, only)
    inside = only[found.numbers]
    assert some.numbers.tolist() == found.numbers[inside].tolist()
    assert some.counts.tolist() == found.counts[inside].tolist()


@given(corpora(), weights)
def test_a_passage_is_as_long_as_it_is_with_what_its_neighbours_lend(store: Corpus, weigh: Weights) -> None:
    own = {at: float(length) for at, length in enumerate(store.lengths.tolist()) if length > 0}
    expected = [own.get(at, 0.0) + lent(store, weigh, own, at) for at in range(store.lengths.size)]
    assert around.lengths(store, weigh).tolist() == pytest.approx(expected)


def test_two_weightings_of_one_corpus_are_not_mixed_up() -> None:
    store = corpus([-1, 4, 2], [-1, 1, 1])
    alone = Weights(before=0, after=0, before_two=0, after_two=0, answer=0)
    for _ in range(2):
        assert around.lengths(store, alone).tolist() == [0, 4, 2]
        assert around.lengths(store, replace(alone, before=0.5)).tolist() == [0, 4, 4]
        assert around.lengths(store, replace(alone, after=1.0)).tolist() == [0, 6, 2]


# Where some are hidden


def readable(store: Corpus, hidden: set[int]) -> Flags:
    return np.array([int(memory) not in hidden for memory in store.memories])


@given(corpora(), st.sets(st.integers(1, 6)))
def test_without_some_memories_it_is_as_if_they_had_never_been(store: Corpus, hidden: set[int]) -> None:
    found = store.of(readable(store, hidden))
    gone = [int(memory) in hidden for memory in store.memories]
    kept = [int(n) for n, out in zip(store.lengths, gone, strict=True) if n >= 0 and not out]
    assert found.count == len(kept)
    assert found.mean_length == pytest.approx(sum(kept) / len(kept) if kept else 0.0)
    assert found.readable is not None
    assert found.readable.tolist() == [
        n >= 0 and not out for n, out in zip(store.lengths.tolist(), gone, strict=True)
    ]
    never = corpus(
        [-1 if out else int(one) for one, out in zip(store.lengths, gone, strict=True)],
        [-1 if out else int(one) for one, out in zip(store.memories, gone, strict=True)],
        voices=[0 if out else int(one) for one, out in zip(store.voices, gone, strict=True)],
        cues=[0 if out else int(one) for one, out in zip(store.cues, gone, strict=True)],
        days=[NO_DAY if out else int(one) for one, out in zip(store.days, gone, strict=True)],
        names=NAMES,
    )
    here = found.readable
    assert around.lengths(found, DEFAULT)[here].tolist() == around.lengths(never, DEFAULT)[here].tolist()
    assert around.mean_length(found, DEFAULT) == around.mean_length(never, DEFAULT)
    assert found.sides()[here].tolist() == never.sides()[here].tolist()
    assert found.voice_names() == never.voice_names()
    assert found.memory_count() == never.memory_count()
    assert not found.whole


@given(corpora())
def test_memories_are_counted_once_each(store: Corpus) -> None:
    assert store.memory_count() == len({int(one) for one in store.memories if one >= 0})


@given(corpora(), st.sets(st.integers(1, 6)), st.data())
def test_the_places_of_a_term_are_those_of_what_is_not_hidden(
    store: Corpus, hidden: set[int], given_: st.DataObject
) -> None:
    held = np.flatnonzero(store.lengths >= 0).tolist()
    chosen = given_.draw(st.lists(st.sampled_from(held), unique=True).map(sorted)) if held else []
    own = np.arange(1, len(chosen) + 1)
    postings = Postings("plum", np.array(chosen, np.int64), own, own * 2)
    inside = store.of(readable(store, hidden)).within(postings)
    expected = [
        (number, own_, 2 * own_)
        for number, own_ in zip(chosen, own.tolist(), strict=True)
        if int(store.memories[number]) not in hidden
    ]
    columns = (inside.passages.tolist(), inside.own.tolist(), inside.context.tolist())
    assert list(zip(*columns, strict=True)) == expected


@given(corpora())
def test_only_who_has_a_passage_here_is_a_voice(store: Corpus) -> None:
    here = set(store.voices.tolist())
    assert store.voice_names() == {name: number for number, name in NAMES.items() if number in here}


def test_what_was_made_once_for_a_corpus_is_kept_for_it_alone() -> None:
    store = corpus([-1, 4, 2], [-1, 1, 2], voices=[0, 1, 2], names=NAMES)
    made: list[int] = []

    def make() -> int:
        made.append(1)
        return len(made)

    assert [store.kept("x", make), store.kept("x", make), store.kept("y", make)] == [1, 1, 2]
    assert store.of(readable(store, {2})).kept("x", make) == 3
    assert store.voice_names() == {"ann": 1, "bo": 2}
    assert store.of(readable(store, {2})).voice_names() == {"ann": 1}


def test_what_was_made_of_the_arrays_is_kept_for_all_that_share_them() -> None:
    store = corpus([-1, 4, 2], [-1, 1, 2])
    assert store.of_arrays("x", lambda: 1) == 1
    assert store.of(readable(store, {2})).of_arrays("x", lambda: 2) == 1


def test_what_is_given_out_of_a_corpus_without_some_can_not_be_written() -> None:
    store = corpus([-1, 4], [-1, 1])
    found = store.of(readable(store, {1}))
    assert found.readable is not None
    with pytest.raises(ValueError, match="read-only"):
        found.readable[0] = True
    with pytest.raises(ValueError, match="read-only"):
        found.sides()[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        around.lengths(found, DEFAULT)[0] = 3
