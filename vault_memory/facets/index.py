"""`vault.index`: the search index, brought up to the files or built anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vault_memory.compose import Opened
from vault_memory.errors import SidecarError
from vault_memory.model.change import RefreshReport
from vault_memory.model.memory import Entry
from vault_memory.model.namespace import Scope
from vault_memory.model.vectorstate import VectorState
from vault_memory.ops.embed import NOT_NOW, READING, build
from vault_memory.ops.meaning import vector_state
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
    notices: tuple[str, ...] = ()
    """What the last look at the files had to tell: why the index is behind them, or can't be written."""

    def refresh(self, *, in_passing: bool = False, vectors: bool = True) -> RefreshReport:
        """Compare all files with the index and read what differs.

        Every text gets its vector; `in_passing`, as before an answer, only as many as a slow model
        makes in about two seconds; without `vectors` none, and the next question looks again.
        """
        pace = (READING if in_passing else None) if vectors else NOT_NOW
        report = refresh(
            self.opened.ports, self.opened.settings.zone, wait=PATIENCE, pace=pace, progress=self.progress
        )
        if vectors:
            self.looked()
        return report

    def build_vectors(self, *, wait: float = 0.0) -> int:
        """Give every text its vector; how many were made. A kill costs the last second at most.

        Ends early where the vault's settings meanwhile name another model. Raises
        `EmbedderUnavailableError`, `MissingExtraError`, and `SidecarError` where another process is
        at it for longer than `wait` seconds.
        """
        opened = self.opened
        refresh(opened.ports, opened.settings.zone, wait=PATIENCE, pace=NOT_NOW, progress=self.progress)
        self.looked()
        return build(opened.ports, wait=wait, progress=self.progress, wanted=opened.keeps_its_model)

    def vectors(self, scope: Scope) -> VectorState:
        """How far the vectors are, and who makes the rest; changes nothing."""
        return vector_state(self.opened.ports, scope)

    def rebuild(self) -> RefreshReport:
        """Build the index anew from the files; vectors of known texts are kept.

        Raises `SidecarError` where it can't be written to its file.
        """
        settings = self.opened.settings
        report = rebuild(
            self.opened.ports, settings.zone, wait=settings["lock_seconds"], progress=self.progress
        )
        self.looked()
        notice = self.opened.ports.index.notice
        if notice:
            raise SidecarError(notice, hint="mend .vmem/local, or delete it; then run vmem reindex again")
        return report

    def entries(self, scope: Scope) -> list[Entry]:
        """Every memory that the scope may read as the index has it, without a look at the files."""
        return self.opened.ports.index.entries(scope)

    @property
    def unkept(self) -> str | None:
        """Why no process can keep this vault open for others, `None` where one can."""
        ports = self.opened.ports
        if ports.files.network_disk:
            return (
                f"it lies on a network disk ({ports.files.network_disk}), where other machines write unseen"
            )
        return ports.index.notice or (None if ports.index.writable else "its search index is read-only")

    def dump(self) -> object:
        """The whole content, canonical: equal for equal files, however it came about."""
        return self.opened.ports.index.dump()
