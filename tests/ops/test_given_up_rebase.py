"""What was committed while a person's rebase began is not lost with it, where it is given up."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest

from tests.gitrun import run_git
from tests.stand import CountedIds, ToldClock
from vault_memory.adapters.git import traces
from vault_memory.vault import Vault

SLOW = """#!/bin/sh
touch .git/began
while [ ! -e .git/go ]; do sleep 0.02; done
"""
"""A hook that git runs once it has read the branch, and before it leaves it."""


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for a git that runs: as where the system does not tell of it."""
    monkeypatch.setattr(traces, "WHILE_ONE_RUNS", 0.0)


def on_a_branch_of_their_own(root: Path) -> Vault:
    """A vault whose person has begun a branch, and whose main branch has gone on since."""
    Vault.create(root)
    run_git(root, "add", ".")
    run_git(root, "commit", "--quiet", "-m", "first")
    vault = Vault.open(root, settings={"embedder": "none"}, clock=ToldClock(), ids=CountedIds())
    vault.person.remember("The heron stands", title="Heron")
    run_git(root, "checkout", "--quiet", "-b", "mine")
    (root / "mine.txt").write_text("mine\n")
    run_git(root, "add", "mine.txt")
    run_git(root, "commit", "--quiet", "-m", "mine")
    run_git(root, "checkout", "--quiet", "main")
    vault.person.remember("The newt swims", title="Newt")
    run_git(root, "checkout", "--quiet", "mine")
    return vault


def rebase_given_up(vault: Vault, act: str) -> str | None:
    """A rebase that has read the branch when an agent's write is committed to it; git finds that out at the
    end, and the person gives it up. The commit."""
    root = vault.root
    hook = root / ".git/hooks/pre-rebase"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(SLOW)
    hook.chmod(0o755)
    with subprocess.Popen(
        ["git", "rebase", "--quiet", "main"], cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as rebase:
        until = time.monotonic() + 30
        while not (root / ".git/began").exists():
            assert time.monotonic() < until
            time.sleep(0.01)
        written = done(vault, act)
        (root / ".git/go").touch()
        _, said = rebase.communicate(timeout=60)
    assert rebase.returncode != 0, "git finds that the branch has moved"
    assert b"cannot lock ref" in said
    run_git(root, "rebase", "--abort")
    return written


def done(vault: Vault, act: str) -> str | None:
    person, akashi = vault.person, vault.agent("akashi")
    if act == "remember":
        return akashi.remember("The owl calls", title="Owl").commit
    if act == "edit":
        return person.edit("Heron", importance=0.9).commit
    return person.forget("Heron").commit


@pytest.mark.parametrize(
    ("act", "path", "word"),
    [
        ("remember", "private/akashi/owl.md", "The owl calls"),
        ("edit", "notes/heron.md", "importance: 0.9"),
        ("forget", "notes/heron.md", None),
    ],
)
def test_what_went_with_a_rebase_that_was_given_up_is_there_again_with_the_next_write(
    tmp_path: Path, act: str, path: str, word: str | None
) -> None:
    with on_a_branch_of_their_own(tmp_path) as vault:
        commit = rebase_given_up(vault, act)
        assert commit is not None
        file = tmp_path / path

        def stands() -> bool:
            text = file.read_text() if file.exists() else None
            return text is None if word is None else word in (text or "")

        assert not stands(), "git has thrown it away"
        vault.person.remember("The frog leaps", title="Frog")
        assert stands()
        told = run_git(tmp_path, "log", "--format=%an %s", "--", path).splitlines()[0]
        assert told == run_git(tmp_path, "log", "-1", "--format=%an %s", commit)
        assert run_git(tmp_path, "status", "--porcelain") == ""
        vault.person.remember("The toad waits", title="Toad")
        assert len(run_git(tmp_path, "log", "--format=%s", "main..").splitlines()) == 4, "it came back once"


def test_what_a_person_took_back_by_themselves_stays_away(tmp_path: Path) -> None:
    with on_a_branch_of_their_own(tmp_path) as vault:
        done(vault, "remember")
        run_git(tmp_path, "reset", "--quiet", "--hard", "HEAD~1")
        run_git(tmp_path, "rebase", "--quiet", "main")
        vault.person.remember("The frog leaps", title="Frog")
        assert not (tmp_path / "private/akashi/owl.md").exists()


def test_a_rebase_that_began_after_the_write_and_is_given_up_changes_nothing(tmp_path: Path) -> None:
    with on_a_branch_of_their_own(tmp_path) as vault:
        done(vault, "remember")
        with pytest.raises(AssertionError, match="execution failed"):
            run_git(tmp_path, "rebase", "--exec", "false", "main")
        run_git(tmp_path, "rebase", "--abort")
        vault.person.remember("The frog leaps", title="Frog")
        assert len(run_git(tmp_path, "log", "--format=%s", "main..").splitlines()) == 3


def test_it_comes_back_though_the_branch_is_rebased_again_merged_and_deleted(tmp_path: Path) -> None:
    with on_a_branch_of_their_own(tmp_path) as vault:
        assert rebase_given_up(vault, "remember") is not None
        (tmp_path / ".git/hooks/pre-rebase").unlink()
        run_git(tmp_path, "rebase", "--quiet", "main")
        run_git(tmp_path, "switch", "--quiet", "main")
        run_git(tmp_path, "merge", "--quiet", "mine")
        run_git(tmp_path, "branch", "--quiet", "-D", "mine")
        vault.person.remember("The frog leaps", title="Frog")
        assert "The owl calls" in (tmp_path / "private/akashi/owl.md").read_text()
        assert run_git(tmp_path, "status", "--porcelain") == ""
