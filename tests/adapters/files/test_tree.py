"""Reading and writing notes on a real disk."""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.contracts.files_contract import FilesContract, version
from vault_memory.adapters.files.atomic import write_new
from vault_memory.adapters.files.tree import VaultFiles
from vault_memory.errors import ConflictError, StorageError, VaultUnreadableError
from vault_memory.model.namespace import Namespace, VaultPath

A = VaultPath("notes/a.md")


class TestVaultFiles(FilesContract):
    pass


def test_the_root_is_resolved(vault: Path) -> None:
    (vault.parent / "alias").symlink_to(vault)
    assert VaultFiles(vault.parent / "alias").root == vault.resolve()


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf---\r\nid: k7\r\n---\r\nRotate the key.\r\n",
        b"---\nid: k8\n---",
        "Größe".encode("utf-16"),
        b"Caf\xe9 at noon\rlone CR\x00",
        b"",
    ],
)
def test_bytes_are_kept_whatever_they_are(files: VaultFiles, vault: Path, content: bytes) -> None:
    files.write(A, content, replacing=None)
    assert (vault / A).read_bytes() == content


def test_a_new_file_has_the_mode_that_the_umask_allows(files: VaultFiles, vault: Path) -> None:
    before = os.umask(0o027)
    try:
        files.write(A, b"one", replacing=None)
    finally:
        os.umask(before)
    assert stat.S_IMODE((vault / A).stat().st_mode) == 0o640


def test_a_new_file_may_have_the_mode_of_another_but_its_owner_can_write_to_it(
    files: VaultFiles, vault: Path
) -> None:
    files.write(A, b"one", replacing=None)
    for mode, given in ((0o600, 0o600), (0o440, 0o640)):
        (vault / A).chmod(mode)
        new = VaultPath(f"new/{mode:o}.md")
        files.write(new, b"new", replacing=None, like=VaultPath(A))
        assert stat.S_IMODE((vault / new).stat().st_mode) == given
    files.write(VaultPath("other.md"), b"new", replacing=None, like=VaultPath("gone.md"))
    assert (vault / "other.md").read_bytes() == b"new"


def test_an_edit_keeps_the_mode(files: VaultFiles, vault: Path) -> None:
    files.write(A, b"one", replacing=None)
    (vault / A).chmod(0o600)
    files.write(A, b"two", replacing=version(b"one"))
    assert stat.S_IMODE((vault / A).stat().st_mode) == 0o600


@pytest.mark.skipif(sys.platform != "linux", reason="Python reads extended attributes on Linux only")
def test_an_edit_keeps_extended_attributes(files: VaultFiles, vault: Path) -> None:
    files.write(A, b"one", replacing=None)
    try:
        os.setxattr(vault / A, "user.colour", b"red")
    except OSError as error:
        pytest.skip(f"this disk keeps no extended attributes: {error}")
    files.write(A, b"two", replacing=version(b"one"))
    assert os.getxattr(vault / A, "user.colour") == b"red"


def test_an_edit_gives_the_file_back_to_its_owner_as_far_as_it_may(
    vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fields = list(os.lstat(vault / ".vmem/config.toml"))
    fields[stat.ST_UID], fields[stat.ST_GID] = 12345, 23456
    asked: list[tuple[int, int]] = []

    def only_root_may(fd: int, uid: int, gid: int) -> None:
        asked.append((uid, gid))
        if uid != -1:
            raise PermissionError

    monkeypatch.setattr(os, "fchown", only_root_may)
    write_new(os.fsencode(vault / "b.md"), b"two", like=os.stat_result(fields), folder=os.fsencode(vault))
    assert asked == [(12345, 23456), (-1, 23456)]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away; the attempt is tested above")
def test_root_gives_an_edited_file_back_to_its_owner(files: VaultFiles, vault: Path) -> None:
    files.write(A, b"one", replacing=None)
    os.chown(vault / A, 12345, 23456)
    files.write(A, b"two", replacing=version(b"one"))
    assert ((vault / A).stat().st_uid, (vault / A).stat().st_gid) == (12345, 23456)


def test_a_new_file_belongs_to_the_group_of_a_shared_folder(
    files: VaultFiles, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[int, int]] = []
    (vault / "team").mkdir()
    (vault / "team").chmod(0o2775)
    monkeypatch.setattr(os, "fchown", lambda fd, uid, gid: asked.append((uid, gid)))
    files.write(VaultPath("team/a.md"), b"one", replacing=None)
    files.write(A, b"one", replacing=None)
    assert asked == [(-1, (vault / "team").stat().st_gid)]


def test_a_write_protected_file_is_left_alone(files: VaultFiles, vault: Path) -> None:
    files.write(A, b"one", replacing=None)
    (vault / A).chmod(0o444)
    with pytest.raises(StorageError, match="write-protected"):
        files.write(A, b"two", replacing=version(b"one"))
    with pytest.raises(StorageError, match="write-protected"):
        files.remove(A, replacing=version(b"one"))
    assert (vault / A).read_bytes() == b"one"


def test_bytes_reach_the_disk_before_the_name_does(
    files: VaultFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []

    def watch(name: str) -> None:
        real = getattr(os, name)

        def called(*args: object, **options: object) -> object:
            folder = name == "fsync" and stat.S_ISDIR(os.fstat(args[0]).st_mode)  # type: ignore[arg-type]
            answer = real(*args, **options)
            calls.append("fsync folder" if folder else name)
            return answer

        monkeypatch.setattr(os, name, called)

    files.write(VaultPath("notes/first.md"), b"x", replacing=None)
    for name in ("fsync", "link", "replace", "mkdir"):
        watch(name)
    files.write(A, b"one", replacing=None)
    assert calls == ["fsync", "link", "fsync folder"]
    calls.clear()
    files.write(A, b"two", replacing=version(b"one"))
    assert calls == ["fsync", "replace", "fsync folder"]
    calls.clear()
    files.remove(A, replacing=version(b"two"))
    assert calls == ["fsync folder"]
    calls.clear()
    files.write(VaultPath("x/y/a.md"), b"one", replacing=None)
    assert calls == ["mkdir", "fsync folder", "mkdir", "fsync folder", "fsync", "link", "fsync folder"]


def test_a_change_between_check_and_exchange_is_kept(
    files: VaultFiles, vault: Path, monkeypatch: pytest.MonkeyPatch, listing: Callable[[], set[str]]
) -> None:
    files.write(A, b"one", replacing=None)
    real = os.fsync

    def save_meanwhile(fd: int) -> None:
        (vault / A).write_bytes(b"two")  # same length, and likely within one tick of the clock
        real(fd)

    monkeypatch.setattr(os, "fsync", save_meanwhile)
    with pytest.raises(ConflictError) as refused:
        files.write(A, b"mine", replacing=version(b"one"))
    assert refused.value.found == version(b"two")
    assert (vault / A).read_bytes() == b"two"
    assert listing() == {A}


def test_a_name_taken_between_check_and_link_is_kept(
    files: VaultFiles, vault: Path, monkeypatch: pytest.MonkeyPatch, listing: Callable[[], set[str]]
) -> None:
    real = os.link

    def save_meanwhile(source: bytes, target: bytes) -> None:
        (vault / A).write_bytes(b"theirs")
        real(source, target)

    monkeypatch.setattr(os, "link", save_meanwhile)
    with pytest.raises(ConflictError):
        files.write(A, b"mine", replacing=None)
    assert (vault / A).read_bytes() == b"theirs"
    assert listing() == {A}


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo, lambda place: place.symlink_to("nowhere")])
def test_whatever_has_the_name_is_not_replaced(
    files: VaultFiles, vault: Path, make: Callable[[Path], None]
) -> None:
    (vault / "notes").mkdir()
    make(vault / A)
    with pytest.raises(ConflictError):
        files.write(A, b"mine", replacing=None)
    assert not (vault / A).is_file()


def test_without_hard_links_a_new_file_still_replaces_none(
    files: VaultFiles, vault: Path, monkeypatch: pytest.MonkeyPatch, listing: Callable[[], set[str]]
) -> None:
    def no_links(*args: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(os, "link", no_links)
    files.write(A, b"one", replacing=None)
    with pytest.raises(ConflictError):
        files.write(A, b"two", replacing=None)
    assert (vault / A).read_bytes() == b"one"
    assert listing() == {A}


def test_an_unequal_read_is_repeated_until_the_file_rests(
    files: VaultFiles, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files.write(A, b"half", replacing=None)
    real = os.read
    rounds = 0

    def someone_writes(fd: int, size: int) -> bytes:
        nonlocal rounds
        part = real(fd, size)
        if part and rounds < 2:
            rounds += 1
            (vault / A).write_bytes(b"half" * (rounds + 1))
        return part

    monkeypatch.setattr(os, "read", someone_writes)
    found = files.read(A)
    assert found is not None
    assert found.content == b"half" * 3
    assert found.stamp == files.stat(A)


def test_a_file_that_never_rests_is_told(
    files: VaultFiles, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files.write(A, b"x", replacing=None)
    real = os.read

    def someone_appends(fd: int, size: int) -> bytes:
        with (vault / A).open("ab") as log:
            log.write(b"x")
        return real(fd, size)

    monkeypatch.setattr(os, "read", someone_appends)
    with pytest.raises(StorageError, match="keeps changing"):
        files.read(A)


def test_a_file_above_the_limit_is_told_and_not_read(files: VaultFiles, vault: Path) -> None:
    (vault / "big.md").write_bytes(b"x" * 100_001)
    with pytest.raises(StorageError, match=r"can't read big\.md: its 100,001 bytes are more than the limit"):
        files.read(VaultPath("big.md"))
    assert [stamp.path for stamp in files.scan().stamps] == ["big.md"]


@pytest.mark.timeout(10)
@pytest.mark.parametrize(("make", "kind"), [(os.mkfifo, "pipe"), (os.mkdir, "folder")])
def test_what_is_no_regular_file_is_told_without_waiting(
    files: VaultFiles, vault: Path, make: Callable[[Path], None], kind: str
) -> None:
    make(vault / "odd.md")
    with pytest.raises(StorageError, match=kind):
        files.read(VaultPath("odd.md"))
    with pytest.raises(StorageError, match=kind):
        files.write(VaultPath("odd.md"), b"x", replacing=version(b""))
    with pytest.raises(StorageError, match=kind):
        files.remove(VaultPath("odd.md"), replacing=version(b""))
    assert files.stat(VaultPath("odd.md")) is None


@pytest.mark.parametrize("name", ["caf\udce9.md", "\ud800.md"])
def test_a_name_that_is_not_utf_8_is_refused(files: VaultFiles, name: str) -> None:
    with pytest.raises(StorageError, match="UTF-8"):
        files.write(VaultPath(name), b"x", replacing=None)
    with pytest.raises(StorageError, match="UTF-8"):
        files.read(VaultPath(name))
    assert files.stat(VaultPath(name)) is None


def test_a_file_where_a_folder_should_be_is_told(files: VaultFiles, vault: Path) -> None:
    (vault / "notes").write_bytes(b"a file")
    with pytest.raises(StorageError, match="a file is where a folder should be"):
        files.write(A, b"x", replacing=None)
    assert files.names_in(Namespace("notes")) == frozenset()


def test_a_vault_that_was_moved_away_is_not_made_anew(files: VaultFiles, vault: Path) -> None:
    files.write(A, b"one", replacing=None)
    vault.rename(vault.parent / "moved")
    with pytest.raises(VaultUnreadableError):
        files.write(VaultPath("b.md"), b"x", replacing=None)
    with pytest.raises(ConflictError):
        files.write(A, b"two", replacing=version(b"one"))
    assert not vault.exists()
    vault.mkdir()  # an empty mount point
    with pytest.raises(VaultUnreadableError):
        files.write(VaultPath("b.md"), b"x", replacing=None)
    assert list(vault.iterdir()) == []


def test_reading_does_not_touch_the_file(files: VaultFiles, vault: Path) -> None:
    files.write(A, b"one", replacing=None)
    os.utime(vault / A, ns=(1, 1))
    before = (vault / A).stat()
    time.sleep(0.01)
    files.read(A)
    files.scan()
    after = (vault / A).stat()
    assert (before.st_mtime_ns, before.st_ctime_ns) == (after.st_mtime_ns, after.st_ctime_ns)
