"""A resident that nobody asked for: begun by the first command that could have used one, and by no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.resident.processes import eventually, log, none_left, state, vmem
from vault_memory.model.resident import Resident
from vault_memory.surfaces.cli.app import main
from vault_memory.surfaces.resident.asking import resident_of

ATTENDED = {"CI": ""}
"""The variable that keeps every other test from leaving one behind."""


def tried(root: Path) -> bool:
    """Whether a start was tried: that leaves the file of its lock."""
    return (root / ".vmem" / "local" / "resident").exists()


@pytest.mark.parametrize(
    "argv",
    [("recall", "x"), ("search", "x"), ("list",), ("status",), ("remember", "Ferries"), ("--json", "list")],
    ids=" ".join,
)
def test_the_first_command_answers_by_itself_and_the_next_finds_a_resident(
    root: Path, argv: tuple[str, ...]
) -> None:
    with none_left(root):
        said = vmem(root, *argv, env=ATTENDED)
        assert said.code == 0
        eventually(lambda: isinstance(resident_of(root), Resident))
        before = state(root).requests
        assert vmem(root, "recall", "ferries", env=ATTENDED).code == 0
        assert state(root).requests == before + 2
    assert log(root).count("began:") == 1


@pytest.mark.parametrize(
    "env",
    [
        {"CI": "true"},
        {"CI": "", "VMEM_RESIDENT": "off"},
        {"CI": "", "GIT_DIR": ".git"},
        {"CI": "", "GIT_INDEX_FILE": ".git/index"},
        {"CI": "", "VMEM_DISK": "network"},
    ],
    ids=["ci", "off", "hook", "commit", "network disk"],
)
def test_none_is_begun_where_none_is_wanted(root: Path, env: dict[str, str]) -> None:
    assert vmem(root, "recall", "x", env=env).code == 0
    assert not tried(root)


def test_the_setting_of_the_machine_forbids_it(root: Path, home: Path) -> None:
    place = home / ".config" / "vault-memory" / "config.toml"
    place.parent.mkdir(parents=True)
    place.write_text('resident = "off"\n')
    assert vmem(root, "recall", "x", env=ATTENDED).code == 0
    assert not tried(root)


@pytest.mark.parametrize(
    "argv", [("show", "nothing"), ("log",), ("doctor",), ("recall", "--help"), ("recall",)]
)
def test_other_commands_and_those_that_fail_begin_none(root: Path, argv: tuple[str, ...]) -> None:
    vmem(root, *argv, env=ATTENDED)
    assert not tried(root)


def test_a_command_carried_out_in_this_process_begins_none(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CI", raising=False)
    assert main(["list"]) == 0
    assert not tried(root)


def test_one_that_comes_to_nothing_is_not_tried_by_each_call(root: Path) -> None:
    broken = {**ATTENDED, "XDG_RUNTIME_DIR": ""}
    lock = root / ".vmem" / "local" / "resident"
    lock.touch()
    assert vmem(root, "list", env=broken).code == 0
    assert log(root) == "", "it was tried a moment ago"


def test_one_that_was_begun_under_another_runtime_folder_is_found(root: Path) -> None:
    with none_left(root):
        vmem(root, "daemon", "start")
        log_before = log(root)
        assert vmem(root, "list", env={**ATTENDED, "XDG_RUNTIME_DIR": str(root)}).code == 0
        assert log(root) == log_before
