"""Committing now what waits: what an agent is told of it, and what a person is."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.byhand import vault_by_hand
from tests.gitrun import Git
from tests.slowhook import SlowHook
from vault_memory.errors import LockedError
from vault_memory.model.namespace import PERSON, Scope
from vault_memory.vault import Vault

MIRA = Scope("mira")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return vault_by_hand(tmp_path / "memory")


@pytest.fixture
def vault(root: Path) -> Iterator[Vault]:
    with Vault.open(root, settings={"refresh_seconds": 0.0, "lock_seconds": 0.3}) as opened:
        yield opened


def test_an_agent_is_told_of_what_it_may_read_and_all_is_committed(
    vault: Vault, root: Path, git: Git
) -> None:
    merge = root / ".git" / "MERGE_HEAD"
    merge.write_text(git(root, "rev-parse", "HEAD") + "\n", encoding="utf-8")
    vault.agent("akashi").remember("mine alone", title="Hidden")
    shared = vault.agent("akashi").remember("for all", title="Shared", namespace="ops")
    told = vault.upkeep.flush(MIRA)
    assert (told.committed, [one.path for one in told.waiting]) == (0, [shared.path])
    assert {one.reason for one in told.waiting} == {"a merge is under way; finish it or abort it"}
    assert len(vault.upkeep.flush(PERSON).waiting) == 2
    merge.unlink()
    assert (vault.upkeep.flush(MIRA).committed, vault.upkeep.flush(PERSON).committed) == (1, 0)
    assert git(root, "rev-list", "--count", "HEAD") == "3"
    assert git(root, "status", "--porcelain") == ""


def test_a_hook_of_another_that_takes_long_is_said_and_nothing_is_lost(
    vault: Vault, root: Path, git: Git
) -> None:
    hook = SlowHook(root)
    with Vault.open(root) as other, ThreadPoolExecutor() as pool:
        slow = pool.submit(other.person.remember, "slow", title="Slow")
        hook.wait_for_runs()
        with pytest.raises(LockedError, match=r"waited 0\.3 s"):
            vault.upkeep.flush(PERSON)
        hook.let_go()
        assert slow.result().commit == git(root, "rev-parse", "HEAD")
