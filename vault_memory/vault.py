"""The public handle of a vault: open it, ask as an agent or as the person, close it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from vault_memory import compose
from vault_memory.agent import Agent
from vault_memory.config import environ
from vault_memory.config.settings import Settings
from vault_memory.creating import Created, create
from vault_memory.errors import UsageError
from vault_memory.facets.index import IndexFacet
from vault_memory.model.mounts import warning
from vault_memory.model.namespace import Scope
from vault_memory.ports import Clock, Ids, Progress, no_progress

if TYPE_CHECKING:
    # Loaded when they are asked for: a question needs none of them.
    from vault_memory.facets.capturing import CapturingFacet
    from vault_memory.facets.files import FilesFacet
    from vault_memory.facets.history import HistoryFacet
    from vault_memory.facets.overview import OverviewFacet
    from vault_memory.facets.remote import RemoteFacet
    from vault_memory.facets.review import ReviewFacet
    from vault_memory.facets.upkeep import UpkeepFacet

__all__ = ["Clock", "Created", "Ids", "Progress", "Vault", "system_clock"]


class Vault:
    """One open vault. Use it as a context manager, or call `close()`."""

    def __init__(
        self,
        opened: compose.Opened,
        *,
        progress: Progress = no_progress,
        vouched: Callable[[], tuple[str, ...]] | None = None,
    ) -> None:
        """`vouched` is asked before each answer in place of a look at the files: somebody watches them;
        it gives what to tell of the index."""
        self._opened = opened
        self._progress = progress
        self._vouched = vouched
        self._looked = float("-inf")
        self._told: tuple[str, ...] = ()

    @classmethod
    def open(
        cls,
        path: str | Path | None = None,
        *,
        settings: Mapping[str, object] | None = None,
        clock: Clock | None = None,
        ids: Ids | None = None,
        progress: Progress = no_progress,
    ) -> Self:
        """Open the vault that `path` lies in; without one `VMEM_VAULT`, else the working folder.

        `settings` override every other source. Raises `VaultNotFoundError`, `ConfigError`.
        """
        root = compose.locate(Path(path) if path is not None else None)
        return cls(compose.open_vault(root, flags=settings, clock=clock, ids=ids), progress=progress)

    @classmethod
    def create(cls, path: str | Path) -> Created:
        """Make a folder a vault (and a git repository where it lies in none); safe to repeat."""
        if not str(path).strip():  # an empty variable must not turn the working folder into a vault
            raise UsageError("a vault needs a folder", hint="vmem init FOLDER   or vmem init . for this one")
        return create(environ.expanded(Path(path)))

    def close(self) -> None:
        """Close the index and the journal. What is asked of the vault after that raises `ClosedError`."""
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def agent(self, name: str) -> Agent:
        """Ask and write as that agent. Raises `UnsafePathError` for a name that is none."""
        return self._caller(self._opened.scope(name))

    @property
    def person(self) -> Agent:
        """Ask and write as the person: reads all, writes to the inbox."""
        return self._caller(self._opened.scope(None))

    @property
    def capture(self) -> CapturingFacet:
        """What is to be kept of conversations, found in their transcripts."""
        from vault_memory.facets.capturing import CapturingFacet

        return CapturingFacet(self._opened, self._freshen, self.agent)

    @property
    def files(self) -> FilesFacet:
        """The Markdown files: change one with a program of your own, link it, move it."""
        from vault_memory.facets.files import FilesFacet

        return FilesFacet(self._opened, self._freshen)

    @property
    def history(self) -> HistoryFacet:
        """What git knows of memories: who wrote them, and when."""
        from vault_memory.facets.history import HistoryFacet

        return HistoryFacet(self._opened, self._freshen, self._progress)

    @property
    def index(self) -> IndexFacet:
        """The search index: refresh it, build it anew."""
        return IndexFacet(self._opened, self._note_look, self._progress, self._told)

    @property
    def upkeep(self) -> UpkeepFacet:
        """How the vault is: status, doctor and lint."""
        from vault_memory.facets.upkeep import UpkeepFacet

        return UpkeepFacet(
            self._opened, self._freshen, self._progress, read=partial(self._freshen, vectors=False)
        )

    @property
    def review(self) -> ReviewFacet:
        """Proposals of agents: what they would change, and a person's word on them."""
        from vault_memory.facets.review import ReviewFacet

        return ReviewFacet(self._opened, self._freshen, self._progress)

    @property
    def remote(self) -> RemoteFacet:
        """The exchange of the vault with other clones."""
        from vault_memory.facets.remote import RemoteFacet

        return RemoteFacet(self._opened, self._freshen, self._progress)

    @property
    def overview(self) -> OverviewFacet:
        """Views over many memories: links."""
        from vault_memory.facets.overview import OverviewFacet

        return OverviewFacet(self._opened, self._freshen)

    @property
    def root(self) -> Path:
        """The vault's folder."""
        return self._opened.held.files.root

    @property
    def settings(self) -> Settings:
        """Every setting with its value and origin."""
        return self._opened.settings

    def _caller(self, scope: Scope) -> Agent:
        return Agent(self._opened, scope, self._freshen, self._progress)

    def _freshen(self, *, vectors: bool = True) -> tuple[str, ...]:
        """Bring the index up to the files unless it was looked at just now; what to tell of it.

        "Just now" is the setting `refresh_seconds`, measured from the last look of this handle. Without
        `vectors` it costs what reading costs: for what asks no question.
        """
        if self._vouched is not None:
            self._told = self._vouched()
            return self._told
        if time.monotonic() - self._looked < self.settings["refresh_seconds"]:
            return ()
        report = self.index.refresh(in_passing=True, vectors=vectors)
        notice = self._opened.ports.index.notice
        told = [report.reason] if report.reason else []
        if notice and notice not in (report.reason or ""):
            told.append(notice)
        self._told = tuple(told)
        if report.rebuilt and report.added and not notice:
            # Without a count: it would tell an agent of memories that it may not read.
            told.append(f"built the search index: {report.rebuilt}")
            if self._opened.ports.files.network_disk:
                told.append(warning(self._opened.ports.files.network_disk))
        return tuple(told)

    def _note_look(self) -> None:
        self._looked = time.monotonic()


def system_clock() -> Clock:
    """The clock that a vault uses when none is given."""
    return compose.system_clock()
