"""The links of memories with what they lead to, as `vmem links` shows them."""

from __future__ import annotations

from dataclasses import dataclass

from vault_memory.model.linkmap import Resolution
from vault_memory.model.memory import Entry, Link
from vault_memory.model.namespace import VaultPath


@dataclass(frozen=True, slots=True)
class Linked:
    """One link: the file it stands in, the link as written, and where it leads."""

    path: VaultPath
    link: Link
    leads: Resolution


@dataclass(frozen=True, slots=True)
class MemoryLinks:
    """The links of one memory. `out` are its own by line, `back` those that lead to
    it, by path and line."""

    entry: Entry
    out: tuple[Linked, ...]
    back: tuple[Linked, ...]
    notices: tuple[str, ...] = ()

    @property
    def broken(self) -> tuple[Linked, ...]:
        """Those of its own that lead to no memory."""
        return tuple(one for one in self.out if one.leads.broken)


@dataclass(frozen=True, slots=True)
class BrokenLinks:
    """Every link of a vault that leads to no memory, by path and line, and how many links there are."""

    broken: tuple[Linked, ...]
    links: int
    memories: int
    notices: tuple[str, ...] = ()
