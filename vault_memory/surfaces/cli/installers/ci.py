"""`vmem install ci`: a script for forges other than GitHub."""

from __future__ import annotations

from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.installers import Told
from vault_memory.surfaces.cli.installers.ownfile import told


def ci(call: Call, out: bool) -> Told:
    """The script in the vault's .vmem/."""
    from vault_memory.facets.installing.forges import ForgesFacet
    from vault_memory.model.pullrequest.script import NAME

    forges, scope = ForgesFacet.of(call.vault), call.asks()
    if out:
        return told(NAME, forges.take_out_script(scope), "")
    did = forges.put_script(scope)
    return told(NAME, did, "sh .vmem/ci.sh lints, checks recall, and writes or comments vmem diff")
