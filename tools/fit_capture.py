"""Fit the weights by which capture tells a lesson from other talk, to the marked transcripts we ship.

    python -m tools.fit_capture            # write vault_memory/model/capture/weights.py
    python -m tools.fit_capture --crossed  # how well it does on transcripts that the fit has not seen

Needs numpy alone and a few seconds. Two logistic regressions with a quadratic penalty: one tells lessons from
other sentences, the other, among lessons, their sorts. No part that nobody has looked at is fitted to.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vault_memory.evaluate.capture.marked import LOOKED_AT, Marked, Transcript, transcripts
from vault_memory.evaluate.capture.scored import ENOUGH, Held, Score, agreement, held, score
from vault_memory.model.capture import quality, scoring
from vault_memory.model.capture.lessons import Found, lessons_in
from vault_memory.model.capture.scoring import SORTS, Table
from vault_memory.model.capture.sentences import sentences
from vault_memory.model.capture.traits import traits
from vault_memory.model.capture.turn import Lesson, Role, Sort, Turn
from vault_memory.model.capture.wrappers import cleaned

Floats = npt.NDArray[np.float64]
PLACE = Path(scoring.__file__).parent / "weights.py"
COUNTS_FOR = {"tuned": 0.4, "heldout": 0.4, "blind": 1.0, "styles": 1.0, "wordy": 2.0}
"""What a sentence of a part counts for: less where phrases were tuned on it, so that what they know anyway
does not lead; more where most of what is said is no lesson, as in real conversations."""
LESSON_PENALTY, SORT_PENALTY = 5.0, 3.0
LEAST = 0.7
"""From that sum on a sentence is taken: with less, three of five that are found in long turns are none."""
MANY_WORDS = 12
FEWEST = 2
"""A trait is in the table when it occurs in so many transcripts."""
_HEAD = '''"""What each trait of a sentence weighs: written by tools/fit_capture.py, never by hand."""

# The first number is for being a lesson, the others for being a decision, constraint, result, cause,
# procedure, preference, dead end, intent.
# fmt: off
BASE = ({base})
WEIGHTS = {{
'''


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence with its traits; `sort` is what its mark calls it, `None` where it has none."""

    transcript: str
    part: str
    seen: frozenset[str]
    sort: Sort | None


def examples(of: Iterable[Transcript]) -> list[Example]:
    """Every sentence that might be a lesson."""
    return [one for transcript in of for one in _examples(transcript)]


def fitted(of: Sequence[Example]) -> Table:
    """The weights that tell these apart best."""
    names = _names(of)
    rows = np.array([[1.0, *(name in one.seen for name in names)] for one in of])
    counts = np.array([COUNTS_FOR[one.part] for one in of])
    marked = np.array([one.sort is not None for one in of])
    lesson = _lesson_weights(rows, marked.astype(float), counts)
    lesson[0] -= LEAST
    wanted = np.array([[one.sort is sort for sort in SORTS] for one in of], float)[marked]
    sorts = _sort_weights(rows[marked], wanted, np.minimum(counts[marked], 1.0))
    table = np.round(np.column_stack([lesson, sorts]), 2) + 0.0
    every = [tuple(float(number) for number in row) for row in table]
    return Table(every[0], dict(zip(names, every[1:], strict=True)))


def crossed(apart: Callable[[Transcript], str], parts: Collection[str] = LOOKED_AT) -> list[Held]:
    """Each transcript by weights that were fitted without it and all that are `apart` by the same word."""
    every = [one for one in transcripts() if one.part in parts]
    known = {one.name: examples([one]) for one in every}
    found: list[Held] = []
    for group in sorted({apart(one) for one in every}):
        table = fitted([ex for one in every if apart(one) != group for ex in known[one.name]])
        find = partial(lessons_in, table=table)
        found += [held(one, find) for one in every if apart(one) == group]
    return found


def by_length() -> list[Held]:
    """What it would be to know nothing and to take whatever is long: what figures are to be compared with."""
    return [held(one, _long_ones) for one in transcripts() if one.part in LOOKED_AT]


def scores(found: Sequence[Held]) -> dict[str, Score]:
    """The counts of each part and of all."""
    by_part = {part: score(one for one in found if one.transcript.part == part) for part in LOOKED_AT}
    return {**by_part, "all": score(found)}


def written(table: Table) -> str:
    """The table as the module that is shipped."""
    rows = [f'    "{name}": ({_numbers(row)}),' for name, row in sorted(table.rows.items())]
    return _HEAD.format(base=_numbers(table.base)) + "\n".join(rows) + "\n}\n"


def _long_ones(turns: Sequence[Turn]) -> Found:
    said = [turn for turn in turns if turn.role is not Role.TOOL]
    long = [
        Lesson("", text, "", turn.line)
        for turn in said
        for text in (one.text for one in sentences(cleaned(turn.text)))
        if len(text.split()) >= MANY_WORDS and not quality.is_noise(text) and not quality.is_question(text)
    ]
    return Found(tuple(long), len(turns))


def _examples(transcript: Transcript) -> list[Example]:
    found: list[Example] = []
    for turn in transcript.turns:
        if turn.role is Role.TOOL:
            continue
        texts = [quality.without_lead(one.text) for one in sentences(cleaned(turn.text))]
        marks = [mark for mark in transcript.marked if mark.line == turn.line]
        sorts = _paired(texts, marks)
        for at, text in enumerate(texts):
            if not (quality.is_noise(text) or quality.is_question(text) or quality.is_unsure(text)):
                found.append(
                    Example(transcript.name, transcript.part, traits(text, turn.role), sorts.get(at))
                )
    return found


def _paired(texts: Sequence[str], marks: Sequence[Marked]) -> dict[int, Sort]:
    """Each mark with the one sentence that agrees with it best."""
    pairs = sorted(
        ((agreement(mark.text, text), -at, number) for at, text in enumerate(texts)
         for number, mark in enumerate(marks)), reverse=True,
    )  # fmt: skip
    found: dict[int, Sort] = {}
    taken: set[int] = set()
    for agreed, at, number in pairs:
        if agreed >= ENOUGH and -at not in found and number not in taken:
            found[-at] = marks[number].sort
            taken.add(number)
    return found


def _names(of: Sequence[Example]) -> list[str]:
    where: dict[str, set[str]] = {}
    for one in of:
        for name in one.seen:
            where.setdefault(name, set()).add(one.transcript)
    return sorted(name for name, found in where.items() if len(found) >= FEWEST)


def _lesson_weights(rows: Floats, wanted: Floats, counts: Floats) -> Floats:
    """By Newton's method; the base alone is not held back by the penalty."""
    penalty = np.full(rows.shape[1], LESSON_PENALTY)
    penalty[0] = 1e-3
    weights = np.zeros(rows.shape[1])
    for _ in range(10):
        told = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (counts * (wanted - told)) - penalty * weights
        bend = (rows.T * (counts * told * (1 - told))) @ rows + np.diag(penalty)
        weights = weights + np.linalg.solve(bend, slope)
    return weights


def _sort_weights(rows: Floats, wanted: Floats, counts: Floats) -> Floats:
    """By steps down the slope with some of the last step kept."""
    weights = np.zeros((rows.shape[1], wanted.shape[1]))
    last = np.zeros_like(weights)
    steep = 0.5 * float(np.linalg.norm(rows.T @ (rows * counts[:, None]), 2)) + SORT_PENALTY
    for _ in range(150):
        ahead = weights + 0.9 * last
        told = np.exp(rows @ ahead - np.max(rows @ ahead, axis=1, keepdims=True))
        told /= told.sum(axis=1, keepdims=True)
        slope = rows.T @ ((told - wanted) * counts[:, None]) + SORT_PENALTY * ahead
        last = 0.9 * last - slope / steep
        weights = weights + last
    return weights


def _numbers(row: Iterable[float]) -> str:
    return ", ".join(f"{number:.2f}" for number in row)


def main() -> int:
    """Write the table, or tell how well it does."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--crossed", action="store_true")
    if not parser.parse_args().crossed:
        PLACE.write_text(
            written(fitted(examples(one for one in transcripts() if one.part in LOOKED_AT))), encoding="utf-8"
        )
        return 0
    for title, found in (
        ("each transcript by the others", crossed(lambda one: one.name)),
        ("each part by the others", crossed(lambda one: one.part)),
        (f"for comparison: every sentence of {MANY_WORDS} words", by_length()),
    ):
        print(title)
        for part, one in scores(found).items():
            print(f"  {part:8}  precision {one.precision:.2f}  recall {one.recall:.2f}  "
                  f"right sort {one.right_sort} of {one.right}")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
