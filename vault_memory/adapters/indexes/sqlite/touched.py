"""Which passages changed last, and their terms: so that who has read the others need not read them again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from vault_memory.adapters.indexes.sqlite import schema
from vault_memory.adapters.indexes.sqlite.rows import select

if TYPE_CHECKING:
    import apsw

KEPT = 1_024
"""So many of them stay. Who has fallen behind by more reads everything anew."""
MOST = 512
"""A change of more passages is told of as one of everything: nobody needs a first index's terms twice."""

_PUT = """
    INSERT INTO touched (number, passage, own, context)
    VALUES (?, ?, ?, ?)
    """
_FORGET = """
    DELETE FROM touched
    WHERE number <= ?
    """
_SINCE = """
    SELECT passage, own, context
    FROM touched
    WHERE number > ?
    ORDER BY number
    """


class Terms(NamedTuple):
    """The terms of a passage in its text and in its context, each joined by spaces."""

    own: str
    context: str


def note(db: apsw.Connection, passages: Mapping[int, Terms | None], before: int) -> None:
    """Keep what became of these passages, `None` for those that are gone. `before` is the number of the
    last that was kept."""
    if len(passages) > MOST:
        forget(db, before)
        return
    rows = [
        (number, passage, *(terms or (None, None)))
        for number, (passage, terms) in enumerate(passages.items(), before + 1)
    ]
    db.executemany(_PUT, rows)
    last = before + len(rows)
    schema.write_fact(db, "touched", last)
    if last // MOST != before // MOST:  # not at every write
        db.execute(_FORGET, (last - KEPT,))


def forget(db: apsw.Connection, before: int) -> None:
    """Have all who read know that everything may have changed."""
    db.execute(_FORGET, (before,))
    schema.write_fact(db, "touched", before + 1)


def since(db: apsw.Connection, before: int, last: int) -> dict[int, Terms | None] | None:
    """What became of the passages changed between these two numbers; `None` where that is not known."""
    if before == last:
        return {}
    rows = select(db, _SINCE, (before,))
    if len(rows) != last - before:
        return None
    return {passage: None if own is None else Terms(own, context) for passage, own, context in rows}
