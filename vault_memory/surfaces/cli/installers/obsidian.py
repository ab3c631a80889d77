"""`vmem install obsidian`: property types and a template in Obsidian."""

from __future__ import annotations

from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.installers import Told
from vault_memory.surfaces.cli.installers.told import steps_told


def obsidian(call: Call, out: bool) -> Told:
    """Types in `.obsidian/types.json` for keys that have none there, and a template."""
    from vault_memory.facets.installing.obsidian import ObsidianFacet

    editor = ObsidianFacet.of(call.vault)
    scope = call.asks()
    steps = editor.take_out(scope) if out else editor.put(scope)
    folder = editor.template.rpartition("/")[0]
    return steps_told(
        steps,
        out,
        program="Obsidian",
        done="Obsidian is set up for this vault; open the vault there anew to have it read this.",
        then=()
        if editor.folder_is_set
        else (f"In Obsidian: Settings > Templates > Template folder location: {folder}",),
    )
