"""What changed since a look, and the agents of a vault, as text for people and agents."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, tzinfo

from vault_memory.model.age import age_in_words
from vault_memory.model.agents import Agents, AgentSeen
from vault_memory.model.changes import Basis, Changes, Event, What
from vault_memory.render.columns import columns
from vault_memory.render.style import counted, harmless, styled

_COLOURS = {What.ADDED: "green", What.CHANGED: "yellow", What.MOVED: "cyan", What.REMOVED: "red"}
_SHORT_ID = 8
TOP = "(top folder)"


def render_changes(found: Changes, *, agent: str | None, last: bool, colour: bool) -> str:
    """A line for each event, then how many there are, and what to ask next time. `last`: it counts from the
    mark of the caller, whatever that is."""
    rows = [(_what(one), harmless(one.entry.title), _where(one), _who(one)) for one in found.events]
    width = max((len(row[0]) for row in rows), default=0)
    lines: list[str] = []
    for one, (what, title, where, who) in zip(found.events, rows, strict=True):
        begun = styled(what, _COLOURS[one.what], colour=colour) + " " * (width - len(what))
        told = f"{begun}  {title}  {styled(where, 'dim', colour=colour)}"
        lines.append(told + (f"  {who}" if who else ""))
    lines.append(_sum(found, agent, last=last))
    lines.append(f"Next time: vmem changes --since {found.token}")
    return "\n".join(lines)


def render_seen(agent: str | None) -> str:
    """What is said once the mark has been moved."""
    return f"✔ noted: the next vmem changes of {agent or 'yours'} counts from here"


def render_agents(found: Agents, *, now: datetime, zone: tzinfo, width: int, colour: bool) -> str:
    """A line for each agent."""
    if not found.agents:
        return "No agent has written here yet."
    rows = [
        (
            harmless(one.name) + ("" if one.valid else " (no agent's name)"),
            counted(one.memories, "memory", "memories"),
            age_in_words(one.last, now, zone),
            counted(one.proposals, "proposal") if one.proposals else "",
            _folders(one),
        )
        for one in found.agents
    ]
    table = columns(("agent", "memories", "last write", "open", "writes to"), rows, width, colour=colour)
    return "\n".join(line.rstrip() for line in table.splitlines())


def _what(one: Event) -> str:
    return one.what.value


def _where(one: Event) -> str:
    short = f"{harmless(one.entry.id)[:_SHORT_ID]}  " if one.entry.id else ""
    path = harmless(one.entry.path)
    return short + (f"{harmless(one.came_from)} → {path}" if one.came_from else path)


def _who(one: Event) -> str:
    told = [f"by {', '.join(map(harmless, one.by))}"] if one.by else []
    return ", ".join([*told, "notifies you"] if one.named else told)


def _sum(found: Changes, agent: str | None, *, last: bool) -> str:
    if found.basis is Basis.NOTHING:
        who = "You have" if agent is None else f"{agent} has"
        told = f"{who} noted no look before (--seen notes one)"
        if found.since is not None:
            told = f"What changed since {agent or 'you'} looked last can't be told (--seen notes a new look)"
        named = f"; {counted(len(found.events) + found.omitted, 'memory names', 'memories name')} {agent}"
        return told + (named if found.events else "") + "."
    since = f"{agent or 'you'} looked last" if last else harmless(found.since or "")
    if not found.events:
        return f"Nothing has changed since {since}."
    counts = Counter(one.what for one in found.events)
    parts = ", ".join(f"{counts[what]:,} {what.value}" for what in What if counts[what])
    more = f", {found.omitted:,} more not shown (--limit)" if found.omitted else ""
    return f"{parts}{more} since {since}."


def _folders(one: AgentSeen) -> str:
    return ", ".join(harmless(name) or TOP for name in one.namespaces)
