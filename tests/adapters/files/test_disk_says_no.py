"""A full, read-only or failing disk: the reason is told, the old text is whole, nothing is left behind."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.adapters.files.unprivileged import run_unprivileged
from tests.contracts.files_contract import version
from vault_memory.adapters.files.layout import create_layout
from vault_memory.adapters.files.tree import VaultFiles
from vault_memory.errors import StorageError
from vault_memory.model.namespace import VaultPath

OLD = VaultPath("notes/old.md")
NEW = VaultPath("notes/deep/er/new.md")

FAULTS = [
    ("write", errno.ENOSPC, "the disk is full"),
    ("write", errno.EDQUOT, "the disk quota is used up"),
    ("write", errno.EFBIG, "it is larger than files may be here"),
    ("fsync", errno.EIO, "the disk reports an input/output error"),
    ("fsync", errno.ENOSPC, "the disk is full"),
    ("open", errno.EROFS, "the file system is read-only"),
    ("open", errno.EACCES, "permission denied"),
    ("open", errno.ENOSPC, "the disk is full"),
    ("open", errno.EMFILE, "too many open files"),
]


def break_call(monkeypatch: pytest.MonkeyPatch, name: str, number: int) -> None:
    """Make that system call fail for whatever is being written (a write first does the half)."""
    real = getattr(os, name)

    def broken(*args: object, **options: object) -> object:
        if name == "open" and not (isinstance(args[1], int) and args[1] & os.O_CREAT):
            return real(*args, **options)
        if name == "write" and isinstance(args[1], memoryview) and len(args[1]) > 4:
            return real(args[0], args[1][:4])
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, name, broken)


@pytest.fixture
def old(files: VaultFiles, listing: Callable[[], set[str]]) -> bytes:
    files.write(OLD, b"old text", replacing=None)
    assert listing() == {OLD}
    return b"old text"


@pytest.mark.parametrize(
    ("call", "number", "reason"), [*FAULTS, ("replace", errno.ENOSPC, "the disk is full")]
)
def test_a_failed_edit_leaves_the_old_text_whole(
    files: VaultFiles,
    vault: Path,
    old: bytes,
    listing: Callable[[], set[str]],
    call: str,
    number: int,
    reason: str,
) -> None:
    with pytest.MonkeyPatch.context() as patched:
        break_call(patched, call, number)
        with pytest.raises(StorageError, match=reason) as told:
            files.write(OLD, b"new text", replacing=version(old))
    assert told.value.path == OLD
    assert (vault / OLD).read_bytes() == old
    assert listing() == {OLD}
    files.write(OLD, b"new text", replacing=version(old))


@pytest.mark.parametrize(
    ("call", "number", "reason"),
    [*FAULTS, ("link", errno.ENOSPC, "the disk is full"), ("mkdir", errno.EACCES, "permission denied")],
)
def test_a_failed_creation_leaves_no_file_and_no_folder(
    files: VaultFiles,
    vault: Path,
    old: bytes,
    listing: Callable[[], set[str]],
    call: str,
    number: int,
    reason: str,
) -> None:
    with pytest.MonkeyPatch.context() as patched:
        break_call(patched, call, number)
        with pytest.raises(StorageError, match=reason):
            files.write(NEW, b"new text", replacing=None)
    assert not (vault / "notes/deep").exists()
    assert listing() == {OLD}
    files.write(NEW, b"new text", replacing=None)


def test_a_failed_removal_leaves_the_file(
    files: VaultFiles, vault: Path, old: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_call(monkeypatch, "unlink", errno.EROFS)
    with pytest.raises(StorageError, match=r"can't remove notes/old\.md: the file system is read-only"):
        files.remove(OLD, replacing=version(old))
    assert (vault / OLD).read_bytes() == old


def test_a_disk_that_keeps_only_a_part_is_not_believed(
    files: VaultFiles, vault: Path, old: bytes, listing: Callable[[], set[str]]
) -> None:
    real = os.fsync

    def lose_some(fd: int) -> None:
        if stat.S_ISREG(os.fstat(fd).st_mode):
            os.ftruncate(fd, 3)
        real(fd)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "fsync", lose_some)
        with pytest.raises(StorageError):
            files.write(OLD, b"new text", replacing=version(old))
    assert (vault / OLD).read_bytes() == old
    assert listing() == {OLD}


def test_a_name_too_long_for_the_disk_is_told(files: VaultFiles, listing: Callable[[], set[str]]) -> None:
    with pytest.raises(StorageError, match="name is too long"):
        files.write(VaultPath("new-folder/" + "x" * 300 + ".md"), b"x", replacing=None)
    assert listing() == set()
    assert "new-folder" not in {place.name for place in files.root.iterdir()}


def test_a_read_fault_says_read(files: VaultFiles, old: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    break_call(monkeypatch, "read", errno.EIO)
    with pytest.raises(
        StorageError, match=r"can't read notes/old\.md: the disk reports an input/output error"
    ):
        files.read(OLD)


def test_a_folder_that_may_not_be_written_is_told() -> None:
    told = run_unprivileged(
        """
        import hashlib
        put(root, "notes/a.md")
        was = hashlib.sha256(b"text\\n").hexdigest()
        os.chmod(root / "notes", 0o500)
        fails(lambda: files.write("notes/a.md", b"new", replacing=was))
        fails(lambda: files.write("notes/b.md", b"new", replacing=None))
        fails(lambda: files.write("notes/x/b.md", b"new", replacing=None))
        fails(lambda: files.remove("notes/a.md", replacing=was))
        report(sorted(os.listdir(root / "notes")))
        report(os.listdir(root / ".vmem/local/tmp"))
        report((root / "notes/a.md").read_text())
        os.chmod(root / "notes", 0o700)
        """
    )
    assert told == [
        "StorageError: can't write notes/a.md: permission denied",
        "StorageError: can't write notes/b.md: permission denied",
        "StorageError: can't write notes/x/b.md: permission denied",
        "StorageError: can't remove notes/a.md: permission denied",
        ["a.md"],
        [],
        "text\n",
    ]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path | None]:
    """A file system of one megabyte; `None` where we may not mount one (the faults above are injected)."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = os.geteuid() == 0 and not subprocess.call(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(place)], stderr=subprocess.DEVNULL
    )
    yield place if mounted else None
    if mounted:
        subprocess.run(["umount", str(place)], check=True)


def test_a_really_full_disk_keeps_all_it_had(small_disk: Path | None) -> None:
    if small_disk is None:
        pytest.skip("mounting needs root; a full disk is also injected above")
    create_layout(small_disk / "vault", "format = 1\n")
    files = VaultFiles(small_disk / "vault")
    files.write(OLD, b"o" * 5000, replacing=None)
    with (small_disk / "ballast").open("wb", buffering=0) as ballast:
        room = os.statvfs(small_disk)
        assert ballast.write(b"x" * room.f_bavail * room.f_frsize) > 0
    before = sorted(str(place) for place in small_disk.rglob("*"))
    for _ in range(3):
        with pytest.raises(StorageError, match="disk is full"):
            files.write(OLD, b"n" * 9000, replacing=version(b"o" * 5000))
        with pytest.raises(StorageError, match="disk is full"):
            files.write(NEW, b"n" * 9000, replacing=None)
    assert (files.root / OLD).read_bytes() == b"o" * 5000
    assert sorted(str(place) for place in small_disk.rglob("*")) == before
    files.remove(OLD, replacing=version(b"o" * 5000))
    files.write(OLD, b"n" * 4000, replacing=None)
