"""Changing keys of a file's front matter while every other byte stays as it was."""

from __future__ import annotations

from collections.abc import Mapping

from vault_memory.model.header import Edit, Header, has_block_form, open_header, prove
from vault_memory.model.split import split
from vault_memory.model.yamlread import plain
from vault_memory.model.yamlwrite import FieldValue, read_back, scalar, written


def splice(
    path: str, content: bytes, changes: Mapping[str, FieldValue | None], *, only_present: bool = False
) -> bytes:
    """The file with those keys set, or taken out where the value is `None`.

    Only the lines of these keys change; a new key is one line before the closing fence (with
    `only_present` it is not added), and a file without front matter gets a block on top. Raises
    `FrontMatterError` where that can't be done and proven; `path` is for its message.
    """
    header = open_header(path, content)
    if header.parts.header is None:
        return content if only_present else _with_block(header, changes)
    for key, value in changes.items():
        if not only_present or header.find(key) is not None:
            header = _changed(header, key, value)
    return header.content


def _changed(header: Header, key: str, value: FieldValue | None) -> Header:
    number = header.find(key)
    if number is None:
        if value is None:
            return header
        line = f"{header.indent()}{scalar(key)}: {written(value, key)}\n"
        edit = Edit(len(header.text), len(header.text), line)
    else:
        header.after_colon(number)  # refuses odd forms, of keys to be taken out too
        if value is None:
            edit = Edit(*header.lines_of(number), "")
        elif plain(header.pairs.pairs[number][1]) == read_back(value):
            return header
        else:
            edit = replacement(header, number, _in_its_quotes(header, number, written(value, key)))
    after = prove(header, header.apply(edit), key)
    now = after.find(key)
    found = None if now is None else plain(after.pairs.pairs[now][1])
    if found != (None if value is None else read_back(value)):
        raise header.refuse(edit.start, f"{key!r} would not read back as it was given")
    return after


def _in_its_quotes(header: Header, number: int, text: str) -> str:
    """The new text in the quotes that the value has had, where it needs none of its own."""
    value = header.pairs.pairs[number][1]
    quote = header.text[value.start : value.start + 1]
    if "\n" in header.text[header.after_colon(number) : value.start]:
        return text  # the value stood on a line of its own and moves up to its key
    own = text[:1] in "\"'[" or any(sign in text for sign in "\"'\\")
    return text if own or quote not in ('"', "'") else f"{quote}{text}{quote}"


def replacement(header: Header, number: int, text: str) -> Edit:
    """The edit that puts one line's `text` in place of a pair's whole value; comments are kept."""
    value = header.pairs.pairs[number][1]
    colon = header.after_colon(number)
    if has_block_form(value):
        rest = header.text[colon : header.line_end(colon)]
        comment = rest if rest.strip().startswith("#") else ""
        _, end = header.lines_of(number)
        return Edit(colon, end, f" {text}{comment}\n")
    if value.start == value.end:
        return Edit(colon, colon, f" {text}")
    return Edit(value.start, value.end, text)


def _with_block(header: Header, changes: Mapping[str, FieldValue | None]) -> bytes:
    lines = [f"{scalar(key)}: {written(value, key)}" for key, value in changes.items() if value is not None]
    if not lines:
        return header.content
    newline, bom = header.parts.newline, header.parts.bom
    block = "".join(line + newline for line in ("---", *lines, "---")).encode("utf-8")
    rest = header.content[len(bom) :]
    after = bom + block + rest
    if split(after).body != header.parts.body:
        raise header.refuse(0, "a block on top would change the text below it")
    return after
