"""`vmem gc`: list what has expired, and remove it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Annotated

import typer

from vault_memory.errors import CheckFailedError, GitError, NotCommittedError, UsageError
from vault_memory.model import wire
from vault_memory.model.expiry import Collected, Expired
from vault_memory.render.expired import render_collected, render_expired, render_staged
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.fields import moment_of
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, RequireCommitOption, VaultOption

if TYPE_CHECKING:
    from vault_memory.vault import Vault

STOPPED = "vmem gc removes what it can in a commit of its own; git commit --no-verify goes without this check"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("gc")(gc)


def gc(
    context: typer.Context,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Remove them without asking.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only list them, on a terminal too.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Only list them; exit 1 if there are any. For CI.")
    ] = False,
    staged: Annotated[
        bool, typer.Option("--staged", help="In a pre-commit hook: let them leave with that commit.")
    ] = False,
    now: Annotated[
        str | None,
        typer.Option(
            "--now",
            help="Judge as of this time, whatever the clock and the last commit say.",
            show_default=False,
        ),
    ] = None,
    require_commit: RequireCommitOption = False,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Remove the memories that have expired, in one commit.

    Lists them, and on a terminal asks; elsewhere nothing is removed without --yes. What git does not
    hold just as it lies there is left, so vmem restore brings back whatever went. With --agent: only
    what that agent may write.

    [bold]Examples[/bold]

      vmem gc
      vmem gc --yes
      vmem gc --check        in CI
      vmem gc --staged       in .git/hooks/pre-commit
      vmem gc --now 2027-01-01 --dry-run
    """  # fmt: skip
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    ways = {"--yes": yes, "--dry-run": dry_run, "--check": check, "--staged": staged}
    given = [name for name, is_given in ways.items() if is_given]
    if len(given) > 1:
        raise UsageError(f"{given[0]} and {given[1]} can't be had at once", hint="vmem gc --help")
    with call.open() as opened:
        zone = opened.settings.zone
        at = moment_of("--now", now, zone)
        scope = call.caller(opened).scope
        if staged:
            _tell_staged(call, opened.upkeep.gc_staged(scope, now=at), zone)
            return
        found = opened.upkeep.expired(scope, now=at)
        call.warn_of_index(opened)
        listed = Collected(at or call.now(), tuple(found))
        if not call.out.json:
            shown = render_expired(found, now=listed.now, zone=zone, colour=call.out.colour)
            call.out.result(shown)
        if yes or (not given and _agreed(call, found)):
            _remove(call, opened, listed, at, require_commit=require_commit)
        elif call.out.json:
            call.out.value(wire.collected(listed))
        elif not given and any(one.stays is None for one in found) and not call.is_terminal():
            call.out.result("Nothing was removed; vmem gc --yes removes what can go, in one commit.")
    if check and found:
        raise CheckFailedError("gc", len(found), hint="vmem gc removes what has expired")


def _agreed(call: Call, found: Sequence[Expired]) -> bool:
    """Whether the person at the terminal says yes. Nobody else is asked."""
    going = sum(one.stays is None for one in found)
    if not going or call.out.json or not call.is_terminal():
        return False
    them, it = ("it", "it") if going == 1 else ("them", "them")
    if going < len(found):
        them = "the other one" if going == 1 else f"the other {going:,}"
    return typer.confirm(
        f"Remove {them} in one commit? History keeps {it}; `vmem restore` brings {it} back.", default=False
    )


def _remove(
    call: Call, opened: Vault, listed: Collected, at: datetime | None, *, require_commit: bool
) -> None:
    done = opened.upkeep.gc(call.caller(opened).scope, listed.expired, now=at)
    done = replace(done, notices=tuple(dict.fromkeys((*listed.notices, *done.notices))))
    if call.out.json:
        call.out.value(wire.collected(done))
    else:
        call.out.result(render_collected(done, colour=call.out.colour))
        call.out.warn_all(done.notices)
        known = {one.path for one in listed.expired if one.stays}
        for one in done.left:
            if one.path not in known:
                call.out.warn(f"{one.path} stays: {one.stays}")
    if done.reason and not done.removed:
        raise GitError(f"nothing was removed: {done.reason}", hint="vmem status shows how git stands")
    if done.reason and require_commit:
        raise NotCommittedError(done.reason)
    if done.reason and not call.out.json:
        call.out.warn(f"removed, but not committed: {done.reason}")


def _tell_staged(call: Call, done: Collected, zone: tzinfo) -> None:
    if call.out.json:
        call.out.value(wire.collected(done))
    else:
        call.out.result(render_staged(done, zone=zone, colour=call.out.colour))
        call.out.warn_all(done.notices)
    if done.left:
        raise CheckFailedError("gc", len(done.left), hint=STOPPED)
