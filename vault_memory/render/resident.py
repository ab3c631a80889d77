"""How the process that keeps a vault open is, as text."""

from __future__ import annotations

from vault_memory.model.resident import Resident, Silent
from vault_memory.render.style import counted, harmless

NOT_RUNNING = "not running"
BEHIND = "not up to the files yet"
_UNITS = ((3600, "hour"), (60, "minute"), (1, "second"))


def resident_line(one: Resident | Silent | None) -> str:
    """In a line, for the status of the vault."""
    if one is None:
        return NOT_RUNNING
    if isinstance(one, Silent):
        return _silent(one)
    parts = [f"process {one.pid}", f"since {one.since:%Y-%m-%d %H:%M} UTC", _watches(one)]
    if one.waiting:
        parts.append(f"{counted(one.waiting, 'commit')} waiting")
    if one.behind:
        parts.append(BEHIND)
    return harmless(f"running: {', '.join(parts)}")


def render_resident(one: Resident | Silent | None) -> str:
    """A line a fact."""
    if not isinstance(one, Resident):
        return f"resident   {resident_line(one)}"
    ends = f"after {_span(one.idle_seconds)} without a question" if one.idle_seconds else "never by itself"
    memory = f"{one.memory / 1e6:,.0f} MB" if one.memory is not None else "unknown"
    lines = [
        f"resident   running: process {one.pid}, vmem {one.version}",
        f"since      {one.since:%Y-%m-%d %H:%M} UTC, {counted(one.requests, 'request')} answered",
        f"files      {_watches(one)}",
        f"index      generation {one.generation}, {BEHIND if one.behind else 'up to the files'}",
        f"commits    {f'{one.waiting:,} waiting' if one.waiting else 'none waiting'}",
        f"memory     {memory}",
        f"ends       {ends}",
    ]
    return "\n".join(harmless(line) for line in lines)


def _watches(one: Resident) -> str:
    if one.polled is not None:
        return f"looked over every few seconds ({one.polled})"
    return f"watching {counted(one.folders, 'folder')}"


def _silent(one: Silent) -> str:
    return "does not answer" + ("" if one.pid is None else f" (process {one.pid})")


def _span(seconds: float) -> str:
    for size, name in _UNITS:
        if seconds >= size and seconds % size == 0:
            return counted(int(seconds // size), name)
    return f"{seconds:g} seconds"
