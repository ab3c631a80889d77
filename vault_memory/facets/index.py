"""`vault.index`: the search index, brought up to the files or built anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vault_memory.compose import Opened
from vault_memory.model.change import RefreshReport
from vault_memory.ops.refresh import rebuild, refresh
from vault_memory.ports import Progress

PATIENCE = 2.0
"""Seconds a read waits for another writer before it answers from the index as it is."""


@dataclass(frozen=True, slots=True)
class IndexFacet:
    """The index of one open vault."""

    opened: Opened
    looked: Callable[[], None]
    progress: Progress

    def refresh(self) -> RefreshReport:
        """Compare all files with the index and read what differs."""
        report = refresh(self.opened.ports, self.opened.settings.zone, wait=PATIENCE, progress=self.progress)
        self.looked()
        return report

    def rebuild(self) -> RefreshReport:
        """Build the index anew from the files; vectors of known texts are kept."""
        settings = self.opened.settings
        report = rebuild(
            self.opened.ports, settings.zone, wait=settings["lock_seconds"], progress=self.progress
        )
        self.looked()
        return report

    def dump(self) -> object:
        """The whole content, canonical: equal for equal files, however it came about."""
        return self.opened.ports.index.dump()
