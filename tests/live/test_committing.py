"""Commits that come later: gathered, still one a memory, and none of them lost."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.byhand import vault_by_hand
from tests.crash.witness import broken_objects, pending, strays
from tests.gitrun import Git, put_hook, run_git
from tests.slowhook import SlowHook, until
from vault_memory import compose
from vault_memory.adapters.git import tidy
from vault_memory.errors import SidecarError, UsageError
from vault_memory.live import committing, tidying
from vault_memory.live.committing import Committing
from vault_memory.model.outcome import FOLLOWS
from vault_memory.ops.settle import settle
from vault_memory.vault import Vault

LONG = 60.0
"""Seconds for closing and flushing; enough on any machine."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return vault_by_hand(tmp_path / "memory")


@contextmanager
def kept_open(root: Path, *, seconds: float = 0.05, start: bool = True) -> Iterator[tuple[Vault, Committing]]:
    """A handle that writes, in a process that commits later."""
    opened = compose.open_vault(root, flags={"embedder": "none", "refresh_seconds": 0.0})
    commits = Committing(opened, seconds=seconds)
    opened.held = replace(opened.held, commits=commits)
    if start:
        commits.start()
        commits.flush(LONG)  # so that the first round is over
    with Vault(opened) as vault:
        try:
            yield vault, commits
        finally:
            commits.close(LONG)


def left_waiting(root: Path, count: int) -> list[str]:
    """Memories that were saved by a process which then ended without committing them; their paths."""
    with kept_open(root, start=False) as (vault, _):
        agent = vault.agent("akashi")
        return [str(agent.remember(f"left {number}", title=f"Left {number}").path) for number in range(count)]


def subjects(root: Path, count: int) -> list[str]:
    return run_git(root, "log", "--format=%s", f"-{count}").splitlines()


def test_what_is_saved_is_answered_before_its_commit_and_committed_in_a_moment(root: Path, git: Git) -> None:
    with kept_open(root) as (vault, commits):
        written = [vault.agent("akashi").remember(f"thought {n}", title=f"T{n}") for n in range(7)]
        assert {(one.commit, one.reason) for one in written} == {(None, FOLLOWS)}
        assert vault.person.search("thought").hits
        until(lambda: commits.waiting() == 0)
    # One commit a memory, each of its file alone, in order.
    assert subjects(root, 7) == [f"remember: T{n}" for n in reversed(range(7))]
    assert git(root, "log", "-7", "--format=", "--name-only").split() == [
        one.path for one in reversed(written)
    ]
    assert git(root, "status", "--porcelain") == ""
    assert (pending(root), strays(root), broken_objects(root)) == (0, [], "")


def test_many_that_wait_go_into_one_pack(root: Path, git: Git) -> None:
    before = git(root, "count-objects")
    with kept_open(root, seconds=LONG) as (vault, commits):
        agent = vault.agent("akashi")
        agent.remember_many([{"text": f"thought {n}", "title": f"T{n}"} for n in range(60)])
        assert commits.waiting() == 60
        assert len(commits.flush(LONG).commits) == 60
    assert len(list((root / ".git/objects/pack").glob("*.pack"))) == 1
    assert git(root, "count-objects") == before
    assert git(root, "rev-list", "--count", "HEAD") == "61"
    assert git(root, "status", "--porcelain") == ""


def test_who_wants_the_commit_waits_for_it_and_takes_all_others_along(root: Path, git: Git) -> None:
    with kept_open(root, seconds=LONG) as (vault, commits):
        agent = vault.agent("akashi")
        agent.remember("the first", title="One")
        second = agent.remember("the second", title="Two", wait="commit")
        assert second.commit == git(root, "rev-parse", "HEAD")
        assert commits.waiting() == 0
        [third] = agent.remember_many(["the third"], wait="commit")
        assert third.commit == git(root, "rev-parse", "HEAD")
        # What changes a memory waits for its commit, too.
        assert agent.edit(second.path, importance=0.9).commit == git(root, "rev-parse", "HEAD")
        with pytest.raises(UsageError) as refused:
            agent.remember("x", wait="never")
        assert refused.value.hint == "available: commit, saved"


def test_a_version_that_waits_is_committed_before_the_next_is_written_over_it(root: Path, git: Git) -> None:
    with kept_open(root, seconds=LONG) as (vault, _):
        agent = vault.agent("akashi")
        path = agent.remember("a plan", title="Plan").path
        agent.edit(path, text="a better plan")
        again = agent.remember("a plan", title="Other")
        agent.forget(again.path)
        [undone] = agent.undo()
        assert undone.undid == "forget: Other"
    assert subjects(root, 5) == [
        "undo: forget: Other", "forget: Other", "remember: Other", "edit: Plan", "remember: Plan",
    ]  # fmt: skip


def test_in_a_plain_process_what_is_saved_is_committed(root: Path, git: Git) -> None:
    with Vault.open(root) as vault:
        assert vault.person.remember("a plan", wait="saved").commit == git(root, "rev-parse", "HEAD")


def test_what_a_killed_process_left_is_finished_at_the_start(root: Path, git: Git) -> None:
    command = (
        "import os, sys; from pathlib import Path; from tests.live.test_committing import left_waiting;"
        "left_waiting(Path(sys.argv[1]), 3); os.kill(os.getpid(), 9)"
    )
    here = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-c", command, str(root)], cwd=here, check=False)
    assert pending(root) == 3
    (root / "draft.md").write_text("a draft of mine\n")
    with kept_open(root) as (_, commits):
        until(lambda: commits.waiting() == 0)
    assert subjects(root, 3) == ["remember: Left 2", "remember: Left 1", "remember: Left 0"]
    assert git(root, "status", "--porcelain") == "?? draft.md"


def test_what_another_process_left_in_the_journal_is_committed_along(root: Path) -> None:
    with kept_open(root, seconds=LONG) as (vault, commits):
        left_waiting(root, 2)
        assert commits.waiting() == 2
        vault.agent("mira").remember("mine", title="Mine", wait="commit")
        assert commits.waiting() == 0
    assert subjects(root, 3) == ["remember: Mine", "remember: Left 1", "remember: Left 0"]


def test_during_a_merge_all_waits_and_after_it_nobody_has_to_ask(root: Path, git: Git) -> None:
    merge = root / ".git" / "MERGE_HEAD"
    merge.write_text(git(root, "rev-parse", "HEAD") + "\n", encoding="utf-8")
    head = git(root, "rev-parse", "HEAD")
    with kept_open(root) as (vault, commits):
        written = vault.person.remember("during a merge", wait="commit")
        assert (written.commit, written.reason) == (None, "a merge is under way; finish it or abort it")
        vault.person.remember("and another")
        assert len(commits.flush(LONG).waiting) == commits.waiting() == 2
        assert git(root, "rev-parse", "HEAD") == head
        merge.unlink()
        until(lambda: commits.waiting() == 0)
    assert git(root, "rev-list", "--count", f"{head}..HEAD") == "2"


def test_what_a_hook_refuses_is_tried_again_until_it_takes_it(
    root: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(committing, "FIRST_PAUSE", 0.05)
    hook = put_hook(root / ".git", "pre-commit", "echo 'not on a Monday' >&2; exit 1")
    with kept_open(root) as (vault, commits):
        assert vault.person.remember("a plan", wait="commit").reason == "not on a Monday"
        hook.unlink()
        until(lambda: commits.waiting() == 0)
    assert git(root, "status", "--porcelain") == ""


def test_a_hook_that_runs_for_long_lets_others_save_and_then_takes_them_all(root: Path, git: Git) -> None:
    hook = SlowHook(root)
    with kept_open(root) as (vault, commits):
        agent = vault.agent("akashi")
        agent.remember("the first", title="One")
        hook.wait_for_runs()
        for number in range(5):
            assert agent.remember(f"meanwhile {number}", title=f"M{number}").reason == FOLLOWS
        assert len(agent.search("meanwhile").hits) == 5
        assert commits.flush(0.05).waiting  # it says that they wait, and does not wait itself
        hook.let_go()
        assert commits.flush(LONG).waiting == {}
    assert subjects(root, 6) == [*(f"remember: M{n}" for n in reversed(range(5))), "remember: One"]


def test_closing_commits_what_waits_and_closing_at_once_leaves_it_to_the_next(root: Path) -> None:
    with kept_open(root, seconds=LONG) as (vault, commits):
        vault.person.remember("a plan", title="Plan")
        commits.close(LONG)
        assert commits.waiting() == 0
        # After the end a write commits for itself where it is asked to wait, and else leaves it.
        assert vault.person.remember("another", wait="commit").commit
    with kept_open(root, seconds=LONG) as (vault, commits):
        vault.person.remember("a third", title="Third")
        commits.close(0)
        commits.close(0)
    assert pending(root) == 1
    assert [one.name for one in threading.enumerate() if one.name.startswith("vmem-commits")] == []


def test_an_error_of_the_journal_does_not_end_the_thread(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(committing, "FIRST_PAUSE", 0.05)
    really = settle
    failures = [SidecarError("the journal is away")] * 3

    def sometimes(*arguments: object, **options: object) -> object:
        if failures:
            raise failures.pop()
        return really(*arguments, **options)  # type: ignore[arg-type]

    with kept_open(root, seconds=0) as (vault, commits):
        monkeypatch.setattr(committing, "settle", sometimes)
        vault.person.remember("a plan", title="Plan")
        until(lambda: commits.waiting() == 0)
        assert failures == []


def test_an_old_index_that_a_racing_git_writes_back_is_mended_though_nobody_writes(
    root: Path, git: Git
) -> None:
    with kept_open(root) as (vault, commits):
        shutil.copy2(root / ".git/index", root / ".git/old-index")
        path = vault.person.remember("a plan", title="Plan", wait="commit").path
        (root / ".git/old-index").replace(root / ".git/index")
        assert path not in git(root, "ls-files")
        until(lambda: path in git(root, "ls-files"))
        assert git(root, "status", "--porcelain") == ""
        assert commits.waiting() == 0


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_fault_of_ours_ends_one_round_and_not_the_commits(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = settle
    faults = [ZeroDivisionError()]

    def once(*arguments: object, **options: object) -> object:
        if faults:
            raise faults.pop()
        return really(*arguments, **options)  # type: ignore[arg-type]

    with kept_open(root, seconds=0) as (vault, commits):
        monkeypatch.setattr(committing, "settle", once)
        vault.person.remember("a plan", title="Plan")
        until(lambda: not faults and not commits._alive())
        vault.person.remember("another", title="Other")
        until(lambda: commits.waiting() == 0)


def test_a_lock_of_somebody_elses_is_left_alone_and_outwaited(root: Path, git: Git) -> None:
    lock = root / ".git" / "index.lock"
    lock.write_bytes(b"somebody's")
    with kept_open(root) as (vault, commits):
        refused = vault.person.remember("a plan", title="Plan", wait="commit")
        assert refused.reason is not None
        assert refused.reason.startswith("index.lock is held (since ")
        assert lock.read_bytes() == b"somebody's"
        lock.unlink()
        until(lambda: commits.waiting() == 0)
    assert git(root, "status", "--porcelain") == ""


def test_now_and_then_git_packs_beside_all_else_and_ends_with_the_commits(
    root: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tidying, "FIRST", 0.0)
    monkeypatch.setattr(tidy, "MOST_LOOSE", -1)
    with kept_open(root) as (vault, _):
        vault.person.remember("a plan", title="Plan", wait="commit")
        until(lambda: list((root / ".git/objects/pack").glob("*.pack")), "a pack")
        vault.person.remember("another", title="Other", wait="commit")
    assert broken_objects(root) == ""
    assert git(root, "status", "--porcelain") == ""
    assert [one.name for one in threading.enumerate() if one.name.startswith("vmem-")] == []
