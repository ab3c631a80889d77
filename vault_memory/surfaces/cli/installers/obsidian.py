"""`vmem install obsidian`: property types and a template in Obsidian."""

from __future__ import annotations

from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.installers import Told
from vault_memory.surfaces.cli.installers.told import facts_of, lines_of


def obsidian(call: Call, out: bool) -> Told:
    """Types in `.obsidian/types.json` for keys that have none there, and a template."""
    from vault_memory.facets.installing.obsidian import ObsidianFacet

    editor = ObsidianFacet.of(call.vault)
    scope = call.asks()
    steps = editor.take_out(scope) if out else editor.put(scope)
    facts = {"files": facts_of(steps)}
    lines = lines_of(steps)
    if not lines:
        there = "not set up for Obsidian" if out else "set up for Obsidian already"
        return Told(facts, [f"The vault is {there}; nothing was changed."])
    if out:
        return Told(facts, ["What was added for Obsidian is out again.", *lines])
    lines = [
        "Obsidian is set up for this vault; open the vault there anew to have it read this.",
        *lines,
    ]
    if not editor.folder_is_set:
        folder = editor.template.rpartition("/")[0]
        lines.append(f"In Obsidian: Settings > Templates > Template folder location: {folder}")
    return Told(facts, lines)
