"""Links: never out of the vault, never into what is hidden or another's, and never round in circles."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from tests.contracts.files_contract import version
from vault_memory.adapters.files.tree import VaultFiles
from vault_memory.errors import ConflictError, StorageError, UnsafePathError
from vault_memory.model.namespace import Namespace, VaultPath


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    for name in ("secret.md", "two.md", "three.md"):
        (folder / name).write_bytes(b"outside\n")
    return folder


@pytest.fixture
def linked(vault: Path, outside: Path) -> Path:
    """A vault with a link of every kind."""
    (vault / "real.md").write_bytes(b"real\n")
    (vault / "folder").mkdir()
    (vault / "folder/in.md").write_bytes(b"in\n")
    for name, target in {
        "leak.md": outside / "secret.md",
        "sub": outside,
        "loop": Path(),
        "folder/up": Path(".."),
        "gone.md": Path("nothing"),
        "self.md": Path("self.md"),
        "alias.md": Path("real.md"),
        "near": Path("folder"),
    }.items():
        (vault / name).symlink_to(target)
    return vault


def test_links_double_nothing_and_lead_nowhere(files: VaultFiles, linked: Path) -> None:
    scan = files.scan()
    assert [stamp.path for stamp in scan.stamps] == ["folder/in.md", "real.md"]
    assert scan.odd == (
        ("folder/up", "it is a link to a folder"),
        ("leak.md", "it is a link that leaves the vault"),
        ("loop", "it is a link to a folder"),
        ("near", "it is a link to a folder"),
        ("sub", "it is a link to a folder outside the vault"),
    )


@pytest.mark.parametrize("path", ["leak.md", "sub/secret.md", "sub/new.md", "loop/sub/secret.md"])
def test_nothing_outside_is_read_written_or_listed(
    files: VaultFiles, linked: Path, outside: Path, path: str
) -> None:
    before = {place.name: place.read_bytes() for place in outside.iterdir()}
    with pytest.raises(StorageError, match="leaves the vault"):
        files.read(VaultPath(path))
    assert files.stat(VaultPath(path)) is None
    with pytest.raises(StorageError):
        files.write(VaultPath(path), b"x", replacing=version(b"outside\n"))
    with pytest.raises((StorageError, ConflictError)):
        files.write(VaultPath(path), b"x", replacing=None)
    with pytest.raises(StorageError):
        files.remove(VaultPath(path), replacing=version(b"outside\n"))
    with pytest.raises(UnsafePathError):
        files.names_in(Namespace("sub"))
    assert {place.name: place.read_bytes() for place in outside.iterdir()} == before


def test_an_edit_through_a_link_changes_its_target_and_keeps_the_link(
    files: VaultFiles, linked: Path
) -> None:
    found = files.read(VaultPath("alias.md"))
    assert found is not None
    assert (found.stamp.path, found.content) == ("alias.md", b"real\n")
    files.write(VaultPath("alias.md"), b"new\n", replacing=version(b"real\n"))
    assert (linked / "alias.md").readlink() == Path("real.md")
    assert (linked / "real.md").read_bytes() == b"new\n"


def test_an_edit_through_a_linked_folder_stays_in_the_vault(files: VaultFiles, linked: Path) -> None:
    files.write(VaultPath("near/in.md"), b"new\n", replacing=version(b"in\n"))
    files.write(VaultPath("near/more.md"), b"more\n", replacing=None)
    assert (linked / "folder/in.md").read_bytes() == b"new\n"
    assert (linked / "folder/more.md").read_bytes() == b"more\n"
    assert files.names_in(Namespace("near")) == {"in.md", "more.md", "up"}


def test_forgetting_a_link_removes_the_link_alone(files: VaultFiles, linked: Path, outside: Path) -> None:
    files.remove(VaultPath("alias.md"), replacing=version(b"real\n"))
    text = hashlib.sha256(os.fsencode(outside / "secret.md")).hexdigest()
    files.remove(VaultPath("leak.md"), replacing=text)
    files.remove(VaultPath("gone.md"), replacing=version(b"nothing"))
    assert not any((linked / name).is_symlink() for name in ("alias.md", "leak.md", "gone.md"))
    assert (linked / "real.md").read_bytes() == b"real\n"
    assert (outside / "secret.md").read_bytes() == b"outside\n"


def test_a_link_that_leads_to_other_text_now_is_kept(files: VaultFiles, linked: Path) -> None:
    with pytest.raises(ConflictError) as refused:
        files.remove(VaultPath("alias.md"), replacing=version(b"older\n"))
    assert refused.value.found == version(b"real\n")
    assert (linked / "alias.md").is_symlink()


def test_a_dangling_link_reads_as_nothing_and_keeps_its_name(files: VaultFiles, linked: Path) -> None:
    (linked / "dangling.md").symlink_to("missing.md")
    assert files.read(VaultPath("dangling.md")) is None
    assert files.stat(VaultPath("dangling.md")) is None
    with pytest.raises(ConflictError):
        files.write(VaultPath("dangling.md"), b"x", replacing=None)
    assert not (linked / "missing.md").exists()


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        (".vmem/config.toml", "hidden"),
        ("script.sh", "no Markdown"),
        ("private/bob/note.md", "another's private"),
        (".", "leaves the vault"),
    ],
)
def test_a_link_opens_no_door_that_is_closed(
    files: VaultFiles, vault: Path, target: str, reason: str
) -> None:
    (vault / "private/bob").mkdir(parents=True)
    (vault / "private/bob/note.md").write_bytes(b"bob's\n")
    (vault / "script.sh").write_bytes(b"exit\n")
    (vault / "link.md").symlink_to(target)
    with pytest.raises(StorageError, match=reason):
        files.read(VaultPath("link.md"))


def test_a_linked_folder_opens_no_private_folder(files: VaultFiles, vault: Path) -> None:
    (vault / "private/bob").mkdir(parents=True)
    (vault / "private/bob/note.md").write_bytes(b"bob's\n")
    (vault / "shared").symlink_to("private")
    (vault / "private/akashi").symlink_to("bob")
    for path in ("shared/bob/note.md", "private/akashi/note.md"):
        with pytest.raises(StorageError, match="another's private"):
            files.read(VaultPath(path))
    own = files.read(VaultPath("private/bob/note.md"))
    assert own is not None


def test_a_link_put_there_while_we_look_is_not_followed(
    files: VaultFiles, vault: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (vault / "a.md").write_bytes(b"mine\n")
    real = os.open

    def swap_meanwhile(place: bytes, flags: int) -> int:
        (vault / "a.md").unlink()
        (vault / "a.md").symlink_to(outside / "secret.md")
        return real(place, flags)

    monkeypatch.setattr(os, "open", swap_meanwhile)
    with pytest.raises(StorageError, match="became a link"):
        files.read(VaultPath("a.md"))
