"""What was committed while a person's merge was at work is not taken away by it, where it finds no way."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.gitrun import run_git
from tests.stand import CountedIds, ToldClock
from vault_memory.adapters.clock import SystemClock
from vault_memory.adapters.git import traces
from vault_memory.live.handle import LiveVault
from vault_memory.vault import Vault

SLOW = """#!/bin/sh
touch .git/began
while [ ! -e .git/go ]; do sleep 0.02; done
exit 2
"""
"""A strategy that comes to no end; git asks it once it has read HEAD and its index."""
TEXTS = {"owl": "The owl calls", "newt": "The newt swims", "heron": "The heron stands"}


def two_branches(root: Path) -> None:
    """A vault in a repository whose branch `side` has gone its own way."""
    Vault.create(root)
    run_git(root, "add", ".")
    run_git(root, "commit", "--quiet", "-m", "first")
    run_git(root, "checkout", "--quiet", "-b", "side")
    (root / "side.txt").write_text("side\n")
    run_git(root, "add", "side.txt")
    run_git(root, "commit", "--quiet", "-m", "side")
    run_git(root, "checkout", "--quiet", "main")
    (root / "main.txt").write_text("main\n")
    run_git(root, "add", "main.txt")
    run_git(root, "commit", "--quiet", "-m", "main")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for a git that runs: as where the system does not tell of it."""
    monkeypatch.setattr(traces, "WHILE_ONE_RUNS", 0.0)


@contextmanager
def merge_that_finds_no_way(root: Path, tools: Path) -> Iterator[None]:
    """What is done in the block is done while it is at work."""
    tools.mkdir()
    (tools / "git-merge-slow").write_text(SLOW)
    (tools / "git-merge-slow").chmod(0o755)
    merge = subprocess.Popen(
        ["git", "merge", "--quiet", "--strategy=slow", "--strategy=slow", "--no-edit", "side"],
        cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"},
    )  # fmt: skip
    with merge:
        until = time.monotonic() + 30
        while not (root / ".git/began").exists():
            assert time.monotonic() < until
            time.sleep(0.01)
        yield
        (root / ".git/go").touch()
        said, _ = merge.communicate(timeout=60)
    assert merge.returncode != 0
    assert b"No merge strategy handled the merge" in said


def test_nothing_is_committed_while_a_merge_is_at_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "vault"
    two_branches(root)
    heads: list[str] = []
    monkeypatch.setattr(traces, "WHILE_ONE_RUNS", 30.0)

    def paused(seconds: float) -> None:
        heads.append(run_git(root, "rev-parse", "HEAD"))
        (root / ".git/go").touch()
        time.sleep(seconds)

    monkeypatch.setattr(traces, "sleep", paused)
    with Vault.open(root, settings={"embedder": "none"}, clock=SystemClock()) as vault:
        before = run_git(root, "rev-parse", "HEAD")
        with merge_that_finds_no_way(root, tmp_path / "bin"):
            commit = vault.agent("akashi").remember(TEXTS["owl"], title="Owl").commit
        assert heads[0] == before
        assert commit == run_git(root, "rev-parse", "HEAD")
        assert in_place(root) == {"owl"}
        assert run_git(root, "status", "--porcelain") == ""


def in_place(root: Path) -> set[str]:
    """Which of the texts stand in files."""
    text = "".join(file.read_text() for file in root.rglob("*.md"))
    return {name for name, words in TEXTS.items() if words in text}


@pytest.mark.parametrize("staged", [False, True], ids=["nothing staged", "something staged"])
@pytest.mark.usefixtures("impatient")
def test_what_a_merge_took_away_is_there_again_with_the_next_write(tmp_path: Path, *, staged: bool) -> None:
    root = tmp_path / "vault"
    two_branches(root)
    with Vault.open(root, settings={"embedder": "none"}, clock=SystemClock()) as vault:
        vault.person.remember(TEXTS["newt"], title="Newt")
        vault.person.remember(TEXTS["heron"], title="Heron")
        if staged:
            (root / "mine.txt").write_text("mine\n")
            run_git(root, "add", "mine.txt")  # git leaves this in a stash that nobody finds
        with merge_that_finds_no_way(root, tmp_path / "bin"):
            vault.agent("akashi").remember(TEXTS["owl"], title="Owl")
            vault.person.edit("Heron", importance=0.9)
            if not staged:
                vault.person.forget("Newt")
        assert in_place(root) == {"newt", "heron"}, "git has set them back"
        vault.person.remember("The frog leaps", title="Frog")
        assert in_place(root) == ({"owl", "newt", "heron"} if staged else {"owl", "heron"})
        assert "importance: 0.9" in (root / "notes/heron.md").read_text()
        assert run_git(root, "status", "--porcelain") == ""
        assert len(run_git(root, "log", "--format=%s", "--", "private").splitlines()) == 1


@pytest.mark.usefixtures("impatient")
def test_a_vault_that_is_kept_open_puts_it_back_by_itself(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    two_branches(root)
    with LiveVault(root) as live:
        with merge_that_finds_no_way(root, tmp_path / "bin"), live.writing() as vault:
            vault.agent("akashi").remember(TEXTS["owl"], title="Owl", wait="commit")
        until = time.monotonic() + 30
        while in_place(root) != {"owl"} or run_git(root, "status", "--porcelain"):
            assert time.monotonic() < until
            time.sleep(0.02)


@pytest.mark.parametrize("at_once", [True, False])
def test_what_a_person_deletes_stays_away(tmp_path: Path, *, at_once: bool) -> None:
    two_branches(tmp_path)
    with Vault.open(tmp_path, settings={"embedder": "none"}, clock=ToldClock(), ids=CountedIds()) as vault:
        path = vault.agent("akashi").remember(TEXTS["owl"], title="Owl").path
        (tmp_path / path).unlink()
        if not at_once:
            (tmp_path / "theirs.txt").write_text("theirs\n")
            run_git(tmp_path, "add", "theirs.txt")  # the index is written anew
        vault.person.remember("The frog leaps", title="Frog")
        assert in_place(tmp_path) == set()
