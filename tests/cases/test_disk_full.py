"""A full disk or a kill in mid-write: what was there is whole, what was promised is kept, and it is said."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cases.beside_git import PACKAGE, Answer, Desk, new_desk, sound, temporary_files, vmem_environment
from vault_memory.vault import Vault

TEXT = "The harbour closes at nine. " * 100


@dataclass(slots=True)
class Disk:
    """A small file system. `fill` leaves so many bytes of it, `free` gives all back."""

    place: Path

    def fill(self, *, leave: int = 0) -> None:
        self.free()
        room = os.statvfs(self.place)
        size = room.f_bavail * room.f_frsize - leave
        with (self.place / "ballast").open("wb", buffering=0) as ballast:
            while size > 0:
                size -= ballast.write(b"x" * min(size, 1 << 16))

    def free(self) -> None:
        (self.place / "ballast").unlink(missing_ok=True)


def mounted(place: Path, size: str) -> Iterator[Disk]:
    place.mkdir(parents=True, exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(place)]
    if os.geteuid() != 0 or subprocess.call(mount, stderr=subprocess.DEVNULL):
        pytest.skip("mounting needs root; tests of the files' own adapter inject a full disk everywhere")
    try:
        yield Disk(place)
    finally:
        subprocess.run(["umount", str(place)], check=True)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    yield from mounted(tmp_path / "disk", "5m")


@pytest.fixture
def desk(disk: Disk) -> Desk:
    """A vault on the small disk, with one memory of three kilobytes."""
    desk = new_desk(disk.place / "vault")
    desk.json("remember", TEXT, "--title", "Harbour")
    return desk


def check_refused(said: Answer) -> None:
    assert said.code == 74
    assert said.out == ""
    assert "the disk is full" in said.err
    assert said.err.startswith("vmem: can't ")
    assert "Traceback" not in said.err


def test_a_full_disk_refuses_writes_and_keeps_what_it_had(desk: Desk, disk: Disk) -> None:
    file = desk.root / "notes/harbour.md"
    before, names, head = file.read_bytes(), desk.names(), desk.git("rev-parse", "HEAD")
    disk.fill()
    check_refused(desk.vmem("edit", "Harbour", "--text", "short"))
    check_refused(desk.vmem("edit", "Harbour", "--importance", "0.9"))
    check_refused(desk.vmem("remember", "Ferries sail north"))
    check_refused(desk.vmem("remember", "Ferries sail north", "-n", "a/new/folder"))
    check_refused(desk.vmem("forget", "Harbour"))
    assert file.read_bytes() == before
    assert desk.names() == names
    assert temporary_files(desk.root) == []
    assert not (desk.root / "shared").exists()
    said = desk.vmem("recall", "harbour", "--max-tokens", "4000")
    assert said.code == 0
    assert "The harbour closes at nine" in said.out

    disk.free()
    assert desk.git("rev-parse", "HEAD") == head
    assert desk.waiting() == []
    assert desk.json("edit", "Harbour", "--importance", "0.9")["committed"]
    assert desk.json("remember", "Ferries sail north")["committed"]
    assert desk.subjects() == ["remember: Ferries sail north", "edit: Harbour", "remember: Harbour"]
    assert temporary_files(desk.root) == []
    sound(desk.root)


def test_a_reindex_on_a_full_disk_ends_with_an_error_or_a_whole_index(desk: Desk, disk: Disk) -> None:
    disk.fill()
    said = desk.vmem("reindex")
    assert said.code == 74
    assert "the disk is full" in said.err
    # What was found before is found still, and said to be behind if it is.
    said = desk.vmem("search", "harbour", "--json")
    assert said.code == 0
    assert [hit["path"] for hit in said.value["hits"]] == ["notes/harbour.md"] or said.value["notices"]
    for place in (desk.root / ".vmem" / "local").glob("index.db*"):
        place.unlink()
    said = desk.vmem("search", "harbour", "--json")
    assert [hit["path"] for hit in said.value["hits"]] == ["notes/harbour.md"]
    assert any("the disk is full" in notice for notice in said.value["notices"])
    disk.free()
    assert desk.vmem("reindex").code == 0
    assert desk.recalled("harbour") == ["notes/harbour.md"]
    assert desk.json("search", "harbour")["notices"] == []


LEVELS = (0, 16, *range(32, 400, 16), *range(400, 1000, 100))
"""Kilobytes left: the disk runs full in the journal, the file, the index, or at some step of git's."""


def test_wherever_the_disk_runs_full_a_write_is_whole_or_refused(desk: Desk, disk: Disk) -> None:
    refused = waiting = committed = 0
    for number, level in enumerate(LEVELS):
        names = desk.names()
        before = (desk.root / "notes/harbour.md").read_bytes()
        disk.fill(leave=level * 1024)
        text = f"note {number}: " + "".join(random.Random(number).choices("abcdefgh ", k=6000))
        said = desk.vmem("remember", text, "--title", f"Note {number}", "--json")
        edited = desk.vmem("edit", "Harbour", "--set", f"level={level}", "--json")
        disk.free()
        for one, path in ((said, f"notes/note-{number}.md"), (edited, "notes/harbour.md")):
            file = desk.root / path
            if one.code:
                refused += 1
                assert one.code == 74, one.err
                assert "full" in one.error["message"]
                if one is said:
                    assert desk.names() == names
                else:
                    assert file.read_bytes() == before
            else:
                assert one.value["path"] == path
                assert (text if one is said else f'level: "{level}"') in file.read_text()
                committed += one.value["committed"] is not None
                waiting += one.value["committed"] is None
        assert temporary_files(desk.root) == []
        desk.git("fsck", "--strict", "--no-dangling")
    assert min(refused, waiting, committed) > 0
    assert desk.json("remember", "there is room again")["committed"]
    assert desk.waiting() == []
    assert desk.git("status", "--porcelain", "--", "notes") == ""
    with Vault.open(desk.root) as vault:
        vault.index.refresh()
        followed = vault.index.dump()
        vault.index.rebuild()
        assert vault.index.dump() == followed
    sound(desk.root)


@pytest.fixture
def local_disk(tmp_path: Path) -> Iterator[Disk]:
    """A small disk mounted at `.vmem/local`, the vault around it on a large one."""
    desk = new_desk(tmp_path / "vault")
    yield from mounted(desk.root / ".vmem" / "local", "2m")


def test_an_index_on_a_full_disk_of_its_own_can_be_thrown_away(local_disk: Disk) -> None:
    desk = Desk(local_disk.place.parents[1])
    desk.json("remember", TEXT, "--title", "Harbour")
    local_disk.fill()
    (desk.root / "notes/tides.md").write_text("High water at six, by hand.\n" * 500)
    said = desk.vmem("search", "harbour", "--json")
    assert said.code == 0
    assert [hit["path"] for hit in said.value["hits"]] == ["notes/harbour.md"]
    assert any("the disk is full" in notice for notice in said.value["notices"])
    # Without a journal nothing may be promised, so nothing is written.
    check_refused(desk.vmem("remember", "Ferries sail north"))
    assert desk.names() == ["notes/harbour.md", "notes/tides.md"]
    for place in local_disk.place.iterdir():
        if place.is_file():
            place.unlink()
    assert sorted(desk.recalled("harbour water")) == ["notes/harbour.md", "notes/tides.md"]
    assert desk.json("remember", "Ferries sail north")["committed"]
    sound(desk.root)


def test_the_local_folder_may_be_a_link_to_another_disk(tmp_path: Path) -> None:
    desk = new_desk(tmp_path / "vault")
    local = desk.root / ".vmem" / "local"
    local.rename(tmp_path / "elsewhere")
    local.symlink_to(tmp_path / "elsewhere")
    assert desk.json("remember", "Ferries sail north", "--title", "Ferry")["committed"]
    assert desk.json("edit", "Ferry", "--importance", "0.9")["committed"]
    assert desk.recalled("ferries") == ["notes/ferry.md"]
    assert local.is_symlink()
    assert (tmp_path / "elsewhere" / "index.db").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away; the mode is tested below")
def test_an_edit_keeps_owner_and_group(tmp_path: Path) -> None:
    desk = new_desk(tmp_path / "vault")
    desk.json("remember", "Ferries sail north", "--title", "Ferry")
    file = desk.root / "notes/ferry.md"
    os.chown(file, 1234, 4321)
    desk.json("edit", "Ferry", "--importance", "0.9")
    assert (file.stat().st_uid, file.stat().st_gid) == (1234, 4321)


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o664, 0o755])
def test_an_edit_keeps_the_mode(tmp_path: Path, mode: int) -> None:
    desk = new_desk(tmp_path / "vault")
    desk.json("remember", "Ferries sail north", "--title", "Ferry")
    file = desk.root / "notes/ferry.md"
    file.chmod(mode)
    assert desk.json("edit", "Ferry", "--importance", "0.9")["committed"]
    assert file.stat().st_mode & 0o7777 == mode
    assert desk.git("status", "--porcelain", "--", "notes") == ""


_UPDATES = """
import sys
from pathlib import Path
from vault_memory.vault import Vault
with Vault.open(sys.argv[1]) as vault:
    for number in range(int(sys.argv[2]), 10_000):
        written = vault.agent("akashi").edit("Harbour", text=f"update {number} " + "x" * 3000)
        assert written.commit, written.reason
        sys.stdout.write(f"{number}\\n")
        sys.stdout.flush()
"""


@pytest.mark.slow
def test_kills_at_any_moment_leave_every_file_old_or_new(tmp_path: Path) -> None:
    desk = new_desk(tmp_path / "vault")
    desk.json("--agent", "akashi", "remember", "update 0 " + "x" * 3000, "--title", "Harbour")
    chance = random.Random(7)
    last = 0
    for _ in range(15):
        writer = subprocess.Popen(
            [sys.executable, "-c", _UPDATES, str(desk.root), str(last + 1)],
            cwd=PACKAGE, env=vmem_environment({}), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert writer.stdout is not None
        assert writer.stderr is not None
        first = "".join(writer.stdout.readline() for _ in range(chance.randint(1, 12)))
        time.sleep(chance.uniform(0.0, 0.03))  # into the next one
        writer.send_signal(signal.SIGKILL)
        rest, err = writer.communicate()
        assert first, err
        told = [int(line) for line in (first + rest).splitlines() if line.strip()]
        last = max(last, *told)
        body = (desk.root / "private/akashi/harbour.md").read_text().rpartition("\n---\n")[2]
        word, number, filling = body.split()
        assert (word, filling) == ("update", "x" * 3000)
        assert last <= int(number) <= last + 1
        last = int(number)
    assert desk.json("remember", "after the kills")["committed"]
    assert desk.waiting() == []
    assert desk.git("status", "--porcelain", "--", "private", "notes") == ""
    numbers = [
        int(desk.git("show", f"{commit}:private/akashi/harbour.md").split("update ")[1].split()[0])
        for commit in desk.git("log", "--format=%H", "--", "private").splitlines()
    ]
    assert numbers == sorted(set(numbers), reverse=True)
    assert set(range(last)) <= {*numbers, last}
    assert temporary_files(desk.root) == []
    assert desk.recalled(f"update {last}") != []
    sound(desk.root)
