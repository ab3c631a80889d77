"""Up to where transcripts were captured, in `state.db`: it can't be found out again from the memories."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from vault_memory.adapters.journal.state import connect, faults_of, transaction
from vault_memory.model.capture.cursor import Cursor

_OF = """
    SELECT "offset", line, tail
    FROM captures
    WHERE agent = ? AND start = ?
    ORDER BY "offset" DESC, place
    LIMIT 100
"""
_PUT = """
    INSERT INTO captures (agent, start, place, "offset", line, tail)
    VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (agent, start, place) DO UPDATE
    SET "offset" = excluded."offset", line = excluded.line, tail = excluded.tail
"""


class SqliteCursors:
    """A connection is opened for each call: a capture makes two."""

    def __init__(self, path: Path, *, shared_memory: bool = True) -> None:
        self._path = path
        self._shared_memory = shared_memory

    def of(self, agent: str, start: str) -> Sequence[Cursor]:
        """Those of transcripts that begin so, the farthest first. Creates no journal."""
        if not os.path.exists(self._path):
            return ()
        with (
            faults_of(self._path),
            closing(connect(self._path, shared_memory=self._shared_memory)) as connection,
        ):
            rows = connection.execute(_OF, (agent, start)).fetchall()
        return [Cursor(start, int(str(offset)), int(str(line)), str(tail)) for offset, line, tail in rows]

    def put(self, agent: str, place: str, cursor: Cursor) -> None:
        """Note it durably for the transcript at that place, in its last one's stead."""
        row = (agent, cursor.start, place, cursor.offset, cursor.line, cursor.tail)
        with (
            faults_of(self._path),
            closing(connect(self._path, shared_memory=self._shared_memory)) as connection,
            transaction(connection),
        ):
            connection.execute(_PUT, row)
