"""`vmem review`: a person's word on what agents propose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from vault_memory.errors import UsageError
from vault_memory.model import wirereview
from vault_memory.render.diff import render_comparison
from vault_memory.render.review import (
    render_heading,
    render_proposals,
    render_reviewed,
    render_sent,
    render_steps,
)
from vault_memory.surfaces.cli.complete import proposals
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, VaultOption
from vault_memory.surfaces.cli.reviewing import Walk

if TYPE_CHECKING:
    from vault_memory.model.proposals import Proposal, Reviewed
    from vault_memory.vault import Vault


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("review")(review)


def review(
    context: typer.Context,
    branch: Annotated[
        str | None,
        typer.Argument(
            help="A proposal: memory/akashi/nvda, akashi/nvda or nvda.",
            show_default=False,
            autocompletion=proposals,
        ),
    ] = None,
    memories: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[MEMORY]…",
            help="With --accept only these, by path, id or title; the others stay open.",
            show_default=False,
        ),
    ] = None,
    accept: Annotated[bool, typer.Option("--accept", help="Merge it into your branch.")] = False,
    reject: Annotated[
        list[str] | None,
        typer.Option(
            "--reject", metavar="MEMORY", help="Take this one back; may be repeated.", show_default=False
        ),
    ] = None,
    close: Annotated[bool, typer.Option("--close", help="Take nothing in, and remove the branch.")] = False,
    at: Annotated[
        str | None,
        typer.Option(
            "--at",
            metavar="COMMIT",
            help="Only while this is its last commit, as the review showed it.",
            show_default=False,
        ),
    ] = None,
    with_others: Annotated[
        bool, typer.Option("--with-others", help="Take in changes of files that are no memories too.")
    ] = False,
    push: Annotated[
        bool, typer.Option("--push", help="Give the remote the branch, and print where to compare it.")
    ] = False,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Review what agents propose: accept, edit or reject each memory.

    Without a branch: the open proposals. With one: what it would change, with warnings; on a terminal you
    are then asked about each memory. What you reject is taken back on the branch by a commit, and what
    you accept comes into your branch by a merge; your uncommitted work is never touched. With --at nothing
    is done to a proposal that has changed since it was shown. An agent sees and closes only its own.

    [bold]Examples[/bold]

      vmem review
      vmem review akashi/nvda-rsi
      vmem review akashi/nvda-rsi --accept --at 0375c3c1a2b3
      vmem review akashi/nvda-rsi --accept --reject shared/market/rumour.md
      vmem review akashi/nvda-rsi --accept 01K8ZQ4T    the others stay open
      vmem review akashi/nvda-rsi --close
    """  # fmt: skip
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    given = [name for name, is_set in (("--close", close), ("--push", push)) if is_set]
    given += ["--accept or --reject"] if accept or reject else []
    if len(given) > 1:
        raise UsageError(f"{given[0]} and {given[1]} can't be had at once", hint="vmem review --help")
    if memories and not accept:
        raise UsageError("memories are named for --accept", hint="vmem review BRANCH --accept MEMORY …")
    given += ["--at"] if at is not None else []
    if branch is None and given:
        raise UsageError(f"{given[0]} needs a proposal", hint="vmem review lists them")
    with call.open() as opened:
        if branch is None:
            _list(call, opened)
            return
        scope = call.caller(opened).scope
        proposal = opened.review.find(scope, branch, at)
        if close:
            _tell(call, opened.review.close(scope, proposal))
        elif push:
            sent = opened.review.push(scope, proposal)
            call.out.value(wirereview.sent(sent)) if call.out.json else call.out.result(render_sent(sent))
        elif accept or reject:
            into = [] if not accept else memories or None
            done = opened.review.decide(scope, proposal, accept=into, reject=reject or (), others=with_others)
            _tell(call, done)
        else:
            _show(call, opened, proposal)


def _list(call: Call, opened: Vault) -> None:
    found = opened.review.proposals(call.caller(opened).scope)
    if call.out.json:
        call.out.value([wirereview.proposal(one) for one in found])
        return
    zone = opened.settings.zone
    call.out.result(
        render_proposals(found, now=call.now(), zone=zone, width=call.out.width, colour=call.out.colour)
    )


def _show(call: Call, opened: Vault, proposal: Proposal) -> None:
    scope = call.caller(opened).scope
    found = opened.review.compare(scope, proposal)
    if call.out.json:
        call.out.value(wirereview.shown(proposal, found))
        return
    call.out.warn_all(found.notices)
    zone, colour = opened.settings.zone, call.out.colour
    call.out.result(render_heading(proposal, now=call.now(), zone=zone, colour=colour))
    if found.differences and scope.agent is None and call.is_terminal():
        done = Walk(call, opened, proposal).go()
        if done is not None:
            _tell(call, done)
        return
    if found.differences:
        call.out.result("\n" + render_comparison(found, colour=colour))
    if scope.agent is None:
        call.out.result("\n" + render_steps(proposal))


def _tell(call: Call, done: Reviewed) -> None:
    if call.out.json:
        call.out.value(wirereview.reviewed(done))
        return
    call.out.result(render_reviewed(done, colour=call.out.colour))
    call.out.warn_all(done.notices)
