"""Killed after any step, an operation is all there or not at all, and the next one goes on."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.crash.scenes import SCENES
from tests.crash.steps import UNSEEN
from tests.ramdisk import in_memory

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

ROOT = Path(__file__).parents[1]
KINDS = {
    "a write": {"fsync", "link", "replace", "unlink", "create", "write", "close", "commit", "git", "mkdir"},
    "a refresh": {"create", "write", "commit"},
    "an init": {"mkdir", "create", "write", "fsync", "link"},
}
"""The kinds of steps that must have been seen, or the driver is blind."""


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder whose name is short and whose disk is quick, where the system has one."""
    with tempfile.TemporaryDirectory(prefix="vmem-crash-", dir=in_memory()) as folder:
        yield Path(folder)


Drive = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def drive() -> Iterator[Drive]:
    """Has the driver carry out a scene, in a process where it can fork and exchange what it likes."""
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(
            [sys.executable, "-m", "tests.crash.driver"],
            cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said,
        ) as driver,
    ):  # fmt: skip
        orders, answers = driver.stdin, driver.stdout
        assert orders is not None
        assert answers is not None

        def carry_out(scene: str, home: Path, pattern: str = "", sabotage: str = "") -> dict[str, Any]:
            print(json.dumps([scene, str(home), pattern, sabotage]), file=orders, flush=True)
            line = answers.readline()
            said.seek(0)
            assert line, said.read().decode()
            found: dict[str, Any] = json.loads(line)
            return found

        yield carry_out
        orders.close()
        assert driver.wait(60) == 0


@pytest.mark.parametrize("scene", SCENES)
def test_an_operation_killed_after_any_step_is_all_or_nothing(scene: str, place: Path, drive: Drive) -> None:
    found = drive(scene, place)
    assert found["faults"] == {}
    what = "a write" if SCENES[scene].commits else "an init" if SCENES[scene].creates else "a refresh"
    if SCENES[scene].only:
        assert found["killed"] > 15
        return
    assert {step.split()[0] for step in found["steps"]} >= KINDS[what]
    if SCENES[scene].every == 1:
        assert found["killed"] == sum(step.split()[0] not in UNSEEN for step in found["steps"])
    else:
        assert found["killed"] > 40


@pytest.mark.parametrize(
    ("sabotage", "scene", "pattern", "fault"),
    [
        ("journal in memory", "remember", "fsync|git", "new, and not committed"),
        ("files in place", "edit", "target.md", "neither the old nor the new one"),
        ("nothing swept", "remember", "link index.lock", "left behind: .git/vmem"),
        ("nothing finished", "move", "target.md|heron.md", "committed or acknowledged, and not there"),
    ],
)
def test_a_product_that_can_lose_something_is_found_out(
    place: Path, drive: Drive, sabotage: str, scene: str, pattern: str, fault: str
) -> None:
    assert fault in json.dumps(drive(scene, place, pattern, sabotage)["faults"])
