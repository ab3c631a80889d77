"""The selects that give back memories, passages, links, findings and files."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime

import apsw

from vault_memory.adapters.indexes.sqlite.rows import (
    ENTRY_COLUMNS,
    Row,
    clean,
    entry,
    id_key,
    known_file,
    micros,
    select,
    select_each,
    stored_passage,
    title_key,
)
from vault_memory.model.change import KnownFile
from vault_memory.model.memory import Entry, Finding, Link
from vault_memory.model.namespace import Scope, VaultPath
from vault_memory.model.passage import StoredPassage
from vault_memory.model.policy import lies_below

_BEHIND_ALL = "\U0010ffff"
"""Sorts behind every other character: the end of a range of texts with one beginning."""

_FILES = """
    SELECT path, size, mtime_ns, ctime_ns, inode, version, settled
    FROM files
    ORDER BY path
    """
_FILE = """
    SELECT path, size, mtime_ns, ctime_ns, inode, version, settled
    FROM files
    WHERE path = ?
    ORDER BY path
    """
_ENTRY = f"""
    SELECT {ENTRY_COLUMNS}
    FROM memories
    WHERE path = ?
    ORDER BY path
    """
_ENTRY_BY_NUMBER = f"""
    SELECT {ENTRY_COLUMNS}
    FROM memories
    WHERE number = ?
    ORDER BY number
    """
_MEMORY_OF_PASSAGE = """
    SELECT number, memory
    FROM passages
    WHERE number = ?
    ORDER BY number
    """
_ENTRIES = f"""
    SELECT {ENTRY_COLUMNS}
    FROM memories
    WHERE (:person OR owner IS NULL OR owner = :agent)
        AND path >= :first AND path < :last
    ORDER BY path
    """
_ALL_ENTRIES = f"""
    SELECT {ENTRY_COLUMNS}
    FROM memories
    WHERE (:person OR owner IS NULL OR owner = :agent)
    ORDER BY path
    """
_EXPIRED = f"""
    SELECT {ENTRY_COLUMNS}
    FROM memories
    WHERE expires <= :at
        AND (:person OR owner IS NULL OR owner = :agent)
    ORDER BY path
    """
_COUNT_ALL = """
    SELECT count(*)
    FROM memories
    """
_COUNT_READABLE = """
    SELECT count(*)
    FROM memories
    WHERE owner IS NULL OR owner = ?
    """
# A scope says the same of all files of a folder.
_COUNT_BY_FOLDER = """
    SELECT min(path), count(*)
    FROM memories
    GROUP BY folder
    ORDER BY folder
    """
_OF_AGENT = """
    SELECT count(*), coalesce(sum(size), 0)
    FROM memories
    WHERE owner = :agent OR source_agent = :agent
    ORDER BY 1
    """
_SIZE_BY_FOLDER = """
    SELECT min(path), count(*), sum(size)
    FROM memories
    WHERE path >= :first AND path < :last
    GROUP BY folder
    ORDER BY folder
    """
_BY_ID = f"""
    SELECT {ENTRY_COLUMNS}
    FROM memories
    WHERE id_key >= :first AND id_key < :last
        AND (:person OR owner IS NULL OR owner = :agent)
    ORDER BY path
    """
_BY_TITLE = f"""
    SELECT {ENTRY_COLUMNS}
    FROM memories
    WHERE title_key = :title
        AND (:person OR owner IS NULL OR owner = :agent)
    ORDER BY path
    """
_SAME_TEXT = f"""
    SELECT {ENTRY_COLUMNS}
    FROM memories
    WHERE body_key = :body AND (home = :folder OR folder = :folder)
    ORDER BY path
    """
# The numbers come as one JSON list: a select a number takes three times as long.
_PASSAGES = """
    SELECT texts.number, memories.path, ordinal, start_line, end_line, headings, text, text_hash,
        passage_count, weight
    FROM json_each(?) AS asked
        CROSS JOIN texts ON texts.number = asked.value
        CROSS JOIN passages ON passages.number = texts.number
        CROSS JOIN memories ON memories.number = passages.memory
    ORDER BY texts.number
    """
_PASSAGES_OF = """
    SELECT texts.number, path, ordinal, start_line, end_line, headings, text, text_hash,
        passage_count, weight
    FROM memories
        JOIN texts ON texts.number >= first_passage AND texts.number < first_passage + passage_count
        JOIN passages ON passages.number = texts.number
    WHERE path = ?
    ORDER BY texts.number
    """
_LINKS_OF = """
    SELECT target, links.line, links.kind, label
    FROM memories JOIN links ON links.memory = memories.number
    WHERE path = ?
    ORDER BY ordinal
    """
_LINKS = """
    SELECT path, target, links.line, links.kind, label
    FROM memories JOIN links ON links.memory = memories.number
    WHERE (:person OR owner IS NULL OR owner = :agent)
    ORDER BY path, ordinal
    """
# Nearly all are ids, since vmem writes these: so they are looked up here, all at once.
_SUPERSEDING = """
    SELECT new.path, target, links.line, links.kind, label, min(old.path), count(old.path)
    FROM links INDEXED BY links_superseding
        JOIN memories AS new ON new.number = links.memory
        LEFT JOIN memories AS old ON old.id_key = upper(target)
    WHERE links.kind = 'supersedes'
        AND (:person OR new.owner IS NULL OR new.owner = :agent)
    GROUP BY new.path, ordinal
    ORDER BY new.path, ordinal
    """
_NAMED_AS_SUPERSEDED = """
    SELECT path, target, links.line, links.kind, label
    FROM links INDEXED BY links_superseding
        JOIN memories ON memories.number = links.memory
    WHERE links.kind = 'supersedes'
        AND target IN (SELECT value FROM json_each(:names))
        AND (:person OR owner IS NULL OR owner = :agent)
    ORDER BY path, ordinal
    """
_FINDINGS = """
    SELECT path, line, code, message, advice
    FROM findings JOIN memories ON memories.number = findings.memory
    WHERE (:person OR owner IS NULL OR owner = :agent)
    ORDER BY path, line, ordinal
    """


def known_files(db: apsw.Connection) -> dict[VaultPath, KnownFile]:
    """Every file, in path order."""
    return {row[0]: known_file(row) for row in select(db, _FILES)}


def known(db: apsw.Connection, paths: Iterable[str]) -> dict[VaultPath, KnownFile]:
    """Those of the paths that are there."""
    files = (known_file(row) for row in select_each(db, _FILE, map(clean, paths)))
    return {file.stamp.path: file for file in files}


def entry_at(db: apsw.Connection, path: str) -> Entry | None:
    """The memory at a path."""
    row = db.execute(_ENTRY, (clean(path),)).fetchone()
    return entry(row) if row else None


def entries_by_number(db: apsw.Connection, memories: Iterable[int]) -> dict[int, Entry]:
    """Memories by their numbers; those that are not there are left out."""
    rows = select_each(db, _ENTRY_BY_NUMBER, memories)
    return {row[0]: entry(row) for row in rows}


def memories_of(db: apsw.Connection, passages: Iterable[int]) -> dict[int, int]:
    """The memory's number of each passage's."""
    return dict(select_each(db, _MEMORY_OF_PASSAGE, passages))


def readable_entries(db: apsw.Connection, scope: Scope, under: str | None) -> list[Row]:
    """Rows of `ENTRY_COLUMNS` that the scope may read, below a folder if one is named, in path order."""
    if not under:
        return _readable(db, _ALL_ENTRIES, scope)
    folder = clean(under)
    # '0' follows '/': the range holds all paths that begin with the folder and a slash.
    return _readable(db, _ENTRIES, scope, first=f"{folder}/", last=f"{folder}0")


def expired(db: apsw.Connection, scope: Scope, at: datetime) -> list[Row]:
    """Rows of `ENTRY_COLUMNS` that the scope may read and that end at that time or before, in path order."""
    return _readable(db, _EXPIRED, scope, at=micros(at))


def count(db: apsw.Connection, scope: Scope) -> int:
    """How many memories the scope may read."""
    if scope.sight != scope.agent:
        return sum(count for path, count in select(db, _COUNT_BY_FOLDER) if scope.may_read(path))
    if scope.agent is None:
        return int(db.execute(_COUNT_ALL).get)
    return int(db.execute(_COUNT_READABLE, (scope.agent,)).get)


def size_of_agent(db: apsw.Connection, agent: str) -> tuple[int, int]:
    """How many memories lie in its private folder or say that they are by it, and their files' bytes."""
    count, size = select(db, _OF_AGENT, {"agent": clean(agent)})[0]
    return int(count), int(size)


def size_below(db: apsw.Connection, folder: str) -> tuple[int, int]:
    """How many memories lie below a folder, or one that is taken for it behind the first slash, and the bytes
    of their files."""
    top = clean(folder).partition("/")[0]
    rows = select(db, _SIZE_BY_FOLDER, {"first": f"{top}/", "last": f"{top}0"})
    found = [(count, size) for path, count, size in rows if lies_below(path, clean(folder))]
    return sum(count for count, _ in found), sum(size for _, size in found)


def by_id(db: apsw.Connection, scope: Scope, prefix: str) -> list[Row]:
    """Rows of `ENTRY_COLUMNS` whose id begins so; nothing begins with nothing."""
    key = id_key(prefix)
    return _readable(db, _BY_ID, scope, first=key, last=key + _BEHIND_ALL) if key else []


def by_title(db: apsw.Connection, scope: Scope, title: str) -> list[Row]:
    """Rows of `ENTRY_COLUMNS` that have the title."""
    return _readable(db, _BY_TITLE, scope, title=title_key(title))


def same_text(db: apsw.Connection, folder: str, body_key: str) -> list[Entry]:
    """The memories of the folder, months included, with that body."""
    return [entry(row) for row in select(db, _SAME_TEXT, {"folder": clean(folder), "body": body_key})]


def passages(db: apsw.Connection, numbers: Iterable[int]) -> dict[int, StoredPassage]:
    """Passages by number; those that are not there are left out."""
    rows = select(db, _PASSAGES, (json.dumps([int(number) for number in numbers]),))
    return {row[0]: stored_passage(row) for row in rows}


def passages_of(db: apsw.Connection, path: str) -> list[StoredPassage]:
    """A memory's passages in their order."""
    return [stored_passage(row) for row in select(db, _PASSAGES_OF, (clean(path),))]


def links_of(db: apsw.Connection, path: str) -> list[Link]:
    """A memory's links in their order."""
    return [Link(*row) for row in select(db, _LINKS_OF, (clean(path),))]


def links(db: apsw.Connection, scope: Scope) -> list[tuple[VaultPath, Link]]:
    """Every link, with the path that it stands in, of what the scope may read."""
    rows = _readable(db, _LINKS, scope)
    return [(VaultPath(path), Link(*link)) for path, *link in rows if scope.may_read(path)]


def superseding(db: apsw.Connection, scope: Scope) -> list[tuple[VaultPath, Link, VaultPath | None]]:
    """The links of the key `supersedes`, each with the one memory that has the target for its id."""
    rows = _readable(db, _SUPERSEDING, scope)
    return [
        (VaultPath(path), Link(*link), VaultPath(old) if count == 1 and scope.may_read(old) else None)
        for path, *link, old, count in rows
        if scope.may_read(path)
    ]


def named_as_superseded(
    db: apsw.Connection, scope: Scope, names: Iterable[str]
) -> list[tuple[VaultPath, Link]]:
    """Those of them whose target is one of these names."""
    rows = _readable(db, _NAMED_AS_SUPERSEDED, scope, names=json.dumps([clean(name) for name in names]))
    return [(VaultPath(path), Link(*link)) for path, *link in rows if scope.may_read(path)]


def findings(db: apsw.Connection, scope: Scope) -> list[Finding]:
    """The faults in what the scope may read."""
    rows = _readable(db, _FINDINGS, scope)
    return [
        Finding(code, path, line, message, advice)
        for path, line, code, message, advice in rows
        if scope.may_read(path)
    ]


def _readable(db: apsw.Connection, statement: str, scope: Scope, **bindings: str | int | None) -> list[Row]:
    who = {"person": scope.agent is None, "agent": scope.agent}
    return select(db, statement, {**who, **bindings})
