"""What can't be found out again, in `state.db`: what has been written and is not in git yet, and (`cursors`)
up to where transcripts were captured."""

from __future__ import annotations

from vault_memory.adapters.journal.intents import SqliteJournal

__all__ = ["SqliteJournal"]
