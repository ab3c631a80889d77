"""`vmem links`: what a memory links to, what links to it, and links that lead nowhere."""

from __future__ import annotations

from typing import Annotated

import typer

from vault_memory.errors import UsageError
from vault_memory.model import wire
from vault_memory.render.links import render_broken_links, render_memory_links
from vault_memory.surfaces.cli.complete import refs
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, VaultOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("links")(links)


def links(
    context: typer.Context,
    ref: Annotated[
        str | None,
        typer.Argument(
            help="A path, an id or its beginning, a title, an alias, or a name.",
            show_default=False,
            autocompletion=refs,
        ),
    ] = None,
    broken: Annotated[
        bool, typer.Option("--broken", help="Only links that lead to no memory; without REF, of all.")
    ] = False,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Show a memory's links and what links to it.

    Wikilinks and Markdown links to notes are links, and so are the entries of front matter keys such as
    links and supersedes. A name leads to the file, alias, title or id that is called so.

    [bold]Examples[/bold]

      vmem links notes/plan.md
      vmem links plan --broken
      vmem links --broken          every broken link of the vault
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    if ref is None and not broken:
        raise UsageError(
            "which memory's links?", hint="vmem links REF   or, for the vault: vmem links --broken"
        )
    with call.open() as opened:
        scope = call.caller(opened).scope
        if ref is None:
            every = opened.overview.broken_links(scope)
            call.out.warn_all(every.notices)
            value, text = wire.broken_links(every), render_broken_links(every, colour=call.out.colour)
        else:
            found = opened.overview.links(scope, ref)
            call.out.warn_all(found.notices)
            value = wire.memory_links(found)
            text = render_memory_links(found, broken_only=broken, colour=call.out.colour)
    if call.out.json:
        call.out.value(value)
    else:
        call.out.result(text)
