"""Holding what was found in marked transcripts against the marks: precision and recall."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from vault_memory.evaluate.capture.marked import Marked, Transcript
from vault_memory.model.again import words_said
from vault_memory.model.capture.lessons import Found, lessons_in
from vault_memory.model.capture.turn import Lesson, Turn

ENOUGH = 0.5
"""A lesson is the marked one of its turn when their words agree so well (F1)."""


@dataclass(frozen=True, slots=True)
class Score:
    """Counts over some transcripts."""

    transcripts: int
    marked: int
    found: int
    right: int
    """Found ones that are marked."""
    right_sort: int
    """Of these, those that were taken for what the mark calls them."""

    @property
    def precision(self) -> float:
        """The share of the found that are marked, 1 where nothing was found."""
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """The share of the marked that were found."""
        return self.right / self.marked if self.marked else 1.0


@dataclass(frozen=True, slots=True)
class Held:
    """One transcript with what was right, what was none, and what was missed."""

    transcript: Transcript
    pairs: tuple[tuple[Marked, Lesson], ...]
    wrong: tuple[Lesson, ...]
    missed: tuple[Marked, ...]


def held(transcript: Transcript, find: Callable[[Sequence[Turn]], Found] = lessons_in) -> Held:
    """Pair each lesson with at most one mark of its turn."""
    left = list(transcript.marked)
    pairs: list[tuple[Marked, Lesson]] = []
    wrong: list[Lesson] = []
    for lesson in find(transcript.turns).lessons:
        rivals = [(agreement(one.text, lesson.text), one) for one in left if one.line == lesson.line]
        best = max(rivals, key=lambda rival: rival[0], default=None)
        if best is not None and best[0] >= ENOUGH:
            pairs.append((best[1], lesson))
            left.remove(best[1])
        else:
            wrong.append(lesson)
    return Held(transcript, tuple(pairs), tuple(wrong), tuple(left))


def score(all_held: Iterable[Held]) -> Score:
    """The counts of all together."""
    every = list(all_held)
    right = sum(len(one.pairs) for one in every)
    return Score(
        len(every),
        sum(len(one.transcript.marked) for one in every),
        right + sum(len(one.wrong) for one in every),
        right,
        sum(mark.sort is lesson.sort for one in every for mark, lesson in one.pairs),
    )


def agreement(one: str, other: str) -> float:
    """F1 of the words of two texts."""
    a, b = set(words_said(one)), set(words_said(other))
    return 2 * len(a & b) / (len(a) + len(b)) if a and b else 0.0
