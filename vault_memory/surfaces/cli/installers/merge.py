"""`vmem install merge`: have git merge memories by front matter key."""

from __future__ import annotations

from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.installers import Told
from vault_memory.surfaces.cli.installers.ourselves import ourselves


def merge(call: Call, out: bool) -> Told:
    """A line in the vault's .gitattributes, and the command in the settings of this clone."""
    from vault_memory.facets.installing.merge import MergeDriverFacet

    driver = MergeDriverFacet.of(call.vault)
    scope = call.asks()
    done = driver.take_out(scope) if out else driver.put(scope, ourselves())
    facts = {
        "attributes_changed": done.attributes,
        "driver_changed": done.driver,
        "command": done.command,
    }
    if not (done.attributes or done.driver):
        there = "not installed" if out else "installed already"
        return Told(facts, [f"The merge driver is {there}; nothing was changed."])
    lines = ["Git merges memories as any text again." if out else "Git merges memories by key from now on."]
    if done.attributes:
        line = "the line *.md merge=vmem is " + ("out" if out else "in; commit it when you like")
        lines.append(f"  .gitattributes   {line}")
    if done.driver:
        lines.append(f"  .git/config      merge.vmem is {'out' if out else 'set, for this clone'}")
    return Told(facts, lines)
