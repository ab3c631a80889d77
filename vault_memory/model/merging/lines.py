"""Bringing their changes of front matter into our lines, key by key; every other line stays as it was."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from vault_memory.model.header import Edit, Header, has_block_form, open_header, prove
from vault_memory.model.listsplice import entry_added, entry_taken
from vault_memory.model.merging.values import Act, Value, expected, joined, texts_of
from vault_memory.model.splice import splice
from vault_memory.model.tagsplice import splice_tags
from vault_memory.model.yamlread import Items, key_text, plain


class Clash(NamedTuple):
    """A key that both sides have changed, as each has it written; empty where a side took it out."""

    key: str
    ours: str
    theirs: str


class Keys(NamedTuple):
    """Our file with the front matter of both, and what of it a person has to decide."""

    content: bytes
    clashes: tuple[Clash, ...]


def values_of(header: Header) -> dict[str, Value]:
    """The values by folded key. Raises `FrontMatterError` where a key stands there twice."""
    found: dict[str, Value] = {}
    for name, value in header.pairs.pairs:
        key = key_text(name).casefold()
        if key in found:
            raise header.refuse(name.start, f"the key {key!r} stands there twice")
        found[key] = plain(value)
    return found


def merge_keys(base: Header, ours: Header, theirs: Header) -> Keys:
    """Our file with what their side has changed.

    Raises `FrontMatterError` where the lines of a key can't be told from others."""
    acts = expected(*(values_of(one) for one in (base, ours, theirs)))
    merged, clashes = ours, []
    for key, act in acts.items():
        if act is Act.CLASH:
            clashes.append(Clash(key, _lines_of(ours, key), _lines_of(theirs, key)))
        if act is Act.JOIN:
            merged = _join(key, base, merged, theirs)
        elif act is Act.TAKE or _only_they_wrote(key, base, ours, theirs):
            merged = _take(key, merged, theirs)
        elif act is Act.CLASH and ours.find(key) is None:
            merged = _take(key, merged, theirs)  # what one side has is not lost meanwhile
    for side in (ours, theirs):
        merged = _with_remarks(base, merged, side)
    return Keys(merged.content, tuple(clashes))


def _only_they_wrote(key: str, base: Header, ours: Header, theirs: Header) -> bool:
    """Whether only their side has written the same value in another way, or beside another remark."""
    was, mine, other = (_lines_of(one, key) for one in (base, ours, theirs))
    same = ours.find(key) is not None and theirs.find(key) is not None
    return same and mine == was != other and _value(ours, key) == _value(theirs, key)


def _take(key: str, merged: Header, theirs: Header) -> Header:
    """Their lines of the key in the place of ours."""
    number, other = merged.find(key), theirs.find(key)
    lines = _lines_of(theirs, key)
    if other is not None:
        theirs.after_colon(other)
        if merged.pairs.pairs and merged.indent() != theirs.indent():
            raise merged.refuse(merged.pairs.pairs[0][0].start, "the keys are indented otherwise than theirs")
    if number is None:
        edit = Edit(len(merged.text), len(merged.text), lines)
    else:
        merged.after_colon(number)
        edit = Edit(*merged.lines_of(number), lines)
    after = prove(merged, merged.apply(edit), key)
    if _value(after, key) != _value(theirs, key):
        raise merged.refuse(edit.start, f"{key!r} would not read as it does there")
    return after


def _join(key: str, base: Header, merged: Header, theirs: Header) -> Header:
    """The list of both, in the style that ours has."""
    was, mine, other = (_value(one, key) for one in (base, merged, theirs))
    wanted = joined(key, was, mine, other)
    if mine is None or (other is None and not wanted):
        content = splice(merged.path, merged.content, {key: wanted or None})
    elif key in ("tags", "tag"):
        content = _tags(merged, texts_of(key, mine), wanted)
    elif isinstance(mine, list):
        content = _entries(merged, key, wanted)
    else:
        content = splice(merged.path, merged.content, {key: wanted})
    after = open_header(merged.path, content)
    if texts_of(key, _value(after, key)) != wanted:
        raise merged.refuse(0, f"{key!r} would not read as the entries of both sides")
    return after


def _tags(merged: Header, mine: list[str], wanted: list[str]) -> bytes:
    kept, had = ({one.casefold() for one in each} for each in (wanted, mine))
    added = [one for one in wanted if one.casefold() not in had]
    removed = [one for one in mine if one.casefold() not in kept]
    return splice_tags(merged.path, merged.content, add=added, remove=removed)


def _entries(merged: Header, key: str, wanted: list[str]) -> bytes:
    """The list with those entries alone, each of ours as it is written."""
    while True:
        number = merged.find(key)
        assert number is not None
        merged.after_colon(number)
        value = merged.pairs.pairs[number][1]
        if not isinstance(value, Items):
            raise merged.refuse(value.start, f"{key!r} is written in a way that can't be added to")
        had = texts_of(key, plain(value))
        gone = next((at for at, item in enumerate(value.items) if plain(item).strip() not in wanted), None)
        new = next((one for one in wanted if one not in had), None)
        if gone is not None:
            edit = entry_taken(merged, value, gone)
        elif new is not None:
            edit = entry_added(merged, number, value, new)
        else:
            return merged.content
        after = prove(merged, merged.apply(edit), key)
        if texts_of(key, _value(after, key)) == had:
            raise merged.refuse(edit.start, f"{key!r} can't be changed here")
        merged = after


def _with_remarks(base: Header, merged: Header, side: Header) -> Header:
    """With the remarks that only that side has made and that are not there yet, at the end."""
    had = Counter(_remarks(base)) | Counter(_remarks(merged))
    new = []
    for line in _remarks(side):
        if had[line]:
            had[line] -= 1
        else:
            new.append(f"{line}\n")
    if not new:
        return merged
    return open_header(merged.path, merged.apply(Edit(len(merged.text), len(merged.text), "".join(new))))


def _remarks(header: Header) -> list[str]:
    """Those on lines of their own, and those behind a value."""
    alone = [line.strip() for line in header.text.split("\n") if line.lstrip().startswith("#")]
    values = (value for _, value in header.pairs.pairs if not has_block_form(value))
    behind = (header.text[value.end : header.line_end(value.end)].strip() for value in values)
    return [*alone, *(one for one in behind if one.startswith("#"))]


def _lines_of(header: Header, key: str) -> str:
    """The key's own lines, each with its end; nothing where it is not there."""
    number = header.find(key)
    if number is None:
        return ""
    start, end = header.lines_of(number)
    lines = header.text[start:end]
    return lines if lines.endswith("\n") else f"{lines}\n"


def _value(header: Header, key: str) -> Value:
    number = header.find(key)
    return None if number is None else plain(header.pairs.pairs[number][1])
