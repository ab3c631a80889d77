"""The protocols that the operations need of the world, and the bundle that carries them.

Adapters implement them; `compose.py` picks which. Each has one contract suite in
`tests/contracts/` that every implementation passes.
"""

from __future__ import annotations

from dataclasses import dataclass

from vault_memory.ports.answers import Answers
from vault_memory.ports.branches import Merges, Points, Remote, Worktrees
from vault_memory.ports.denials import Denials
from vault_memory.ports.embedder import Embedder
from vault_memory.ports.files import FileBytes, Files, Lock, Scan
from vault_memory.ports.guards import Scanner, TokenCounter
from vault_memory.ports.history import History, Journal, Staging
from vault_memory.ports.index import ALONE, Index, Shelf, Spread
from vault_memory.ports.live import Commits, Hints, Watch
from vault_memory.ports.looks import Looks
from vault_memory.ports.reranker import Reranker
from vault_memory.ports.uses import Uses
from vault_memory.ports.world import Clock, Ids, Progress, no_progress

__all__ = [
    "ALONE",
    "Answers",
    "Clock",
    "Commits",
    "Denials",
    "Embedder",
    "FileBytes",
    "Files",
    "Hints",
    "History",
    "Ids",
    "Index",
    "Journal",
    "Lock",
    "Looks",
    "Merges",
    "Points",
    "Ports",
    "Progress",
    "Remote",
    "Reranker",
    "Scan",
    "Scanner",
    "Shelf",
    "Spread",
    "Staging",
    "TokenCounter",
    "Uses",
    "Watch",
    "Worktrees",
    "no_progress",
]


@dataclass(frozen=True, slots=True)
class Ports:
    """What one open vault needs of the world."""

    files: Files
    lock: Lock
    journal: Journal
    history: History
    staging: Staging
    index: Index
    embedder: Embedder
    embedding: Lock
    """Held by the one process that makes vectors."""
    reranker: Reranker
    clock: Clock
    ids: Ids
    scanner: Scanner
    tokens: TokenCounter
    committing: Lock
    """Held by the one thread that brings open intents into git, hooks and signing included. Who holds `lock`
    never waits for it; who holds it takes `lock` for a look at journal and files, and not for git."""
    points: Points
    merges: Merges
    remote: Remote
    worktrees: Worktrees
    looks: Looks
    denials: Denials
    uses: Uses
    commits: Commits | None = None
    """Who commits later, in a long-lived process; `None` where each write commits for itself."""
    answers: Answers | None = None
    """Answers given before, in a long-lived process; `None` where none are kept."""
