"""Proposals for a person: the list of them, one before it is decided on, and what was decided."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from vault_memory.model.age import age_in_words
from vault_memory.model.proposals import SHOWN, Begun, Proposal, Reviewed, SentProposal
from vault_memory.model.revision import short
from vault_memory.render.columns import columns
from vault_memory.render.style import counted, harmless, styled

_MOST = 5


def render_proposals(
    found: Sequence[Proposal], *, now: datetime, zone: tzinfo, width: int, colour: bool
) -> str:
    """A line for each: branch, how many memories, age, and what it is about."""
    if not found:
        return "No open proposals."
    rows = [
        (
            harmless(one.branch),
            counted(len(one.paths), "memory", "memories"),
            age_in_words(one.when, now, zone),
            harmless(one.about) if one.remote is None else f"on {harmless(one.remote)}",
        )
        for one in found
    ]
    listed = columns(("branch", "changes", "last", "about"), rows, width, colour=colour)
    first = next((one for one in found if one.paths or one.others), found[0])
    look = f"look at one: vmem review {harmless(first.branch)}"
    return f"{listed}{counted(len(found), 'open proposal')}; {look}"


def render_heading(one: Proposal, *, now: datetime, zone: tzinfo, colour: bool) -> str:
    """What stands above the memories of one proposal."""
    about = f"   {harmless(one.about)}" if one.about else ""
    head = (
        f"{styled(harmless(one.branch), 'bold', colour=colour)}   {age_in_words(one.when, now, zone)}{about}"
    )
    return "\n".join([head, *_others(one, colour)])


def _others(one: Proposal, colour: bool) -> list[str]:
    if not one.others:
        return []
    words = f"also changes what is no memory: {render_others(one)}"
    return [styled(words, "yellow", colour=colour)]


def render_others(one: Proposal) -> str:
    """The files that are no memories, the first of them by name."""
    names = ", ".join(harmless(name) for name in one.others[:_MOST])
    return names + (f" and {len(one.others) - _MOST} more" if len(one.others) > _MOST else "")


def render_steps(one: Proposal) -> str:
    """What can be done with it, as it was shown: what came to it since is not meant."""
    branch = harmless(one.branch)
    at = f"--at {one.tip[:SHOWN]}"
    if not one.paths and not one.others:
        return f"It holds nothing that is not in the vault. Close it: vmem review {branch} --close"
    lines = [f"Take all in:    vmem review {branch} --accept {at}"]
    if len(one.paths) > 1:
        lines.append(f"All but one:    vmem review {branch} --accept {at} --reject PATH")
    return "\n".join([*lines, f"Nothing of it:  vmem review {branch} --close {at}"])


def render_reviewed(one: Reviewed, *, colour: bool) -> str:
    """What a review did."""
    mark = styled("✔", "green", colour=colour)
    branch = harmless(one.branch)
    lines = []
    if one.commit is not None:
        lines.append(f"{mark} {_memories(len(one.accepted))} taken in, committed {short(one.commit)}")
    lines += [
        f"  Both sides made {harmless(each.path)}, two memories:"
        f" {'yours' if each.ours_moved else 'the one proposed'} is now {harmless(each.moved_to)}"
        for each in one.apart
    ]
    if one.rejected and (one.commit is not None or one.left):
        lines.append(f"{mark} {_memories(len(one.rejected))} taken back")
    if one.left:
        lines.append(f"{_memories(len(one.left))} left open on {branch}")
    if one.closed is not None and one.commit is None:
        back = f"git branch {branch} {one.closed[:12]}"
        kept_out = (
            "; nothing of it was taken in" if one.rejected else ""
        )  # else it held nothing, or was merged
        lines.append(f"{mark} closed {branch}{kept_out} (bring it back: {back})")
    return "\n".join(lines)


def _memories(number: int) -> str:
    return counted(number, "memory", "memories")


def render_begun(one: Begun, name: str, agent: str | None, *, colour: bool) -> str:
    """What stands below `vmem propose`."""
    mark = styled("✔", "green", colour=colour)
    asks = f"vmem --agent {agent} " if agent is not None else "vmem "
    did = "begun" if one.new else "goes on"
    return (
        f"{mark} {styled(harmless(one.branch), 'bold', colour=colour)}   {did}\n"
        f'Write to it:  {asks}remember "…" --propose={harmless(name)}\n'
        f"Review it:    vmem review {harmless(one.branch)}"
    )


def render_sent(one: SentProposal) -> str:
    """Where a proposal can be compared."""
    did = "has" if one.new else "had already"
    lines = [f"{harmless(one.remote)} {did} {harmless(one.branch)}"]
    return "\n".join([*lines, f"Compare it: {one.link}"] if one.link else lines)
