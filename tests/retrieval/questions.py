"""Known-item questions over real note collections: one to ask, and the notes that answer it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import yaml

HERE = Path(__file__).with_name("notes")
HARD = {"mnemonic": "mnemonic-notes", "dendron": "dendron-vault"}
"""The sets whose far questions avoid nearly every word of their notes."""
EVERYDAY = {f"{name}-everyday": folder for name, folder in HARD.items()}
"""The sets that ask as people do, who know the subject and its words but not those of the note."""
COLLECTIONS = HARD | EVERYDAY
"""The name of each set, and the folder of the notes that it asks about."""

_KEYS = frozenset({"question", "answers", "far", "tune"})


@dataclass(frozen=True, slots=True)
class Question:
    """One question; finding any one of the `answers` (file names) is enough."""

    question: str
    answers: tuple[str, ...]
    far: bool = False
    """Whether it is asked in other words than its notes are written in."""
    tune: bool = False
    """Whether weights may be chosen by it; the others judge them."""


def read_questions(name: str) -> tuple[Question, ...]:
    """A set of `COLLECTIONS`, in the order of its file."""
    return read_file(HERE / f"{name}.yaml")


def read_file(place: Path) -> tuple[Question, ...]:
    """The questions in a file: a list of maps. ValueError names the entry that is not as it should be."""
    entries = yaml.safe_load(place.read_text(encoding="utf-8"))
    return tuple(_question(place, number, entry) for number, entry in enumerate(entries, 1))


def _question(place: Path, number: int, entry: dict[str, object]) -> Question:
    question, answers = entry.get("question"), entry.get("answers")
    far, tune = entry.get("far", False), entry.get("tune", False)
    if not (
        entry.keys() <= _KEYS
        and isinstance(question, str)
        and isinstance(answers, list)
        and all(isinstance(answer, str) for answer in answers)
        and isinstance(far, bool)
        and isinstance(tune, bool)
    ):
        raise ValueError(f"{place.name}: entry {number} is not a question with its answers: {entry}")
    return Question(question, tuple(answers), far, tune)
