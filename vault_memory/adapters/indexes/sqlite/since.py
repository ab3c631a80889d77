"""What changed since a generation: memories written after it, and those that have left since, for a while."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from vault_memory.adapters.indexes.sqlite import schema
from vault_memory.adapters.indexes.sqlite.rows import ENTRY_COLUMNS, Row, entry, select
from vault_memory.model.changes import Since, Trace

if TYPE_CHECKING:
    import apsw

    from vault_memory.model.namespace import Scope

KEPT = 2_000
"""So many memories that left are remembered. Who looked before the others left is told by commits."""

_COLUMNS = ENTRY_COLUMNS.removeprefix("number, ")
_KEEP = f"""
    INSERT INTO gone (generation, written, born, owner, {_COLUMNS})
    SELECT ?, generation, born, owner, {_COLUMNS}
    FROM memories
    WHERE number = ?
    """
_FORGOTTEN = """
    SELECT max(generation)
    FROM gone
    WHERE number <= (SELECT max(number) FROM gone) - ?
    """
_FORGET = """
    DELETE FROM gone
    WHERE number <= (SELECT max(number) FROM gone) - ?
    """
# Numbers grow with generations, so the newest memories are the last rows, and nothing else is looked at.
_CAME = f"""
    SELECT {ENTRY_COLUMNS}, generation, born
    FROM memories
    WHERE number > coalesce(
            (SELECT number FROM memories WHERE generation <= :generation ORDER BY number DESC LIMIT 1), -1
        )
        AND (:person OR owner IS NULL OR owner = :agent)
    ORDER BY number DESC
    """
_LEFT = f"""
    SELECT {ENTRY_COLUMNS}, generation, written
    FROM gone
    WHERE generation > :generation AND born <= :generation
        AND (:person OR owner IS NULL OR owner = :agent)
    ORDER BY number DESC
    """


def keep(db: apsw.Connection, memories: Sequence[int], generation: int) -> None:
    """Remember these memories, which leave with this generation, before their rows are deleted."""
    db.executemany(_KEEP, ((generation, memory) for memory in memories))
    forgotten = db.execute(_FORGOTTEN, (KEPT,)).get
    if forgotten is not None:
        db.execute(_FORGET, (KEPT,))
        schema.write_fact(db, "horizon", forgotten)


def since(db: apsw.Connection, meta: schema.Meta, scope: Scope, generation: int) -> Since | None:
    """What came and what left after it, each the newest first; `None` where that is not known any more."""
    if not meta.horizon <= generation <= meta.generation:
        return None
    asked = {"generation": generation, "person": scope.agent is None, "agent": scope.agent}
    came = [
        Trace(entry(row[:-2]), row[-2], was_there=row[-1] <= generation)
        for row in _readable(select(db, _CAME, asked), scope)
    ]
    left = [
        Trace(entry(row[:-2]), row[-2], as_then=row[-1] <= generation)
        for row in _readable(select(db, _LEFT, asked), scope)
    ]
    return Since(came, left)


def _readable(rows: Sequence[Row], scope: Scope) -> list[Row]:
    return [row for row in rows if scope.may_read(row[1])]
