"""Faults put into the product on purpose, so that it is known that the kill test would find them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from vault_memory.adapters.files import tree
from vault_memory.adapters.git import mend
from vault_memory.adapters.journal import SqliteJournal
from vault_memory.model.revision import Intent, Operation
from vault_memory.ops import settle, whole


def journal_in_memory() -> None:
    """What a process has opened is known to that process alone."""
    really_open, really_pending = SqliteJournal.open, SqliteJournal.pending
    own: set[int] = set()

    def note(self: SqliteJournal, operations: Sequence[Operation], **how: Any) -> tuple[Intent, ...]:
        made = really_open(self, operations, **how)
        own.update(intent.number for intent in made)
        return made

    def known(self: SqliteJournal) -> tuple[Intent, ...]:
        return tuple(intent for intent in really_pending(self) if intent.number in own)

    SqliteJournal.open = note  # type: ignore[method-assign]
    SqliteJournal.pending = known  # type: ignore[method-assign]


def files_in_place() -> None:
    """An edit opens the file itself and writes into it."""

    def put(_: object, place: bytes, content: bytes, *, like: object, check: object) -> None:
        with open(place, "wb") as file:  # noqa: PTH123 - the name is bytes
            file.write(content)

    vars(tree)["put_over"] = put


def nothing_swept() -> None:
    """Whatever a dead writer left in the repository stays."""
    mend.sweep = lambda place, finish=None: None


def nothing_finished() -> None:
    """What a kill left half done of operations on several files stays so."""
    for module in (settle, whole):
        vars(module)["finish"] = lambda ports, pending: {}


SABOTAGE: dict[str, Callable[[], None]] = {
    "journal in memory": journal_in_memory,
    "files in place": files_in_place,
    "nothing swept": nothing_swept,
    "nothing finished": nothing_finished,
}
