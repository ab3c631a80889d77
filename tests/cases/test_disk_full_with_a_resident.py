"""A disk that runs full under a resident: said to whoever asks, nothing half written, all goes on."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cases.beside_git import Desk, new_desk, sound, temporary_files
from tests.cases.residents import Kept, kept_open, runtime_folder, wait_until
from tests.cases.test_disk_full import TEXT, Disk, mounted
from vault_memory.vault import Vault

LEVELS = (0, 8, 24, 40, 64, 96, 160, 256, 400)
"""Kilobytes left: the disk runs full in the journal, the file, the index, or at some step of git's."""


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    yield from mounted(tmp_path / "disk", "6m")


@pytest.fixture
def small(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kept]:
    """A vault on the small disk with one memory, whose resident runs; git never packs of itself."""
    with runtime_folder(monkeypatch), kept_open(new_desk(disk.place / "vault")) as kept:
        kept.desk.git("config", "gc.auto", "0")
        kept.start()
        kept.value("remember", text=TEXT, title="Harbour")
        kept.flush()
        try:
            yield kept
        finally:
            disk.free()


def check_refused(answer: dict[str, object]) -> None:
    error = answer["error"]
    assert isinstance(error, dict)
    assert error["exit_code"] == 74
    assert "the disk is full" in str(error["message"])


def test_a_full_disk_refuses_every_write_and_answers_every_question(small: Kept, disk: Disk) -> None:
    file = small.root / "notes/harbour.md"
    before, names, head = file.read_bytes(), small.desk.names(), small.desk.git("rev-parse", "HEAD")
    pid = small.pid()
    disk.fill()
    check_refused(small.call("remember", text="Ferries sail north"))
    check_refused(small.call("remember", text="Ferries sail north", namespace="a/new/folder"))
    check_refused(small.call("edit", ref="Harbour", text="short"))
    check_refused(small.call("edit", ref="Harbour", importance=0.9))
    check_refused(small.call("forget", ref="Harbour"))
    for argv in (
        ("remember", "Ferries sail north"),
        ("edit", "Harbour", "--importance", "0.9"),
        ("reindex",),
    ):
        said = small.vmem(*argv)
        assert (said.code, said.out) == (74, "")
        assert said.err.startswith("vmem: ")
        assert "the disk is full" in said.err
    assert (file.read_bytes(), small.desk.names()) == (before, names)
    assert temporary_files(small.root) == []
    assert small.found("harbour") == ["notes/harbour.md"]
    said = small.vmem("recall", "harbour", "--max-tokens", "4000")
    assert (said.code, "The harbour closes at nine" in said.out) == (0, True)

    disk.free()
    assert small.desk.git("rev-parse", "HEAD") == head
    assert small.value("edit", ref="Harbour", importance=0.9)["path"] == "notes/harbour.md"
    assert small.value("remember", text="Ferries sail north", title="Ferries")["path"] == "notes/ferries.md"
    small.flush()
    assert small.desk.subjects() == ["remember: Ferries", "edit: Harbour", "remember: Harbour"]
    assert small.pid() == pid, "the resident went on"
    assert temporary_files(small.root) == []
    sound(small.root)


def test_wherever_the_disk_runs_full_what_was_told_is_kept_and_committed_once_there_is_room(
    small: Kept, disk: Disk
) -> None:
    told: dict[str, str] = {}
    refused = 0
    for number, level in enumerate(LEVELS):
        names, harbour = small.desk.names(), (small.root / "notes/harbour.md").read_bytes()
        text = f"note {number}: " + "".join(random.Random(number).choices("abcdefgh ", k=6000))
        disk.fill(leave=level * 1024)
        answer = small.call("remember", text=text, title=f"Note {number}")
        edited = small.call("edit", ref="Harbour", extra={"level": str(level)})
        # The commits of both come while it is full, or wait.
        time.sleep(0.3)
        disk.free()
        if "value" in answer:
            told[answer["value"]["path"]] = text
        else:
            refused += 1
            check_refused(answer)
            assert small.desk.names() == names
        if "value" not in edited:
            check_refused(edited)
            assert (small.root / "notes/harbour.md").read_bytes() == harbour
        assert temporary_files(small.root) == []
        small.desk.git("fsck", "--strict", "--no-dangling")
    assert refused
    assert told
    wait_until(lambda: small.desk.waiting() == [], 90)
    small.flush()
    for path, text in told.items():
        assert (small.root / path).read_text().endswith(f"\n---\n{text}\n")
        assert f"remember: {path[6:-3].replace('-', ' ').capitalize()}" in small.desk.subjects()
    assert small.desk.git("status", "--porcelain", "--", "notes") == ""
    small.json("daemon", "stop")
    like_a_rebuild(small.root)
    sound(small.root)


def like_a_rebuild(root: Path) -> None:
    with Vault.open(root) as vault:
        vault.index.refresh()
        followed = vault.index.dump()
        vault.index.rebuild()
        assert vault.index.dump() == followed


def test_what_was_told_before_the_disk_was_full_waits_with_its_reason(small: Kept, disk: Disk) -> None:
    lock = small.root / ".git" / "index.lock"
    lock.write_bytes(b"")
    written = small.value("remember", text="Ferries sail north", title="Ferries")
    assert written["committed"] is None
    disk.fill()
    lock.unlink()
    time.sleep(1.0)
    [waiting] = small.json("status")["waiting"]
    assert waiting["path"] == "notes/ferries.md"
    small.signal(signal.SIGKILL)
    [waiting] = small.json("status", VMEM_RESIDENT="off")["waiting"]
    assert waiting["path"] == "notes/ferries.md"
    disk.free()
    small.start()
    wait_until(lambda: small.desk.subjects() == ["remember: Ferries", "remember: Harbour"])
    small.flush()
    sound(small.root)


@pytest.fixture
def local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Kept, Disk]]:
    """A vault on a large disk whose `.vmem/local` is a small one of its own."""
    desk = new_desk(tmp_path / "vault")
    for disk in mounted(desk.root / ".vmem" / "local", "3m"):
        with runtime_folder(monkeypatch), kept_open(Desk(desk.root)) as kept:
            kept.start()
            kept.value("remember", text=TEXT, title="Harbour")
            kept.flush()
            yield kept, disk
            disk.free()


def test_an_index_on_a_full_disk_of_its_own_can_be_thrown_away(local: tuple[Kept, Disk]) -> None:
    kept, disk = local
    disk.fill()
    (kept.root / "notes/tides.md").write_text("High water at six, by hand.\n" * 500)
    wait_until(lambda: "the disk is full" in str(kept.call("search", query="harbour")["value"]["notices"]))
    assert kept.found("harbour") == ["notes/harbour.md"]
    # Without a journal nothing may be promised, so nothing is written.
    check_refused(kept.call("remember", text="Ferries sail north"))
    assert kept.desk.names() == ["notes/harbour.md", "notes/tides.md"]
    kept.signal(signal.SIGKILL)
    for place in disk.place.iterdir():
        if place.is_file():
            place.unlink()
    kept.start()
    wait_until(lambda: kept.found("water") == ["notes/tides.md"])
    assert kept.value("remember", text="Ferries sail north", title="Ferries")["path"] == "notes/ferries.md"
    kept.flush()
    assert "remember: Ferries" in kept.desk.subjects()
    kept.json("daemon", "stop")
    like_a_rebuild(kept.root)
    sound(kept.root)


def test_owner_and_mode_of_a_file_stay_when_a_resident_edits_it(kept: Kept) -> None:
    kept.start()
    kept.value("remember", text="Ferries sail north", title="Ferries")
    file = kept.root / "notes/ferries.md"
    file.chmod(0o640)
    owner = (1234, 4321) if os.geteuid() == 0 else (os.getuid(), os.getgid())
    os.chown(file, *owner)
    kept.value("edit", ref="Ferries", importance=0.9)
    found = file.stat()
    assert (found.st_uid, found.st_gid, found.st_mode & 0o7777) == (*owner, 0o640)


UPDATES = 300
FILES = 10


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_resident_killed_again_and_again_leaves_every_file_old_or_new(kept: Kept) -> None:
    chance, filling = random.Random(7), "x" * 3000
    kept.start()
    for one in range(FILES):
        kept.value("remember", agent="akashi", text=f"update {one} {filling}", title=f"Update {one}")
    last, kills, told = FILES - 1, 0, {number: {number} for number in range(FILES)}
    while last < UPDATES:
        for _ in range(min(chance.randint(1, 60), UPDATES - last)):
            last += 1
            ref, text = f"Update {last % FILES}", f"update {last} {filling}"
            kept.value("edit", agent="akashi", ref=ref, text=text)
            told[last % FILES].add(last)
        time.sleep(chance.uniform(0, 0.5))  # into a commit, or behind it
        kept.signal(signal.SIGKILL)
        kills += 1
        for one, numbers in told.items():
            word, number, rest = body_of(kept, one).split()
            assert (word, int(number), rest) == ("update", max(numbers), filling)
        kept.start()
    kept.flush()
    assert kills >= 5
    assert kept.desk.waiting() == []
    assert kept.desk.git("status", "--porcelain", "--", "private", "notes") == ""
    for one, numbers in told.items():
        path = f"private/akashi/update-{one}.md"
        commits = kept.desk.git("log", "--format=%H", "--", path).splitlines()
        held = [
            kept.desk.git("show", f"{commit}:{path}").split("update ")[1].split()[0] for commit in commits
        ]
        assert held == [str(number) for number in sorted(numbers, reverse=True)]
    assert temporary_files(kept.root) == []
    assert kept.vmem("lint").code == 0
    kept.json("daemon", "stop")
    like_a_rebuild(kept.root)
    sound(kept.root)


def body_of(kept: Kept, one: int) -> str:
    return (kept.root / f"private/akashi/update-{one}.md").read_text().rpartition("\n---\n")[2]
