"""The look at every folder: what is a memory, what is odd, what is not ours to open."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.adapters.files.placed import paths, put
from tests.adapters.files.unprivileged import run_unprivileged
from vault_memory.adapters.files.layout import create_layout
from vault_memory.adapters.files.tree import VaultFiles
from vault_memory.errors import VaultUnreadableError

ROOT = Path(__file__).parents[3]


def test_a_stamp_is_what_stat_says(files: VaultFiles, vault: Path) -> None:
    put(vault, "a/b.md")
    (stamp,) = files.scan().stamps
    status = (vault / "a/b.md").stat()
    assert (stamp.size, stamp.mtime_ns, stamp.ctime_ns, stamp.inode) == (
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
        status.st_ino,
    )


def test_only_markdown_is_a_memory(files: VaultFiles, vault: Path) -> None:
    put(vault, "a.md", "b.MD", "c.markdown", "d.txt", "e.md.txt", "md", "f.mdx", "README")
    assert paths(files) == ["a.md", "b.MD", "c.markdown"]


def test_hidden_and_foreign_folders_are_skipped(files: VaultFiles, vault: Path) -> None:
    put(vault, "in.md", ".obsidian/a.md", ".trash/a.md", ".git/a.md", "node_modules/x/a.md", ".hidden.md")
    put(
        vault,
        "deep/node_modules/a.md",
        "nested/.git/a.md",
        "nested/in.md",
        "_templates/in.md",
        "lost+found/a.md",
    )
    assert paths(files) == ["_templates/in.md", "in.md", "nested/in.md"]
    assert files.scan().odd == ()


def test_a_vault_below_hidden_folders_is_read_whole(tmp_path: Path) -> None:
    root = tmp_path / ".vmem" / "node_modules" / ".hidden" / "vault"
    create_layout(root, "format = 1\n")
    put(root, "a.md")
    assert paths(VaultFiles(root)) == ["a.md"]


def test_leftovers_of_editors_are_no_memories(files: VaultFiles, vault: Path) -> None:
    put(
        vault,
        "plan.md",
        "plan.md~",
        ".plan.md.swp",
        ".#plan.md",
        "4913",
        "plan.md.tmp",
        "~$plan.md",
        "x.md.swp",
    )
    put(vault, ".vmem-12-ab-0.tmp", ".vmem/local/tmp/.vmem-12-ab-0.tmp")
    assert paths(files) == ["plan.md"]
    assert files.scan().odd == ()


def test_odd_things_are_named_once_with_the_reason(files: VaultFiles, vault: Path) -> None:
    put(vault, "good.md", "dir.md/inside.md")
    os.mkfifo(vault / "pipe.md")
    with socket.socket(socket.AF_UNIX) as listener:
        here = Path.cwd()
        os.chdir(vault)  # a socket's address must be short
        listener.bind("sock.md")
        os.chdir(here)
    scan = files.scan()
    assert [stamp.path for stamp in scan.stamps] == ["dir.md/inside.md", "good.md"]
    assert scan.odd == (
        ("dir.md", "it is a folder"),
        ("pipe.md", "it is a pipe"),
        ("sock.md", "it is a socket"),
    )


def test_names_that_are_not_utf_8_are_shown_escaped(files: VaultFiles, vault: Path) -> None:
    base = os.fsencode(vault)
    Path(os.fsdecode(base + b"/d\xe9")).mkdir()
    for name in (b"Caf\xe9.md", b"d\xe9/in.md", "Größe.md".encode()):
        Path(os.fsdecode(base + b"/" + name)).write_bytes(b"x")
    scan = files.scan()
    assert [stamp.path for stamp in scan.stamps] == ["Größe.md"]
    assert scan.odd == (
        ("Caf\\xe9.md", "its name is not valid UTF-8"),
        ("d\\xe9", "its name is not valid UTF-8"),
    )


@pytest.mark.parametrize("locale", [{"LC_ALL": "C"}, {"LC_ALL": "C.UTF-8"}, {"LC_ALL": "POSIX"}])
def test_the_locale_does_not_change_what_names_are(vault: Path, locale: dict[str, str]) -> None:
    put(vault, "Größe 🚀.md", "設定.md")
    script = (
        "import sys\nfrom pathlib import Path\n"
        "from vault_memory.adapters.files.tree import VaultFiles\n"
        "files = VaultFiles(Path(sys.argv[1]))\n"
        "stamps = files.scan().stamps\n"
        "assert all(files.read(stamp.path).content == b'text\\n' for stamp in stamps)\n"
        "sys.stdout.write(ascii([stamp.path for stamp in stamps]))\n"
    )
    environment = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", **locale}
    command = [sys.executable, "-c", script, str(vault)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True)
    assert done.stdout.decode() == ascii(["Größe 🚀.md", "設定.md"])


def test_a_root_without_its_configuration_is_an_error(files: VaultFiles, vault: Path) -> None:
    put(vault, "a.md")
    (vault / ".vmem/config.toml").unlink()
    with pytest.raises(VaultUnreadableError, match=r"config\.toml"):
        files.scan()


def test_a_root_that_is_gone_is_an_error(files: VaultFiles, vault: Path) -> None:
    vault.rename(vault.parent / "moved")
    with pytest.raises(VaultUnreadableError):
        files.scan()
    vault.mkdir()  # an empty mount point
    with pytest.raises(VaultUnreadableError):
        files.scan()


def test_a_folder_that_cant_be_listed_is_an_error_and_a_file_is_only_told() -> None:
    told = run_unprivileged(
        """
        put(root, "closed/a.md", "listed/a.md", "good.md", "secret.md")
        os.chmod(root / "secret.md", 0)
        report([stamp.path for stamp in files.scan().stamps])
        fails(lambda: files.read("secret.md"))
        os.chmod(root / "closed", 0)
        fails(files.scan)
        fails(lambda: files.names_in("closed"))
        os.chmod(root / "closed", 0o700)
        os.chmod(root / "listed", 0o400)
        fails(files.scan)
        fails(lambda: files.read("listed/a.md"))
        fails(lambda: files.stat("listed/a.md"))
        os.chmod(root / "listed", 0o700)
        """
    )
    assert told == [
        ["closed/a.md", "good.md", "listed/a.md", "secret.md"],
        "StorageError: can't read secret.md: permission denied",
        "VaultUnreadableError: can't read closed: permission denied",
        "VaultUnreadableError: can't read closed: permission denied",
        "VaultUnreadableError: can't read listed: permission denied",
        "StorageError: can't read listed/a.md: permission denied",
        "StorageError: can't read listed/a.md: permission denied",
    ]


def test_what_vanishes_while_we_look_is_simply_not_there(
    files: VaultFiles, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(vault, "a/one.md", "b/two.md", "c.md")
    real = os.scandir

    def delete_meanwhile(place: bytes) -> object:
        entries = real(place)
        if place == os.fsencode(files.root):
            for name in ("a/one.md", "b/two.md", "c.md"):
                (vault / name).unlink()
            (vault / "a").rmdir()
        return entries

    monkeypatch.setattr(os, "scandir", delete_meanwhile)
    scan = files.scan()
    assert scan.stamps == ()
    assert scan.odd == ()
