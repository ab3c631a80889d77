"""Status and the doctor's report as text."""

from __future__ import annotations

from collections.abc import Sequence

from vault_memory.model.facts import Upstream
from vault_memory.model.health import Brief, Check, Mended, Status
from vault_memory.model.revision import branch_name
from vault_memory.render.resident import NOT_RUNNING
from vault_memory.render.style import counted, harmless, styled

MOST = 10
"""So many paths are named under a heading; the rest are counted."""


def render_status(status: Status, resident: str = NOT_RUNNING, *, colour: bool) -> str:
    """A line a fact, then what waits and what a person has not committed. `resident` says in a line how the
    process is that keeps the vault open."""
    search = (
        "keyword only: no embedder is set"
        if status.embedder == "none"
        else f"keyword + meaning ({status.embedder})"
    )
    if status.embedder != "none" and status.embedder_reason:
        search = f"keyword only: {status.embedder_reason}"
    expired = f", {status.expired:,} expired" if status.expired else ""
    lines = [
        f"vault      {harmless(status.root)}",
        f"memories   {status.memories:,}{expired}",
        f"search     {harmless(search)}",
        f"index      {_index(status)}",
        f"git        {harmless(_git(status))}",
        *_proposals(status),
        f"resident   {resident}",
    ]
    lines += _paths(
        "saved and waiting for a commit",
        [f"{one.path}   {one.op}: {one.reason}" for one in status.waiting],
        colour,
    )
    lines += _paths(
        "changed outside vmem and not committed",
        [f"{path}   {state.value}" for path, state in status.uncommitted],
        colour,
    )
    lines += _paths("memories with merge markers in them", list(status.conflicted), colour)
    lines += _paths(
        f"{counted(len(status.findings), 'problem')} in files (vmem lint shows them all)",
        [f"{one.path}:{one.line}   {one.code}  {one.message}" for one in status.findings],
        colour,
    )
    lines += [styled(f"! {harmless(notice)}", "yellow", colour=colour) for notice in status.notices]
    return "\n".join(lines)


def _proposals(status: Status) -> list[str]:
    """Nothing where none waits: most vaults have no proposals."""
    return [f"proposals  {status.proposals:,} waiting for review: vmem review"] if status.proposals else []


def _git(status: Status) -> str:
    if status.repo.blocked:
        return status.repo.blocked
    if not status.repo.exists:
        return "no git repository: memories are saved without history"
    whole = "" if status.waiting or status.uncommitted else ", all memories are committed"
    return f"branch {branch_name(status.repo.branch)}{whole}{_pushed(status.upstream)}"


def _pushed(upstream: Upstream | None) -> str:
    """How far the branch and what it follows are apart, as it was when they last met."""
    if upstream is None or not (upstream.ahead or upstream.behind):
        return ""
    apart = [f"{counted(upstream.ahead, 'commit')} not pushed to {upstream.name}"] if upstream.ahead else []
    if upstream.behind:
        apart.append(f"{counted(upstream.behind, 'commit')} of {upstream.name} not merged")
    return "".join(f", {one}" for one in apart)


def _index(status: Status) -> str:
    """Its generation, and how long it has been so."""
    if status.index_seconds is None:
        return f"generation {status.generation}, kept in memory"
    return f"generation {status.generation}, last written {_ago(status.index_seconds)}"


def _ago(seconds: float) -> str:
    for size, name in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            return f"{counted(int(seconds // size), name)} ago"
    return "just now"


def render_brief(brief: Brief, *, colour: bool) -> str:
    """One line for a shell prompt, nothing where all is well: `memory:main ●2 ⇡1 ✗3`."""
    if brief.clean:
        return ""
    branch = branch_name(brief.branch) if brief.branch is not None else "(detached)"
    marks = [
        styled(f"{mark}{number}", style, colour=colour)
        for mark, number, style in (
            ("●", brief.uncommitted, "yellow"),
            ("⇡", brief.ahead, "cyan"),
            ("✗", brief.faults, "red"),
        )
        if number
    ]
    return " ".join([harmless(f"{brief.name}:{branch}"), *marks])


def render_checks(checks: Sequence[Check], *, colour: bool) -> str:
    """A line a check, and under a bad one what to do."""
    lines: list[str] = []
    for check in checks:
        mark = styled("✔", "green", colour=colour) if check.well else styled("✘", "red", colour=colour)
        lines.append(f"{mark} {check.name:<11} {harmless(check.found)}")
        if check.advice:
            lines.append(f"              {harmless(check.advice)}")
    return "\n".join(lines)


def render_mended(done: Sequence[Mended], *, colour: bool) -> str:
    """A line a thing that was mended, or could not be."""
    if not done:
        return "Nothing to mend."
    lines = []
    for one in done:
        mark = styled("✔", "green", colour=colour) if one.done else styled("✘", "red", colour=colour)
        lines.append(f"{mark} {one.name:<11} {'mended: ' if one.done else ''}{harmless(one.what)}")
    return "\n".join(lines)


def _paths(heading: str, paths: Sequence[str], colour: bool) -> list[str]:
    if not paths:
        return []
    lines = [styled(f"{heading}:", "bold", colour=colour)]
    lines += [f"  {harmless(path)}" for path in paths[:MOST]]
    if len(paths) > MOST:
        lines.append(f"  and {len(paths) - MOST} more")
    return lines
