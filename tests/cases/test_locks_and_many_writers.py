"""Many writers and other people's locks: everyone waits a little, nothing is lost, no lock is taken."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.cases.beside_git import PACKAGE, Desk, new_desk, sound, temporary_files, vmem_environment
from tests.cases.blockers import hook

_WRITER = """
import sys
from pathlib import Path
from tests.cases.beside_git import Desk
desk, name = Desk(Path(sys.argv[1])), sys.argv[2]
for number in range(int(sys.argv[3])):
    text = f"{name} says {number} of them"
    said = desk.vmem("--agent", name, "remember", text, "-n", "all", "--require-commit")
    if said.code:
        sys.exit(said.err)
"""


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = new_desk(tmp_path / "vault")
    desk.json("remember", "The harbour closes at nine", "--title", "Harbour")
    return desk


@pytest.mark.slow
def test_eight_writers_at_once_lose_nothing(desk: Desk) -> None:
    names = [f"writer{number}" for number in range(8)]
    command = [sys.executable, "-c", _WRITER, str(desk.root)]
    running = [
        subprocess.Popen(
            [*command, name, "25"], cwd=PACKAGE, env=vmem_environment({}), stderr=subprocess.PIPE, text=True
        )
        for name in names
    ]
    for one in running:
        _, err = one.communicate()
        assert (one.returncode, err) == (0, "")
    wanted = {f"{name} says {number} of them" for name in names for number in range(25)}
    bodies = [path.read_text().split("\n---\n")[1].strip() for path in (desk.root / "shared").rglob("*.md")]
    assert len(bodies) == 200
    assert set(bodies) == wanted
    subjects = desk.subjects()
    assert len(subjects) == len(set(subjects)) == 201
    assert {subject.removeprefix("remember: ") for subject in subjects} == {*wanted, "Harbour"}
    for name in names:
        assert len(desk.git("log", "--format=%H", f"--author={name} ").splitlines()) == 25
    files = desk.git("log", "--format=", "--name-only").split()
    assert len(files) == len(set(files)) == 201
    assert len(desk.json("list")) == 201
    assert desk.waiting() == []
    assert desk.git("status", "--porcelain", "--", "shared", "notes") == ""
    sound(desk.root)


def test_writers_that_say_the_same_make_one_memory(desk: Desk) -> None:
    command = [
        sys.executable, "-m", "vault_memory", "--vault", str(desk.root), "remember", "Ferries sail north",
    ]  # fmt: skip
    running = [subprocess.Popen(command, env=vmem_environment({}), stdout=subprocess.PIPE) for _ in range(4)]
    said = [one.communicate()[0].decode() for one in running]
    assert [one.returncode for one in running] == [0, 0, 0, 0]
    assert sum("known already" in one for one in said) == 3
    assert len(desk.json("list")) == 2


@pytest.mark.parametrize("lock", ["index.lock", "refs/heads/main.lock", "HEAD.lock"])
def test_a_lock_that_goes_away_is_waited_for(desk: Desk, lock: str) -> None:
    place = desk.root / ".git" / lock
    place.write_bytes(b"")
    going = threading.Timer(3.0, place.unlink)
    going.start()
    said = desk.vmem("remember", "Ferries sail north", "--json")
    going.join()
    assert said.value["committed"] == desk.git("rev-parse", "HEAD")
    assert said.seconds < 6
    sound(desk.root)


@pytest.mark.parametrize("lock", ["index.lock", "refs/heads/main.lock"])
@pytest.mark.parametrize("slow", [False, True], ids=["plain", "hooks"])
def test_a_lock_that_stays_is_left_alone_and_named(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, lock: str, slow: bool
) -> None:
    monkeypatch.setenv("VMEM_LOCK_SECONDS", "0.5")
    if slow:
        hook(desk.root, "pre-commit", "exit 0")
    place = desk.root / ".git" / lock
    place.write_bytes(b"somebody's")
    said = desk.vmem("remember", "Ferries sail north", "--title", "Ferry")
    assert said.code == 0
    assert f"not committed: {Path(lock).name} is held (since " in said.err
    assert said.err.endswith("; if no git is running, delete it\n")
    assert place.read_bytes() == b"somebody's"
    assert desk.recalled("ferries") == ["notes/ferry.md"]
    assert desk.waiting() == ["notes/ferry.md"]
    place.unlink()
    assert desk.json("remember", "Ferries sail south", "--title", "South")["committed"]
    assert desk.subjects("-2") == ["remember: South", "remember: Ferry"]
    assert desk.waiting() == []
    sound(desk.root)


def test_an_old_lock_is_not_waited_for_in_full_by_every_write(desk: Desk) -> None:
    place = desk.root / ".git" / "index.lock"
    place.write_bytes(b"")
    an_hour_ago = time.time() - 3600
    os.utime(place, (an_hour_ago, an_hour_ago))
    for number in range(3):
        said = desk.vmem("remember", f"Ferry {number} sails", "--json")
        assert said.value["reason"].startswith("index.lock is held (since ")
        assert said.seconds < 2
    assert place.exists()


def test_a_writer_killed_before_its_commit_leaves_a_memory_that_waits(desk: Desk) -> None:
    # The hook's parent is git, whose parent is vmem.
    before = hook(
        desk.root, "pre-commit",
        'kill -9 "$(sed -n "s/^PPid:[[:space:]]*//p" "/proc/$PPID/status")"; sleep 0.2; exit 0',
    )  # fmt: skip
    said = desk.process("remember", "Ferries sail north", "--title", "Ferry")
    assert said.code == -signal.SIGKILL
    assert (desk.root / "notes/ferry.md").read_text().endswith("\n---\nFerries sail north\n")
    assert desk.subjects() == ["remember: Harbour"]
    before.unlink()
    assert desk.recalled("ferries") == ["notes/ferry.md"]
    status = desk.json("status")
    assert [(one["path"], one["op"]) for one in status["waiting"]] == [("notes/ferry.md", "remember")]
    assert desk.json("remember", "Ferries sail south", "--title", "South")["committed"]
    assert desk.subjects() == ["remember: South", "remember: Ferry", "remember: Harbour"]
    assert desk.waiting() == []
    assert temporary_files(desk.root) == []
    assert desk.git("status", "--porcelain", "--", "notes") == ""
    sound(desk.root)


def test_another_vmem_that_holds_the_vault_is_waited_for_and_then_named(desk: Desk) -> None:
    with desk.python() as vault, vault._opened.ports.lock.held(wait=1):
        said = desk.process("remember", "Ferries sail north", env={"VMEM_LOCK_SECONDS": "0.3"})
        # Who only reads does not wait for a writer.
        recall = desk.process("recall", "harbour")
    assert said.code == 74
    assert said.err.startswith("vmem: another vmem is writing to this vault (waited 0.3 s for ")
    assert f"it is process {os.getpid()}, " in said.err
    assert desk.names() == ["notes/harbour.md"]
    assert recall.code == 0
    assert "The harbour closes at nine" in recall.out
