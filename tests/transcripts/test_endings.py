"""How a command ends early: interrupted, or with nobody there to hear the answer."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from tests.stand import ToldClock
from vault_memory.surfaces.cli.app import main
from vault_memory.surfaces.cli.context import World
from vault_memory.vault import Vault

REPOSITORY = str(Path(__file__).parents[2])


class InterruptingClock(ToldClock):
    """Somebody presses Ctrl-C when the time is asked for."""

    def now(self) -> datetime:
        raise KeyboardInterrupt


@pytest.fixture
def root(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    Vault.create(home / "memory")
    monkeypatch.chdir(home / "memory")
    return home / "memory"


def in_shell(line: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A line in which `$vmem` is a real one."""
    environment = os.environ | {"PYTHONPATH": REPOSITORY, "vmem": f"{sys.executable} -m vault_memory"}
    return subprocess.run(
        ["bash", "-c", line],
        check=False,
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize("command", [["remember", "not yet"], ["recall", "anything"], ["list"]])
def test_an_interrupted_command_says_so_and_never_looks_like_success(
    command: list[str], root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command, world=World(clock=InterruptingClock())) == 130
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "vmem: interrupted; what was acknowledged is kept\n")
    assert not list(root.rglob("not-yet.md"))


def test_closed_streams_do_not_keep_a_memory_from_being_written(root: Path) -> None:
    done = in_shell("$vmem remember 'nobody listens' <&- >&- 2>&-", root)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (root / "notes/nobody-listens.md").read_bytes().endswith(b"---\nnobody listens\n")
    assert in_shell("$vmem remember - <&-", root).returncode == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
@pytest.mark.parametrize("form", ["", "--json"])
def test_an_answer_that_cannot_be_delivered_is_a_failure(form: str, root: Path) -> None:
    done = in_shell(f"$vmem list {form} >/dev/full", root)
    assert done.returncode == 74
    assert "can't write the answer: No space left on device" in done.stderr
    assert "bug" not in done.stderr


def test_a_reader_that_has_enough_is_no_fault(root: Path) -> None:
    with Vault.open(root) as vault:
        vault.person.remember_many([{"text": f"Memory {number} " + "x" * 500} for number in range(200)])
    done = in_shell('$vmem list --json | head -1; echo "${PIPESTATUS[0]}"', root)
    assert (done.stdout, done.stderr) == ("[\n0\n", "")
