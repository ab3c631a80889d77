"""Passages in which several terms stand together, found by the terms alone: nothing else is read for it."""

from __future__ import annotations

from collections.abc import Iterable

import apsw

from vault_memory.adapters.indexes.sqlite.rows import clean, select, stored_passage
from vault_memory.model.namespace import Scope
from vault_memory.model.passage import StoredPassage

# FTS5 gives rows by their number without sorting them, and stops where the limit is reached.
_HOLDING = """
    SELECT texts.number, memories.path, ordinal, start_line, end_line, headings, text, text_hash,
        passage_count, weight
    FROM terms
        CROSS JOIN passages ON passages.number = terms.rowid
        CROSS JOIN memories ON memories.number = passages.memory
        CROSS JOIN texts ON texts.number = passages.number
    WHERE terms MATCH :terms
        AND (:person OR owner IS NULL OR owner = :agent)
        AND (:everywhere OR home = :folder OR folder = :folder)
    ORDER BY terms.rowid DESC
    LIMIT :most
    """


def holding(
    db: apsw.Connection, scope: Scope, terms: Iterable[str], folder: str | None, most: int
) -> list[StoredPassage]:
    """At most so many passages whose text holds all of these terms, of what the scope may read."""
    quoted = " AND ".join(_quoted(term) for term in terms)
    if not quoted:
        return []
    bindings = {
        "terms": f"own : ({quoted})",
        "person": scope.agent is None,
        "agent": scope.agent,
        "everywhere": folder is None,
        "folder": clean(folder or ""),
        "most": most,
    }
    found = map(stored_passage, select(db, _HOLDING, bindings))
    return [one for one in found if scope.may_read(one.path)]


def _quoted(term: str) -> str:
    return '"' + clean(term).replace('"', '""').replace("\x00", "") + '"'
