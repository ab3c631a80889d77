"""What waits for its commit: put back after a given-up rebase, and never in the way of others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gitrun import Git
from vault_memory.model.namespace import PERSON
from vault_memory.vault import Vault


def test_a_change_that_cant_be_put_back_keeps_waiting_and_stops_nobody(tmp_path: Path, git: Git) -> None:
    root = Vault.create(tmp_path / "memory").root
    with Vault.open(root) as vault:
        agent = vault.agent("akashi")
        plan = agent.remember("sow in March", title="Sowing", namespace="plans", importance=0.5)
        _stop_in_a_rebase(root, git)
        edited = agent.edit(plan.path, importance=0.9)
        assert edited.commit is None
        wanted = (root / plan.path).read_bytes()
        git(root, "rebase", "--abort")
        assert (root / plan.path).read_bytes() != wanted
        (root / plan.path).chmod(0o444)

        assert agent.remember("water in May", namespace="plans").commit
        assert [one.path for one in vault.upkeep.status(PERSON).waiting] == [plan.path]
        assert "write-protected" in "".join(vault.upkeep.settle().waiting.values())

        (root / plan.path).chmod(0o644)
        assert agent.remember("harvest in July", namespace="plans").commit
        assert (root / plan.path).read_bytes() == wanted
        assert vault.upkeep.status(PERSON).waiting == ()
        assert git(root, "show", f"HEAD:{plan.path}").encode() == wanted.rstrip(b"\n")


def _stop_in_a_rebase(root: Path, git: Git) -> None:
    other = root / "other.txt"
    for branch, text in (("side", "theirs"), ("-", "ours")):
        git(root, "checkout", "--quiet", *(("-b", branch) if branch == "side" else (branch,)))
        other.write_text(text, encoding="utf-8")
        git(root, "add", "other.txt")
        git(root, "commit", "--quiet", "--message", text)
    with pytest.raises(AssertionError, match="git rebase"):
        git(root, "rebase", "--quiet", "side")


def test_what_a_person_has_committed_on_the_branch_they_left_stays_there(tmp_path: Path, git: Git) -> None:
    Vault.create(tmp_path)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "-m", "first")
    git(tmp_path, "branch", "theirs")
    lock = tmp_path / ".git/index.lock"
    with Vault.open(tmp_path, settings={"embedder": "none", "lock_seconds": 0.1}) as vault:
        lock.touch()
        written = vault.person.remember("The owl calls", title="Owl")
        assert written.commit is None
        lock.unlink()
        git(tmp_path, "add", "--all")
        git(tmp_path, "commit", "--quiet", "-m", "all that is there")
        git(tmp_path, "switch", "--quiet", "theirs")
        assert vault.person.remember("The newt swims", title="Newt").commit is not None
        assert not (tmp_path / written.path).exists()
        git(tmp_path, "switch", "--quiet", "main")
        assert (tmp_path / written.path).exists()
        assert vault.overview.stats(vault.person.scope).memories == 1
