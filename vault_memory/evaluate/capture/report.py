"""The figures of capture over all marked transcripts: by part, and by what is looked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from vault_memory.evaluate.capture.marked import LOOKED_AT, PARTS, transcripts
from vault_memory.evaluate.capture.scored import Held, Score, held, score
from vault_memory.model.capture.turn import Sort

ALL = "all"
_HEAD = ("part", "transcripts", "marked", "found", "precision", "recall", "right sort")


def measured() -> list[Held]:
    """Every transcript that is shipped, held against its marks."""
    return [held(one) for one in transcripts()]


def by_part(found: list[Held]) -> Mapping[str, Score]:
    """The counts of each part, and of all."""
    parts = {part: score(one for one in found if one.transcript.part == part) for part in PARTS}
    return {**parts, ALL: score(found)}


def measured_json(found: list[Held]) -> dict[str, object]:
    """The same as JSON, with the share of each sort that was found."""
    return {
        "parts": {name: _figures(one) for name, one in by_part(found).items()},
        "looked_at": list(LOOKED_AT),
        "sorts": {sort.value: {"marked": marked, "found": right} for sort, marked, right in _by_sort(found)},
    }


def render_measured(found: list[Held]) -> str:
    """The same as a table."""
    rows = [_HEAD, *(_row(name, one) for name, one in by_part(found).items())]
    widths = [max(len(row[at]) for row in rows) for at in range(len(_HEAD))]
    table = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    sorts = ", ".join(f"{sort.value} {right} of {marked}" for sort, marked, right in _by_sort(found))
    unseen = ", ".join(part for part in PARTS if part not in LOOKED_AT) or "none"
    looked_at = f"the rules were made with a look at: {', '.join(LOOKED_AT)}; without one at: {unseen}"
    return "\n".join((*table, "", f"found of those marked: {sorts}", looked_at))


def _row(name: str, one: Score) -> tuple[str, ...]:
    counts = (str(one.transcripts), str(one.marked), str(one.found))
    return name, *counts, f"{one.precision:.2f}", f"{one.recall:.2f}", f"{one.right_sort} of {one.right}"


def _figures(one: Score) -> dict[str, object]:
    return {
        "transcripts": one.transcripts,
        "marked": one.marked,
        "found": one.found,
        "right": one.right,
        "right_sort": one.right_sort,
        "precision": round(one.precision, 3),
        "recall": round(one.recall, 3),
    }


def _by_sort(found: list[Held]) -> Iterator[tuple[Sort, int, int]]:
    for sort in Sort:
        marked = sum(mark.sort is sort for one in found for mark in one.transcript.marked)
        if marked:
            yield sort, marked, sum(mark.sort is sort for one in found for mark, _ in one.pairs)
