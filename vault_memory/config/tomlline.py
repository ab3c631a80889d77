"""One key of a settings file changed by its own lines; every other byte of the file stays."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from vault_memory.model.tomlwords import toml

_TOKEN = re.compile(
    r'"""(?:\\[\s\S]|[^\\])*?"{3,5}|\'\'\'[\s\S]*?\'{3,5}'  # texts of many lines
    r"|\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*'"
    r"|#[^\n]*|[\[{]|[\]}]|\n|[^\"'#\[\]{}\n]+|[\s\S]"
)
_KEY = re.compile(r"[ \t]*(?P<quote>[\"']?)(?P<key>[A-Za-z0-9_-]+)(?P=quote)[ \t]*=[ \t]*")
_COMMENTED = re.compile(r"[ \t]*#[ \t]?")
_BOM = "\ufeff"
_Names = dict[str, tuple[int, "_Names"]]
_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")


class UnsplicedError(Exception):
    """The text can't be changed by one key's lines; the message says why."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One top-level piece of a TOML text: where it begins and ends (its line break included)."""

    start: int
    end: int
    line: int
    """Counted from 1."""
    key: str | None
    """The key that it sets; `None` for comments, blank lines and tables."""
    value_start: int = 0
    value_end: int = 0


def statements(text: str) -> Iterator[Statement]:
    """Every piece of a TOML text, in order; together they are the whole text. Of keys, those of no table."""
    in_table = False
    for piece in _pieces(text):
        in_table = in_table or text[piece.start : piece.end].lstrip(f"{_BOM} \t").startswith("[")
        yield replace(piece, key=None) if in_table and piece.key is not None else piece


class Lines:
    """Where the keys of a TOML text are set; the text is read once, when that is first asked."""

    def __init__(self, text: str) -> None:
        self._text = text

    def of(self, key: str) -> int | None:
        """The line on which a key of no table is set, `None` where it is not."""
        return self._own.get(key)

    def within(self, place: Sequence[str]) -> int | None:
        """The line on which a key of a table is set, or as much of the way to it as is written on one."""
        found, below = None, self._first
        for name in place:
            if name not in below:
                break
            found, below = below[name]
        return found

    @cached_property
    def _own(self) -> dict[str, int]:
        lines: dict[str, int] = {}
        for one in statements(self._text):
            if one.key is not None:
                lines.setdefault(one.key, one.line)
        return lines

    @cached_property
    def _first(self) -> _Names:
        """The line on which each name is first met, and the names in it."""
        first: _Names = {}
        table: tuple[str, ...] = ()
        for piece in _pieces(self._text):
            written = self._text[piece.start : piece.end].removeprefix(_BOM)
            try:
                ways = list(_ways(tomllib.loads(written)))
            except (ValueError, RecursionError):
                continue
            if written.lstrip().startswith("[") and ways:
                table = ways[0]
                ways = [table]
            else:
                ways = [(*table, *way) for way in ways]
            for way in ways:
                below = first
                for name in way:
                    _, below = below.setdefault(name, (piece.line, {}))
        return first


def _ways(value: object) -> Iterator[tuple[str, ...]]:
    """Where the values of a table of tables stand in it."""
    value = value[0] if isinstance(value, list) and value else value
    if not isinstance(value, Mapping) or not value:
        yield ()
        return
    for name, inner in value.items():
        yield from ((str(name), *way) for way in _ways(inner))


def _pieces(text: str) -> Iterator[Statement]:
    start, line, depth, value_end = 0, 1, 0, 0
    lines = 0
    for token in _TOKEN.finditer(text):
        piece = token[0]
        lines += piece.count("\n")
        if piece in ("[", "{"):
            depth += 1
        elif piece in ("]", "}"):
            depth = max(depth - 1, 0)
        if piece == "\n" and depth == 0:
            yield _statement(text, start, token.end(), line, value_end)
            start, line = token.end(), line + lines
            lines = 0
        elif piece.strip() and not piece.startswith("#"):
            value_end = token.start() + len(piece.rstrip())
    if start < len(text):
        yield _statement(text, start, len(text), line, value_end)


def _statement(text: str, start: int, end: int, line: int, value_end: int) -> Statement:
    named = _KEY.match(text, start + len(_BOM) if text.startswith(_BOM, start) else start, end)
    if named is None or value_end <= named.end():
        return Statement(start, end, line, None)
    return Statement(start, end, line, named["key"], named.end(), value_end)


def with_key(text: str, key: str, value: object, *, default: object) -> str:
    """The text with the key set to that value.

    A line that sets it keeps its place, spaces and remark; a comment that shows the default becomes
    the line; else a line is added at the end. Raises `UnsplicedError`.
    """
    written = toml(value)
    pieces = list(statements(text))
    own = _of_key(pieces, key)
    if own is not None:
        changed = text[: own.value_start] + written + text[own.value_end :]
    else:
        end = _end_of_keys(text, pieces)
        above = (one for one in pieces if one.end <= end)
        shown = next((one for one in above if _shows(text[one.start : one.end], key, default)), None)
        if shown is not None:
            changed = text[: shown.start] + f"{key} = {written}" + _break_of(text, shown) + text[shown.end :]
        else:
            newline = newline_of(text)
            keys, tables = text[:end], text[end:]
            glue = newline if keys.strip(_BOM) and not keys.endswith("\n") else ""
            changed = f"{keys}{glue}{key} = {written}{newline}{tables}"
    _prove(text, changed, key, gone=False)
    return changed


def without_key(text: str, key: str, *, default: object, doc: str) -> str:
    """The text without a line that sets the key; below its own description it becomes a comment that
    shows the default again. The same text where nothing sets it. Raises `UnsplicedError`."""
    pieces = list(statements(text))
    own = _of_key(pieces, key)
    if own is None:
        return text
    at = pieces.index(own)
    above = text[pieces[at - 1].start : pieces[at - 1].end].strip() if at else ""
    if doc and above == f"# {doc}":
        rest = text[own.value_end : own.end].strip()
        remark = f"  {rest}" if rest else ""
        instead = f"# {key} = {toml(default)}{remark}{_break_of(text, own)}"
    else:
        instead = _BOM if text.startswith(_BOM, own.start) else ""
    changed = text[: own.start] + instead + text[own.end :]
    _prove(text, changed, key, gone=True)
    return changed


def _end_of_keys(text: str, pieces: list[Statement]) -> int:
    """Where the keys end that are no table's: above the first table, and the remark right above that."""
    lines = [text[one.start : one.end].lstrip(f"{_BOM} \t") for one in pieces]
    at = next((at for at, line in enumerate(lines) if line.startswith("[")), None)
    if at is None:
        return len(text)
    while at and lines[at - 1].startswith("#"):
        at -= 1
    return pieces[at].start or len(text) - len(text.removeprefix(_BOM))


def _of_key(pieces: list[Statement], key: str) -> Statement | None:
    return next((one for one in pieces if one.key == key), None)


def _shows(piece: str, key: str, default: object) -> bool:
    """Whether a comment is a line that would set the key to its default."""
    mark = _COMMENTED.match(piece)
    if mark is None:
        return False
    try:
        found = tomllib.loads(piece[mark.end() :])
    except tomllib.TOMLDecodeError:
        return False
    return list(found) == [key] and toml(found[key]) == toml(default)


def _break_of(text: str, piece: Statement) -> str:
    whole = text[piece.start : piece.end]
    return whole[len(whole.rstrip("\r\n")) :]


def newline_of(text: str) -> str:
    """How the lines of the text end, as the first one does."""
    first, found, _ = text.partition("\n")
    return "\r\n" if found and first.endswith("\r") else "\n"


def _prove(before: str, after: str, key: str, *, gone: bool) -> None:
    """Raise unless the two texts are TOML and differ in that key alone."""
    try:
        old, new = parsed(before), parsed(after)
    except (ValueError, RecursionError) as error:
        raise UnsplicedError(str(error)) from error
    had, has = old.pop(key, None), new.pop(key, None)
    if old != new or gone is not (has is None) or (gone and had is None):
        raise UnsplicedError("it does not stand on lines of its own")


def fault_of(error: Exception) -> tuple[str, int | None]:
    """What is wrong with a text that is no TOML, and on which line where that is known."""
    reason = str(error)
    at = _PLACE.search(reason)
    return (f"{reason[: at.start()]} (column {at[2]})", int(at[1])) if at is not None else (reason, None)


def parsed(text: str) -> dict[str, Any]:
    """The values of a TOML text, with or without a byte order mark. Raises `ValueError`, `RecursionError`."""
    return tomllib.loads(text.removeprefix(_BOM))
