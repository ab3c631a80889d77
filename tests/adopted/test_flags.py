"""Flags that cry wolf are not read: on notes that people have kept for years hardly any is raised."""

from __future__ import annotations

from datetime import UTC

from tests.adopted.vaults import Adopted
from vault_memory.model.flags.beside import Held, Others, flags_beside
from vault_memory.model.flags.flag import CONTRADICTION, INSTRUCTIONS, NEAR_DUPLICATE
from vault_memory.model.flags.instructions import found_in
from vault_memory.model.namespace import VaultPath
from vault_memory.model.parse import parse_memory

COPIES = {"dendron-vault": 5}
"""Notes of theirs that are copies of others, looked at by hand."""
AT_MOST = 1
"""Contradictions: of Dendron's two ports for one preview, and of a count of tests on two days."""


def test_notes_that_all_are_new_at_once_raise_few_flags(adopted: Adopted) -> None:
    held = [
        Held(parse_memory(VaultPath(path), content, zone=UTC))
        for path, content in sorted(adopted.notes.items())
    ]
    flags = [one for several in flags_beside(held, Others(nobody, nobody)).values() for one in several]
    assert sum(one.name == NEAR_DUPLICATE for one in flags) == COPIES.get(adopted.name, 0)
    assert sum(one.name == CONTRADICTION for one in flags) <= AT_MOST
    spoken = [INSTRUCTIONS for one in held for _ in found_in(one.memory.body)]
    assert spoken == []


def nobody(_: object) -> tuple[Held, ...]:
    return ()
