"""`vmem install vscode`: front matter keys, lint and renames in VS Code."""

from __future__ import annotations

from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.installers import Told
from vault_memory.surfaces.cli.installers.told import facts_of, lines_of


def vscode(call: Call, out: bool) -> Told:
    """Files in the vault's `.vscode/`; a person's own are added to, never written anew."""
    from vault_memory.facets.installing.vscode import VSCodeFacet

    editor = VSCodeFacet.of(call.vault)
    scope = call.asks()
    steps = editor.take_out(scope) if out else editor.put(scope)
    facts = {"files": facts_of(steps)}
    lines = lines_of(steps)
    if not lines:
        there = "not set up for VS Code" if out else "set up for VS Code already"
        return Told(facts, [f"The vault is {there}; nothing was changed."])
    if out:
        return Told(facts, ["What was added for VS Code is out again.", *lines])
    return Told(
        facts,
        [
            "VS Code is set up for this vault; commit .vscode/ if others are to have it.",
            *lines,
            "Open the vault's folder. Ctrl+Space in a note offers the front matter keys, the task",
            f"'vmem lint' lists what is wrong under Problems: Terminal > Run Task. {_DOCS}",
        ],
    )


_DOCS = "More: docs/editors.md"
