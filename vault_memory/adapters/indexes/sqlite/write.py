"""Writing changes of files into the tables, inside a transaction of the caller's."""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

import apsw

from vault_memory.adapters.indexes.sqlite import said, schema, since, touched
from vault_memory.adapters.indexes.sqlite.rows import (
    Row,
    clean,
    day_of,
    home_of,
    id_key,
    owner_key,
    packed,
    select_each,
    title_key,
    wide,
)
from vault_memory.model.change import Change, FileStamp, Removal, Restamp, Upsert
from vault_memory.model.namespace import folder_of
from vault_memory.model.textkey import text_key

_CHUNK = 500
"""Files whose rows are held in memory at once."""

_HIGHEST_PASSAGE = """
    SELECT coalesce(max(number), 0)
    FROM passages
    """
_STORED = """
    SELECT path, number, digest, first_passage, passage_count, born
    FROM memories
    WHERE path = ?
    """
_STAMPED = """
    SELECT size, mtime_ns, ctime_ns, inode, settled
    FROM files
    WHERE path = ?
    """
_RESTAMP = """
    UPDATE files
    SET size = ?, mtime_ns = ?, ctime_ns = ?, inode = ?, settled = ?
    WHERE path = ?
    """
_DELETES_BY_MEMORY = (
    "DELETE FROM memories WHERE number = ?",
    "DELETE FROM links WHERE memory = ?",
    "DELETE FROM findings WHERE memory = ?",
)
_DELETES_BY_PASSAGE = (
    "DELETE FROM passages WHERE number = ?",
    "DELETE FROM texts WHERE number = ?",
    "DELETE FROM terms WHERE rowid = ?",
)
_DELETE_FILE = """
    DELETE FROM files
    WHERE path = ?
    """
_PUT_FILE = """
    INSERT OR REPLACE INTO files (size, mtime_ns, ctime_ns, inode, settled, path, version)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    """
_PUT_MEMORY = """
    INSERT INTO memories (
        number, first_passage, passage_count, digest, generation, born,
        path, version, id, title, importance, tags, inline_tags, aliases, kind, pinned, source_agent,
        created, updated, dated, expires, size, conflicted, front,
        owner, folder, home, id_key, title_key, body_key
    )
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """
_PUT_PASSAGE = """
    INSERT INTO passages (number, memory, length, voice, cues, day, text_hash)
    VALUES (?, ?, ?, coalesce((SELECT number FROM voices WHERE name = ?), 0), ?, ?, ?)
    """
_PUT_VOICE = """
    INSERT OR IGNORE INTO voices (name)
    VALUES (?)
    """
_PUT_TEXT = """
    INSERT INTO texts (number, ordinal, start_line, end_line, headings, weight, text)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    """
_PUT_TERMS = """
    INSERT INTO terms (rowid, own, context)
    VALUES (?, ?, ?)
    """
_PUT_LINK = """
    INSERT INTO links (memory, ordinal, target, line, kind, label)
    VALUES (?, ?, ?, ?, ?, ?)
    """
_PUT_FINDING = """
    INSERT INTO findings (memory, ordinal, line, code, message, advice)
    VALUES (?, ?, ?, ?, ?, ?)
    """
_EMPTYING = (
    "DELETE FROM files",
    "DELETE FROM memories",
    "DELETE FROM gone",
    "DELETE FROM passages",
    "DELETE FROM voices",
    "DELETE FROM texts",
    "DELETE FROM links",
    "DELETE FROM findings",
    "INSERT INTO terms (terms) VALUES ('delete-all')",
)


@dataclass(frozen=True, slots=True)
class _Stored:
    """What the tables hold of a path."""

    number: int
    digest: bytes
    first: int
    count: int
    born: int


@dataclass(frozen=True, slots=True)
class _Parts:
    """A memory's rows but for the numbers they will have."""

    memory: Row
    passages: list[Row]
    texts: list[Row]
    terms: list[Row]
    links: list[Row]
    findings: list[Row]

    def digest(self) -> bytes:
        """Equal when nothing of it changed."""
        content = (self.memory, self.passages, self.texts, self.terms, self.links, self.findings)
        # Of this version of the format equal values have equal bytes; `repr` takes twice as long.
        return hashlib.blake2b(marshal.dumps(content, 2), digest_size=20).digest()


@dataclass(slots=True)
class _Batch:
    """Rows to delete and to insert with a generation, each table's together."""

    generation: int
    gone_paths: list[Row] = field(default_factory=list)
    gone_memories: list[Row] = field(default_factory=list)
    gone_passages: list[Row] = field(default_factory=list)
    leaving: list[int] = field(default_factory=list)
    """Of the memories that go, those that no new row takes the place of."""
    restamps: list[Row] = field(default_factory=list)
    files: list[Row] = field(default_factory=list)
    memories: list[Row] = field(default_factory=list)
    voices: dict[str, None] = field(default_factory=dict)
    passages: list[Row] = field(default_factory=list)
    texts: list[Row] = field(default_factory=list)
    terms: list[Row] = field(default_factory=list)
    links: list[Row] = field(default_factory=list)
    findings: list[Row] = field(default_factory=list)

    def drop(self, stored: _Stored) -> None:
        """Have all rows of a memory deleted, but for its file's."""
        self.gone_memories.append((stored.number,))
        self.gone_passages.extend((n,) for n in range(stored.first, stored.first + stored.count))

    def put(self, parts: _Parts, digest: bytes, *, memory: int, first: int, born: int) -> None:
        """Have all rows of a memory inserted, its passages numbered from `first` on."""
        told = (memory, first, len(parts.texts), digest, self.generation, born)
        self.memories.append((*told, *parts.memory))
        for number, row in enumerate(parts.passages, first):
            self.passages.append((number, memory, *row))
            if row[1]:
                self.voices[row[1]] = None
        for number, row in enumerate(parts.texts, first):
            self.texts.append((number, *row))
        for number, row in enumerate(parts.terms, first):
            self.terms.append((number, *row))
        self.links.extend((memory, *row) for row in parts.links)
        self.findings.extend((memory, *row) for row in parts.findings)

    def changes_content(self) -> bool:
        """Whether an answer could differ afterwards; a new stamp alone changes none."""
        return bool(self.gone_memories or self.memories)

    def touches(self) -> dict[int, touched.Terms | None]:
        """What becomes of which passages."""
        gone: dict[int, touched.Terms | None] = {number: None for (number,) in self.gone_passages}
        return gone | {number: touched.Terms(own, context) for number, own, context in self.terms}

    def changes_anything(self) -> bool:
        """Whether there is anything to write."""
        return bool(self.gone_paths or self.gone_memories or self.restamps or self.files)

    def write(self, db: apsw.Connection) -> None:
        """Deletions first: a memory's new rows may take its old numbers."""
        if self.leaving:
            since.keep(db, self.leaving, self.generation)
        for statement, rows in (
            *((one, self.gone_passages) for one in _DELETES_BY_PASSAGE),
            *((one, self.gone_memories) for one in _DELETES_BY_MEMORY),
            (_DELETE_FILE, self.gone_paths),
            (_RESTAMP, self.restamps),
            (_PUT_FILE, self.files),
            (_PUT_MEMORY, self.memories),
            (_PUT_VOICE, [(name,) for name in self.voices]),
            (_PUT_PASSAGE, self.passages),
            (_PUT_TEXT, self.texts),
            (_PUT_TERMS, self.terms),
            (_PUT_LINK, self.links),
            (_PUT_FINDING, self.findings),
        ):
            if rows:  # of most writes most are empty
                db.executemany(statement, rows)


@dataclass(slots=True)
class Numbers:
    """The next numbers that are free. A memory's is never given again, not even after deletion."""

    memory: int
    passage: int


def write_changes(db: apsw.Connection, changes: Sequence[Change], before: schema.Meta) -> tuple[bool, bool]:
    """Write them; whether anything was written, and whether content changed (and not stamps alone).

    `before` is what the index says of itself in this transaction."""
    numbers = Numbers(before.memories + 1, int(db.execute(_HIGHEST_PASSAGE).get) + 1)
    wrote = changed = False
    touches: dict[int, touched.Terms | None] = {}
    last = iter(_last_of_each(changes).values())
    while chunk := list(islice(last, _CHUNK)):
        batch = _Batch(before.generation + 1)
        stored = _stored(db, chunk)
        for change in chunk:
            _add(db, batch, change, stored, numbers)
        batch.write(db)
        wrote |= batch.changes_anything()
        changed |= batch.changes_content()
        if len(touches) <= touched.MOST:
            touches |= batch.touches()
    if touches:
        touched.note(db, touches, before.touched)
    if numbers.memory != before.memories + 1:
        schema.write_fact(db, "memories", numbers.memory - 1)
    return wrote, changed


def empty(db: apsw.Connection, before: schema.Meta) -> None:
    """Delete all but vectors and facts."""
    for statement in _EMPTYING:
        db.execute(statement)
    touched.forget(db, before.touched)


def _last_of_each(changes: Iterable[Change]) -> dict[str, Change]:
    """One change a path, equal to all of that path's in their order."""
    last: dict[str, Change] = {}
    for change in changes:
        path = _path_of(change)
        before = last.get(path)
        if isinstance(change, Restamp) and isinstance(before, Upsert):
            last[path] = replace(before, stamp=change.stamp, settled=change.settled)
        elif not (isinstance(change, Restamp) and isinstance(before, Removal)):
            last[path] = change
    return last


def _path_of(change: Change) -> str:
    return change.path if isinstance(change, Removal) else change.stamp.path


def _stored(db: apsw.Connection, changes: Iterable[Change]) -> dict[str, _Stored]:
    """What the tables hold of the memories that change, by path."""
    paths = (_path_of(change) for change in changes if not isinstance(change, Restamp))
    return {path: _Stored(*row) for path, *row in select_each(db, _STORED, paths)}


def _add(
    db: apsw.Connection, batch: _Batch, change: Change, held: Mapping[str, _Stored], numbers: Numbers
) -> None:
    if isinstance(change, Restamp):
        _add_restamp(db, batch, change.stamp, settled=change.settled)
        return
    path = _path_of(change)
    stored = held.get(path)
    if isinstance(change, Removal):
        if stored is not None:
            batch.drop(stored)
            batch.leaving.append(stored.number)
            batch.gone_paths.append((path,))
        return
    parts = _parts(change)
    digest = parts.digest()
    if stored is not None and stored.digest == digest:
        _add_restamp(db, batch, change.stamp, settled=change.settled)
        return
    count = len(parts.texts)
    first = numbers.passage
    if stored is not None:
        batch.drop(stored)
        # Old numbers serve again where they are enough, so that numbers stay dense.
        first = stored.first if count <= stored.count else first
    if first == numbers.passage:
        numbers.passage += count
    batch.files.append((*_stamp_row(change.stamp, settled=change.settled), path, change.memory.version))
    born = batch.generation if stored is None else stored.born
    batch.put(parts, digest, memory=numbers.memory, first=first, born=born)
    numbers.memory += 1


def _add_restamp(db: apsw.Connection, batch: _Batch, stamp: FileStamp, *, settled: bool) -> None:
    row = _stamp_row(stamp, settled=settled)
    if db.execute(_STAMPED, (stamp.path,)).fetchone() not in (None, row):
        batch.restamps.append((*row, stamp.path))


def _stamp_row(stamp: FileStamp, *, settled: bool) -> Row:
    return (wide(stamp.size), wide(stamp.mtime_ns), wide(stamp.ctime_ns), wide(stamp.inode), int(settled))


def _parts(change: Upsert) -> _Parts:
    pieces = change.passages
    day = day_of(change.memory.created or change.memory.dated)
    return _Parts(
        memory=_memory_row(change),
        passages=[
            (len(piece.terms), clean(piece.voice), piece.cues, day, piece.passage.text_hash)
            for piece in pieces
        ],
        texts=[
            (
                piece.passage.ordinal,
                piece.passage.start_line,
                piece.passage.end_line,
                packed(piece.passage.headings),
                piece.weight,
                clean(piece.passage.text),
            )
            for piece in pieces
        ],
        terms=[(clean(" ".join(piece.terms)), clean(" ".join(piece.context))) for piece in pieces],
        links=[(ordinal, *row) for ordinal, row in enumerate(said.links(change.memory))],
        findings=[(ordinal, *row) for ordinal, row in enumerate(said.findings(change.memory))],
    )


def _memory_row(change: Upsert) -> Row:
    memory = change.memory
    folder = folder_of(memory.path)
    return (
        *said.said(memory, change.stamp.size),
        owner_key(memory.path),
        folder,
        home_of(folder),
        None if memory.id is None else id_key(memory.id),
        title_key(memory.title),
        text_key(memory.body),
    )
