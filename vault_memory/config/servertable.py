"""One server's table in a person's TOML: put at the end, brought up to date, or taken out; all else stays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vault_memory.config.tomlline import fault_of, newline_of, parsed
from vault_memory.config.tomltables import Table, tables
from vault_memory.model.clients.servers import VERB, TakenError, servers_in, words_in
from vault_memory.model.clients.words import is_ours
from vault_memory.model.tomlwords import dotted, toml


class NoTomlError(Exception):
    """The text is no TOML, or the table can't be changed by its lines; `line` where that is known."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


def with_table(text: str, key: str, name: str, value: dict[str, object], *, force: bool) -> str:
    """The text with the table `[KEY.NAME]`. One of vmem's is brought up to date by its command and arguments.

    Raises `NoTomlError`, and `TakenError` for one of another program unless `force`."""
    there = _server(text, key, name)
    if there is None:
        return _proven(text, _put_behind(text, key, name, value), key, name, value)
    if not is_ours(words_in(there), VERB):
        if all(there.get(field) == one for field, one in value.items()):
            return text
        if not force:
            raise TakenError(_own(text, key, name)[0].line)
        without = without_table(text, key, name, force=True)
        return _proven(text, _put_behind(without, key, name, value), key, name, value)
    after = text
    for field, one in value.items():
        if there.get(field) != one:
            table = _own(after, key, name)[0]
            written = toml(one)
            if field in table.values:
                start, end = table.values[field]
                after = after[:start] + written + after[end:]
            elif field not in there:
                after = (
                    after[: table.head_end]
                    + f"{field} = {written}{newline_of(text)}"
                    + after[table.head_end :]
                )
            else:
                raise NoTomlError(f"{field} does not stand on lines of its own", table.line)
    return _proven(text, after, key, name, {**there, **value})


def without_table(text: str, key: str, name: str, *, force: bool) -> str:
    """The text without the table, those below it, and the empty line before it. Raises as `with_table`."""
    there = _server(text, key, name)
    if there is None:
        return text
    own = _own(text, key, name)
    if not is_ours(words_in(there), VERB) and not force:
        raise TakenError(own[0].line)
    after = text
    for number, table in reversed(list(enumerate(own))):
        start, end = table.start, table.end
        if number and not text[own[number - 1].end : start].strip():
            start = own[number - 1].end
        elif end == len(after) and not after.endswith("\n"):
            # What was put behind a file without a last line break has none either.
            start = len(_less(_less(after[:start])))
        elif not number and _less(after[:start]).endswith("\n"):
            start = len(_less(after[:start]))
        after = after[:start] + after[end:]
    return _proven(text, after, key, name, None)


def servers_in_toml(text: str, key: str) -> dict[str, Sequence[object]]:
    """The commands of vmem's servers, by name. Raises `NoTomlError`."""
    return servers_in(_parsed(text), key)


def _put_behind(text: str, key: str, name: str, value: dict[str, object]) -> str:
    newline = newline_of(text)
    lines = [f"[{dotted((key, name))}]", *(f"{field} = {toml(one)}" for field, one in value.items())]
    table = newline.join(lines)
    if not text:
        return f"{table}{newline}"
    if text.endswith("\n"):
        return f"{text}{newline}{table}{newline}"
    return f"{text}{newline}{newline}{table}"


def _own(text: str, key: str, name: str) -> list[Table]:
    """The table's own lines and those of tables below it. Raises `NoTomlError` where it has none."""
    own = [one for one in tables(text) if one.path[:2] == (key, name)]
    if not own or own[0].path != (key, name):
        raise NoTomlError(f"{key}.{name} does not stand in a table of its own")
    return own


def _server(text: str, key: str, name: str) -> dict[str, Any] | None:
    servers = _parsed(text).get(key, {})
    there = servers.get(name) if isinstance(servers, dict) else servers
    if there is not None and not isinstance(there, dict):
        raise NoTomlError(f"{key}.{name} is no table")
    return there


def _proven(before: str, after: str, key: str, name: str, value: object) -> str:
    """The text after a change, if the two differ in that one server alone."""
    old, new = _parsed(before), _parsed(after)
    had, has = old.get(key, {}), new.get(key, {})
    same = {one: both for one, both in had.items() if one != name} == {
        one: both for one, both in has.items() if one != name
    }
    if not same or has.get(name) != value or _rest(old, key) != _rest(new, key):
        raise NoTomlError(f"{key}.{name} does not stand in a table of its own")
    return after


def _rest(whole: dict[str, Any], key: str) -> dict[str, Any]:
    return {one: value for one, value in whole.items() if one != key}


def _parsed(text: str) -> dict[str, Any]:
    try:
        return parsed(text)
    except (ValueError, RecursionError) as error:
        reason, line = fault_of(error)
        raise NoTomlError(f"it is no TOML: {reason}", line) from error


def _less(text: str) -> str:
    """Without its last line break."""
    return text.removesuffix("\n").removesuffix("\r") if text.endswith("\n") else text
