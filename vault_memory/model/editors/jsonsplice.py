"""Adding a part to a person's JSON, or taking it out again, while every other byte stays as it was."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from vault_memory.model.editors.jsontext import NoJsonError, Part, read_json

_INDENT = re.compile(r"[ \t]*")


def with_key(text: str, path: Sequence[str], value: object) -> str:
    """The text with a value under the keys `path`, unless there is one already; objects on the way that are
    not there are made. An empty text becomes an object. Raises `NoJsonError`."""
    if not text.strip("\ufeff \t\r\n"):
        text = "{}\n"
    here = read_json(text)
    for depth, key in enumerate(path):
        if not isinstance(here.value, dict):
            raise NoJsonError
        inner = here.find(key)
        if inner is None:
            for outer in reversed(path[depth + 1 :]):
                value = {outer: value}
            return _checked(text, _appended(text, here, value, key))
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
        raise NoJsonError
    if any(is_it(one.value) for one in listed.parts):
        return text
    return _checked(text, _appended(text, listed, item, None))


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
    return _checked(text, _removed(text, line[-2], line[-1]))


def without_item(text: str, key: str, item: object) -> str:
    """The text without that item of the list under `key`. Raises `NoJsonError`."""
    whole = read_json(text)
    listed = whole.find(key) if isinstance(whole.value, dict) else None
    for one in listed.parts if listed is not None else ():
        if listed is not None and listed.value is not None and one.value == item:
            return _checked(text, _removed(text, listed, one))
    return text


def says_nothing(text: str) -> bool:
    """Whether it holds no value and no remark, but empty objects and lists alone."""
    return not re.sub(r'"(?:types|tasks|version)"|"2\.0\.0"|[\s\ufeff{}\[\]:,]', "", text)


def _appended(text: str, whole: Part, value: object, key: str | None) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    outer = _indent_of(text, whole.start if whole.key is None else whole.at)
    close = whole.end - 1
    if not whole.parts:
        inner = outer + _unit(text)
        remark = text[whole.start + 1 : close].rstrip()
        member = _written(value, key, inner, _unit(text), newline)
        return f"{text[: whole.start + 1]}{remark}{newline}{inner}{member}{newline}{outer}{text[close:]}"
    last = whole.parts[-1]
    end = len(text[:close].rstrip())
    head = text[: last.end] + ("," if last.comma is None else "") + text[last.end : end]
    ends = "" if last.comma is None else ","  # who ends a list with a comma goes on to do so
    if "\n" not in text[whole.start : close]:
        member = _written(value, key, outer, _unit(text), newline)
        return f"{head} {member}{ends}{text[end:]}"
    begin = last.start if key is None else last.at
    inner = _indent_of(text, begin) if _begins_line(text, begin) else outer + _unit(text)
    member = _written(value, key, inner, _unit(text), newline)
    tail = text[end:] if "\n" in text[end:close] else f"{newline}{outer}{text[close:]}"
    return f"{head}{newline}{inner}{member}{ends}{tail}"


def _removed(text: str, whole: Part, part: Part) -> str:
    start = part.start if part.key is None else part.at
    end = part.end if part.comma is None else part.comma + 1
    number = whole.parts.index(part)
    before = whole.parts[number - 1] if number else None
    cut_comma = part.comma is None and before is not None and before.comma is not None
    if _begins_line(text, start) and text[end:].split("\n", 1)[0].strip() == "":
        start = text.rfind("\n", 0, start) + 1
        rest = text.find("\n", end)
        end = rest + 1 if rest >= 0 else len(text)
    elif number:
        start -= len(text[:start]) - len(text[:start].rstrip(" \t"))
    else:
        end += len(text[end:]) - len(text[end:].lstrip(" \t"))
    if cut_comma and before is not None and before.comma is not None:
        return text[: before.comma] + text[before.comma + 1 : start] + text[end:]
    return text[:start] + text[end:]


def _checked(before: str, after: str) -> str:
    """The text after a change, if all that was not changed still reads as it did."""
    old, new = read_json(before), read_json(after)
    if type(old.value) is not type(new.value):
        raise NoJsonError
    return after


def _written(value: object, key: str | None, indent: str, unit: str, newline: str) -> str:
    lines = json.dumps(value, indent=unit, ensure_ascii=False).split("\n")
    written = f"{newline}{indent}".join(lines)
    return written if key is None else f"{json.dumps(key, ensure_ascii=False)}: {written}"


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
