"""`vmem remember`: write a memory, or many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from vault_memory.errors import UsageError, VmemError
from vault_memory.model.outcome import Wait
from vault_memory.surfaces.cli.complete import kinds, namespaces, tags
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.editor import keep_text, text_from_editor
from vault_memory.surfaces.cli.fields import pairs, split_tags
from vault_memory.surfaces.cli.jsonl import named_by_line, read_memories
from vault_memory.surfaces.cli.options import (
    AgentOption,
    AllowSecretOption,
    JsonOption,
    RequireCommitOption,
    VaultOption,
)
from vault_memory.surfaces.cli.proposed import ProposeOption, writing

if TYPE_CHECKING:
    from vault_memory.vault import Vault


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("remember")(remember)


def remember(
    context: typer.Context,
    text: Annotated[
        str | None,
        typer.Argument(
            help="What to keep. '-' reads it from stdin; without it an editor opens.", show_default=False
        ),
    ] = None,
    title: Annotated[
        str | None, typer.Option("--title", help="Else made from the text.", show_default=False)
    ] = None,
    importance: Annotated[
        str | None, typer.Option("--importance", help="0 to 1.", show_default=False)
    ] = None,
    tag: Annotated[
        list[str] | None,
        typer.Option("--tag", help="May be repeated.", show_default=False, autocompletion=tags),
    ] = None,
    ttl: Annotated[
        str | None,
        typer.Option("--ttl", help="How long it counts: 90d, 2w, 12h, never.", show_default=False),
    ] = None,
    expires: Annotated[
        str | None, typer.Option("--expires", help="A date or time instead of a ttl.", show_default=False)
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
    namespace: Annotated[
        str | None,
        typer.Option(
            "--namespace",
            "-n",
            help="market is shared/market. Else your own folder.",
            show_default=False,
            autocompletion=namespaces,
        ),
    ] = None,
    pinned: Annotated[bool, typer.Option("--pinned", help="Never expires, never grows old.")] = False,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="A further front matter key=value; may be repeated.", show_default=False),
    ] = None,
    stdin_jsonl: Annotated[
        bool, typer.Option("--stdin-jsonl", help="Read many: one JSON object a line.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check everything and say what would be written.")
    ] = False,
    on_duplicate: Annotated[
        str,
        typer.Option("--on-duplicate", help="What the namespace says already: keep, refuse or new."),
    ] = "keep",
    allow_secret: AllowSecretOption = False,
    propose: ProposeOption = None,
    require_commit: RequireCommitOption = False,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Write a memory as a Markdown file and commit it.

    What the namespace says already is found, not written twice (--on-duplicate); a fact's new value
    supersedes your old note of it. Where git can't commit now, the memory is saved and searchable,
    the reason is said, and a later write commits it. A text that begins
    with front matter (a note from elsewhere) keeps its lines; options win over its keys.

    [bold]Examples[/bold]

      vmem remember "Deploys are frozen on Fridays" --tag ops --importance 0.8
      vmem remember "RSI above 70 …" --agent akashi --namespace market --ttl 90d
      git log -1 | vmem remember - --title "Last commit"
      vmem remember --stdin-jsonl < many.jsonl   lines of {"text": "…", "ttl": "…"}
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    options: dict[str, object] = {
        "title": title, "importance": importance, "tags": split_tags(tag), "ttl": ttl, "expires": expires,
        "kind": kind, "namespace": namespace, "pinned": pinned or None, "extra": pairs(set_) or None,
    }  # fmt: skip
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    how: dict[str, Any] = {
        "dry_run": dry_run, "allow_secret": allow_secret, "wait": Wait.COMMIT, "on_duplicate": on_duplicate
    }  # fmt: skip
    if stdin_jsonl:
        if text is not None:
            raise UsageError(
                "--stdin-jsonl reads the texts from stdin, so none can be given", hint="vmem remember --help"
            )
        memories = read_memories(call.out.streams.stdin(), given)
        with (
            call.open() as opened,
            named_by_line(list(memories)),
            writing(call, opened, None if dry_run else propose) as (caller, _),
        ):
            _look_first(call, opened)
            written = caller.remember_many(memories.values(), **how)
            call.wrote(written, require_commit=require_commit and not dry_run, many=True)
        return
    with call.open() as opened, writing(call, opened, None if dry_run else propose) as (caller, _):
        _look_first(call, opened)
        if text is not None:
            body = call.stdin_text() if text == "-" else text
            written_one = caller.remember(body, **how, **given)
        else:
            body = _typed(call, opened.settings["editor"])
            try:
                written_one = caller.remember(body, **how, **given)
            except VmemError:
                if body.strip():
                    call.out.warn(f"your text is kept in {keep_text(body)}")
                raise
        call.wrote([written_one], require_commit=require_commit and not dry_run)


def _look_first(call: Call, opened: Vault) -> None:
    """Let the text be found where the resident that was to write it died between the file and the index."""
    if call.world.again:
        opened.index.refresh()


def _typed(call: Call, editor: str) -> str:
    if not call.is_terminal():
        raise UsageError(
            "there is no text to remember", hint='vmem remember "…"   or pipe it: … | vmem remember -'
        )
    return text_from_editor(editor)
