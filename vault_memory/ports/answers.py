"""Answers given before, in a long-lived process."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Protocol


class Answers(Protocol):
    """Answers by question. Bounded; what was not asked for longest goes first. Any thread may use it.

    Everything that an answer rests on is part of its question (`ops/answered.py`): it never grows old.
    """

    def get(self, question: Hashable) -> object | None:
        """The very object that was kept for the question, `None` where none is."""

    def keep(self, question: Hashable, answer: object, size: int) -> None:
        """Keep the answer, which takes about so many bytes."""
