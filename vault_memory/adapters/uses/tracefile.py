"""`uses.db`: a small SQLite file of its own, so that a trace never waits for what must not be lost.

It is not synced to the disk: where power is lost it may be damaged, and then it is begun anew.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory.adapters.uses.schema import BUSY_SECONDS, connect, transaction
from vault_memory.errors import StorageError
from vault_memory.model.uses import BEGINS, DAYS, MOST, Use, UsedMemory, known_as

if TYPE_CHECKING:
    import apsw

PATIENT_SECONDS = 5.0
"""How long another process may keep the file where a person asked for the traces to be forgotten."""
SLACK = 256
"""So many answers come between two looks at whether there are too many."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_FIRST, _LAST = (
    (datetime(year, 1, 2, tzinfo=UTC) - _EPOCH) // _MICROSECOND  # away from the ends, for any zone's sake
    for year in (1, 9999)
)

_ADD_ANSWER = """
INSERT INTO answers (at, agent, door, session, tokens, whole)
VALUES (?, ?, ?, ?, ?, ?)
RETURNING number
"""
_ADD_MEMORY = """
INSERT INTO memories (path, id, version)
VALUES (?, ?, ?)
ON CONFLICT DO NOTHING
"""
_ADD_GIVEN = """
INSERT INTO given (answer, place, memory)
SELECT ?, ?, number
FROM memories
WHERE path = ? AND id = ? AND version = ?
"""
_SINCE = """
SELECT number, at, agent, door, session, tokens, whole
FROM answers
WHERE at BETWEEN ? AND ?
ORDER BY at, number
"""
_MEMORIES = """
SELECT number, path, id, version
FROM memories
ORDER BY number
"""
_GIVEN_SINCE = """
SELECT given.answer, given.memory
FROM answers
JOIN given ON given.answer = answers.number
WHERE answers.at BETWEEN ? AND ?
ORDER BY given.answer, given.place
"""
_GIVEN = """
SELECT memories.path, memories.id, memories.version
FROM answers
JOIN given ON given.answer = answers.number
JOIN memories ON memories.number = given.memory
WHERE answers.session = ?1 AND answers.agent IS ?2 AND answers.number >= coalesce(
    (
        SELECT max(number)
        FROM answers
        WHERE session = ?1 AND agent IS ?2 AND door = ?3
    ),
    0
)
ORDER BY answers.number, given.place
"""
_OLDEST = """
SELECT at
FROM answers
ORDER BY at
LIMIT 1
"""
_DROP_OLD = """
DELETE FROM answers
WHERE at < ?
"""
_DROP_MANY = """
DELETE FROM answers
WHERE number NOT IN (
    SELECT number
    FROM answers
    ORDER BY at DESC, number DESC
    LIMIT ?
)
"""
_DROP_GIVEN = """
DELETE FROM given
WHERE answer NOT IN (
    SELECT number
    FROM answers
)
"""
_DROP_MEMORIES = """
DELETE FROM memories
WHERE number NOT IN (
    SELECT memory
    FROM given
)
"""
_FORGET_MEMORY = """
DELETE FROM memories
WHERE path = ? OR (id <> '' AND id = ?)
"""
_FORGET_ANSWERS = """
DELETE FROM answers
WHERE number IN (
    SELECT answer
    FROM given
    GROUP BY answer
    HAVING max(memory IN (SELECT number FROM memories)) = 0
)
"""
_FORGET_GIVEN = """
DELETE FROM given
WHERE memory NOT IN (
    SELECT number
    FROM memories
)
"""
_FORGET_ALL = """
DELETE FROM given;
DELETE FROM memories;
DELETE FROM answers
"""


class TraceFile:
    """The file at `path`, opened when first needed; any thread may use it. Only `add` makes it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._place = os.fspath(path)
        self._mutex = threading.Lock()
        self._connection: apsw.Connection | None = None
        self._inode = -1

    def add(self, uses: Sequence[Use]) -> None:
        """Write them down, in one go; what is too old or too much goes. Raises `StorageError`."""
        with self._usable(make=True) as connection, transaction(connection):
            last = max(_add(connection, use) for use in uses)
            _prune(connection, max(use.at for use in uses), much=last % SLACK < len(uses))

    def given(self, agent: str | None, session: str) -> Mapping[str, str]:
        """The version of each memory, by its id or else its path, that the session was given last; of what
        can be read."""
        with contextlib.suppress(StorageError, FileNotFoundError), self._usable() as connection:
            rows = connection.execute(_GIVEN, (session, agent, BEGINS)).fetchall()
            return {known_as(str(own), str(path)): str(version) for path, own, version in rows}
        return {}

    def since(self, when: datetime | None) -> Sequence[Use]:
        """The answers of that moment and later, the oldest first; of what can be read."""
        span = _FIRST if when is None else _number(when), _LAST
        with contextlib.suppress(StorageError, FileNotFoundError), self._usable() as connection:
            with _moment(connection):
                answers = connection.execute(_SINCE, span).fetchall()
                rows = connection.execute(_MEMORIES).fetchall()
                pairs = connection.execute(_GIVEN_SINCE, span).fetchall()
            memories = {row[0]: UsedMemory(str(row[1]), str(row[2]) or None, str(row[3])) for row in rows}
            given: dict[object, list[UsedMemory]] = {}
            for answer, memory in pairs:
                if memory in memories:
                    given.setdefault(answer, []).append(memories[memory])
            return [_use(row, tuple(given.get(row[0], ()))) for row in answers]
        return ()

    def forget(self, memories: Iterable[UsedMemory] | None) -> None:
        """Forget all, or what was noted of these; answers that gave nothing else go too. What is deleted is
        overwritten. Raises `StorageError`."""
        with contextlib.suppress(FileNotFoundError), self._usable() as connection:
            connection.set_busy_timeout(int(PATIENT_SECONDS * 1000))
            try:
                connection.execute("PRAGMA secure_delete = ON")
                with transaction(connection):
                    if memories is None:
                        connection.execute(_FORGET_ALL)
                    else:
                        connection.executemany(_FORGET_MEMORY, [(one.path, one.id) for one in memories])
                        connection.execute(_FORGET_ANSWERS)
                        connection.execute(_FORGET_GIVEN)
                        connection.execute(_DROP_MEMORIES)
            finally:
                connection.set_busy_timeout(int(BUSY_SECONDS * 1000))

    def close(self) -> None:
        """Close the file; the next call opens it again."""
        with self._mutex:
            self._let_go()

    @contextlib.contextmanager
    def _usable(self, *, make: bool = False) -> Iterator[apsw.Connection]:
        """The connection, for this thread alone. Raises `StorageError`, and `FileNotFoundError` where there
        is no file and none is to be made."""
        import apsw

        with self._mutex:
            try:
                yield self._opened(make=make)
            except (apsw.BusyError, apsw.LockedError) as error:
                raise StorageError(self._place, "another process holds it") from error
            except (apsw.NotADBError, apsw.CorruptError, apsw.SQLError, apsw.ConstraintError) as error:
                self._begin_anew()
                raise StorageError(self._place, f"it was damaged and is begun anew ({error})") from error
            except apsw.Error as error:
                self._let_go()
                raise StorageError(self._place, str(error)) from error

    def _opened(self, *, make: bool) -> apsw.Connection:
        if self._connection is not None and self._inode != _inode_of(self._place):
            self._let_go()  # somebody deleted `.vmem/local/`
        if self._connection is None:
            if not make and _inode_of(self._place) < 0:
                raise FileNotFoundError(self._place)
            self._connection = connect(self._place)
            self._inode = _inode_of(self._place)
        return self._connection

    def _let_go(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _begin_anew(self) -> None:
        """Throw away what can't be used: a trace is worth no person's trouble."""
        self._let_go()
        for end in ("", "-journal"):
            with contextlib.suppress(OSError):
                os.unlink(self._place + end)


@contextlib.contextmanager
def _moment(connection: apsw.Connection) -> Iterator[None]:
    """What is read inside belongs together."""
    connection.execute("BEGIN DEFERRED")
    try:
        yield
    finally:
        connection.execute("COMMIT")


def _add(connection: apsw.Connection, use: Use) -> int:
    row = (_number(use.at), use.agent, use.door, use.session, use.tokens, use.whole)
    number = int(connection.execute(_ADD_ANSWER, row).get)
    memories = [(one.path, one.id or "", one.version) for one in use.memories]
    connection.executemany(_ADD_MEMORY, memories)
    connection.executemany(_ADD_GIVEN, [(number, place, *one) for place, one in enumerate(memories)])
    return number


def _prune(connection: apsw.Connection, now: datetime, *, much: bool) -> None:
    """Drop what is older than `DAYS` once some of it is a day older still, and what is more than `MOST`."""
    oldest = connection.execute(_OLDEST).get
    old = oldest is not None and oldest < _number(now - timedelta(days=DAYS + 1))
    if not old and not much:
        return
    before = connection.total_changes()
    if old:
        connection.execute(_DROP_OLD, (_number(now - timedelta(days=DAYS)),))
    if much:
        connection.execute(_DROP_MANY, (MOST,))
    if connection.total_changes() > before:
        connection.execute(_DROP_GIVEN)
        connection.execute(_DROP_MEMORIES)


def _use(row: tuple[object, ...], memories: tuple[UsedMemory, ...]) -> Use:
    _, at, agent, door, session, tokens, whole = row
    when = _EPOCH + int(str(at)) * _MICROSECOND
    counts = int(str(tokens)), int(str(whole))
    return Use(when, _text(agent), str(door), _text(session), *counts, memories)


def _number(moment: datetime) -> int:
    """Microseconds since 1970."""
    return (moment - _EPOCH) // _MICROSECOND


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _inode_of(place: str) -> int:
    try:
        return os.stat(place).st_ino
    except OSError:
        return -1
