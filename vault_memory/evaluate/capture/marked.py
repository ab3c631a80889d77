"""Reading transcripts with marks: `U:`, `A:`, `T:` begin turns, and `«kind: text»` is a lesson."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from vault_memory.model.capture.turn import Role, Sort, Turn

FOLDER = Path(__file__).parent / "transcripts"
LOOKED_AT = ("tuned", "heldout", "blind", "styles", "wordy")
"""The phrases were tuned on the first, the second was written before them, the third after they were done,
the fourth by somebody else; the fifth has long turns in which little is to be kept. The table of weights is
fitted to all five."""
PARTS = (*LOOKED_AT, "unseen")
"""All that are shipped: beside these, what nobody has looked at for the rules' sake. It was written before
the table of weights, and held against it once that was done; who tunes with it puts it among the others."""

_SORTS = {
    "decision": Sort.DECISION, "constraint": Sort.CONSTRAINT, "evidence": Sort.RESULT, "semantic": Sort.CAUSE,
    "procedural": Sort.PROCEDURE, "preference": Sort.PREFERENCE, "deadend": Sort.DEAD_END,
    "intent": Sort.INTENT,
}  # fmt: skip
_ROLES = {"U": Role.USER, "A": Role.ASSISTANT, "T": Role.TOOL}
_MARK = re.compile(r"«(\w+): ([^»]*)»")


@dataclass(frozen=True, slots=True)
class Marked:
    """A lesson that a reader would keep, with the number of its turn."""

    sort: Sort
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Transcript:
    """One conversation. `line` of turns and marks is the line of the file."""

    name: str
    part: str
    turns: tuple[Turn, ...]
    marked: tuple[Marked, ...]


def transcripts() -> Iterator[Transcript]:
    """All that are shipped, by part and name."""
    for part in PARTS:
        for file in sorted((FOLDER / part).glob("*.txt")):
            yield read(file.stem, part, file.read_text(encoding="utf-8"))


def read(name: str, part: str, text: str) -> Transcript:
    """One of them."""
    turns: list[Turn] = []
    marked: list[Marked] = []
    for number, line in enumerate(text.splitlines(), start=1):
        role, said = _ROLES[line[0]], line[3:]
        marked.extend(Marked(_SORTS[kind], lesson, number) for kind, lesson in _MARK.findall(said))
        turns.append(Turn(role, _MARK.sub(r"\2", said), number))
    return Transcript(name, part, tuple(turns), tuple(marked))
