"""`vmem install vscode`: front matter keys, lint and renames in VS Code, and the vault for its agent."""

from __future__ import annotations

from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.installers import Told
from vault_memory.surfaces.cli.installers.asked import Asked
from vault_memory.surfaces.cli.installers.told import steps_told


def vscode(call: Call, out: bool, asked: Asked) -> Told:
    """Files in the vault's `.vscode/`; a person's own are added to, never written anew."""
    from vault_memory.facets.installing.vscode import Server, VSCodeFacet

    editor, scope = VSCodeFacet.of(call.vault), call.asks()
    wants = asked.mcp is not False
    server = Server(asked.name, asked.agent or "copilot", asked.read_only) if wants else None
    steps = editor.take_out(scope, server) if out else editor.put(scope, server)
    if wants and not out:
        asked.warn_of_mcp(call)
    return steps_told(
        steps,
        out,
        program="VS Code",
        done="VS Code is set up for this vault; commit .vscode/ if others are to have it.",
        then=(
            "Open the vault's folder. Ctrl+Space in a note offers the front matter keys, the task",
            "'vmem lint' lists what is wrong under Problems: Terminal > Run Task. More: docs/editors.md",
            *(["For its agent in all other folders too: vmem install vscode-mcp"] if wants else []),
        ),
    )
