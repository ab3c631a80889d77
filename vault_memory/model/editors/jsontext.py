"""JSON as people's settings are written, with remarks and trailing commas: where each part of it stands."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import lru_cache

_SPACE = re.compile(r"(?:[ \t\r\n\ufeff]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_PLAIN = re.compile(r"-?[0-9][0-9.eE+-]*|true|false|null")
_DEEPEST = 60


class NoJsonError(ValueError):
    """The text can't be read as such JSON, or is not of the shape that was asked for; `at`: from where on."""

    def __init__(self, at: int = 0) -> None:
        super().__init__(f"at character {at}")
        self.at = at

    def line(self, text: str) -> int:
        """The line of the text, counted from 1."""
        return text.count("\n", 0, self.at) + 1


@dataclass(slots=True)
class Part:
    """One value: where it stands, and what it is (`parts` of objects and lists, each in its place)."""

    start: int
    end: int
    value: object
    parts: list[Part] = field(default_factory=list)
    key: str | None = None
    """In an object: the name before it; `at` is then where that begins."""
    at: int = 0
    comma: int | None = None
    """Where the comma behind it stands."""

    def find(self, key: str) -> Part | None:
        """The part of an object with that name; of two, the last, which counts."""
        return next((part for part in reversed(self.parts) if part.key == key), None)


def is_blank(text: str) -> bool:
    """Whether there is nothing in a file: what is no JSON either, but may become some."""
    return not text.strip("\ufeff \t\r\n")


@lru_cache(maxsize=2)
def read_json(text: str) -> Part:
    """The one value of a text, which nobody changes. Raises `NoJsonError`.

    A text and what was made of it are kept: one change after the other asks for them, and a program's
    settings may hold megabytes of its past."""
    whole = _value(text, _skip(text, 0), 0)
    rest = _skip(text, whole.end)
    if rest != len(text):
        raise NoJsonError(rest)
    return whole


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    assert found is not None
    return found.end()


def _value(text: str, at: int, depth: int) -> Part:
    if depth > _DEEPEST:
        raise NoJsonError(at)
    opening = text[at : at + 1]
    if opening in ("{", "["):
        return _container(text, at, depth, "}" if opening == "{" else "]")
    found = _STRING.match(text, at) or _PLAIN.match(text, at)
    if found is None:
        raise NoJsonError(at)
    try:
        return Part(at, found.end(), json.loads(found[0]))
    except ValueError as error:
        raise NoJsonError(at) from error


def _container(text: str, start: int, depth: int, closing: str) -> Part:
    whole = Part(start, start, None)
    at = _skip(text, start + 1)
    while text[at : at + 1] != closing:
        if whole.parts and whole.parts[-1].comma is None:
            raise NoJsonError(at)
        key, begin = None, at
        if closing == "}":
            found = _STRING.match(text, at)
            colon = _skip(text, found.end()) if found else at
            if found is None or text[colon : colon + 1] != ":":
                raise NoJsonError(colon)
            key, at = _text(found[0], begin), _skip(text, colon + 1)
        part = _value(text, at, depth + 1)
        part.key, part.at = key, begin
        whole.parts.append(part)
        at = _skip(text, part.end)
        if text[at : at + 1] == ",":
            part.comma = at
            at = _skip(text, at + 1)
    whole.end = at + 1
    values = [part.value for part in whole.parts]
    keys = [part.key for part in whole.parts]
    whole.value = dict(zip(keys, values, strict=True)) if closing == "}" else values
    return whole


def _text(written: str, at: int) -> str:
    try:
        return str(json.loads(written))
    except ValueError as error:
        raise NoJsonError(at) from error
