"""Status and the doctor's report as text."""

from __future__ import annotations

from collections.abc import Sequence

from vault_memory.model.health import Check, Status
from vault_memory.model.revision import branch_name
from vault_memory.render.style import counted, harmless, styled

MOST = 10
"""So many paths are named under a heading; the rest are counted."""


def render_status(status: Status, *, colour: bool) -> str:
    """A line a fact, then what waits and what a person has not committed."""
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
        f"git        {harmless(_git(status))}",
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
    lines += _paths(
        f"{counted(len(status.findings), 'fault')} in files",
        [f"{one.path}:{one.line}   {one.code}  {one.message}" for one in status.findings],
        colour,
    )
    lines += [styled(f"! {harmless(notice)}", "yellow", colour=colour) for notice in status.notices]
    return "\n".join(lines)


def _git(status: Status) -> str:
    if status.repo.blocked:
        return status.repo.blocked
    if not status.repo.exists:
        return "no git repository: memories are saved without history"
    whole = "" if status.waiting or status.uncommitted else ", all memories are committed"
    return f"branch {branch_name(status.repo.branch)}{whole}"


def render_checks(checks: Sequence[Check], *, colour: bool) -> str:
    """A line a check, and under a bad one what to do."""
    lines: list[str] = []
    for check in checks:
        mark = styled("✔", "green", colour=colour) if check.well else styled("✘", "red", colour=colour)
        lines.append(f"{mark} {check.name:<11} {harmless(check.found)}")
        if check.advice:
            lines.append(f"              {harmless(check.advice)}")
    return "\n".join(lines)


def _paths(heading: str, paths: Sequence[str], colour: bool) -> list[str]:
    if not paths:
        return []
    lines = [styled(f"{heading}:", "bold", colour=colour)]
    lines += [f"  {harmless(path)}" for path in paths[:MOST]]
    if len(paths) > MOST:
        lines.append(f"  and {len(paths) - MOST} more")
    return lines
