"""What a memory says of itself as the tables keep it, and as they give it back."""

from __future__ import annotations

from vault_memory.adapters.indexes.sqlite.rows import Row, clean, entry, maybe_clean, micros, packed, wide
from vault_memory.model.memory import Finding, Indexed, Link, Memory

_NO_NUMBER = (0,)


def said(memory: Memory, size: int) -> Row:
    """The columns from `path` to `front` of the memory in a file of so many bytes."""
    return (
        memory.path,
        memory.version,
        maybe_clean(memory.id),
        clean(memory.title),
        float(memory.importance),
        packed(memory.tags),
        packed(memory.inline_tags),
        packed(memory.aliases),
        maybe_clean(memory.kind),
        int(memory.pinned),
        maybe_clean(memory.source_agent),
        micros(memory.created),
        micros(memory.updated),
        micros(memory.dated),
        micros(memory.expires),
        wide(size),
        int(memory.conflicted),
        packed(memory.front),
    )


def links(memory: Memory) -> list[Row]:
    """Target, line, kind and label of each of its links."""
    return [(clean(link.target), link.line, clean(link.kind), clean(link.label)) for link in memory.links]


def findings(memory: Memory) -> list[Row]:
    """Line, code, message and advice of each of its faults."""
    return [(one.line, one.code, clean(one.message), clean(one.advice)) for one in memory.findings]


def given_back(memory: Memory, size: int) -> Indexed:
    """What an index that holds the memory gives back of it, without one."""
    return Indexed(
        entry(_NO_NUMBER + said(memory, size)),
        tuple(Link(*row) for row in links(memory)),
        tuple(
            Finding(code, memory.path, line, message, advice)
            for line, code, message, advice in findings(memory)
        ),
    )
