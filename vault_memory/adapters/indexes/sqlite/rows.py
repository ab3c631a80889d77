"""Rows to values and back: the forms in which the tables keep what the model knows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from typing import Any

import apsw

from vault_memory.model.caseless import caseless
from vault_memory.model.change import FileStamp, KnownFile
from vault_memory.model.corpus import NO_DAY
from vault_memory.model.memory import Entry
from vault_memory.model.namespace import VaultPath, is_private, owner_of
from vault_memory.model.passage import Passage, StoredPassage

Row = tuple[Any, ...]
"""SQLite's values; what they are is fixed by the select's columns."""

_read = json.JSONDecoder().raw_decode
"""What `packed` wrote, and where it ends: half the time of `loads`, which first looks for spaces."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_FIRST = (datetime.min.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND
_LAST = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND
_SMALLEST, _LARGEST = -(2**63), 2**63 - 1
_MONTH = re.compile(r"[0-9]{4}-[0-9]{2}(-[0-9]+)?")

ENTRY_COLUMNS = """number, path, version, id, title, importance, tags, inline_tags, aliases, kind,
        pinned, source_agent, created, updated, dated, expires, size, conflicted, front"""


def select(db: apsw.Connection, statement: str, bindings: apsw.Bindings = ()) -> list[Row]:
    """All rows of a select."""
    return db.execute(statement, bindings).fetchall()


def select_each(db: apsw.Connection, statement: str, keys: Iterable[object]) -> list[Row]:
    """All rows of a select made once a key."""
    return db.executemany(statement, ((key,) for key in keys)).fetchall()


def micros(moment: datetime | None) -> int | None:
    """Microseconds since 1970, exact; held to the years that `datetime` knows in UTC."""
    if moment is None:
        return None
    return min(max((moment - _EPOCH) // _MICROSECOND, _FIRST), _LAST)


def day_of(moment: datetime | None) -> int:
    """The days from 1970 to a time's day in its own zone; `NO_DAY` for none."""
    return NO_DAY if moment is None else moment.date().toordinal() - _EPOCH.toordinal()


def moment(micros: int | None) -> datetime | None:
    """The aware time, in UTC."""
    return None if micros is None else _EPOCH + timedelta(microseconds=micros)


def wide(number: int) -> int | str:
    """A whole number of any size: as text where SQLite's 64 bits don't hold it."""
    return number if _SMALLEST <= number <= _LARGEST else str(number)


def clean(text: str) -> str:
    """The text with halves of surrogate pairs, which no UTF-8 holds, replaced."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def maybe_clean(text: str | None) -> str | None:
    """`clean`, for columns that may be empty."""
    return None if text is None else clean(text)


def title_key(title: str) -> str:
    """What titles are compared by: case and composition don't count."""
    return caseless(clean(title))


def id_key(id_: str) -> str:
    """What ids are compared by: case doesn't count."""
    return clean(id_).upper()


def owner_key(path: str) -> str | None:
    """The agent that a path belongs to; `/`, which nobody can be called, for a file in `private/` itself."""
    owner = owner_of(path)
    if owner is None and is_private(path):
        return "/"
    return owner


def home_of(folder: str) -> str:
    """The folder without the month (`2026-11`, `2026-11-2`) in which a full namespace goes on."""
    parent, _, last = folder.rpartition("/")
    return parent if _MONTH.fullmatch(last) else folder


def packed(value: Mapping[str, object] | tuple[str, ...] | list[str]) -> str:
    """As JSON in ASCII, so that any text survives; the order of keys is kept."""
    if not value:
        return "{}" if isinstance(value, Mapping) else "[]"
    return _write(value)


@lru_cache(4_096)  # tags come again and again
def texts(packed: str) -> tuple[str, ...]:
    """A tuple of texts back from JSON."""
    return () if packed == "[]" else tuple(_read(packed)[0])


class Front(Mapping[str, object]):
    """Front matter as it is packed, read when it is first looked into: of most memories it never is."""

    __slots__ = ("_packed", "_read")

    def __init__(self, packed: str) -> None:
        self._packed = packed
        self._read: dict[str, object] | None = None

    def _whole(self) -> dict[str, object]:
        if self._read is None:
            self._read = _read(self._packed)[0]
        return self._read

    def __getitem__(self, key: str) -> object:
        return self._whole()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole())

    def __len__(self) -> int:
        return len(self._whole())

    def __repr__(self) -> str:
        return repr(self._whole())


def entry(row: Row) -> Entry:
    """An entry from `ENTRY_COLUMNS`."""
    created, updated, dated = row[12:15]
    made, changed = moment(created), moment(updated)
    return Entry(
        path=VaultPath(row[1]),
        version=row[2],
        id=row[3],
        title=row[4],
        importance=row[5],
        tags=texts(row[6]),
        inline_tags=texts(row[7]),
        aliases=texts(row[8]),
        kind=row[9],
        pinned=bool(row[10]),
        source_agent=row[11],
        created=made,
        updated=changed,
        dated=changed if dated == updated else made if dated == created else moment(dated),
        expires=moment(row[15]),
        size=int(row[16]),
        conflicted=bool(row[17]),
        front={} if row[18] == "{}" else Front(row[18]),
    )


def known_file(row: Row) -> KnownFile:
    """A file from (path, size, mtime_ns, ctime_ns, inode, version, settled)."""
    path, size, mtime_ns, ctime_ns, inode, version, settled = row
    if str in {size.__class__, mtime_ns.__class__, ctime_ns.__class__, inode.__class__}:
        size, mtime_ns, ctime_ns, inode = map(int, row[1:5])
    return _known((_stamp((path, size, mtime_ns, ctime_ns, inode)), version, settled == 1))


# Named tuples made in a third of the time: of all files there is one each when a process begins.
_stamp: Callable[[tuple[VaultPath, int, int, int, int]], FileStamp] = partial(tuple.__new__, FileStamp)
_known: Callable[[tuple[FileStamp, str, bool]], KnownFile] = partial(tuple.__new__, KnownFile)


def stored_passage(row: Row) -> StoredPassage:
    """A passage from (number, path, ordinal, start_line, end_line, headings, text, text_hash, among,
    weight)."""
    number, path, ordinal, start_line, end_line, headings, text, text_hash, among, weight = row
    passage = Passage(ordinal, start_line, end_line, texts(headings), text, text_hash)
    return StoredPassage(number, path, passage, among, weight)


def _plain(value: object) -> object:
    """What JSON does not know: other maps and sequences; anything else as its text."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (set, frozenset)):
        return sorted(str(item) for item in value)
    return str(value)


_write = json.JSONEncoder(separators=(",", ":"), default=_plain).encode
"""`dumps` makes one of these for each value."""
