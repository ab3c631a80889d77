"""An answer shows no text that its file no longer holds, however many files have changed."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from zoneinfo import ZoneInfo

from vault_memory.model.namespace import VaultPath
from vault_memory.ops.fresh import NAMED, answer_fresh
from vault_memory.vault import Vault

MANY = 60


def test_where_all_files_changed_and_nothing_can_be_read_in_the_rounds_are_few(tmp_path: Path) -> None:
    root = Vault.create(tmp_path / "memory").root
    with Vault.open(root) as vault:
        paths = [one.path for one in vault.person.remember_many([f"fact {n}" for n in range(MANY)])]
        last = paths[-1]
        for path in paths[:-1]:
            (root / path).write_text("quite another\n", encoding="utf-8")
        ports = vault._opened.ports
        asked: list[int] = []

        def answer(without: Collection[VaultPath]) -> list[VaultPath]:
            asked.append(len(without))
            return [path for path in paths if path not in without][:2]

        with ports.lock.held(wait=1), Vault.open(root) as other:  # a writer is at work meanwhile
            theirs = other._opened.ports
            # The lock is re-entrant in this thread, but not for the other vault.
            shown, said = answer_fresh(theirs, ZoneInfo("UTC"), answer, lambda given: given)
    assert shown == [last]
    assert len(asked) <= 6
    assert said is not None
    assert said.count(".md") <= NAMED
