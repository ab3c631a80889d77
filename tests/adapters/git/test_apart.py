"""Commits made by a process of their own: the same ones, also when that process dies."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.git.conftest import Bench, MakeBench, WallClock
from tests.contracts.journal_contract import OPERATIONS
from tests.gitrun import put_hook
from vault_memory.adapters.git.apart import HistoryApart
from vault_memory.adapters.git.told import heard, heard_report, told, told_report
from vault_memory.config import given as environment
from vault_memory.model.revision import CommitReport, Intent

HOOK = """#!/bin/sh
if [ ! -e "{once}" ]; then
    : > "{once}"
    kill -9 {pid}
fi
"""


@pytest.fixture
def apart(bench: Bench) -> Iterator[Bench]:
    """A bench whose commits another process makes."""
    local = bench.root / ".vmem" / "local"
    history = HistoryApart(bench.root, clock=WallClock(), local=local, lock_wait=1.0, git_timeout=5.0)
    yield Bench(bench.root, history, bench.numbers)
    history.close()


def maker_of(bench: Bench) -> int:
    """The process that makes the commits."""
    assert isinstance(bench.history, HistoryApart)
    maker = bench.history._maker
    assert maker is not None
    assert maker.poll() is None
    return maker.pid


def test_its_commits_are_those_that_this_process_would_make(apart: Bench) -> None:
    one = apart.write("notes/größe.md", "one\n", agent="akashi")
    two = apart.write("notes/two.md", "two\n")
    report = apart.commit(one, two)
    assert report.waiting == report.unversioned == {}
    assert maker_of(apart) != os.getpid()
    assert [apart.files_in(report.commits[each.number]) for each in (one, two)] == [
        ["A notes/größe.md"],
        ["A notes/two.md"],
    ]
    assert apart.git("log", "-1", "--format=%an", report.commits[one.number]) == "akashi"
    assert apart.history.state().head == report.commits[two.number]
    three = apart.write("notes/two.md", "three\n")
    same = maker_of(apart)
    assert set(apart.commit(three).commits) == {three.number}
    assert maker_of(apart) == same
    apart.check_sound()


def test_what_git_says_no_to_is_told(apart: Bench) -> None:
    (apart.root / ".git" / "MERGE_HEAD").write_text("0" * 40 + "\n")
    intent = apart.write("a.md", "text\n")
    assert "merge" in apart.commit(intent).waiting[intent.number]
    (apart.root / ".git" / "MERGE_HEAD").unlink()
    assert set(apart.commit(intent).commits) == {intent.number}


def test_no_process_is_started_for_anything_but_a_commit(apart: Bench) -> None:
    apart.history.heal()
    assert isinstance(apart.history.busy(), bool)
    assert apart.commit() == CommitReport({}, {}, {})
    assert isinstance(apart.history, HistoryApart)
    assert apart.history._maker is None


def test_one_that_died_is_started_again(apart: Bench) -> None:
    apart.remember("a.md")
    first = maker_of(apart)
    os.kill(first, signal.SIGKILL)
    apart.remember("b.md")
    apart.remember("c.md")
    assert maker_of(apart) != first
    apart.check_sound()


def test_a_commit_under_which_it_dies_is_made_here(apart: Bench, tmp_path: Path) -> None:
    apart.remember("a.md")
    hook = apart.root / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(HOOK.format(once=tmp_path / "once", pid=maker_of(apart)))
    hook.chmod(0o755)
    apart.remember("b.md")
    assert (tmp_path / "once").exists()
    assert apart.git("log", "--format=%s").splitlines()[:2] == ["remember: b.md", "remember: a.md"]
    hook.unlink()
    apart.remember("c.md")
    apart.check_sound()


def test_where_it_can_not_be_started_commits_are_made_here(
    apart: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("vault_memory.adapters.git.apart.sys.executable", str(tmp_path / "none"))
    apart.remember("a.md")
    monkeypatch.setattr("vault_memory.adapters.git.apart.sys.executable", "/bin/true")
    apart.remember("b.md")
    apart.check_sound()


def test_closing_ends_it_and_twice_is_no_fault(apart: Bench) -> None:
    apart.remember("a.md")
    pid = maker_of(apart)
    for _ in range(2):
        apart.history.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    apart.remember("b.md")  # a thread that came late
    with pytest.raises(AssertionError):
        maker_of(apart)


def test_it_ends_with_the_process_that_started_it(apart: Bench) -> None:
    apart.remember("a.md")
    assert isinstance(apart.history, HistoryApart)
    maker = apart.history._maker
    assert maker is not None
    assert maker.stdin is not None
    maker.stdin.close()  # what the kernel does for a killed one
    assert maker.wait(30) == 0


def test_ctrl_c_of_a_terminal_does_not_end_it(apart: Bench) -> None:
    apart.remember("a.md")
    pid = maker_of(apart)
    os.kill(pid, signal.SIGINT)
    time.sleep(0.05)
    apart.remember("b.md")
    assert maker_of(apart) == pid


def test_the_callers_environment_goes_with_the_request(apart: Bench, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    put_hook(apart.root / ".git", "post-commit", f'echo "$HOME" >> "{seen}"')
    apart.remember("a.md")
    with environment.as_caller({"HOME": str(tmp_path)}, str(tmp_path)):
        apart.remember("b.md")
        maker_of(apart)
        apart.history.close()
        apart.remember("c.md")
    own, there, here = seen.read_text().splitlines()
    assert own == os.environ["HOME"]
    assert there == here


def test_all_of_an_intent_and_a_report_comes_over(bench_at: MakeBench) -> None:
    @given(st.lists(st.builds(Intent, st.integers(), OPERATIONS, st.none() | st.text(), st.datetimes())))
    def intents(ones: list[Intent]) -> None:
        assert heard(told(ones)) == ones

    @given(st.builds(CommitReport, *[st.dictionaries(st.integers(), st.text())] * 3))
    def reports(one: CommitReport) -> None:
        assert heard_report(told_report(one)) == one

    intents()
    reports()
