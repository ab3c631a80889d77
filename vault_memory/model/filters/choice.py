"""From what a caller gives for a filter, in whatever type, to the filter."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, tzinfo
from typing import TYPE_CHECKING, TypedDict

from vault_memory.errors import UsageError
from vault_memory.model.caseless import caseless
from vault_memory.model.filters.chosen import Filter
from vault_memory.model.filters.condition import Condition, every
from vault_memory.model.filters.pattern import parse_pattern
from vault_memory.model.filters.tagged import parse_tags
from vault_memory.model.namespace import Namespace

if TYPE_CHECKING:
    from vault_memory.model.filters.when import Span

Texts = str | Iterable[str]
Moment = str | date | datetime


class Choice(TypedDict, total=False):
    """Which memories are meant. `None` and an empty list ask nothing."""

    namespace: str | None
    """Only below this folder: `notes`, `market` (or `shared/market`)."""
    tag: Texts | None
    """An expression over tags; of several, all hold."""
    kind: Texts | None
    """One of these kinds."""
    source_agent: Texts | None
    """Written by one of these agents."""
    since: Moment | None
    """Dated then or later; a date alone is in the vault's zone."""
    until: Moment | None
    """Dated then or earlier; a date alone takes in the whole day."""
    path: Texts | None
    """A pattern such as `notes/` or `shared/**/2026-*.md`; of several, one matches."""
    where: Texts | None
    """An expression over front matter; of several, all hold."""


NAMES = tuple(Choice.__annotations__)


def check_names(given: Mapping[str, object], others: Iterable[str] = ()) -> None:
    """Raise `UsageError` where a filter has no such part; `others` are names beside it."""
    for name in given:
        if name not in NAMES:
            names = [*NAMES, *others]
            close = difflib.get_close_matches(name, names, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"it takes {', '.join(names)}"
            raise UsageError(f"there is no argument {name!r}", hint=hint)


def filter_from(
    given: Mapping[str, object], *, folder: Namespace | None, now: datetime, zone: tzinfo, inline_tags: bool
) -> Filter:
    """The filter of a choice; `folder` is the one that its namespace names. Raises `UsageError`."""
    since, until = _when("since", given, now, zone), _when("until", given, now, zone)
    if since and until and since.start >= until.end:
        raise UsageError(
            f"since {given['since']} is later than until {given['until']}",
            hint="nothing lies between them; exchange the two",
        )
    return Filter(
        folder=folder,
        kinds=tuple(map(caseless, _words("kind", given))),
        agents=tuple(map(caseless, _words("source_agent", given))),
        paths=tuple(map(parse_pattern, _texts("path", given))),
        since=since.start if since else None,
        until=until.end if until else None,
        tags=_all("tag", given, parse_tags),
        where=_all("where", given, lambda text: _where(text, now, zone)),
        inline_tags=inline_tags,
    )


def text_in(name: str, given: Mapping[str, object]) -> str | None:
    """One text, `None` where none is given. Raises `UsageError` for what is no text."""
    value = given.get(name)
    if value is not None and not isinstance(value, str):
        raise UsageError(f"{name} can't be {value!r:.200}", hint=f"{name} takes a text")
    return value


def _texts(name: str, given: Mapping[str, object]) -> list[str]:
    value = given.get(name)
    if value is None:
        return []
    if isinstance(value, str):
        return [value]
    several = isinstance(value, Iterable) and not isinstance(value, Mapping | bytes | bytearray)
    parts: Iterable[object] = value if several and isinstance(value, Iterable) else (value,)
    found: list[str] = []
    for one in parts:
        if not isinstance(one, str):
            raise UsageError(f"{name} can't be {one!r:.200}", hint=f"{name} takes a text or a list of texts")
        found.append(one)
    return found


def _words(name: str, given: Mapping[str, object]) -> list[str]:
    """Names parted by commas, or a list of them."""
    texts = _texts(name, given)
    found = [word.strip() for text in texts for word in text.split(",") if word.strip()]
    if texts and not found:
        raise UsageError(f"{name} is empty", hint="leave it out to ask for all")
    return found


def _all(name: str, given: Mapping[str, object], parse: Callable[[str], Condition]) -> Condition | None:
    found = [parse(text) for text in _texts(name, given)]
    return every(found) if found else None


def _where(text: str, now: datetime, zone: tzinfo) -> Condition:
    from vault_memory.model.filters.where import parse_where  # here: most calls have none

    return parse_where(text, now, zone)


def _when(name: str, given: Mapping[str, object], now: datetime, zone: tzinfo) -> Span | None:
    value = given.get(name)
    if value is None:
        return None
    from vault_memory.model.filters.when import WHEN_FORM, read_when  # here: most calls have none

    if not isinstance(value, str | date):
        raise UsageError(f"{name} can't be {value!r:.200}", hint=f"{name} takes {WHEN_FORM}")
    text = value if isinstance(value, str) else value.isoformat()
    span = read_when(text, now, zone)
    if span is None:
        raise UsageError(f"{name} can't be {text!r:.200}", hint=f"{name} takes {WHEN_FORM}")
    return span
