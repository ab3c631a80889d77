"""Adding a part to a person's JSON, or taking it out again, while every other byte stays as it was."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from vault_memory.model.editors.jsontext import NoJsonError, Part, is_blank, read_json

_INDENT = re.compile(r"[ \t]*")
_BLANK = " \t\r\n\ufeff"
_LINE = 72
"""So long a list of texts stands on one line."""


def with_key(text: str, path: Sequence[str], value: object) -> str:
    """The text with a value under the keys `path`, unless there is one already; objects on the way that are
    not there are made. An empty text becomes an object. Raises `NoJsonError`."""
    if is_blank(text):
        text = "{}\n"
    here = read_json(text)
    for depth, key in enumerate(path):
        if not isinstance(here.value, dict):
            raise NoJsonError(here.start)
        inner = here.find(key)
        if inner is None:
            for outer in reversed(path[depth + 1 :]):
                value = {outer: value}
            return appended(text, here, value, key)
        here = inner
    return text


def with_item(text: str, key: str, item: object, is_it: Callable[[object], bool]) -> str:
    """The text with an item at the end of the list under `key`, unless one is it already (`is_it`).

    Raises `NoJsonError`."""
    whole = read_json(text)
    listed = whole.find(key) if isinstance(whole.value, dict) else None
    if listed is None and isinstance(whole.value, dict):
        return with_key(text, [key], [item])
    if listed is None or not isinstance(listed.value, list):
        raise NoJsonError(whole.start if listed is None else listed.start)
    if any(is_it(one.value) for one in listed.parts):
        return text
    return appended(text, listed, item, None)


def without_key(text: str, path: Sequence[str], value: object) -> str:
    """The text without the value under `path`, if it is that one; objects that become empty go, too.

    Raises `NoJsonError`."""
    line = [read_json(text)]
    for key in path:
        inner = line[-1].find(key) if isinstance(line[-1].value, dict) else None
        if inner is None:
            return text
        line.append(inner)
    if line[-1].value != value:
        return text
    while len(line) > 2 and len(line[-2].parts) == 1:
        line.pop()
    return removed(text, line[-2], line[-1])


def without_item(text: str, key: str, item: object) -> str:
    """The text without that item of the list under `key`. Raises `NoJsonError`."""
    whole = read_json(text)
    listed = whole.find(key) if isinstance(whole.value, dict) else None
    for one in listed.parts if listed is not None else ():
        if listed is not None and listed.value is not None and one.value == item:
            return removed(text, listed, one)
    return text


def says_nothing(text: str) -> bool:
    """Whether it holds no value and no remark, but empty objects and lists alone."""
    return not re.sub(r'"(?:types|tasks|servers|version)"|"2\.0\.0"|[\s\ufeff{}\[\]:,]', "", text)


def appended(text: str, whole: Part, value: object, key: str | None) -> str:
    """The text with one more part at the end of an object or list, written as that is; `removed` is the way
    back. Raises `NoJsonError`."""
    newline, unit = _newline(text), _unit(text)
    outer = _indent_of(text, whole.start if whole.key is None else whole.at)
    close = whole.end - 1
    end = len(text[:close].rstrip(_BLANK))
    last = whole.parts[-1] if whole.parts else None
    inner = outer + unit
    if last is not None:
        begin = last.start if key is None else last.at
        inner = _indent_of(text, begin) if _begins_line(text, begin) else inner
    one_line = end > whole.start + 1 and "\n" not in text[whole.start : close]
    between = " " if one_line else newline + inner
    member = _named(key) + (_plain(value) if one_line else _written(value, inner, unit, newline))
    if last is None:
        rest = text[end:close] or newline + outer
        return _checked(text, text[:end] + between + member + rest + text[close:])
    head = text[: last.end] + ("," if last.comma is None else "") + text[last.end : end]
    ends = "" if last.comma is None else ","  # who ends a list with a comma goes on to do so
    return _checked(text, head + between + member + ends + text[end:])


def removed(text: str, whole: Part, part: Part) -> str:
    """The text without one part of an object or list; remarks around it stay. Raises `NoJsonError`."""
    number = whole.parts.index(part)
    begin = part.start if part.key is None else part.at
    start = max(len(text[:begin].rstrip(_BLANK)), whole.start + 1)
    tail = text[part.end :] if part.comma is None else text[part.end : part.comma] + text[part.comma + 1 :]
    if "//" in text[text.rfind("\n", 0, start) + 1 : start] and tail.split("\n", 1)[0].strip():
        start = begin  # what follows may not become part of the remark before it
    head = text[:start]
    before = whole.parts[number - 1] if number else None
    if part.comma is None and before is not None and before.comma is not None:
        head = head[: before.comma] + head[before.comma + 1 :]
    if len(whole.parts) == 1:
        opened = whole.start + 1
        inside = head[opened:] + tail[: len(tail) - len(text) + whole.end - 1]
        if not inside.strip(_BLANK) and inside in ("", _newline(text) + _indent_of(text, opened - 1)):
            head, tail = head[:opened], text[whole.end - 1 :]
    return _checked(text, head + tail)


def replaced(text: str, part: Part, value: object) -> str:
    """The text with another value in the place of one. Raises `NoJsonError`."""
    indent = _indent_of(text, part.start)
    written = _written(value, indent, _unit(text), _newline(text))
    return _checked(text, text[: part.start] + written + text[part.end :])


def _checked(before: str, after: str) -> str:
    """The text after a change, if all that was not changed still reads as it did."""
    old, new = read_json(before), read_json(after)
    if type(old.value) is not type(new.value):
        raise NoJsonError(old.start)
    return after


def _written(value: object, indent: str, unit: str, newline: str) -> str:
    return f"{newline}{indent}".join(_lines(value, unit))


def _named(key: str | None) -> str:
    return "" if key is None else f"{_plain(key)}: "


def _plain(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _lines(value: object, unit: str) -> list[str]:
    """The value as JSON, its parts on lines of their own; lists of a few texts on one."""
    whole = _plain(value)
    if not isinstance(value, dict | list) or not value:
        return [whole]
    if isinstance(value, list) and len(whole) <= _LINE and all(isinstance(one, str) for one in value):
        return [whole]
    named = value.items() if isinstance(value, dict) else ((None, one) for one in value)
    lines = []
    for key, inner in named:
        first, *rest = _lines(inner, unit)
        lines += [_named(key) + first, *rest]
        lines[-1] += ","
    lines[-1] = lines[-1][:-1]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return [opening, *(unit + line for line in lines), closing]


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _indent_of(text: str, at: int) -> str:
    found = _INDENT.match(text, text.rfind("\n", 0, at) + 1)
    assert found is not None
    return found[0]


def _begins_line(text: str, at: int) -> bool:
    return not text[text.rfind("\n", 0, at) + 1 : at].strip()


def _unit(text: str) -> str:
    """How this file indents by one step."""
    found = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    return "\t" if found and found[1].startswith("\t") else found[1][:8] if found else "  "
