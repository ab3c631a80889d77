"""The journal: what has been written and is not in git yet, in `state.db`."""

from __future__ import annotations

from vault_memory.adapters.journal.intents import SqliteJournal

__all__ = ["SqliteJournal"]
