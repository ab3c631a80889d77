"""Resources: the working set, what changed, and each memory by its path."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote

from vault_memory.errors import MemoryNotFoundError
from vault_memory.model.harmless import harmless_line
from vault_memory.model.ids import short
from vault_memory.model.prompt import note
from vault_memory.model.tokens import estimate
from vault_memory.surfaces.mcp import words
from vault_memory.surfaces.mcp.reach import Reach

WORKING_SET = "vmem://working-set"
CHANGES = "vmem://changes"
MEMORY = "vmem://memory/"
TEMPLATES = {
    "memory": (MEMORY + "{path}", "A memory by its path in the vault"),
    "changes-since": (CHANGES + "/{token}", "What changed since an answer of changes, a commit or a date"),
}
KIND = "text/markdown"
SET_TOKENS = 500
_NEWEST = 30
_EVENTS = 100
_EACH = 400
"""Characters of one memory that the working set shows."""
_CHOSEN: tuple[dict[str, Any], ...] = (
    {"where": "pinned = true", "sort": "importance", "limit": 10},
    {"kind": ["decision", "constraint"], "sort": "updated", "limit": 10},
    {"sort": "updated", "limit": 5},
)
"""What the working set holds, in this order, as long as there is room."""


@dataclass(frozen=True, slots=True)
class Resource:
    """One row of the list that a client offers its person."""

    uri: str
    name: str
    about: str


def listed(reach: Reach) -> list[Resource]:
    """The working set, and the newest memories; any other is read by its path."""
    about = "Pinned memories, recent decisions and constraints, what was written last"
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
    if uri == CHANGES or uri.startswith(f"{CHANGES}/"):
        return changed(reach, unquote(uri.removeprefix(CHANGES).removeprefix("/")) or "last")
    if not uri.startswith(MEMORY) or not unquote(uri.removeprefix(MEMORY)):
        there = ", ".join((WORKING_SET, CHANGES, *(address for address, _ in TEMPLATES.values())))
        raise MemoryNotFoundError(uri, hint=f"there are {there}")
    return words.show(reach.ask("show", ref=unquote(uri.removeprefix(MEMORY))), 1).text


def working_set(reach: Reach) -> str:
    """What is worth knowing before any question, within `SET_TOKENS` tokens."""
    head = f"Stored notes: what is pinned, decided and new. {words.NOTES}"
    text = head
    for block in _notes(reach):
        longer = f"{text}\n\n{block}"
        if estimate(longer) <= SET_TOKENS:
            text = longer
    return text if text != head else "There are no stored notes yet."


def changed(reach: Reach, since: str) -> str:
    """What became of memories since a look, a line each, and where to look next time."""
    found = reach.ask("changes", since=since, limit=_EVENTS).value
    head = f"What became of stored notes since {harmless_line(found['since'] or 'the beginning', 80)}."
    rows = [
        " · ".join(
            [
                one["what"],
                *_parts(one),
                *([f"by {harmless_line(', '.join(one['by']), 80)}"] if one["by"] else []),
                *(["notifies you"] if one["notify"] else []),
            ]
        )
        for one in found["events"]
    ]
    more = [f"({found['omitted']:,} more)"] if found["omitted"] else []
    told = [f"({harmless_line(one, 300)})" for one in found["notices"]]
    ending = f"Next time: {CHANGES}/{quote(found['next'])}"
    return "\n".join([f"{head} {words.NOTES}", *(rows or ["Nothing."]), *more, *told, ending])


def _parts(one: dict[str, Any]) -> list[str]:
    """Title, short id and path; what there is none of is left out."""
    parts = harmless_line(one["title"], 120), short(one["id"]), harmless_line(one["path"], 300)
    return [part for part in parts if part]


def _notes(reach: Reach) -> Iterator[str]:
    seen: set[str] = set()
    for chosen in _CHOSEN:
        for one in reach.ask("list", **chosen).value:
            if one["path"] in seen:
                continue
            seen.add(one["path"])
            try:
                body = str(reach.ask("show", ref=one["path"]).value["text"]).strip()
            except MemoryNotFoundError:  # gone since it was listed
                continue
            yield note(" · ".join(_parts(one)), body[:_EACH], goes_on=len(body) > _EACH)
