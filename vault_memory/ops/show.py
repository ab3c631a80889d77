"""One memory as it lies on disk."""

from __future__ import annotations

from dataclasses import dataclass
from zoneinfo import ZoneInfo

from vault_memory.errors import MemoryNotFoundError
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.memory import Memory
from vault_memory.model.namespace import Scope
from vault_memory.model.revision import version_of
from vault_memory.ops.resolve import resolve
from vault_memory.ports import Ports


@dataclass(frozen=True, slots=True)
class ShownMemory:
    """A memory, its bytes, and its version for `edit --if-match`."""

    memory: Memory
    content: bytes
    version: str


def show(ports: Ports, scope: Scope, ref: str, *, zone: ZoneInfo) -> ShownMemory:
    """Read the memory that `ref` names, from its file and not from the index."""
    entry = resolve(ports, scope, ref)
    found = ports.files.read(entry.path)
    if found is None:
        raise MemoryNotFoundError(
            ref, hint=f"{entry.path} is gone; vmem restore can bring it back from history"
        )
    memory = parse_memory(entry.path, found.content, zone=zone)
    return ShownMemory(memory, found.content, version_of(found.content))
