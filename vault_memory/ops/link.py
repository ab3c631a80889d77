"""Linking one memory to another in its front matter, and taking such a link out."""

from __future__ import annotations

from collections.abc import Callable

from vault_memory.config.settings import Settings
from vault_memory.errors import MemoryNotFoundError, UsageError
from vault_memory.model.fields import FIELDS, parse_key
from vault_memory.model.linkadd import add_link, links_under, remove_links
from vault_memory.model.linkmap import LinkMap
from vault_memory.model.links import OWN_KEYS, written_target
from vault_memory.model.memory import Entry, Link
from vault_memory.model.namespace import Scope
from vault_memory.model.naming import fold_name
from vault_memory.model.outcome import Written
from vault_memory.model.revision import Op
from vault_memory.ops.edit import current, edit_step, unchanged
from vault_memory.ops.quota import check_quotas
from vault_memory.ops.resolve import resolve
from vault_memory.ops.rules import check_texts
from vault_memory.ops.turn import Turn
from vault_memory.ops.write import keep_persons_version, perform
from vault_memory.ports import FileBytes, Ports


def link(ports: Ports, settings: Settings, scope: Scope, ref: str, to: str, *, key: str = "links") -> Written:
    """Add the memory `to` to the list that `ref` has under `key`; one line of its file changes."""
    key = _checked(key)
    check_texts(ports, settings, scope, [("key", key)])
    turn = Turn(ports, settings["lock_seconds"])

    def act() -> Written:
        entry, found = current(ports, scope, ref, None)
        other = resolve(ports, scope, to)
        if other.path == entry.path:
            raise UsageError(f"{entry.path} can't be linked to itself", hint="name two memories")
        links = LinkMap.of(ports.index.entries(scope))
        there = links_under(entry.path, found.content, key)
        if any(links.resolve(entry.path, one).path == other.path for one in there):
            return unchanged(entry, found, Op.LINK)
        target = links.target_of(other.path, entry.path)
        if target is None:
            raise UsageError(
                f"no link can name {other.path}: one of []|#^ is in its name, and it has no id",
                hint="rename it first: vmem move REF NAME",
            )
        content = add_link(entry.path, found.content, key, target)
        return _write(turn, settings, scope, entry, found, content)

    [written] = turn.committed([turn.take(act)])
    return written


def unlink(
    ports: Ports, settings: Settings, scope: Scope, ref: str, to: str, *, key: str = "links"
) -> Written:
    """Take the memory `to` out of that list; a link to a memory that is gone goes by its own text."""
    key = _checked(key)
    turn = Turn(ports, settings["lock_seconds"])

    def act() -> Written:
        entry, found = current(ports, scope, ref, None)
        there = links_under(entry.path, found.content, key)
        content = remove_links(entry.path, found.content, key, _leads_to(ports, scope, entry, there, to))
        if content == found.content:
            return unchanged(entry, found, Op.LINK)
        return _write(turn, settings, scope, entry, found, content)

    [written] = turn.committed([turn.take(act)])
    return written


def _checked(key: str) -> str:
    checked = parse_key(key)
    if checked.casefold() in FIELDS and checked.casefold() not in OWN_KEYS:
        raise UsageError(
            f"the key {checked!r} is not for links", hint=f"use {', '.join(OWN_KEYS)}, or a key of your own"
        )
    return checked.casefold() if checked.casefold() in OWN_KEYS else checked


def _leads_to(ports: Ports, scope: Scope, entry: Entry, there: list[Link], to: str) -> Callable[[Link], bool]:
    """Whether a link leads to the memory meant by `to`, or, if there is none, is written like it."""
    links = LinkMap.of(ports.index.entries(scope))
    wanted = fold_name(written_target(to))
    try:
        path = resolve(ports, scope, to).path
    except MemoryNotFoundError:
        if not any(fold_name(one.target) == wanted for one in there):
            raise
        return lambda one: fold_name(one.target) == wanted
    return lambda one: links.resolve(entry.path, one).path == path


def _write(
    turn: Turn, settings: Settings, scope: Scope, entry: Entry, found: FileBytes, content: bytes
) -> Written:
    step = edit_step(settings, scope, entry, before=found.content, after=content, done=False, op=Op.LINK)
    check_quotas(turn.ports, scope, settings.zone, [step])
    keep_persons_version(turn, entry.path, found.content, entry.title)
    [written] = perform(turn, settings.zone, [step])
    return written
