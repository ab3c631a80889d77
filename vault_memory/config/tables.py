"""Settings that are tables of tables: `[agents.NAME]` and `[namespaces.NAME]`, each key of them one row."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vault_memory.config import forms
from vault_memory.errors import ConfigError, UnsafePathError
from vault_memory.model.caseless import caseless
from vault_memory.model.lookalike import alike
from vault_memory.model.namespace import SHARED, is_private, parse_agent, parse_namespace
from vault_memory.model.policy import ALL, Capture
from vault_memory.model.tomlwords import dotted

_MOST = 80
"""Characters of a wrong value that a message repeats."""
Place = tuple[str, ...]
"""Where in a file something stands: a setting, a name of its table, a key of that."""


@dataclass(frozen=True, slots=True)
class Key:
    """One key of such a table; without it nothing is said."""

    key: str
    parse: Callable[[object], object]
    form: str
    doc: str


@dataclass(frozen=True, slots=True)
class Names:
    """What the names of a setting's tables are. `parse` raises `UnsafePathError`, `ValueError`."""

    what: str
    parse: Callable[[str], str]
    keys: tuple[Key, ...]


def _agent(text: str) -> str:
    return text if text == ALL else parse_agent(text)


def _folder(text: str) -> str:
    """The folder of a namespace: `shared/market` of `market`, `shared` of `*`."""
    if text == ALL:
        return SHARED
    folder = str(parse_namespace(text))
    first = alike(folder.split("/", maxsplit=1)[0])
    if is_private(folder) or (first == SHARED and not folder.startswith(f"{SHARED}/")):
        raise ValueError(text)
    return folder if first == SHARED else f"{SHARED}/{folder}"


def _list(value: object) -> list[str]:
    if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
        raise ValueError(value)
    return list(value)


def _agents(value: object) -> tuple[str, ...]:
    return tuple(map(_agent, _list(value)))


def _folders(value: object) -> tuple[str, ...]:
    return tuple(map(_folder, _list(value)))


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(value)
    return value


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(value)
    return value


_SPACES = "a list of namespaces (market, shared/ops/db), or * for all of them"
_NAMED = "a list of agents' names, or * for all of them"
_WORDS = "required or never"
_review, _capture = forms.one_of("required", "never"), forms.one_of(*Capture)

AGENTS = Names(
    "an agent",
    _agent,
    (
        Key("readonly", _flag, "true or false", "It writes nothing, its own private folder included."),
        Key("review", _review, _WORDS, "Whether what it writes to `shared/` becomes a proposal."),
        Key("reads", _folders, _SPACES, "The shared namespaces that it reads; without this key, all."),
        Key("writes", _folders, _SPACES, "Those that it writes to; without this key, all that it reads."),
        Key("quota_files", _count, "a whole number", "The most memories it has: see Quotas."),
        Key("quota_bytes", _count, "a whole number of bytes", "The most bytes that their files have."),
        Key(
            "capture",
            _capture,
            "inbox, propose or off",
            "Where what is captured of its sessions goes: its own `inbox/`, a proposal, nowhere.",
        ),
    ),
)
NAMESPACES = Names(
    "a shared namespace",
    _folder,
    (
        Key("readers", _agents, _NAMED, "The agents that read there; without this key, all."),
        Key("writers", _agents, _NAMED, "Those that write there; without this key, all that read there."),
        Key("readonly", _flag, "true or false", "Only the person writes there."),
        Key("review", _review, _WORDS, "Whether what agents write there becomes a proposal."),
        Key("quota_files", _count, "a whole number", "The most memories there are, as far as agents write."),
        Key("quota_bytes", _count, "a whole number of bytes", "The most bytes that their files have."),
    ),
)


@dataclass(slots=True)
class Read:
    """What a place gives for such a setting, and what is wrong with it, each with where that stands."""

    tables: dict[str, dict[str, Any]]
    faults: list[tuple[Place, ConfigError]]


def read_tables(setting: str, names: Names, value: object, origin: str) -> Read:
    """Every table that can be read; a fault in one key keeps no other from being read."""
    read = Read({}, [])
    if not isinstance(value, Mapping):
        hint = f"it takes tables: [{setting}.NAME], with {', '.join(key.key for key in names.keys)}"
        read.faults.append(((setting,), ConfigError(origin, setting, f"can't be {shown(value)}", hint=hint)))
        return read
    spelled: dict[str, str] = {}
    for name, rules in value.items():
        place = (setting, str(name))
        try:
            parsed = _name(names, place, str(name), origin)
        except ConfigError as error:
            read.faults.append((place, error))
            continue
        twin = spelled.setdefault(caseless(parsed), str(name))
        if twin != name:
            reason = f"is one folder with {dotted((setting, twin))} on many machines"
            fault = ConfigError(origin, dotted(place), reason, hint="keep one of the two tables")
            read.faults.append((place, fault))
            continue
        if not isinstance(rules, Mapping):
            fault = ConfigError(
                origin, dotted(place), f"can't be {shown(rules)}", hint=f"it is a table: [{dotted(place)}]"
            )
            read.faults.append((place, fault))
            continue
        read.tables[parsed] = {}
        for key, given in rules.items():
            try:
                read.tables[parsed][str(key)] = _value(names, (*place, str(key)), given, origin)
            except ConfigError as error:
                read.faults.append(((*place, str(key)), error))
    return read


def joined(before: Mapping[str, Mapping[str, Any]], later: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The tables of two places, put together key by key; the later one wins."""
    return {name: {**before.get(name, {}), **later.get(name, {})} for name in (*before, *later)}


def _name(names: Names, place: Place, name: str, origin: str) -> str:
    try:
        return names.parse(name)
    except (ValueError, UnsafePathError) as error:
        reason = (
            error.reason if isinstance(error, UnsafePathError) else f"only folders of {SHARED}/ have rules"
        )
        hint = f"a table is named after {names.what}; what concerns all of them stands under {ALL!r}"
        meant = next(_alike(names, name), None)
        if meant is not None:
            hint = f"did you mean {meant!r}?"
        raise ConfigError(
            origin, dotted(place), f"is no name of {names.what}: {reason}", hint=hint
        ) from error


def _alike(names: Names, name: str) -> Iterator[str]:
    """What a name that is none may have been meant to be: letters in lower case, without accents."""
    import unicodedata

    parts = unicodedata.normalize("NFKD", name)
    plain = "".join(one for one in parts if not unicodedata.combining(one)).strip().lower()
    for one in (plain, plain.replace(" ", "-")):
        try:
            if one:
                names.parse(one)
                yield one
        except (ValueError, UnsafePathError):
            continue


def _value(names: Names, place: Place, given: object, origin: str) -> object:
    key = place[-1]
    row = next((one for one in names.keys if one.key == key), None)
    if row is None:
        known = [one.key for one in names.keys]
        close = difflib.get_close_matches(key, known, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(known)}"
        raise ConfigError(origin, dotted(place), "no such key", hint=hint)
    try:
        return row.parse(given)
    except (ValueError, UnsafePathError) as error:
        reason = f": {error.message}" if isinstance(error, UnsafePathError) else ""
        hint = f"it takes {row.form}"
        raise ConfigError(origin, dotted(place), f"can't be {shown(given)}{reason}", hint=hint) from error


def shown(value: object) -> str:
    """A wrong value as a message repeats it, cut where it is long."""
    told = repr(value)
    return told if len(told) <= _MOST else f"{told[:_MOST]}…"


def keys_markdown(names: Names) -> str:
    """The keys as a Markdown table, for docs/policy.md."""
    lines = ["| key | takes | meaning |", "|---|---|---|"]
    lines += [f"| `{row.key}` | {row.form} | {row.doc} |" for row in names.keys]
    return "\n".join(lines) + "\n"
