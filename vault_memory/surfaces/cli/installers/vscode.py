"""`vmem install vscode`: front matter keys, lint and renames in VS Code."""

from __future__ import annotations

from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.installers import Told
from vault_memory.surfaces.cli.installers.told import steps_told


def vscode(call: Call, out: bool) -> Told:
    """Files in the vault's `.vscode/`; a person's own are added to, never written anew."""
    from vault_memory.facets.installing.vscode import VSCodeFacet

    editor = VSCodeFacet.of(call.vault)
    scope = call.asks()
    steps = editor.take_out(scope) if out else editor.put(scope)
    return steps_told(
        steps,
        out,
        program="VS Code",
        done="VS Code is set up for this vault; commit .vscode/ if others are to have it.",
        then=(
            "Open the vault's folder. Ctrl+Space in a note offers the front matter keys, the task",
            "'vmem lint' lists what is wrong under Problems: Terminal > Run Task. More: docs/editors.md",
        ),
    )
