"""A broken sidecar never means that there are no memories."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases.doors import Case, Door, Python


def local(case: Case) -> Path:
    """The folder that may be deleted at any time."""
    return case.root / ".vmem" / "local"


def no_folder(case: Case) -> None:
    shutil.rmtree(local(case))
    local(case).write_text("a file")


def link_to_nothing(case: Case) -> None:
    shutil.rmtree(local(case))
    local(case).symlink_to("/nowhere/at/all")


def folder_for(name: str) -> Callable[[Case], None]:
    def make(case: Case) -> None:
        for one in local(case).glob(f"{name}*"):
            one.unlink()
        (local(case) / name).mkdir()

    return make


def garbage(case: Case) -> None:
    for name in ("index.db", "state.db"):
        for one in local(case).glob(f"{name}-*"):
            one.unlink()
        (local(case) / name).write_bytes(b"garbage" * 1_000)


def nothing(case: Case) -> None:
    shutil.rmtree(local(case))


SIDECARS: dict[str, tuple[Callable[[Case], None], str | None, int]] = {
    "deleted": (nothing, "built the search index", 0),
    "local is a file": (no_folder, "searching from memory", 74),
    "local leads nowhere": (link_to_nothing, "searching from memory", 74),
    "index.db is a folder": (folder_for("index.db"), "searching from memory", 0),
    "state.db is a folder": (folder_for("state.db"), None, 74),
    "lock is a folder": (folder_for("lock"), None, 74),
    "garbage": (garbage, "built the search index: the file was damaged", 74),
}
"""What became of the sidecar, what recall says of it, and the exit code of the next write."""


@pytest.mark.parametrize(("ruin", "word", "write"), SIDECARS.values(), ids=SIDECARS)
def test_a_broken_sidecar_never_means_no_memories(
    door: Door, filled: Case, ruin: Callable[[Case], None], word: str | None, write: int
) -> None:
    ruin(filled)
    recalled = door.recall("persimmon").value
    assert {one["path"] for one in recalled["memories"]} == {"note.md", "shared/ops/persimmon-of-an-agent.md"}
    notices = "\n".join(recalled["notices"])
    assert (word in notices) if word else notices == ""
    assert len(door.search("persimmon").value["hits"]) == 2
    assert len(door.list().value) == 2
    assert door.show("The note").value["path"] == "note.md"
    assert door.status().value["memories"] == 2
    before = filled.files()
    written = door.remember("a new one", namespace="ops")
    assert written.code == write
    assert (len(filled.files()) == 3) is (write == 0)
    assert before.items() <= filled.files().items()


@pytest.mark.parametrize("name", ["local is a file", "index.db is a folder", "local leads nowhere"])
def test_list_and_show_say_when_they_answer_from_memory(filled: Case, name: str) -> None:
    SIDECARS[name][0](filled)
    for argv in (
        ["list"],
        ["list", "--json"],
        ["show", "note.md"],
        ["search", "persimmon"],
        ["recall", "persimmon"],
    ):
        ran = filled.process(*argv)
        assert ran.code == 0
        said = ran.err if "--json" in argv or argv[0] != "search" else ran.err + ran.out
        assert "searching from memory" in said, argv
    doctor = filled.vmem("doctor")
    assert doctor.code == 1
    assert "\u2718 index" in doctor.out
    assert filled.vmem("reindex").code == 74


@pytest.mark.parametrize(
    ("name", "check"),
    [("state.db is a folder", "journal"), ("lock is a folder", "locks"), ("garbage", "journal")],
)
def test_the_doctor_names_what_no_write_can_do_without(filled: Case, name: str, check: str) -> None:
    SIDECARS[name][0](filled)
    doctor = filled.vmem("doctor")
    assert doctor.code == 1
    assert f"\u2718 {check}" in doctor.out


def test_python_and_the_command_line_tell_the_same_of_a_broken_place(filled: Case) -> None:
    no_folder(filled)
    python = Python(filled)
    said = filled.vmem("recall", "persimmon", "--json").value
    assert said == python.recall("persimmon").value
