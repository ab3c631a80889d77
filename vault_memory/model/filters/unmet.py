"""Why a filter may find nothing: the places, kinds, agents, tags and keys in it that no memory has."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from vault_memory.model.caseless import caseless
from vault_memory.model.filters.chosen import Filter, tag_keys
from vault_memory.model.filters.condition import Condition, terms
from vault_memory.model.filters.known import KNOWN
from vault_memory.model.filters.pattern import ANY_DEPTH
from vault_memory.model.filters.tagged import Tagged
from vault_memory.model.filters.where import Compared, Has, OneOf, values_of
from vault_memory.model.memory import Entry

MOST = 10
"""So many names that are met are listed."""


def unmet(chosen: Filter, entries: Sequence[Entry]) -> tuple[str, ...]:
    """A sentence for each name in the filter that none of the entries has, with those that they have."""
    return (
        *_places(chosen, entries),
        *_names("of kind", "kinds", chosen.kinds, (one.kind for one in entries)),
        *_names("by", "agents", chosen.agents, (one.source_agent for one in entries)),
        *_tags(chosen, entries),
        *_keys(chosen, entries),
    )


def _places(chosen: Filter, entries: Sequence[Entry]) -> Iterator[str]:
    folder = chosen.folder
    if folder and not any(entry.path.startswith(f"{folder}/") for entry in entries):
        folders = {entry.path.rpartition("/")[0] for entry in entries}
        yield f"no memory lies below {str(folder)!r}{_close(folder, folders)}"
    for pattern in chosen.paths:
        if not any(pattern.matches(entry.path) for entry in entries):
            written = "/".join(pattern.parts).removeprefix(f"{ANY_DEPTH}/")
            yield f"no memory lies at {written + '/' * pattern.folder!r}"


def _names(how: str, what: str, asked: Sequence[str], found: Iterable[str | None]) -> Iterator[str]:
    met = Counter(caseless(one) for one in found if one)
    for name in asked:
        if name not in met:
            common = ", ".join(one for one, _ in met.most_common(MOST))
            more = ", …" if len(met) > MOST else ""
            yield f"no memory is {how} {name!r}" + (f"; {what} met: {common}{more}" if met else "")


def _tags(chosen: Filter, entries: Sequence[Entry]) -> Iterator[str]:
    asked = [term for term in _terms(chosen.tags) if isinstance(term, Tagged)]
    if not asked:
        return
    met = {tag for entry in entries for tag in tag_keys(entry, inline=chosen.inline_tags)}
    for term in dict.fromkeys(asked):
        if not any(map(term.is_one, met)):
            yield f"no memory has the tag {term.name!r}{_close(term.key, met)}"


def _keys(chosen: Filter, entries: Sequence[Entry]) -> Iterator[str]:
    asked = {term.key: None for term in _terms(chosen.where) if isinstance(term, Has | Compared | OneOf)}
    asked = {key: None for key in asked if key.casefold() not in KNOWN}
    unseen = [key for key in asked if not any(True for one in entries for _ in values_of(one.front, key))]
    if not unseen:
        return
    met = {caseless(key) for entry in entries for key in entry.front} | KNOWN.keys()
    for key in unseen:
        if caseless(key) not in met:
            yield f"no memory has the key {key!r}{_close(caseless(key), met)}"


def _terms(condition: Condition | None) -> Iterator[Condition]:
    return terms(condition) if condition is not None else iter(())


def _close(name: str, met: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(met), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
