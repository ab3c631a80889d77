"""A person's git at the same time: nothing of theirs and nothing of ours is lost."""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.git.conftest import Bench, MakeBench, WallClock
from tests.adapters.git.persons import begin_a_second, write_back
from vault_memory.adapters.git import landing
from vault_memory.adapters.git.gitindex import PreparedIndex
from vault_memory.adapters.git.history import GitHistory
from vault_memory.adapters.git.locks import Lock
from vault_memory.adapters.git.refs import prepare_move


class EarlierClock(WallClock):
    """Five minutes behind, as if what is done now had been done then."""

    def now(self) -> datetime:
        return datetime.now(UTC) - timedelta(minutes=5)

    def now_ns(self) -> int:
        return super().now_ns() - 300 * 10**9


@pytest.mark.parametrize("next_call", ["heal", "commit", "a new process"])
def test_an_entry_that_a_stale_index_dropped_is_put_back(bench: Bench, next_call: str) -> None:
    old = (bench.root / ".git" / "index").read_bytes()
    bench.remember("a.md")
    write_back(bench, old)
    assert bench.git("status", "--porcelain") == "D  a.md\n?? a.md"
    if next_call == "commit":
        bench.remember("b.md")
    elif next_call == "heal":
        bench.history.heal()
    else:
        GitHistory(bench.root, clock=WallClock(), local=bench.root / ".vmem" / "local").heal()
    bench.check_sound()


def test_an_edit_or_removal_that_a_stale_index_undid_is_put_back(bench: Bench) -> None:
    bench.remember("a.md", "one\n")
    bench.remember("b.md", "one\n")
    old = (bench.root / ".git" / "index").read_bytes()
    bench.commit(bench.write("a.md", "two\n"), bench.remove("b.md"))
    write_back(bench, old)
    bench.history.heal()
    bench.check_sound()


def test_a_file_that_a_stale_index_took_from_head_is_committed_again(bench: Bench) -> None:
    old = (bench.root / ".git" / "index").read_bytes()
    intent = bench.write("a.md", "text\n", agent="akashi")
    bench.commit(intent)
    write_back(bench, old)
    (bench.root / "theirs.txt").write_text("x\n")
    bench.git("add", "theirs.txt")
    bench.git("commit", "--quiet", "--message=theirs")
    assert bench.files_in("HEAD") == ["D a.md", "A theirs.txt"]
    bench.history.heal()
    assert bench.files_in("HEAD") == ["A a.md"]
    assert bench.git("show", "--format=%an %s", "-s") == "akashi remember: a.md"
    bench.check_sound()


def test_a_file_taken_out_of_git_on_purpose_stays_out(bench: Bench) -> None:
    late = bench.history
    bench.history = GitHistory(bench.root, clock=EarlierClock(), local=bench.root / ".vmem" / "local")
    bench.remember("a.md")
    bench.remember("b.md")
    bench.history = late
    bench.git("rm", "--quiet", "--cached", "a.md")
    bench.history.heal()
    bench.remember("c.md")
    assert bench.git("status", "--porcelain") == "D  a.md\n?? a.md"
    bench.git("commit", "--quiet", "--message=not in git any more")
    bench.history.heal()
    bench.remember("d.md")
    assert bench.git("status", "--porcelain") == "?? a.md"
    assert bench.git("ls-tree", "HEAD", "a.md") == ""


def test_a_heal_with_nothing_to_heal_does_not_even_load_libgit2(bench: Bench) -> None:
    bench.remember("a.md")
    probe = (
        "import sys; from pathlib import Path; from vault_memory.adapters.git.history import GitHistory;"
        "from tests.adapters.git.conftest import WallClock; import builtins;"
        "was = 'vault_memory.adapters.git.writing' in sys.modules;"
        f"GitHistory(Path({str(bench.root)!r}), clock=WallClock(),"
        f" local=Path({str(bench.root)!r}) / '.vmem' / 'local').heal();"
        "print(was, 'vault_memory.adapters.git.writing' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert run.stdout == "False False\n"


def test_two_vaults_of_one_repository_commit_in_one_process(bench: Bench, bench_at: MakeBench) -> None:
    (bench.root / "one").mkdir()
    (bench.root / "two").mkdir()
    one, two = bench_at(bench.root / "one"), bench_at(bench.root / "two")
    for number in range(4):
        one.remember(f"{number}.md")
        two.remember(f"{number}.md")
        bench.remember(f"{number}.md")
    assert bench.git("rev-list", "--count", "HEAD") == "13"
    bench.check_sound()


def test_a_repository_that_can_not_be_written_lets_memories_wait(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.remember("a.md")
    bench.git("commit", "--quiet", "--allow-empty", "--message=theirs")
    intent = bench.write("b.md", "x\n")

    def refuse(path: str, *_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system", path)

    with monkeypatch.context() as patch:
        patch.setattr(os, "mkdir", refuse)
        bench.history.heal()
        assert "Read-only file system" in bench.commit(intent).waiting[intent.number]
    assert bench.commit(intent).waiting == {}


def test_a_damaged_record_costs_nothing_but_its_help(bench: Bench) -> None:
    bench.remember("a.md")
    (bench.root / ".vmem" / "local" / "git-recent.json").write_text('{"items": [{"path": 1}')
    bench.history.heal()
    bench.remember("b.md")
    bench.check_sound()


def test_a_branch_that_moves_between_is_built_upon(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person commits just before our lock: their commit is our parent, not our victim."""
    real = prepare_move
    turns = iter(range(10))

    def late(*arguments: Any) -> Lock:
        if next(turns) == 0:
            theirs = bench.git("commit-tree", "-p", "HEAD", "-m", "theirs", "HEAD^{tree}")
            bench.git("update-ref", "refs/heads/main", theirs)
        return real(*arguments)

    monkeypatch.setattr(f"{landing.__name__}.prepare_move", late)
    bench.remember("a.md")
    assert bench.git("log", "--format=%s") == "remember: a.md\ntheirs\nfirst"
    bench.check_sound()


def test_what_is_staged_in_the_moment_after_ours_was_put_in_place_stays_staged(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = PreparedIndex.settle

    def later(index: PreparedIndex) -> None:
        monkeypatch.undo()
        (bench.root / "mine.txt").write_text("mine\n")
        bench.git("add", "mine.txt")
        real(index)

    bench.history.commit([bench.write("a.md", "a\n")])
    monkeypatch.setattr(PreparedIndex, "settle", later)
    bench.history.commit([bench.write("b.md", "b\n")])
    bench.history.commit([bench.write("c.md", "c\n")])
    assert bench.git("diff", "--cached", "--name-only") == "mine.txt"


@pytest.mark.slow
def test_a_person_commits_all_the_time_beside_two_writers(bench: Bench) -> None:
    each, writers = 20, 2
    children = [writer(bench, name, each) for name in range(writers)]
    theirs = 0
    while any(os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None for pid in children):
        name = f"person/{theirs}.txt"
        (bench.root / "person").mkdir(exist_ok=True)
        (bench.root / name).write_text("theirs\n")
        patiently(bench, "add", name)
        patiently(bench, "commit", "--quiet", "--message=theirs")
        theirs += 1
    assert [os.waitpid(pid, 0)[1] for pid in children] == [0] * writers
    bench.history.heal()
    found = bench.git("ls-tree", "-r", "--name-only", "HEAD").split("\n")
    wanted = [f"w{name}/{number}.md" for name in range(writers) for number in range(each)]
    assert sorted(set(wanted) - set(found)) == []
    assert sum(path.startswith("person/") for path in found) == theirs > 3
    subjects = bench.git("log", "--format=%s").split("\n")
    assert {f"remember: {path}" for path in wanted} <= set(subjects)
    bench.check_sound()


def writer(bench: Bench, name: int, count: int) -> int:
    """A process that commits memories one by one, one writer at a time as the vault's lock has it."""
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        history = GitHistory(bench.root, clock=WallClock(), local=bench.root / ".vmem" / "local")
        with Path(bench.root / ".vmem" / "lock").open("w") as lock:
            for number in range(count):
                fcntl.flock(lock, fcntl.LOCK_EX)
                intent = bench.write(f"w{name}/{number}.md", f"{name} {number}\n")
                report = history.commit([intent])
                fcntl.flock(lock, fcntl.LOCK_UN)
                assert list(report.commits) == [intent.number], report
        code = 0
    finally:
        os._exit(code)


def patiently(bench: Bench, *arguments: str) -> None:
    """As a person would: where git says that a lock is held, they try again."""
    for _ in range(200):
        run = subprocess.run(["git", *arguments], cwd=bench.root, capture_output=True, text=True, check=False)
        if run.returncode == 0 or "nothing to commit" in run.stdout:
            return
        assert "lock" in run.stderr, run.stderr
    raise AssertionError("the person never got the lock")


@pytest.mark.parametrize("other", ["a.md", "b.md", "theirs.md"])
def test_a_save_of_the_same_length_while_an_index_is_written_stays_visible(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, other: str
) -> None:
    """In the second of its entry, and after we have looked; the index is then of the next second."""
    begin_a_second()
    if other == "a.md":
        assert bench.commit(bench.write("a.md", "acknowledged\n")).waiting == {}
    elif other == "theirs.md":
        (bench.root / other).write_text("acknowledged\n")
        bench.git("add", other)
        bench.git("commit", "--quiet", "--message=theirs")
    write = PreparedIndex.write

    def saved_before(index: PreparedIndex) -> str:
        monkeypatch.setattr(PreparedIndex, "write", write)
        (bench.root / other).write_text("the person's\n")
        begin_a_second()
        return write(index)

    monkeypatch.setattr(PreparedIndex, "write", saved_before)
    assert bench.commit(bench.write("b.md", "acknowledged\n")).waiting == {}
    assert bench.git("status", "--porcelain") == f" M {other}"
    assert bench.commit(bench.write("c.md", "a third\n")).waiting == {}
    assert bench.git("status", "--porcelain") == f" M {other}"
    begin_a_second()
    assert bench.commit(bench.write("d.md", "a fourth\n")).waiting == {}
    assert bench.git("status", "--porcelain") == f" M {other}"
