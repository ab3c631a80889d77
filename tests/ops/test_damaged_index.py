"""A damaged index stops no write: it is built anew, and the write goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from vault_memory.model.namespace import PERSON
from vault_memory.vault import Vault

MANY = 200
WRITES: dict[str, Callable[[Vault], object]] = {
    "remember": lambda vault: vault.person.remember("the ferry is late"),
    "edit": lambda vault: vault.person.edit("note 7 about the ferry", importance=0.9),
    "forget": lambda vault: vault.person.forget("note 7 about the ferry"),
    "log": lambda vault: vault.history.log(PERSON, "note 7 about the ferry"),
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A vault whose index, but for its first pages, is not what it was."""
    folder = Vault.create(tmp_path / "memory").root
    with Vault.open(folder) as vault:
        vault.person.remember_many([f"note {number} about the ferry" for number in range(MANY)])
    index = folder / ".vmem" / "local" / "index.db"
    content = index.read_bytes()
    kept = content[: 4096 * 3]
    index.write_bytes(kept + b"\x55" * (len(content) - len(kept)))
    return folder


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_write_that_meets_the_damage_is_done(root: Path, write: Callable[[Vault], object]) -> None:
    with Vault.open(root) as vault:
        assert write(vault)
        assert len(vault.person.list()) in (MANY - 1, MANY, MANY + 1)
        files = {str(path.relative_to(root)) for path in root.rglob("*.md")}
        assert {entry.path for entry in vault.person.list()} == files
