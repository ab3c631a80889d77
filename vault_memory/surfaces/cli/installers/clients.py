"""`vmem install claude` and the like: the vault as tools of the agents in a program, and its hooks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory.errors import UsageError
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.installers import Told
from vault_memory.surfaces.cli.installers.asked import Asked
from vault_memory.surfaces.cli.installers.ourselves import ourselves_anywhere
from vault_memory.surfaces.cli.installers.told import facts_of, steps_told

if TYPE_CHECKING:
    from vault_memory.facets.installing.clients import Parts
    from vault_memory.facets.installing.shared import Step
    from vault_memory.model.clients.table import Client
    from vault_memory.model.clients.words import Wanted

_PATHS = "The settings name paths of this machine; commit them only where everyone has the same."


def clients(call: Call, out: bool, asked: Asked, *, program: str) -> Told:
    """A server and, where they are wanted, hooks in the program's settings; other bytes stay."""
    from vault_memory.facets.installing.clients import ClientFacet
    from vault_memory.model.clients.table import CLIENTS

    client = CLIENTS[program]
    project = None if asked.project is None else asked.project.resolve()
    facet = ClientFacet(client, program, asked.name, project, asked.force)
    parts = _parts(asked, client, program, out=out)
    if out:
        steps = facet.take_out(call.asks(), parts)
        return steps_told(steps, out, program=client.title, done="")
    wanted = _wanted(call, asked, client)
    if asked.shown:
        return _shown(facet.shown(wanted, parts), asked, client, parts, wanted)
    steps = facet.put(call.asks(), wanted, parts)
    if parts.server:
        asked.warn_of_mcp(call)
    return steps_told(
        steps,
        out,
        program=client.title,
        done=f"{client.title} {_does(wanted)} {wanted.vault} as agent {wanted.agent} from now on.",
        then=_then(client, program, parts, project),
    )


def _parts(asked: Asked, client: Client, program: str, *, out: bool) -> Parts:
    """Which parts are meant; `--uninstall` means all that there may be."""
    from vault_memory.facets.installing.clients import Parts
    from vault_memory.model.clients.table import WITH_HOOKS

    hooks = asked.hooks
    if hooks is None:
        hooks = client.hooks is not None if out else program in WITH_HOOKS
    parts = Parts(server=asked.mcp is not False, hooks=hooks)
    if not parts.server and not parts.hooks:
        raise UsageError(
            "--no-mcp without hooks leaves nothing to do", hint=f"vmem install {program} --hooks --no-mcp"
        )
    return parts


def _wanted(call: Call, asked: Asked, client: Client) -> Wanted:
    from vault_memory.facets.installing.offolder import OfFolder
    from vault_memory.model.clients.words import Wanted

    root = str(OfFolder.of(call.vault).root)
    wanted = Wanted(ourselves_anywhere(), root, asked.agent or client.agent, asked.read_only)
    for path in (*wanted.vmem, wanted.vault):
        if not path.isprintable():
            raise UsageError(
                f"{path!r} can't stand in settings", hint="give the folder a name of printable characters"
            )
    return wanted


def _does(wanted: Wanted) -> str:
    return "reads" if wanted.read_only else "reads and writes"


def _then(client: Client, program: str, parts: Parts, project: Path | None) -> Sequence[str]:
    lines = [client.servers.then] if parts.server else []
    if parts.hooks and client.hooks is not None:
        lines.append(client.hooks.then)
    if project is not None:
        lines.append(_PATHS)
    if not parts.hooks and client.hooks is not None:
        more = "claude-code" if program == "claude" else f"{program} --hooks"
        lines.append(f"To have memories come in by themselves, and lessons kept: vmem install {more}")
    return lines


def _shown(steps: Sequence[Step], asked: Asked, client: Client, parts: Parts, wanted: Wanted) -> Told:
    """What would stand where, for a person who writes it themselves."""
    from vault_memory.model.clients.words import in_a_line

    lines: list[str] = []
    for one in steps:
        lines += [f"In {one.path}, beside what is there:", "", *(one.by_hand or "").split("\n"), ""]
    if parts.server and client.title == "Claude Code" and asked.project is None:
        command, arguments = wanted.server()
        said = ["claude", "mcp", "add", "--scope", "user", asked.name, "--", command, *arguments]
        lines += ["The server also by:", f"  {in_a_line(said)}", ""]
    return Told({"files": facts_of(steps)}, [*lines, "Nothing was written."])
