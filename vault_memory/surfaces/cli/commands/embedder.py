"""`vmem embedder`: the model that turns texts into vectors."""

from __future__ import annotations

from typing import Annotated

import typer

from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import JsonOption


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    group = typer.Typer(no_args_is_help=True, help="The model for search by meaning.")
    group.command("fetch")(fetch)
    app.add_typer(group, name="embedder")


def fetch(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="A sentence-transformers model, e.g. all-MiniLM-L6-v2.")],
    json: JsonOption = False,
) -> None:
    """Download a model.

    Nothing else in vmem ever downloads anything.

    [bold]Examples[/bold]

      vmem embedder fetch all-MiniLM-L6-v2
      VMEM_EMBEDDER=sentence-transformers vmem status
    """
    from vault_memory.plugins import fetch_model

    call: Call = context.obj.narrowed(vault=None, agent=None, json=json)
    place = fetch_model(name, call.out.warn)
    if call.out.json:
        call.out.value({"model": name, "folder": str(place)})
        return
    call.out.result(f"{name} is in {place}")
