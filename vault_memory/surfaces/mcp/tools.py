"""The tools, one row each: what a model reads of it, what it takes, and which verb answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from vault_memory.errors import RefusedError, UsageError
from vault_memory.model.outcome import OnDuplicate
from vault_memory.surfaces.mcp import words
from vault_memory.surfaces.mcp.arguments import Schema
from vault_memory.surfaces.mcp.reach import Reach
from vault_memory.surfaces.mcp.words import Answer

Args = dict[str, Any]
LONGEST_QUERY = 20_000
DUPLICATE = "duplicate"
"""The rule by which a text that is known is refused."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One row. `title` is for people, `about` for the model."""

    title: str
    about: str
    takes: Mapping[str, Schema]
    act: Callable[[Reach, Args], Answer]
    needs: tuple[str, ...] = ()
    reads: bool = False
    destroys: bool = False
    repeatable: bool = False
    """Whether the same call again changes nothing more."""

    @property
    def schema(self) -> dict[str, Any]:
        """What it takes, as JSON Schema."""
        needs = {"required": list(self.needs)} if self.needs else {}
        return {"type": "object", "properties": dict(self.takes), **needs, "additionalProperties": False}


def _is(type_: str, about: str, **more: object) -> Schema:
    return {"type": type_, "description": about, **more}


def _texts(about: str) -> Schema:
    return _is("array", about, items={"type": "string"})


_REF = _is("string", "Path, id or its beginning, or exact title")
_IF_MATCH = _is("string", "Version that show gave; refused if changed since")
_FILTERS = {
    "namespace": _is("string", "Only below this folder: market (= shared/market), notes"),
    "tag": _is("string", "Tag or expression: trading and not archived"),
    "kind": _is("string", "decision, constraint, procedural, semantic, …"),
    "since": _is("string", "Dated then or later: 7d, 2026-11-01"),
    "where": _is("string", "Over front matter: importance > 0.7 and source_agent = akashi"),
}
_FIELDS = {
    "title": _is("string", "Short and specific"),
    "tags": _texts("A few lower-case words"),
    "importance": _is("number", "0 to 1; 0.5 by default"),
    "kind": _is("string", "decision, constraint, evidence, procedural, semantic, episodic, preference, …"),
    "ttl": _is("string", "Time to live: 90d, 2w, 12h, never"),
}
_PLACED = {
    **_FIELDS,
    "namespace": _is("string", "Where to: market = shared/market, for all agents; default your own folder"),
    "links": _texts("Titles or paths of memories it builds on"),
}


def _remember(reach: Reach, args: Args) -> Answer:
    try:
        return words.written(reach.ask("remember", **args))
    except RefusedError as error:
        if error.rule == DUPLICATE:
            error.hint = "edit that memory, or remember again with on_duplicate new"
        raise


def _recall(reach: Reach, args: Args) -> Answer:
    return words.recall(reach.ask("recall", **_asked(args), brief=True))


def _search(reach: Reach, args: Args) -> Answer:
    return words.search(reach.ask("search", **_asked(args)))


def _asked(args: Args) -> Args:
    """The arguments of a question that is one: whole files are sent by mistake, and looked up for minutes."""
    size = len(args["query"])
    if size > LONGEST_QUERY:
        raise UsageError(
            f"the query has {size:,} characters, more than {LONGEST_QUERY:,}", hint="ask in a few sentences"
        )
    return args


def _show(reach: Reach, args: Args) -> Answer:
    from_line = args.pop("from_line", 1)
    return words.show(reach.ask("show", **args), from_line)


def _list(reach: Reach, args: Args) -> Answer:
    return words.listing(reach.ask("list", **{"limit": 50, **args}))


def _edit(reach: Reach, args: Args) -> Answer:
    return words.written(reach.ask("edit", **_edited(args)))


def _edited(args: Args) -> Args:
    """Arguments of the verb `edit`: `set` holds front matter keys of any name."""
    return {name: value for name, value in args.items() if name != "set"} | {"extra": args.get("set")}


def _forget(reach: Reach, args: Args) -> Answer:
    return words.written(reach.ask("forget", **args))


def _link(reach: Reach, args: Args) -> Answer:
    return words.written(reach.ask("link", **args))


def _log(reach: Reach, args: Args) -> Answer:
    return words.log(reach.ask("log", **args))


def _propose(reach: Reach, args: Args) -> Answer:
    name, about = args.pop("name", None), args.pop("about", None)
    change = _proposed(args)
    return words.proposed(reach.ask("propose", name=name, about=about, changes=[change]))


def _proposed(args: Args) -> Args:
    """The one change that a call of `propose` means."""
    ref = args.pop("ref", None)
    if args.pop("forget", False):
        if ref is None or args:
            raise UsageError("forget goes with ref alone", hint='{"ref": "01K8…", "forget": true}')
        return {"verb": "forget", "args": {"ref": ref}}
    if ref is not None:
        if not args:
            raise UsageError(
                "there is nothing to change", hint="give a new text, title, tags, importance or ttl"
            )
        if "namespace" in args or "links" in args:
            raise UsageError("a memory that exists keeps its place", hint="leave namespace and links out")
        return {"verb": "edit", "args": {"ref": ref, **args}}
    if "text" not in args:
        raise UsageError("propose needs text, or ref", hint="text proposes a new memory, ref changes one")
    return {"verb": "remember", "args": args}


TOOLS: Mapping[str, Tool] = {
    "recall": Tool(
        "Recall what is known",
        "The stored notes that fit a question best, cut to a token budget, each with its source. "
        "Use it first; returns nothing rather than what is irrelevant.",
        {
            "query": _is("string", "A question or topic in natural words"),
            "max_tokens": _is("integer", "Budget for the answer; default set in the vault"),
            **_FILTERS,
        },
        _recall,
        ("query",),
        reads=True,
    ),
    "search": Tool(
        "Search memories",
        "Ranked memories with scores and the lines that match. For a look over many; recall gives texts.",
        {"query": _is("string", "Words to find"), "limit": _is("integer", "Default 10"), **_FILTERS},
        _search,
        ("query",),
        reads=True,
    ),
    "show": Tool(
        "Show a memory",
        "One memory whole, with front matter and the version that edit and forget take.",
        {"ref": _REF, "from_line": _is("integer", "Begin at this line of a long text")},
        _show,
        ("ref",),
        reads=True,
    ),
    "list": Tool(
        "List memories",
        "Memories without their text, with paths, ids and tags.",
        {
            "sort": _is("string", "Default path", enum=["path", "title", "importance", "updated", "created"]),
            "limit": _is("integer", "Default 50"),
            "expired": _is("boolean", "Expired ones too"),
            **_FILTERS,
        },
        _list,
        reads=True,
    ),
    "log": Tool(
        "Show history",
        "Who wrote, changed and removed memories, newest first; of one memory also once it is gone.",
        {
            "ref": _REF,
            "limit": _is("integer", "Default 20"),
            "source_agent": _is("string", "Only by this agent"),
            "since": _FILTERS["since"],
            "until": _is("string", "Then or earlier"),
        },
        _log,
        reads=True,
    ),
    "remember": Tool(
        "Remember something",
        "Write one lasting fact as a new memory, committed to git. Say it in full sentences with its why, "
        "for a reader without this conversation. The same text is found, not doubled. No secrets.",
        {
            "text": _is("string", "Markdown"),
            **_PLACED,
            "on_duplicate": _is(
                "string",
                "Where it is known: keep (default) answers with that memory, refuse fails, new writes it too",
                enum=[one.value for one in OnDuplicate],
            ),
        },
        _remember,
        ("text",),
        repeatable=True,
    ),
    "edit": Tool(
        "Edit a memory",
        "Change a memory's text, tags or front matter; the rest stays, history keeps the old version.",
        {
            "ref": _REF,
            "text": _is("string", "The whole new text"),
            **{name: schema for name, schema in _FIELDS.items() if name != "tags"},
            "add_tags": _texts("Tags to add"),
            "remove_tags": _texts("Tags to take off"),
            "set": _is("object", "Other front matter keys; null takes a key out"),
            "if_match": _IF_MATCH,
        },
        _edit,
        ("ref",),
        destroys=True,
        repeatable=True,
    ),
    "forget": Tool(
        "Forget a memory",
        "Remove a memory that is wrong or outlived. History keeps it; the person can restore it.",
        {"ref": _REF, "if_match": _IF_MATCH},
        _forget,
        ("ref",),
        destroys=True,
    ),
    "link": Tool(
        "Link two memories",
        "Add a link from one memory to another in its front matter, or take it out.",
        {
            "ref": _is("string", "The memory that gets the link"),
            "to": _is("string", "The memory it leads to"),
            "key": _is("string", "links (default), or supersedes for what ref replaces"),
            "remove": _is("boolean", "Take the link out"),
        },
        _link,
        ("ref", "to"),
        repeatable=True,
    ),
    "propose": Tool(
        "Propose a change",
        "Put a change on a branch for the person to review, where you are unsure or may not write: a new "
        "memory (text), a change of one (ref with what changes), or its removal (ref, forget).",
        {
            "text": _is("string", "Of the new memory, or the whole new text of ref"),
            "ref": _is("string", "The memory to change"),
            "forget": _is("boolean", "Propose to remove ref"),
            **_PLACED,
            "name": _is("string", "Name of the proposal; by default that of today"),
            "about": _is("string", "A line for the reviewer"),
        },
        _propose,
    ),
}


def offered(*, read_only: bool) -> dict[str, Tool]:
    """The tools that a server has, by name."""
    return {name: tool for name, tool in TOOLS.items() if tool.reads or not read_only}
