"""Agents that remember, edit and forget until the soak is over, and tell what they were told."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.crash.ledger import text_for
from tests.soak.known import Known, Memory, Version
from tests.soak.ways import CutError, RefusedError, Way

LIFETIME = "2d"
OVERTAKEN = "changed by someone else at the same moment"
LATER = timedelta(days=3)
"""Past that lifetime, as `gc --now` is told."""


def a_token(chance: random.Random) -> str:
    """A word that nothing else in the vault has."""
    return f"t{chance.getrandbits(60):015x}"


def write_once(known: Known, way: Way, agent: str, chance: random.Random) -> None:
    """One operation by that way."""
    draw = chance.random()
    memory = None
    if draw < 0.5:
        memory = known.take(chance, lambda one: one.agent == agent and not one.brief)
    if memory is None:
        remember(known, way, agent, chance)
    elif draw < 0.12:
        forget(known, way, agent, memory)
    else:
        edit(known, way, agent, memory, chance)


def remember(known: Known, way: Way, agent: str, chance: random.Random, *, brief: bool = False) -> None:
    """A new memory; one that is to be brief has a lifetime."""
    token = a_token(chance)
    fields = {"ttl": LIFETIME} if brief else {}
    namespace = chance.choice([None, "market", "ops"])
    if namespace is not None:
        fields["namespace"] = namespace
    try:
        written = way.ask("remember", agent, text=text_for(token), title=token, **fields)
    except CutError:
        known.cut_new(token)
    except RefusedError as error:
        known.note(f"refused: {error.kind}")
    else:
        version = _version(known, written, token, agent)
        known.remembered(written["path"], agent, version, brief=brief, known=written["known"])


def edit(known: Known, way: Way, agent: str, memory: Memory, chance: random.Random) -> None:
    """Another text for a memory."""
    token = a_token(chance)
    try:
        written = way.ask("edit", agent, ref=memory.path, text=text_for(token))
    except CutError:
        known.cut(memory, token)
    except RefusedError as error:
        _no(known, memory, error)
    else:
        _done(known, memory, _version(known, written, token, agent), written)


def forget(known: Known, way: Way, agent: str, memory: Memory) -> None:
    """Away with a memory."""
    try:
        written = way.ask("forget", agent, ref=memory.path)
    except CutError:
        known.cut(memory, None)
    except RefusedError as error:
        _no(known, memory, error)
    else:
        _done(known, memory, _version(known, written, memory.last.token, agent), written)


def collect(known: Known, way: Way, agent: str, chance: random.Random) -> None:
    """Remember two memories for a short while, and one day let gc take all that have had theirs."""
    for _ in range(2):
        remember(known, way, agent, chance, brief=True)
    taken: list[Memory] = []
    while (one := known.take(chance, lambda each: each.brief and each.agent == agent)) is not None:
        taken.append(one)
    if len(taken) < 4:
        for one in taken:
            known.let_go(one)
        return
    later = (datetime.now(UTC) + LATER).strftime("%Y-%m-%dT%H:%M:%SZ")
    try:
        said = way.ask("gc", agent, now=later)
    except CutError:
        for one in taken:
            known.cut(one, None)
    except RefusedError as error:
        for one in taken:
            _no(known, one, error)
    else:
        _collected(known, agent, taken, said)


def _collected(known: Known, agent: str, taken: list[Memory], said: Any) -> None:
    removed = {one["path"] for one in said["expired"] if one["removed"]}
    for one in taken:
        if one.path in removed:
            gone = Version(None, one.last.token, agent, known.clock(), said["committed"])
            known.changed(one, gone)
            removed.discard(one.path)
        else:
            known.freed(one, "gc let it be")
    for path in removed:
        known.taken_by_gc(path)


def _version(known: Known, written: Any, token: str, agent: str) -> Version:
    return Version(written["version"], token, agent, known.clock(), written["committed"])


def _done(known: Known, memory: Memory, version: Version, written: Any) -> None:
    if OVERTAKEN in (written["reason"] or ""):
        known.note("written, and told that somebody else wrote at the same moment")
        known.cut(memory, version.token if version.sha is not None else None)
    else:
        known.changed(memory, version)


def _no(known: Known, memory: Memory, error: RefusedError) -> None:
    if error.kind == "MemoryNotFoundError":
        known.absent(memory)
    else:
        known.freed(memory, error.kind)
