"""Packing what many commits left: nothing goes, nothing has to be reopened, and who forbids it is heard."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

import pygit2
import pytest

from tests.adapters.git.conftest import Bench, MakeBench
from tests.gitrun import run_git
from vault_memory.adapters.git import cli, gcpid, locate, tidy
from vault_memory.adapters.git.cli import GitProgram, Outcome
from vault_memory.adapters.git.scratch import Scratch


def never() -> bool:
    return False


@pytest.fixture
def bench(tmp_path: Path, bench_at: MakeBench, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """A repository of a few commits and a bound so low that they are many."""
    root = tmp_path / "memory"
    root.mkdir()
    run_git(root, "init", "--quiet", "--initial-branch=main")
    bench = bench_at(root)
    for number in range(4):
        bench.remember(f"shared/note-{number}.md", f"text {number}\n")
    monkeypatch.setattr(tidy, "MOST_LOOSE", 0)
    # Whatever the hashes are: some object lies in the folder that is looked at.
    sample = next(one.name for one in (root / ".git/objects").iterdir() if len(one.name) == 2)
    monkeypatch.setattr(tidy, "SAMPLE", sample)
    return bench


def objects(bench: Bench) -> set[str]:
    """All that are there, reachable or not."""
    form = "--batch-check=%(objectname)"
    return set(bench.git("cat-file", "--batch-all-objects", form).split())


def loose(bench: Bench) -> int:
    return int(bench.git("count-objects").split()[0])


@pytest.mark.parametrize("version", ["2.39.5", "2.31.0"])
def test_all_objects_are_there_when_they_are_packed(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    really = GitProgram.run

    def run(self: GitProgram, *arguments: str, **options: object) -> Outcome:
        if arguments == ("version",):
            return Outcome(0, f"git version {version}\n".encode(), b"")
        return really(self, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(cli.GitProgram, "run", run)
    nobodys = bench.git("hash-object", "-w", "--stdin", stdin="what no commit leads to")
    before = objects(bench)
    opened = pygit2.Repository(str(bench.root))
    held = opened[bench.git("rev-parse", "HEAD")]
    assert bench.history.tidy(never)
    assert objects(bench) == before
    assert nobodys in before
    assert loose(bench) <= 1
    # What is open since before goes on, and finds what was loose when it was opened.
    assert all(name in opened for name in before)
    assert isinstance(held, pygit2.Commit)
    assert [commit.message for commit in opened.walk(held.id)] != []
    bench.remember("shared/after.md", "and on\n")
    assert bench.git("show", "HEAD:shared/after.md") == "and on"
    bench.check_sound()


def test_packs_are_merged_where_there_are_many(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.history.tidy(never)
    packs = bench.root / ".git/objects/pack"
    for number in range(4):
        bench.remember(f"shared/more-{number}.md", f"more {number}\n")
        bench.git("repack", "-d", "-l", "-q")
    before, count = objects(bench), len(list(packs.glob("*.pack")))
    assert count > 3
    monkeypatch.setattr(tidy, "MOST_PACKS", 3)
    assert bench.history.tidy(never)
    assert len(list(packs.glob("*.pack"))) < count
    assert objects(bench) == before


@pytest.mark.parametrize("setting", [("gc.auto", "0"), ("maintenance.auto", "false")])
def test_who_forbids_it_is_heard(bench: Bench, setting: tuple[str, str]) -> None:
    bench.git("config", *setting)
    before = loose(bench)
    assert not bench.history.tidy(never)
    assert loose(bench) == before


def test_where_there_is_little_nothing_is_done(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tidy, "MOST_LOOSE", 10_000)
    assert not bench.history.tidy(never)
    assert loose(bench) > 0


def test_a_gc_of_the_persons_is_not_joined(bench: Bench) -> None:
    (bench.root / ".git/gc.pid").write_text("1 somewhere\n")
    assert not bench.history.tidy(never)


@pytest.mark.parametrize("sign", ["killed", "half a day old"])
def test_a_sign_that_git_would_not_believe_keeps_nobody(bench: Bench, sign: str) -> None:
    place = bench.root / ".git/gc.pid"
    place.write_text("1 somewhere\n")
    if sign == "killed":
        with subprocess.Popen(["true"]) as ended:
            ended.wait()
        place.write_text(f"{ended.pid} {socket.gethostname()}")
    else:
        os.utime(place, (time.time() - 13 * 3600,) * 2)
    assert bench.history.tidy(never)
    assert not place.exists()
    assert loose(bench) <= 1


@pytest.fixture
def slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git that packs only once the file that is given is there."""
    really, go_on = shutil.which("git"), tmp_path / "go on"
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\ncase " $* " in *" repack "*)\n'
        f'  while [ ! -e "{go_on}" ]; do sleep 0.02; done ;;\nesac\nexec {really} "$@"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    return go_on


def test_while_it_packs_no_other_git_does(bench: Bench, slow: Path) -> None:
    signs: list[str] = []

    def stop() -> bool:
        """Asked again and again while git packs."""
        signs.append((bench.root / ".git/gc.pid").read_text())
        refused = subprocess.run(["git", "gc"], cwd=bench.root, capture_output=True, text=True, check=False)
        assert "gc is already running" in refused.stderr
        assert refused.returncode != 0
        assert not bench.history.tidy(never)
        slow.touch()
        return False

    assert bench.history.tidy(stop)
    number, host = signs[0].split()
    # It names the git that packs, which may outlive whoever started it.
    assert (int(number) != os.getpid(), host) == (True, socket.gethostname())
    assert not (bench.root / ".git/gc.pid").exists()
    assert loose(bench) <= 1
    bench.git("gc", "-q")
    bench.check_sound()


def test_a_lock_that_a_killed_one_left_of_the_sign_is_swept(bench: Bench) -> None:
    place = locate.find(bench.root)
    assert place is not None
    scratch = Scratch(place.commondir)
    scratch.open()
    Path(scratch.path(gcpid.FINISHED)).write_text("7 somewhere")
    os.link(scratch.path(gcpid.FINISHED), bench.root / ".git/gc.pid.lock")
    assert not bench_tidies(bench)
    os.close(scratch._owner)  # what a kill does
    bench.history.heal()
    assert not (bench.root / ".git/gc.pid.lock").exists()
    assert bench.history.tidy(never)
    assert loose(bench) <= 1
    bench.check_sound()


def bench_tidies(bench: Bench) -> bool:
    """Whether anything gets packed."""
    before = loose(bench)
    bench.history.tidy(never)
    return loose(bench) < before


def test_asked_to_end_it_leaves_all_as_it_was(bench: Bench) -> None:
    before = objects(bench)
    assert bench.history.tidy(lambda: True)
    assert objects(bench) == before
    assert list((bench.root / ".git/objects/pack").glob("tmp_*")) == []
    bench.check_sound()


def test_without_a_repository_there_is_nothing_to_pack(tmp_path: Path, bench_at: MakeBench) -> None:
    assert not bench_at(tmp_path / "bare").history.tidy(never)


def test_another_git_at_work_is_seen_and_our_own_commit_is_not_one(bench: Bench) -> None:
    long_ago = time.time() - 60
    for name in ("index", "HEAD", "refs/heads/main"):
        os.utime(bench.root / ".git" / name, (long_ago, long_ago))
    assert not bench.history.busy()
    bench.remember("shared/mine.md", "mine\n")
    assert not bench.history.busy()
    lock = bench.root / ".git/index.lock"
    lock.touch()
    assert bench.history.busy()
    lock.unlink()
    assert not bench.history.busy()
    (bench.root / "theirs.txt").write_text("theirs\n")
    bench.git("add", "theirs.txt")
    theirs = bench.root / ".git/index"
    os.utime(theirs)
    assert bench.history.busy()
    os.utime(theirs, (long_ago, long_ago))
    assert not bench.history.busy()
    begun = bench.root / ".git/ORIG_HEAD"
    begun.write_text(bench.git("rev-parse", "HEAD") + "\n")
    assert bench.history.busy()
    os.utime(begun, (long_ago, long_ago))
    assert not bench.history.busy()
    bench.git("switch", "--quiet", "--create", "side")
    os.utime(bench.root / ".git/HEAD")
    assert bench.history.busy()
