"""`vmem capture`: what is to be kept of a conversation, found in its transcript, and the review of that."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vault_memory.errors import UsageError
from vault_memory.model import wirecapture
from vault_memory.model.capture.captured import Captured
from vault_memory.model.capture.formats import AUTO, NAMES
from vault_memory.render.captured import render_captured
from vault_memory.surfaces.cli.complete import namespaces, words
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, VaultOption
from vault_memory.surfaces.cli.proposed import OPTION


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("capture")(capture)


def capture(
    context: typer.Context,
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]",
            help="The transcript; with --review an agent, whose inbox it is.",
            show_default=False,
        ),
    ] = None,
    session: Annotated[
        str | None,
        typer.Option(
            "--session",
            metavar="ID",
            help="What the session is called; else what the file says.",
            show_default=False,
        ),
    ] = None,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORM",
            help=f"The file's form: {', '.join(NAMES)}.",
            autocompletion=words(*NAMES),
        ),
    ] = AUTO,
    propose: Annotated[
        str | None,
        typer.Option(
            OPTION,
            metavar="[=NAME]",
            help="Make it a proposal, whatever the settings say; without a name, captured.",
            show_default=False,
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be captured.")] = False,
    review: Annotated[
        bool, typer.Option("--review", help="Go through what was captured and waits in an inbox.")
    ] = False,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            "--keep",
            metavar="MEMORY",
            help="With --review: take this one out of the inbox; may be repeated.",
            show_default=False,
        ),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="NAMESPACE",
            help="Where kept ones go, for all agents; else to the agent's own folder.",
            show_default=False,
            autocompletion=namespaces,
        ),
    ] = None,
    forget: Annotated[
        list[str] | None,
        typer.Option(
            "--forget",
            metavar="MEMORY",
            help="With --review: remove this one; may be repeated.",
            show_default=False,
        ),
    ] = None,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Find what is to be kept of a conversation in its transcript.

    Decisions, rules, measured results, causes, procedures, preferences, dead ends, and what is still to be
    done: each becomes a memory in the agent's private/AGENT/inbox/, or a proposal where the settings say so,
    and never shared memory. What the file has got since the last time is looked at, once. Rules find them, in
    English and German; the setting capture_command names a program that does it better. docs/capture.md

    --review goes through the inboxes: on a terminal it asks about each memory, elsewhere it lists them, and
    --keep and --forget say what becomes of them.

    [bold]Examples[/bold]

      vmem capture ~/.claude/projects/app/SESSION.jsonl --agent akashi
      vmem capture talk.txt --agent akashi --dry-run
      vmem capture --review akashi
      vmem capture --review --keep 01K8ZQ4T --to ops --forget 01K8ZR77
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    if review:
        _check_alone(session=session, propose=propose, dry_run=dry_run, to=to, keep=keep)
        _review(call, None if file is None else str(file), keep or [], forget or [], to)
        return
    if keep or forget or to is not None:
        raise UsageError("--keep, --forget and --to go with --review", hint="vmem capture --review")
    if file is None:
        raise UsageError("there is no transcript named", hint="vmem capture FILE --agent NAME")
    name = call.asks().agent
    if name is None:
        raise UsageError(
            "whose conversation is it? a capture goes to an agent's inbox",
            hint="vmem capture FILE --agent NAME",
        )
    with call.open() as opened:
        done = opened.capture.transcript(
            file, name, form=form, session=session, propose=propose, dry_run=dry_run
        )
        call.warn_of_index(opened)
    if call.out.json:
        call.out.value(wirecapture.captured(done))
        return
    call.out.result(render_captured(done, colour=call.out.colour))
    call.out.warn_all(done.notices)
    _tell(call, done)


def _check_alone(
    *, session: str | None, propose: str | None, dry_run: bool, to: str | None, keep: list[str] | None
) -> None:
    """Raise `UsageError` for options that a review knows nothing of."""
    if session is not None or propose is not None or dry_run:
        raise UsageError("--review reads no transcript: it goes without --session, --propose and --dry-run")
    if to is not None and not keep:
        raise UsageError(
            "--to needs memories to keep", hint="vmem capture --review --keep MEMORY --to market"
        )


def _review(call: Call, of: str | None, keep: list[str], forget: list[str], to: str | None) -> None:
    from vault_memory.surfaces.cli.inboxes import Inboxes

    own = call.asks().agent
    inboxes = Inboxes(call, own if of is None else of)
    if keep or forget:
        inboxes.decide(keep, forget, to)
    elif not call.out.json and own is None and call.is_terminal():
        inboxes.walk()
    else:
        inboxes.show()


def _tell(call: Call, done: Captured) -> None:
    for notice in dict.fromkeys(notice for one in done.saved for notice in one.notices):
        call.out.warn(notice)
    waiting = next((one.reason for one in done.saved if one.reason and one.commit is None), None)
    if waiting and not done.dry_run:
        call.out.warn(f"saved and searchable, but not committed: {waiting}")
    if done.bytes_left:
        call.out.warn(f"{done.bytes_left:,} bytes are left: run it again")
