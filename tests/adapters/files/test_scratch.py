"""Temporary files: out of everybody's sight, and swept only when their maker is dead."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.contracts.files_contract import version
from tests.gitrun import Git
from vault_memory.adapters.files.scratch import Scratch
from vault_memory.adapters.files.tree import VaultFiles
from vault_memory.model.namespace import VaultPath

A = VaultPath("notes/a.md")


@pytest.fixture
def dead() -> int:
    """The pid of a process that is gone."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


@pytest.fixture
def alive() -> Iterator[int]:
    """The pid of one that is not."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield process.pid
    process.communicate(b"\n")


def test_temporary_files_lie_where_git_does_not_look(vault: Path) -> None:
    scratch = Scratch(os.fsencode(vault))
    names = {scratch.name_for(os.fsencode(vault), beside=False) for _ in range(3)}
    assert len(names) == 3
    start = os.fsencode(vault / ".vmem/local/tmp/.vmem-%d-") % os.getpid()
    assert all(name.startswith(start) for name in names)


def test_on_another_disk_they_lie_beside_the_target_unseen(
    files: VaultFiles, vault: Path, monkeypatch: pytest.MonkeyPatch, listing: Callable[[], set[str]]
) -> None:
    real = os.stat
    seen: list[bytes] = []

    def other_disk(place: bytes, **options: bool) -> os.stat_result:
        found = real(place, **options)
        if not os.fsdecode(place).endswith("/.vmem/local/tmp"):
            return found
        fields = list(found)
        fields[2] = found.st_dev + 1
        return os.stat_result(fields)

    real_replace = os.replace

    def look(source: bytes, target: bytes) -> None:
        seen.append(source)
        assert [stamp.path for stamp in files.scan().stamps] == [A]
        assert files.sweep() == ()  # its maker lives
        real_replace(source, target)

    files.write(A, b"one", replacing=None)
    monkeypatch.setattr(os, "stat", other_disk)
    monkeypatch.setattr(os, "replace", look)
    files.write(A, b"two", replacing=version(b"one"))
    assert [Path(os.fsdecode(place)).parent for place in seen] == [vault / "notes"]
    assert files.sweep() == ()
    assert listing() == {A}


def test_mounts_that_only_look_like_one_disk_are_noticed(
    files: VaultFiles, vault: Path, monkeypatch: pytest.MonkeyPatch, listing: Callable[[], set[str]]
) -> None:
    def guard(name: str) -> None:
        real = getattr(os, name)

        def refuse(source: bytes, target: bytes) -> None:
            if source.rpartition(b"/")[0] != target.rpartition(b"/")[0]:
                raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
            real(source, target)

        monkeypatch.setattr(os, name, refuse)

    guard("link")
    guard("replace")
    files.write(A, b"one", replacing=None)
    files.write(A, b"two", replacing=version(b"one"))
    assert (vault / A).read_bytes() == b"two"
    files.sweep()
    assert listing() == {A}


def test_only_what_the_dead_left_is_swept(
    files: VaultFiles, vault: Path, dead: int, alive: int, listing: Callable[[], set[str]]
) -> None:
    home = vault / ".vmem/local/tmp"
    kept = [f".vmem-{alive}-ab-0.tmp", "other.tmp", f".vmem-{dead}.tmp"]
    for name in [f".vmem-{dead}-ab-0.tmp", *kept]:
        (home / name).write_bytes(b"x")
    assert files.sweep() == (f".vmem/local/tmp/.vmem-{dead}-ab-0.tmp",)
    assert listing() == {f".vmem/local/tmp/{name}" for name in kept}


def test_a_pid_that_came_again_protects_nothing(files: VaultFiles, vault: Path) -> None:
    home = vault / ".vmem/local/tmp"
    left = f".vmem-{os.getpid()}-0badcafe-0.tmp"  # an earlier process had our pid, as in a container
    (home / left).write_bytes(b"x")
    assert files.sweep() == (f".vmem/local/tmp/{left}",)


def test_what_was_left_beside_a_target_is_found_by_its_mark(
    files: VaultFiles, vault: Path, dead: int, alive: int
) -> None:
    (vault / "notes/.git").mkdir(parents=True)
    name = f".vmem-{dead}-ab-0.tmp"
    (vault / "notes" / name).write_bytes(b"x")
    (vault / "notes/.git" / name).write_bytes(b"x")
    assert files.sweep() == ()  # without a mark no folder is opened: that would cost every start
    (vault / ".vmem/local/tmp/beside").write_bytes(b"")
    (vault / f".vmem-{alive}-ab-0.tmp").write_bytes(b"x")
    assert files.sweep() == (f"notes/{name}",)
    assert (vault / ".vmem/local/tmp/beside").exists()  # somebody still writes
    (vault / f".vmem-{alive}-ab-0.tmp").unlink()
    files.sweep()
    assert not (vault / ".vmem/local/tmp/beside").exists()
    assert (vault / "notes/.git" / name).exists()


def test_a_deleted_local_folder_is_made_anew(files: VaultFiles, vault: Path) -> None:
    shutil.rmtree(vault / ".vmem/local")
    files.write(A, b"one", replacing=None)
    assert (vault / A).read_bytes() == b"one"
    assert (vault / ".vmem/local").stat().st_mode & 0o777 == 0o700


def test_git_sees_nothing_but_the_notes(
    files: VaultFiles, vault: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(vault, "init", "--quiet")
    real = os.link
    seen: list[str] = []

    def look(source: bytes, target: bytes) -> None:
        seen.append(git(vault, "status", "--porcelain", "--untracked-files=all"))
        real(source, target)

    monkeypatch.setattr(os, "link", look)
    files.write(A, b"one", replacing=None)
    assert seen == ["?? .vmem/.gitignore\n?? .vmem/config.toml"]
