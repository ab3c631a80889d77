"""`vmem install`: have other programs work with a vault."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from importlib import import_module
from typing import Annotated

import typer

from vault_memory.errors import UsageError
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.installers import Installer
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, VaultOption


class Program(StrEnum):
    """What can be installed."""

    MERGE = "merge"
    GITHUB = "github"
    CI = "ci"
    VSCODE = "vscode"
    OBSIDIAN = "obsidian"


DOCS: Mapping[Program, str] = {
    Program.MERGE: "have git merge memories by front matter key",
    Program.GITHUB: "a workflow that checks pull requests and comments what they change",
    Program.CI: "a script that does the same on other forges",
    Program.VSCODE: "front matter keys, lint and renames in VS Code",
    Program.OBSIDIAN: "property types and a template in Obsidian",
}
"""What each is for. The function of that name, in `installers/` in the module so called, carries it out."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("install")(install)


def install(
    context: typer.Context,
    what: Annotated[
        Program, typer.Argument(help="; ".join(f"{one.value}: {doc}" for one, doc in DOCS.items()) + ".")
    ],
    uninstall: Annotated[bool, typer.Option("--uninstall", help="Take it out again.")] = False,
    package: Annotated[
        str | None,
        typer.Option(
            "--package",
            metavar="SPEC",
            help="Of github: what pip is to install there, such as git+https://HOST/REPOSITORY@TAG.",
            show_default=False,
        ),
    ] = None,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Have another program work with the vault.

    [bold]merge[/bold]: git merges memories by front matter key, so two people's tags are no conflict. A line
    in the vault's .gitattributes travels with it: commit it. The command that git runs stands in the settings
    of this clone, since no vault may name a program; so each clone is told once. Where it is not, git merges
    as it always does.

    [bold]vscode[/bold]: in the vault's .vscode/, snippets that complete the front matter keys, a JSON schema
    of them, a task that lists under Problems what vmem lint finds, and two settings.

    [bold]obsidian[/bold]: types in .obsidian/types.json for the properties that have none there, and a
    template for a new memory. An editor's files stay as they are but for what is added; what is there wins.

    [bold]github[/bold]: .github/workflows/vmem.yml lints each pull request, looks for secrets, asks the
    recall checks, and keeps what the pull request changes in one comment. [bold]ci[/bold]: .vmem/ci.sh does
    the same for other forges.

    Doing it again is safe, and --uninstall takes out what was put in. A file that you have changed since is
    yours: it stays as it is.

    [bold]Examples[/bold]

      vmem install merge
      vmem install vscode
      vmem install merge --uninstall
      vmem install github --package git+https://example.org/vault-memory@v0.1.0
      vmem install ci
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    if package is not None and (what is not Program.GITHUB or uninstall):
        raise UsageError(
            "--package belongs to vmem install github", hint="vmem install github --package SPEC"
        )
    options = {} if package is None else {"package": package}
    facts, lines = _installer(what)(call, uninstall, **options)
    if call.out.json:
        call.out.value({"what": what.value, "installed": not uninstall, **facts})
    else:
        call.out.result("\n".join(lines))


def _installer(what: Program) -> Installer:
    module = import_module(f"vault_memory.surfaces.cli.installers.{what.value}")
    return getattr(module, what.value)  # type: ignore[no-any-return]  # each holds one of its name
