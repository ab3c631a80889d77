"""`vmem edit`: change a memory's keys or text."""

from __future__ import annotations

from typing import Annotated

import typer

from vault_memory.errors import UsageError
from vault_memory.surfaces.cli.complete import kinds, refs, tags
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.editor import run_editor
from vault_memory.surfaces.cli.fields import pairs, split_tags
from vault_memory.surfaces.cli.options import (
    AgentOption,
    AllowSecretOption,
    IfMatchOption,
    JsonOption,
    RequireCommitOption,
    VaultOption,
)
from vault_memory.surfaces.cli.proposed import ProposeOption, writing


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("edit")(edit)


def edit(
    context: typer.Context,
    ref: Annotated[
        str,
        typer.Argument(
            help="A path, an id or its beginning, a title, an alias, or a name.", autocompletion=refs
        ),
    ],
    title: Annotated[
        str | None, typer.Option("--title", help="A new title; the file keeps its name.", show_default=False)
    ] = None,
    importance: Annotated[
        str | None, typer.Option("--importance", help="0 to 1.", show_default=False)
    ] = None,
    add_tag: Annotated[
        list[str] | None,
        typer.Option("--add-tag", help="May be repeated.", show_default=False, autocompletion=tags),
    ] = None,
    remove_tag: Annotated[
        list[str] | None, typer.Option("--remove-tag", help="May be repeated.", show_default=False)
    ] = None,
    ttl: Annotated[str | None, typer.Option("--ttl", help="90d, 2w, 12h, never.", show_default=False)] = None,
    expires: Annotated[
        str | None, typer.Option("--expires", help="A date or time.", show_default=False)
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            "--kind",
            help="episodic, semantic, procedural, decision, …",
            show_default=False,
            autocompletion=kinds,
        ),
    ] = None,
    pinned: Annotated[
        bool | None,
        typer.Option("--pinned/--not-pinned", help="Never expires, or does again.", show_default=False),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="Any front matter key=value; may be repeated.", show_default=False),
    ] = None,
    unset: Annotated[
        list[str] | None, typer.Option("--unset", help="Take a front matter key out.", show_default=False)
    ] = None,
    text: Annotated[
        str | None, typer.Option("--text", help="A new text; '-' reads it from stdin.", show_default=False)
    ] = None,
    if_match: IfMatchOption = None,
    allow_secret: AllowSecretOption = False,
    propose: ProposeOption = None,
    require_commit: RequireCommitOption = False,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Change a memory's keys, tags or text, or open it in your editor.

    Only the lines of the keys that change are written; every other byte stays. Without a change named
    on the command line your editor opens the file, and what you leave there is committed.

    [bold]Examples[/bold]

      vmem edit 01K8ZQ4T --importance 0.4 --add-tag archived
      vmem edit "NVDA RSI rule" --ttl 180d
      vmem edit notes/plan.md                opens your editor
      vmem edit 01K8ZQ4T --text - --if-match VERSION < new.txt
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    given: dict[str, object] = {
        "title": title,
        "importance": importance,
        "ttl": ttl,
        "expires": expires,
        "kind": kind,
        "pinned": pinned,
    }
    fields: dict[str, object] = {name: value for name, value in given.items() if value is not None}
    extra = pairs(set_, unset)
    body = call.stdin_text() if text == "-" else text
    adding, removing = split_tags(add_tag) or [], split_tags(remove_tag) or []
    with call.open() as vault_itself, writing(call, vault_itself, propose) as (caller, opened):
        if fields or extra or adding or removing or body is not None:
            written = caller.edit(
                ref,
                text=body,
                add_tags=adding,
                remove_tags=removing,
                if_match=if_match,
                allow_secret=allow_secret,
                extra=extra,
                **fields,
            )
        elif call.is_terminal():
            command = opened.settings["editor"]
            written = opened.files.edit(
                caller.scope,
                ref,
                lambda file: run_editor(command, file),
                if_match=if_match,
                allow_secret=allow_secret,
            )
        else:
            raise UsageError(
                "there is nothing to change, and no terminal for an editor",
                hint="vmem edit REF --importance 0.8   (vmem edit --help)",
            )
        call.wrote([caller.kept(written)], require_commit=require_commit)
