"""Reading a file given as front matter and body."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.memory import Memory
from vault_memory.model.namespace import VaultPath

BERLIN = ZoneInfo("Europe/Berlin")


def read(header: str, body: str = "Body.\n", *, name: str = "notes/a.md", zone: ZoneInfo = BERLIN) -> Memory:
    """The memory of a file with that header and body."""
    return parse_memory(VaultPath(name), f"---\n{header}\n---\n{body}".encode(), zone=zone)


def told(memory: Memory) -> list[tuple[int, str]]:
    """(line, code) of its findings."""
    return [(finding.line, finding.code) for finding in memory.findings]
