"""`vmem install`: have other programs work with a vault."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from vault_memory.errors import UsageError
from vault_memory.surfaces.cli.complete import agents
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.installers import Installer, Told
from vault_memory.surfaces.cli.installers.asked import Asked
from vault_memory.surfaces.cli.options import JsonOption, VaultOption


class Program(StrEnum):
    """What can be installed."""

    CLAUDE = "claude"
    CLAUDE_CODE = "claude-code"
    CLAUDE_DESKTOP = "claude-desktop"
    CODEX = "codex"
    CURSOR = "cursor"
    GEMINI = "gemini"
    VSCODE = "vscode"
    VSCODE_MCP = "vscode-mcp"
    OBSIDIAN = "obsidian"
    MERGE = "merge"
    GITHUB = "github"
    CI = "ci"


DOCS: Mapping[Program, str] = {
    Program.CLAUDE: "the vault as tools in Claude Code",
    Program.CLAUDE_CODE: "the same, and hooks that bring memories and keep lessons",
    Program.CLAUDE_DESKTOP: "the vault as tools in Claude Desktop",
    Program.CODEX: "in Codex",
    Program.CURSOR: "in Cursor",
    Program.GEMINI: "in Gemini CLI",
    Program.VSCODE: "front matter keys, lint, renames and tools in VS Code, in the vault's folder",
    Program.VSCODE_MCP: "the vault as tools in VS Code, in all folders",
    Program.OBSIDIAN: "property types and a template in Obsidian",
    Program.MERGE: "have git merge memories by front matter key",
    Program.GITHUB: "a workflow that checks pull requests and comments what they change",
    Program.CI: "a script that does the same on other forges",
}
"""What each is for."""

CLIENTS = frozenset(
    {
        Program.CLAUDE,
        Program.CLAUDE_CODE,
        Program.CLAUDE_DESKTOP,
        Program.CODEX,
        Program.CURSOR,
        Program.GEMINI,
        Program.VSCODE_MCP,
    }
)
"""Programs that agents run in: `installers.clients` carries them out, a function of its own name in
`installers/` each of the others."""

_SERVER = ("agent", "name", "mcp", "read_only")
_ALL = (*_SERVER, "project", "hooks", "shown", "force")


def _project(text: str) -> Path:
    if not text.strip():  # it comes of a variable that was to be set, and must not mean the working folder
        raise UsageError("--project names no folder", hint="vmem install PROGRAM --project DIR")
    return Path(text)


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
    project: Annotated[
        Path | None,
        typer.Option(
            "--project",
            parser=_project,
            metavar="DIR",
            help="In a project's settings, not yours.",
            show_default=False,
        ),
    ] = None,
    name: Annotated[str, typer.Option("--name", help="The server's name there.")] = "memory",
    agent: Annotated[
        str | None,
        typer.Option(
            "--agent",
            metavar="NAME",
            help="As this agent; else claude, codex, cursor, gemini or copilot.",
            show_default=False,
            autocompletion=agents,
        ),
    ] = None,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="No tool that writes, and no hook that keeps lessons.")
    ] = False,
    mcp: Annotated[bool | None, typer.Option("--mcp/--no-mcp", help="The tools.", show_default=False)] = None,
    hooks: Annotated[
        bool | None,
        typer.Option("--hooks/--no-hooks", help="The hooks; by default of claude-code.", show_default=False),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Take the place of a server of that name which is not vmem's.")
    ] = False,
    shown: Annotated[
        bool, typer.Option("--print", help="Show what would stand where; write nothing.")
    ] = False,
    vault: VaultOption = None,
    json: JsonOption = False,
) -> None:
    """Have another program work with the vault.

    [bold]claude, claude-code, claude-desktop, codex, cursor, gemini, vscode-mcp[/bold]: the agents in that
    program get the vault as tools, in its settings for all your projects or those of one (--project). With
    --hooks, as in claude-code, it also runs vmem hook at its events: what is known comes in when a session
    begins and with each prompt, and lessons are kept. Of your settings every other byte stays.

    [bold]merge[/bold]: git merges memories by front matter key, so two people's tags are no conflict. A line
    in the vault's .gitattributes travels with it: commit it. The command that git runs stands in the settings
    of this clone, since no vault may name a program; so each clone is told once. Where it is not, git merges
    as it always does.

    [bold]vscode[/bold]: in the vault's .vscode/, snippets that complete the front matter keys, a JSON schema
    of them, a task that lists under Problems what vmem lint finds, two settings, and the vault as tools.

    [bold]obsidian[/bold]: types in .obsidian/types.json for the properties that have none there, and a
    template for a new memory. An editor's files stay as they are but for what is added; what is there wins.

    [bold]github[/bold]: .github/workflows/vmem.yml lints each pull request, looks for secrets, asks the
    recall checks, and keeps what the pull request changes in one comment. [bold]ci[/bold]: .vmem/ci.sh does
    the same for other forges.

    Doing it again is safe, and --uninstall takes out what was put in. A file that you have changed since is
    yours: it stays as it is.

    [bold]Examples[/bold]

      vmem install claude-code --vault ~/memory
      vmem install codex --agent reviewer --read-only
      vmem install cursor --project . --print
      vmem install gemini --uninstall
      vmem install vscode
      vmem install merge
      vmem install github --package git+https://example.org/vault-memory@v0.1.0
      vmem install ci
    """
    asked = Asked(agent, name, project, mcp, hooks, read_only, shown, force)
    call: Call = context.obj.narrowed(vault=vault, agent=None if _takes(what) else agent, json=json)
    if package is not None and (what is not Program.GITHUB or uninstall):
        raise UsageError(
            "--package belongs to vmem install github", hint="vmem install github --package SPEC"
        )
    facts, lines = _installed(call, what, uninstall, asked, package)
    if call.out.json:
        there = not uninstall and not shown
        call.out.value({"what": what.value, "installed": there, **facts})
    else:
        call.out.result("\n".join(lines))


def _takes(what: Program) -> tuple[str, ...]:
    """Which options of `Asked` a program takes."""
    return _ALL if what in CLIENTS else _SERVER if what is Program.VSCODE else ()


def _installed(call: Call, what: Program, out: bool, asked: Asked, package: str | None) -> Told:
    asked.only(what.value, *(_takes(what) or ("agent",)))
    asked.check()
    if asked.shown and out:
        raise UsageError("--print and --uninstall exclude each other", hint="give one of them")
    if what in CLIENTS:
        from vault_memory.surfaces.cli.installers.clients import clients

        return clients(call, out, asked, program=what.value)
    options: dict[str, object] = {} if package is None else {"package": package}
    if what is Program.VSCODE:
        options["asked"] = asked
    return _installer(what)(call, out, **options)


def _installer(what: Program) -> Installer:
    module = import_module(f"vault_memory.surfaces.cli.installers.{what.value}")
    return getattr(module, what.value)  # type: ignore[no-any-return]  # each holds one of its name
