"""`vmem diff`: what has changed in memories."""

from __future__ import annotations

from typing import Annotated

import typer

from vault_memory.errors import UsageError
from vault_memory.model import wirediff
from vault_memory.render.diff import render_comparison
from vault_memory.render.diffcomment import render_comment
from vault_memory.surfaces.cli.complete import refs
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, VaultOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("diff")(diff)


def diff(
    context: typer.Context,
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[REF | OLD [NEW] | A..B | A...B]",
            help="A memory, or one or two commits or branches.",
            show_default=False,
            autocompletion=refs,
        ),
    ] = None,
    staged: Annotated[
        bool, typer.Option("--staged", help="What git's index holds: the commit that you are about to make.")
    ] = False,
    markdown: Annotated[
        bool,
        typer.Option("--markdown", help="As a comment for a pull request, of at most 65,000 characters."),
    ] = False,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Show what has changed in memories, and what of it to look at.

    Without arguments: what people and agents changed since the last commit. Of one memory: its change
    that is not committed, else that of its last commit. With a commit or branch: what differs between it
    and the files; with two, or A..B, between them; with A...B, what B changed since the two parted.

    Lines with a ! are for the reviewer: a secret, text that speaks to a model, a move into or out of
    private/, a value that another memory contradicts, a near-duplicate, a jump of importance, an earlier
    end, a fault of the front matter. Then come changed keys, and the text word by word:
    \\[-gone-] {+new+}.

    [bold]Examples[/bold]

      vmem diff
      vmem diff "NVDA RSI rule"
      vmem diff HEAD~5
      vmem diff --staged
      vmem diff main...memory/akashi/rsi
      vmem diff --markdown origin/main...HEAD > comment.md
      vmem diff v1.0 main --json
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    if markdown and call.out.json:
        raise UsageError("--markdown and --json are two forms of the answer", hint="leave one of them out")
    with call.open() as opened:
        found = opened.files.diff(call.caller(opened).scope, *(what or ()), staged=staged)
    if call.out.json:
        call.out.value(wirediff.comparison(found))
        return
    if markdown:
        call.out.result(render_comment(found))
        return
    call.out.warn_all(found.notices)
    call.out.result(render_comparison(found, colour=call.out.colour))
