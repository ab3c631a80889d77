"""Open intents, kept in `state.db`: the `Journal` port."""

from __future__ import annotations

import contextlib
import os
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory.adapters.journal.state import connect, faults_of, transaction, unusable
from vault_memory.errors import UnsafePathError
from vault_memory.model.namespace import VaultPath, is_memory_name, parse_path
from vault_memory.model.revision import Author, Intent, Op, Operation

if TYPE_CHECKING:
    import apsw

_ADD = """
INSERT INTO intents (
    op, path, version, before, message, author_name, author_email, branch, at, batch, shared_message
)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
RETURNING number
"""
_OPEN_ONES = """
SELECT
    number, op, path, version, before, message, author_name, author_email, branch, at, reason, batch,
    shared_message
FROM intents
ORDER BY number
"""
_SHARE = """
INSERT INTO messages (text)
VALUES (?)
RETURNING number
"""
_SHARED = """
SELECT number, text
FROM messages
ORDER BY number
"""
_FORGET_SHARED = """
DELETE FROM messages
WHERE number NOT IN (
    SELECT shared_message
    FROM intents
    WHERE shared_message IS NOT NULL
)
"""
_KEEP = """
UPDATE intents
SET kept = ?
WHERE number = ?
"""
_KEPT = """
SELECT kept
FROM intents
WHERE number = ?
"""
_TELL = """
UPDATE intents
SET reason = ?
WHERE number = ?
"""
_AS_OF = "PRAGMA data_version"
_FORGET = """
DELETE FROM intents
WHERE number = ?
"""


class SqliteJournal:
    """The journal of one vault, in the file at `path`; opened when first needed.

    Without `shared_memory`, as on a network disk, the file is kept in a form that needs none."""

    def __init__(self, path: Path, *, shared_memory: bool = True) -> None:
        self._path = path
        self._shared_memory = shared_memory
        self._mutex = threading.RLock()
        self._connection: apsw.Connection | None = None
        self._inode = -1
        self._place = os.fspath(path)
        self._durable = True
        self._known: tuple[Intent, ...] | None = None
        """What is open, as long as `_known_as_of` says what the file does; `None` for not known."""
        self._known_as_of = -1

    def open(
        self, operations: Sequence[Operation], *, branch: str | None, at: datetime
    ) -> tuple[Intent, ...]:
        """Write the intents so that they survive loss of power, and number them, in order."""
        if not operations:
            return ()
        with self._usable() as connection:
            known = self._forget_known()
            self._sync(connection, durably=True)
            with transaction(connection):
                known = known if self._is_as_of(connection) else None
                shared = _share(connection, operations)
                numbers = [_add(connection, operation, branch, at, shared) for operation in operations]
            opened = tuple(
                Intent(number, operation, branch, at)
                for number, operation in zip(numbers, operations, strict=True)
            )
            self._known = (*known, *opened) if known is not None else None
        return opened

    def pending(self) -> tuple[Intent, ...]:
        """The open ones, oldest first. Creates nothing where there is no journal yet."""
        if not os.path.exists(self._place):
            return ()
        with self._usable() as connection:
            if self._known is None or not self._is_as_of(connection):
                self._known_as_of = _as_of(connection)
                self._known = self._read(connection)
            return self._known

    def close(self, numbers: Iterable[int]) -> None:
        """Forget the intents: they are in git, or will never be. Unknown numbers are no fault."""
        doomed = frozenset(numbers)
        if not doomed:
            return
        with self._usable() as connection:
            known = self._forget_known()
            # Not worth an fsync: an intent that comes back after loss of power is found in git
            # already and dropped again. The next `open` syncs this along.
            self._sync(connection, durably=False)
            with transaction(connection):
                known = known if self._is_as_of(connection) else None
                connection.executemany(_FORGET, [(number,) for number in sorted(doomed)])
                connection.execute(_FORGET_SHARED)
            if known is not None:
                self._known = tuple(intent for intent in known if intent.number not in doomed)

    def keep(self, contents: Mapping[int, bytes | None]) -> None:
        """Store the bytes that these open intents leave, so that they survive loss of power.

        `None` drops what was kept."""
        if not contents:
            return
        with self._usable() as connection:
            self._sync(connection, durably=True)
            with transaction(connection):
                connection.executemany(_KEEP, [(content, number) for number, content in contents.items()])

    def kept(self, number: int) -> bytes | None:
        """The bytes kept with an open intent, `None` where none were."""
        with self._usable() as connection:
            row = connection.execute(_KEPT, (number,)).fetchone()
        return row[0] if row and isinstance(row[0], bytes) else None

    def tell(self, reasons: Mapping[int, str]) -> None:
        """Note why these open intents wait. Only a word for people, so not worth an fsync."""
        if not reasons:
            return
        with self._usable() as connection:
            self._forget_known()
            self._sync(connection, durably=False)
            with transaction(connection):
                connection.executemany(_TELL, [(reason, number) for number, reason in reasons.items()])

    def close_file(self) -> None:
        """Close the database; the next call opens it again."""
        with self._mutex:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
                self._forget_known()

    @contextlib.contextmanager
    def _usable(self) -> Iterator[apsw.Connection]:
        """The connection, for this thread alone, with errors told as `SidecarError`."""
        with self._mutex, faults_of(self._path):
            if self._connection is not None and self._inode != _inode_of(self._place):
                # Somebody deleted `.vmem/local/`: what we write would go to a file without a name.
                self.close_file()
            if self._connection is None:
                self._connection = connect(self._path, shared_memory=self._shared_memory)
                self._durable = True
                self._inode = _inode_of(self._place)
            yield self._connection

    def _sync(self, connection: apsw.Connection, *, durably: bool) -> None:
        """Have the next transactions brought to the disk at once, or with the next that is."""
        if durably is not self._durable:
            connection.pragma("synchronous", "FULL" if durably else "NORMAL")
            self._durable = durably

    def _forget_known(self) -> tuple[Intent, ...] | None:
        """What was known; it has to be found out again, unless what comes now goes well."""
        known, self._known = self._known, None
        return known

    def _is_as_of(self, connection: apsw.Connection) -> bool:
        """Whether no other connection has written since we read; our own writes don't count."""
        return _as_of(connection) == self._known_as_of

    def _read(self, connection: apsw.Connection) -> tuple[Intent, ...]:
        with _one_moment(connection):
            rows = connection.execute(_OPEN_ONES).fetchall()
            shared = {row[0]: row[1] for row in connection.execute(_SHARED).fetchall()} if rows else {}
        return tuple(self._intent(row, shared) for row in rows)

    def _intent(self, row: tuple[object, ...], shared: Mapping[object, object]) -> Intent:
        try:
            return _intent(row, shared)
        except ValueError as error:
            raise unusable(self._path, f"an entry makes no sense ({error})") from error


@contextlib.contextmanager
def _one_moment(connection: apsw.Connection) -> Iterator[None]:
    """What is read inside belongs together. Unlike a transaction of ours it waits for no writer."""
    connection.execute("BEGIN DEFERRED")
    try:
        yield
    finally:
        connection.execute("COMMIT")


def _share(connection: apsw.Connection, operations: Sequence[Operation]) -> dict[str, int]:
    """Store once each message that several of them have in common: that of a batch names every file."""
    counted = Counter(operation.message for operation in operations)
    return {
        message: int(connection.execute(_SHARE, (message,)).get)
        for message, count in counted.items()
        if count > 1
    }


def _add(
    connection: apsw.Connection,
    operation: Operation,
    branch: str | None,
    at: datetime,
    shared: Mapping[str, int],
) -> int:
    author, common = operation.author, shared.get(operation.message)
    row = (
        operation.op.value,
        str(operation.path),
        operation.version,
        operation.before,
        operation.message if common is None else "",
        author.name if author else None,
        author.email if author else None,
        branch,
        at.astimezone(UTC).isoformat(),
        operation.batch,
        common,
    )
    return int(connection.execute(_ADD, row).get)


def _checked(path: str) -> VaultPath:
    """The path of a memory: the file may have come with a clone, and what it says is written."""
    try:
        checked = parse_path(path)
    except UnsafePathError as error:
        raise ValueError(error.message) from error
    if not is_memory_name(checked):
        raise ValueError(f"{path!r} is no memory's path")
    return checked


def _intent(row: tuple[object, ...], shared: Mapping[object, object]) -> Intent:
    number, op, path, version, before, message, name, email, branch, at, reason, batch, common = row
    if common is not None:
        if common not in shared:
            raise ValueError(f"it has no message {common}")
        message = shared[common]
    author = None if name is None or email is None else Author(str(name), str(email))
    operation = Operation(
        Op(str(op)), _checked(str(path)), _text(version), _text(before), str(message), author, _text(batch)
    )
    return Intent(int(str(number)), operation, _text(branch), datetime.fromisoformat(str(at)), _text(reason))


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _as_of(connection: apsw.Connection) -> int:
    return int(connection.execute(_AS_OF).get)


def _inode_of(path: str) -> int:
    try:
        return os.stat(path).st_ino
    except FileNotFoundError:
        return -1
