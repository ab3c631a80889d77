"""The keys that a filter compares by what they mean rather than by the text in the file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from vault_memory.errors import ValueFormatError
from vault_memory.model.caseless import caseless
from vault_memory.model.fields import FLAG_FORM, IMPORTANCE_FORM, parse_flag
from vault_memory.model.filters.compare import Literal, sign
from vault_memory.model.filters.condition import Subject
from vault_memory.model.filters.tagged import Tagged
from vault_memory.model.filters.when import WHEN_FORM
from vault_memory.model.namespace import SHARED, folder_of

ORDERED = ("=", "!=", "<", "<=", ">", ">=")
TEXTUAL = (*ORDERED, "~")
EQUAL = ("=", "!=")

Values = Callable[[Subject], Sequence[object]]


@dataclass(frozen=True, slots=True)
class Sort:
    """What values of one sort can be asked. `side` is as in `Literal.side`; `takes` checks a literal."""

    form: str
    comparisons: tuple[str, ...]
    takes: Callable[[Literal], bool]
    side: Callable[[Literal, object], int | None]


@dataclass(frozen=True, slots=True)
class Known:
    """One key: the sort of its values, and how they are read off a memory (none where it is missing)."""

    name: str
    sort: Sort
    values: Values
    there: Callable[[Subject], bool] | None = None
    """Whether the bare key holds, where that is not whether there are values."""


def _number_side(wanted: Literal, value: object) -> int | None:
    assert isinstance(value, int | float)
    assert wanted.number is not None
    return sign(value, wanted.number)


def _moment_side(wanted: Literal, value: object) -> int | None:
    assert isinstance(value, datetime)
    assert wanted.span is not None
    return wanted.span.side(value)


def _text_side(wanted: Literal, value: object) -> int | None:
    other = caseless(str(value).strip())
    return (other > wanted.caseless) - (other < wanted.caseless)


def _tag_side(wanted: Literal, value: object) -> int | None:
    return 0 if _tagged(wanted.text).is_one(str(value)) else None


@lru_cache(maxsize=64)
def _tagged(text: str) -> Tagged:
    return Tagged(text)


def _folder_side(wanted: Literal, value: object) -> int | None:
    folder, asked = caseless(str(value)), wanted.caseless.strip("/")
    places = (asked, f"{SHARED}/{asked}")
    return 0 if any(folder == place or folder.startswith(f"{place}/") for place in places) else None


def _flag_side(wanted: Literal, value: object) -> int | None:
    return 0 if parse_flag(wanted.text) is value else None


def _is_flag(wanted: Literal) -> bool:
    try:
        parse_flag(wanted.text)
    except ValueFormatError:
        return False
    return True


NUMBER = Sort(IMPORTANCE_FORM, ORDERED, lambda wanted: wanted.number is not None, _number_side)
MOMENT = Sort(WHEN_FORM, ORDERED, lambda wanted: wanted.span is not None, _moment_side)
FLAG = Sort(FLAG_FORM, EQUAL, _is_flag, _flag_side)
TEXT = Sort("text", TEXTUAL, lambda _: True, _text_side)
TAG = Sort("a tag", (*EQUAL, "~"), lambda wanted: bool(wanted.text.strip(" #/")), _tag_side)
FOLDER = Sort("a folder", (*EQUAL, "~"), lambda wanted: bool(wanted.text.strip(" /")), _folder_side)


def _given(*values: object) -> Sequence[object]:
    return [value for value in values if value is not None]


_ROWS = (
    Known("id", TEXT, lambda one: _given(one.entry.id)),
    Known("title", TEXT, lambda one: _given(one.entry.title)),
    Known("importance", NUMBER, lambda one: (one.entry.importance,),
          lambda one: any(key.casefold() == "importance" for key in one.entry.front)),
    Known("tags", TAG, lambda one: one.tags),
    Known("tag", TAG, lambda one: one.tags),
    Known("kind", TEXT, lambda one: _given(one.entry.kind)),
    Known("pinned", FLAG, lambda one: (one.entry.pinned,), lambda one: one.entry.pinned),
    Known("source_agent", TEXT, lambda one: _given(one.entry.source_agent)),
    Known("created", MOMENT, lambda one: _given(one.entry.created)),
    Known("updated", MOMENT, lambda one: _given(one.entry.updated)),
    Known("expires", MOMENT, lambda one: _given(one.entry.expires)),
    Known("aliases", TEXT, lambda one: one.entry.aliases),
    Known("path", TEXT, lambda one: (one.entry.path,)),
    Known("namespace", FOLDER, lambda one: (folder_of(one.entry.path),)),
)  # fmt: skip

KNOWN = {row.name: row for row in _ROWS}
