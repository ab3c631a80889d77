"""A git that has let go of the index's lock may still be between two steps of its command."""

from __future__ import annotations

import itertools
import os
import time
from pathlib import Path

import pytest

from tests.adapters.git.conftest import Bench
from vault_memory.adapters.git import traces
from vault_memory.adapters.git.traces import Traces


def look(bench: Bench) -> None:
    """What `git stash` begins with: it takes the index's lock, and has no need to write the index."""
    lock = bench.root / ".git" / "index.lock"
    lock.touch()
    lock.unlink()


@pytest.fixture
def waits(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tip at each pause of a wait for others to be done."""
    tips: list[str] = []
    pause = time.sleep

    def paused(seconds: float) -> None:
        tips.append(bench.git("rev-parse", "HEAD"))
        pause(seconds)

    monkeypatch.setattr("vault_memory.adapters.git.traces.sleep", paused)
    return tips


def test_no_commit_lands_while_another_git_may_be_between_two_steps(bench: Bench, waits: list[str]) -> None:
    [first] = bench.commit(bench.write("a.md", "one\n")).commits.values()
    waits.clear()
    look(bench)
    [second] = bench.commit(bench.write("b.md", "two\n")).commits.values()
    assert set(waits) == {first}
    assert bench.git("rev-parse", "HEAD") == second


def test_nor_where_it_begins_while_ours_is_prepared(
    bench: Bench, waits: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    [first] = bench.commit(bench.write("a.md", "one\n")).commits.values()
    waits.clear()
    real = traces.Traces.are_there
    looks: list[None] = []

    def looked(self: Traces) -> bool:
        if self.own is not None and not looks:
            os.utime(bench.root / ".git", ns=(self.own, self.own + 5_000_000))
        looks.append(None)
        return real(self)

    monkeypatch.setattr(Traces, "are_there", looked)
    [second] = bench.commit(bench.write("b.md", "two\n")).commits.values()
    assert len(looks) == 1
    assert set(waits) == {first}
    assert bench.git("rev-parse", "HEAD") == second


def test_our_own_doing_is_waited_for_by_nobody(bench: Bench, waits: list[str]) -> None:
    bench.commit(bench.write("a.md", "after the person's\n"))
    waits.clear()
    for number in range(3):
        assert bench.commit(bench.write(f"{number}.md", "text\n")).commits
    assert waits == []


def test_the_wait_for_one_who_never_rests_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = Traces(str(tmp_path), None, lambda: False)
    times = itertools.count(1_000_000_000, 1_000_000)
    monkeypatch.setattr(
        "vault_memory.adapters.git.traces.sleep",
        lambda _: os.utime(tmp_path, ns=(0, next(times))),
    )
    began = time.monotonic()
    told.wait()
    assert time.monotonic() - began >= traces.LONGEST
    assert not told.are_there(), "and in one batch it is waited for once"
