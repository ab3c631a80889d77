"""`vmem init`: make a folder a vault."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vault_memory.model.revision import branch_name
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import JsonOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("init")(init)


def init(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(help="The folder; it is made if it is not there.")] = Path(),
    json: JsonOption = False,
) -> None:
    """Make a folder a vault.

    Nothing that lies there is changed, and doing it again is safe. Markdown files that are there
    already are memories from now on.

    [bold]Examples[/bold]

      vmem init ~/memory     a new vault with a git repository of its own
      vmem init notes        inside a repository: memories are committed to that one
    """
    from vault_memory.vault import Vault

    call: Call = context.obj.narrowed(vault=None, agent=None, json=json)
    made = Vault.create(path)
    if call.out.json:
        call.out.value(
            {
                "path": str(made.root),
                "branch": made.branch and branch_name(made.branch),
                "new_repository": made.new_repository,
                "made": list(made.made),
            }
        )
        return
    folder = made.root if path == Path() else path
    if not made.made:
        call.out.result(f"{folder} is a vault already; nothing was changed.")
        return
    repository = "a new git repository" if made.new_repository else "in the git repository that is there"
    call.out.result(
        f"Created a vault in {folder} ({repository}, branch {branch_name(made.branch)}).\n"
        "  .vmem/config.toml   settings that travel with the vault: commit .vmem/ when you like\n"
        "  .vmem/local/        the search index; ignored by git, safe to delete\n"
        'Next: vmem remember "…"   or open the folder in your editor'
    )
