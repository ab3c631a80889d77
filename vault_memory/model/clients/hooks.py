"""The commands that a program runs at its events, in a person's JSON: ours put in, changed, or taken out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from vault_memory.model.clients.servers import without_path
from vault_memory.model.clients.table import Hooks
from vault_memory.model.clients.words import is_ours, words_of
from vault_memory.model.editors.jsonsplice import appended, replaced, with_key
from vault_memory.model.editors.jsontext import NoJsonError, Part, is_blank, read_json

VERB = "hook"
_KEY = "hooks"
_NAME = "vault-memory"
_VERSION = {"version": 1}

Mine = Callable[[list[str]], bool]
"""Whether a command of vmem, by its words, is one that this installation put there."""


class _Found(NamedTuple):
    path: tuple[str | int, ...]
    command: Part


def with_hooks(text: str, hooks: Hooks, lines: Mapping[str, str | None], mine: Mine) -> str:
    """The text with a command for each event, `lines` by the program's words; none where that is `None`.

    Of a command that is there already only its words change. Raises `NoJsonError`."""
    if hooks.version:
        text = with_key(text, ["version"], _VERSION["version"])
    for event, line in lines.items():
        if line is None:
            text = _without(text, hooks, event, mine, keep=0)
            continue
        text = _without(text, hooks, event, mine, keep=1)
        there = next(_ours(text, hooks, event, mine), None)
        if there is None:
            text = _added(text, event, _group(hooks, line))
        elif there.command.value != line:
            text = replaced(text, there.command, line)
    return text


def without_hooks(text: str, hooks: Hooks, mine: Mine) -> str:
    """The text without ours. Raises `NoJsonError`."""
    if is_blank(text):
        return text
    for event in reversed(tuple(hooks.events)):
        text = _without(text, hooks, event, mine, keep=0)
    return text


def says_version_alone(text: str) -> bool:
    """Whether nothing stands in the file but what begins it."""
    try:
        return read_json(text).value in ({}, _VERSION)
    except NoJsonError:
        return False


def _group(hooks: Hooks, line: str) -> dict[str, object]:
    """What is put into an event's list."""
    if hooks.flat:
        return {"command": line, "timeout": hooks.timeout}
    name = {"name": _NAME} if hooks.named else {}
    return {"hooks": [{**name, "type": "command", "command": line, "timeout": hooks.timeout}]}


def _added(text: str, event: str, group: dict[str, object]) -> str:
    """The text with one more item in an event's list."""
    whole = read_json("{}" if is_blank(text) else text)
    listed = _inner(_inner(whole, _KEY), event)
    if listed is None:
        return with_key(text, [_KEY, event], [group])
    return appended(text, listed, group, None)


def _without(text: str, hooks: Hooks, event: str, mine: Mine, *, keep: int) -> str:
    """The text without ours of an event, but for the first `keep`."""
    while True:
        found = list(_ours(text, hooks, event, mine))
        if len(found) <= keep:
            return text
        text = without_path(text, found[-1].path)


def _ours(text: str, hooks: Hooks, event: str, mine: Mine) -> Iterator[_Found]:
    """Our commands of an event, in order. Raises `NoJsonError` where its list is none."""
    listed = None if is_blank(text) else _inner(_inner(read_json(text), _KEY), event)
    if listed is None:
        return
    if not isinstance(listed.value, list):
        raise NoJsonError(listed.start)
    for number, item in enumerate(listed.parts):
        for path, one in [((), item)] if hooks.flat else _commands_of(item):
            command = one.find("command") if isinstance(one.value, dict) else None
            words = words_of(command.value) if command is not None else []
            if command is not None and is_ours(words, VERB) and mine(words):
                yield _Found((_KEY, event, number, *path), command)


def _commands_of(group: Part) -> Iterator[tuple[tuple[str | int, ...], Part]]:
    """The commands of a group, each with its place in it; a group of another shape has none."""
    listed = group.find(_KEY) if isinstance(group.value, dict) else None
    if listed is not None and isinstance(listed.value, list):
        for number, one in enumerate(listed.parts):
            yield (_KEY, number), one


def _inner(whole: Part | None, key: str) -> Part | None:
    """The part of that name. Raises `NoJsonError` where the whole has no names."""
    if whole is None:
        return None
    if not isinstance(whole.value, dict):
        raise NoJsonError(whole.start)
    return whole.find(key)
