"""Reading what may be shown: a passage by itself, or together with those that share its code fence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from vault_memory.model.excerpt import Unit, alone, units
from vault_memory.model.namespace import VaultPath
from vault_memory.model.passage import StoredPassage

LONG = 1_200
"""Characters: a longer passage may be a piece of code that was too long for one."""


class Texts(Protocol):
    """Where passages are read: the index."""

    def passages(self, numbers: Iterable[int]) -> Mapping[int, StoredPassage]:
        """Passages by number."""

    def passages_of(self, path: VaultPath) -> Sequence[StoredPassage]:
        """A memory's passages in order."""


class Pieces:
    """Passages, read when they are asked for; memories with code that is spread over some are read whole."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._units: dict[VaultPath, dict[int, Unit]] = {}

    def read(self, numbers: Iterable[int]) -> Mapping[int, StoredPassage]:
        """Passages by number."""
        return self._texts.passages(numbers)

    def whole(self, path: VaultPath) -> Sequence[StoredPassage]:
        """A memory's passages in order."""
        return self._texts.passages_of(path)

    def unit(self, path: VaultPath, stored: StoredPassage) -> Unit:
        """What a passage of that memory is shown with."""
        if path not in self._units:
            text = stored.passage.text
            if stored.among == 1 or (len(text) <= LONG and "```" not in text and "~~~" not in text):
                return alone(stored)
            whole = units(self._texts.passages_of(path))
            self._units[path] = {one.number: unit for unit in whole for one in unit.passages}
        return self._units[path][stored.number]
