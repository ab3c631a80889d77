"""Resources: the working set, what changed, and each memory by its path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode

from vault_memory.errors import MemoryNotFoundError, UsageError
from vault_memory.model.changeline import change_line
from vault_memory.model.harmless import harmless_line
from vault_memory.model.workingset import NOTHING
from vault_memory.surfaces.mcp import words
from vault_memory.surfaces.mcp.reach import Reach

WORKING_SET = "vmem://working-set"
CHANGES = "vmem://changes"
MEMORY = "vmem://memory/"
TEMPLATES = {
    "memory": (MEMORY + "{path}", "A memory by its path in the vault"),
    "changes-since": (
        CHANGES + "/{token}{?namespace,tag,kind,others}",
        "What changed since an answer of changes, a commit, a date or last; of these alone; by others alone",
    ),
}
KIND = "text/markdown"
SET_TOKENS = 500
_NEWEST = 30
_EVENTS = 100


@dataclass(frozen=True, slots=True)
class Resource:
    """One row of the list that a client offers its person."""

    uri: str
    name: str
    about: str


def listed(reach: Reach) -> list[Resource]:
    """The working set, and the newest memories; any other is read by its path."""
    about = "What is pinned, decided, planned and new, and what changed since the last session"
    newest = reach.ask("list", sort="updated", limit=_NEWEST).value
    return [
        Resource(WORKING_SET, "working-set", about),
        Resource(CHANGES, "changes", "What others and you changed since vmem changes --seen"),
        *(Resource(uri_of(one["path"]), one["path"], harmless_line(one["title"], 120)) for one in newest),
    ]


def uri_of(path: str) -> str:
    """The address of the memory at a path of the vault."""
    return MEMORY + quote(path)


def read(reach: Reach, uri: str) -> str:
    """The text of a resource, framed as notes. Raises `MemoryNotFoundError` for an address of none."""
    if uri == WORKING_SET:
        return working_set(reach)
    if uri == CHANGES or uri.startswith((f"{CHANGES}/", f"{CHANGES}?")):
        token, _, query = uri.removeprefix(CHANGES).removeprefix("/").partition("?")
        return changed(reach, unquote(token) or "last", query)
    if not uri.startswith(MEMORY) or not unquote(uri.removeprefix(MEMORY)):
        there = ", ".join((WORKING_SET, CHANGES, *(address for address, _ in TEMPLATES.values())))
        raise MemoryNotFoundError(uri, hint=f"there are {there}")
    return words.show(reach.ask("show", ref=unquote(uri.removeprefix(MEMORY))), 1).text


def working_set(reach: Reach) -> str:
    """What is worth knowing before any question, within `SET_TOKENS` tokens."""
    return str(reach.ask("working_set", max_tokens=SET_TOKENS).value["text"]) or NOTHING


def changed(reach: Reach, since: str, query: str = "") -> str:
    """What became of memories since a look, a line each, and where to look next time; `query` chooses, as
    the part of an address does that stands behind its question mark."""
    chosen = _chosen(query)
    found = reach.ask("changes", since=since, limit=_EVENTS, **chosen).value
    head = f"What became of stored notes since {harmless_line(found['since'] or 'the beginning', 80)}."
    rows = [
        change_line(
            one["what"],
            title=one["title"],
            own=one["id"],
            path=one["path"],
            by=one["by"],
            notifies=one["notify"],
        )
        for one in found["events"]
    ]
    more = [f"({found['omitted']:,} more)"] if found["omitted"] else []
    told = [f"({harmless_line(one, 300)})" for one in found["notices"]]
    again = f"?{urlencode(parse_qsl(query))}" if chosen else ""
    ending = f"Next time: {CHANGES}/{quote(found['next'])}{again}"
    return "\n".join([f"{head} {words.NOTES}", *(rows or ["Nothing."]), *more, *told, ending])


def _chosen(query: str) -> dict[str, Any]:
    """What the address of changes asks for. Raises `UsageError`."""
    chosen: dict[str, Any] = {}
    for name, value in parse_qsl(query):
        if name in ("tag", "kind"):
            chosen.setdefault(name, []).append(value)
        elif name == "namespace":
            chosen[name] = value
        elif name == "others":
            chosen[name] = value in ("true", "1")
        else:
            raise UsageError(
                f"{name!r:.100} can't be asked of changes", hint="namespace, tag, kind and others can be"
            )
    return chosen
