"""How a vault is: what status and doctor found."""

from __future__ import annotations

from dataclasses import dataclass

from vault_memory.model.memory import Finding
from vault_memory.model.revision import FileState, RepoState


@dataclass(frozen=True, slots=True)
class Waiting:
    """A memory that is saved and not committed."""

    path: str
    op: str
    reason: str


@dataclass(frozen=True, slots=True)
class Status:
    """Where a vault stands; counts are of what the caller may read."""

    root: str
    memories: int
    expired: int
    findings: tuple[Finding, ...]
    """Each fault that was found in a file."""
    generation: int
    embedder: str
    embedder_reason: str | None
    repo: RepoState
    waiting: tuple[Waiting, ...]
    uncommitted: tuple[tuple[str, FileState], ...]
    """A person's own Markdown files that differ from HEAD."""
    notices: tuple[str, ...]

    @property
    def faults(self) -> int:
        """How many faults were found in files."""
        return len(self.findings)


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the doctor's report. `advice` is empty where all is well."""

    name: str
    well: bool
    found: str
    advice: str = ""
