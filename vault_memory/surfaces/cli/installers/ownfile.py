"""How it is told what became of one file that vmem writes whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vault_memory.surfaces.cli.installers import Told

if TYPE_CHECKING:
    from vault_memory.facets.installing.own import Did

_LINES = {
    "written": "Wrote {name}; commit it when you like.",
    "replaced": "Brought {name} up to this vmem; commit it when you like.",
    "deleted": "Deleted {name}; commit that when you like.",
}


def told(name: str, did: Did, what: str) -> Told:
    """`what` says what the file does."""
    facts = {"file": name, "did": did.value}
    if did.value == "nothing":
        there = "is there already" if what else "is not there"
        return Told(facts, [f"{name} {there}; nothing was changed."])
    return Told(facts, [_LINES[did.value].format(name=name), *([f"  {what}"] if what else [])])
