"""`vmem install`: have other programs work with a vault."""

from __future__ import annotations

import shlex
import shutil
import sys
from enum import StrEnum
from typing import Annotated

import typer

from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, VaultOption


class Program(StrEnum):
    """What can be installed."""

    MERGE = "merge"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("install")(install)


def install(
    context: typer.Context,
    what: Annotated[Program, typer.Argument(help="merge: have git merge memories by front matter key.")],
    uninstall: Annotated[bool, typer.Option("--uninstall", help="Take it out again.")] = False,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Have git merge memories by front matter key.

    Two people's tags are then no conflict. A line in the vault's .gitattributes travels with it: commit it.
    The command that git runs stands in the settings of this clone, since no vault may name a program; so each
    clone is told once. Where it is not, git merges as it always does. Doing it again is safe.

    [bold]Examples[/bold]

      vmem install merge
      vmem install merge --uninstall
    """
    from vault_memory.facets.installing import MergeDriverFacet

    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    driver = MergeDriverFacet.of(call.vault)
    scope = call.asks()
    done = driver.take_out(scope) if uninstall else driver.put(scope, _ourselves())
    if call.out.json:
        call.out.value(
            {
                "what": what.value,
                "installed": not uninstall,
                "attributes_changed": done.attributes,
                "driver_changed": done.driver,
                "command": done.command,
            }
        )
        return
    if not (done.attributes or done.driver):
        there = "not installed" if uninstall else "installed already"
        call.out.result(f"The merge driver is {there}; nothing was changed.")
        return
    lines = [
        "Git merges memories as any text again." if uninstall else "Git merges memories by key from now on."
    ]
    if done.attributes:
        line = "the line *.md merge=vmem is " + ("out" if uninstall else "in; commit it when you like")
        lines.append(f"  .gitattributes   {line}")
    if done.driver:
        lines.append(f"  .git/config      merge.vmem is {'out' if uninstall else 'set, for this clone'}")
    call.out.result("\n".join(lines))


def _ourselves() -> str:
    """The command of this very vmem: by name where a shell finds it, else by this Python."""
    found = shutil.which("vmem")
    return "vmem" if found else f"{shlex.quote(sys.executable)} -P -X utf8 -m vault_memory"
