"""A corpus made of the one before is the corpus that is read anew, to the last bit."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from vault_memory.model import around
from vault_memory.model.corpus import NO_DAY, Corpus
from vault_memory.model.growing import Rows, absent, grown
from vault_memory.model.weights import DEFAULT, Weights

NAMES = {1: "ann", 2: "bo"}
ALONE = Weights(before=0, after=0, before_two=0, after_two=0, answer=0)
COLUMNS = ("lengths", "memories", "voices", "cues", "days")
TYPES = (np.int32, np.int64, np.int32, np.uint8, np.int32)
Row = tuple[int, int, int, int, int]


@dataclass
class Book:
    """The passages that there are: number → its row; and what a reader of it would make of them."""

    rows: dict[int, Row] = field(default_factory=dict)
    memories: dict[int, list[int]] = field(default_factory=dict)
    last: int = 0

    def read(self) -> Corpus:
        size = max(self.rows, default=0) + 1
        lengths, memories, voices, cues, days = (
            np.full(size, empty, kind) for empty, kind in zip((-1, -1, 0, 0, NO_DAY), TYPES, strict=True)
        )
        for number, row in self.rows.items():
            lengths[number], memories[number], voices[number], cues[number], days[number] = row
        held = lengths[lengths >= 0]
        mean = float(held.sum()) / held.size if held.size else 0.0
        return Corpus(int(held.size), mean, lengths, memories, voices, cues, days, NAMES)

    def put(self, first: int, passages: list[tuple[int, int, int]], day: int) -> list[int]:
        self.last += 1
        numbers = list(range(first, first + len(passages)))
        self.memories[self.last] = numbers
        for number, (length, voice, cues) in zip(numbers, passages, strict=True):
            self.rows[number] = (length, self.last, voice, cues, day)
        return numbers

    def drop(self, memory: int) -> list[int]:
        numbers = self.memories.pop(memory)
        for number in numbers:
            del self.rows[number]
        return numbers

    def now(self, touched: set[int]) -> Rows:
        numbers = np.array(sorted(touched), np.int64)
        rows = absent(numbers)
        for at, number in enumerate(numbers.tolist()):
            if number in self.rows:
                for column, value in zip(rows[1:], self.rows[number], strict=True):
                    column[at] = value
        return rows


PASSAGES = st.lists(
    st.tuples(st.integers(0, 9), st.sampled_from([0, 1, 2]), st.integers(0, 3)), min_size=1, max_size=5
)
STEPS = st.lists(
    st.lists(
        st.tuples(st.sampled_from(["new", "new", "edit", "shorter", "drop"]), st.integers(0, 30), PASSAGES),
        max_size=4,
    ),
    max_size=6,
)


def step(book: Book, kind: str, which: int, passages: list[tuple[int, int, int]]) -> set[int]:
    """Change a memory as an index would number it; the passages touched."""
    highest = max(book.rows, default=0) + 1
    if kind == "new" or not book.memories:
        return set(book.put(highest, passages, 20_000 + which))
    memory = sorted(book.memories)[which % len(book.memories)]
    gone = book.drop(memory)
    if kind == "drop":
        return set(gone)
    if kind == "shorter":
        passages = passages[: len(gone)]
    first = gone[0] if len(passages) <= len(gone) else max(highest, gone[-1] + 1)
    return {*gone, *book.put(first, passages, NO_DAY)}


def check_equal(found: Corpus, expected: Corpus) -> None:
    for name in COLUMNS:
        one, other = getattr(found, name), getattr(expected, name)
        assert (one.dtype, one.tolist()) == (other.dtype, other.tolist()), name
        assert not one.flags.writeable
    assert (found.count, found.mean_length) == (expected.count, expected.mean_length)
    assert found.sides().tolist() == expected.sides().tolist()
    for weights in (DEFAULT, ALONE):
        assert around.lengths(found, weights).tolist() == around.lengths(expected, weights).tolist()
        if found.count:
            assert around.mean_length(found, weights) == around.mean_length(expected, weights)
    assert found.voice_names() == expected.voice_names()
    assert found.memory_count() == expected.memory_count()


@settings(deadline=None)
@given(STEPS, st.booleans())
def test_any_sequence_of_changes_gives_what_reading_anew_gives(
    steps: list[list[tuple[str, int, list[tuple[int, int, int]]]]], measured: bool
) -> None:
    book = Book()
    corpus = book.read()
    before: list[tuple[Corpus, Corpus]] = []
    for changes in steps:
        if measured:
            around.lengths(corpus, DEFAULT)
        before.append((corpus, book.read()))
        touched: set[int] = set()
        for kind, which, passages in changes:
            touched |= step(book, kind, which, passages)
        corpus = grown(corpus, book.now(touched), NAMES)
        check_equal(corpus, book.read())
    for old, then in before:
        for name in COLUMNS:
            assert getattr(old, name).tolist() == getattr(then, name).tolist(), "a corpus once given stays"


def test_new_passages_take_the_room_behind_the_last_one_and_no_copy_is_made() -> None:
    book = Book()
    book.put(1, [(4, 1, 1), (2, 2, 0)], NO_DAY)
    first = grown(book.read(), book.now(set()), NAMES)
    second = grown(first, book.now(set(book.put(3, [(7, 0, 0)], NO_DAY))), NAMES)
    third = grown(second, book.now(set(book.put(4, [(1, 1, 0)], NO_DAY))), NAMES)
    assert second.lengths.base is third.lengths.base
    check_equal(third, book.read())
    fork = Book(dict(book.rows), dict(book.memories), book.last)
    fork.drop(3)
    other = grown(second, fork.now({4} | set(fork.put(4, [(9, 2, 3)], NO_DAY))), NAMES)
    assert other.lengths.base is not third.lengths.base, "the room behind it is taken"
    check_equal(other, fork.read())
    check_equal(third, book.read())
