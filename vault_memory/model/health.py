"""How a vault is: what status and doctor found."""

from __future__ import annotations

from dataclasses import dataclass

from vault_memory.model.facts import Upstream
from vault_memory.model.memory import Finding
from vault_memory.model.revision import FileState, RepoState


@dataclass(frozen=True, slots=True)
class Waiting:
    """A memory that is saved and not committed."""

    path: str
    op: str
    reason: str


@dataclass(frozen=True, slots=True)
class Flushed:
    """How many memories were committed of those that waited, and which still wait; as far as the caller
    may read."""

    committed: int
    waiting: tuple[Waiting, ...]


@dataclass(frozen=True, slots=True)
class Status:
    """Where a vault stands; counts are of what the caller may read."""

    root: str
    memories: int
    expired: int
    findings: tuple[Finding, ...]
    """Each fault that was found in a file."""
    conflicted: tuple[str, ...]
    """Memories with merge markers in them."""
    generation: int
    index_seconds: float | None
    """How long ago the index's file was last written, `None` where it has none."""
    embedder: str
    embedder_reason: str | None
    repo: RepoState
    upstream: Upstream | None
    """What the branch follows, `None` where it follows nothing."""
    proposals: int
    """So many proposals hold something that was not merged: an agent's own, the person's all."""
    waiting: tuple[Waiting, ...]
    uncommitted: tuple[tuple[str, FileState], ...]
    """A person's own Markdown files that differ from HEAD."""
    notices: tuple[str, ...]

    @property
    def faults(self) -> int:
        """How many faults were found in files."""
        return len(self.findings)


@dataclass(frozen=True, slots=True)
class Brief:
    """What a shell prompt may show of a vault."""

    name: str
    """The vault's folder."""
    branch: str | None
    uncommitted: int
    """Memories that are not in git as they lie there, for whatever reason."""
    ahead: int
    """Commits that the branch's upstream does not have."""
    faults: int
    """Faults in files, as of the last time that they were looked at."""

    @property
    def clean(self) -> bool:
        """Whether there is nothing to tell."""
        return not (self.uncommitted or self.ahead or self.faults)


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the doctor's report. `advice` is empty where all is well."""

    name: str
    well: bool
    found: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Mended:
    """What `vmem doctor --fix` did about one thing, or (`done` false) why it could not."""

    name: str
    done: bool
    what: str
