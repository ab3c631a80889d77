"""One open vault: used by many threads, closed once or twice, not used after that nor across a fork."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from vault_memory.errors import ClosedError, ConfigError
from vault_memory.model.namespace import PERSON
from vault_memory.vault import Vault

THREADS = 8
EACH = 4

USES: dict[str, Callable[[Vault], object]] = {
    "remember": lambda vault: vault.person.remember("y"),
    "recall": lambda vault: vault.person.recall("x"),
    "edit": lambda vault: vault.person.edit("x", importance=0.1),
    "undo": lambda vault: vault.person.undo(),
    "log": lambda vault: vault.history.log(PERSON),
    "settle": lambda vault: vault.upkeep.settle(),
    "refresh": lambda vault: vault.index.refresh(),
}


def test_eight_threads_share_one_vault_and_nothing_is_lost_or_mixed(root: Path) -> None:
    with Vault.open(root, settings={"refresh_seconds": 0.0}) as vault:

        def work(number: int) -> list[str]:
            agent = vault.agent(f"agent-{number % 3}")
            done: list[str] = []
            for turn in range(EACH):
                text = f"lemur {number} eats leaf {turn}"
                written = agent.remember(text, title="Lemur", importance=0.4)
                assert written.commit
                assert agent.edit(written.path, importance=0.6).commit
                assert agent.show(written.path).memory.body.strip() == text
                assert agent.recall("lemur leaf").hits
                assert agent.search(f"lemur {number}").hits
                assert vault.history.log(agent.scope, written.path)
                done.append(written.path)
            return done

        with ThreadPoolExecutor(THREADS) as pool:
            paths = [path for done in pool.map(work, range(THREADS)) for path in done]
        assert len(set(paths)) == THREADS * EACH
        assert [entry.path for entry in vault.person.list()] == sorted(paths)
        assert len(vault.history.log(PERSON, limit=None)) == 2 * THREADS * EACH
        before = vault.index.dump()
        vault.index.rebuild()
        assert vault.index.dump() == before


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_a_closed_vault_says_so_and_opens_nothing_again(root: Path, use: Callable[[Vault], object]) -> None:
    vault = Vault.open(root)
    vault.person.remember("x")
    vault.close()
    vault.close()
    local = sorted(path.name for path in (root / ".vmem" / "local").iterdir())
    with pytest.raises(ClosedError, match="is closed"):
        use(vault)
    assert sorted(path.name for path in (root / ".vmem" / "local").iterdir()) == local
    assert vault.root == root


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
def test_a_forked_child_is_told_to_open_the_vault_itself(root: Path) -> None:
    with Vault.open(root) as vault:
        vault.person.remember("of the parent")
        child = os.fork()
        if child == 0:
            try:
                vault.person.remember("of the child")
            except ClosedError:
                vault.close()
                os._exit(7)
            finally:
                os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        vault.person.remember("of the parent, later")
        assert len(vault.person.list()) == 2


def test_a_setting_that_is_none_is_refused_by_name(root: Path) -> None:
    with pytest.raises(ConfigError, match="recal_tokens") as refused:
        Vault.open(root, settings={"recal_tokens": 100})
    assert refused.value.hint == "did you mean 'recall_tokens'?"
