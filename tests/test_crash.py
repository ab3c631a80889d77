"""Killed after any step, an operation is all there or not at all, and the next one goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.crash.scenes import SCENES

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

ROOT = Path(__file__).parents[1]
KINDS = {
    "a write": {"fsync", "link", "replace", "unlink", "create", "write", "close", "commit", "git", "mkdir"},
    "a refresh": {"create", "write", "commit"},
    "an init": {"mkdir", "create", "write", "fsync", "link"},
}
"""The kinds of steps that must have been seen, or the driver is blind."""


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where the system has one: a kill can't tell the difference, as a power cut would,
    and waiting for a disk is most of what these tests would do."""
    memory = Path("/dev/shm")
    if not (memory.is_dir() and os.access(memory, os.W_OK)):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(prefix="vmem-crash-", dir=memory) as folder:
        yield Path(folder)


def drive(scene: str, home: Path, pattern: str = "", sabotage: str = "") -> dict[str, Any]:
    """Run the driver in a process of its own, where it can fork and exchange what it likes."""
    command = [sys.executable, "-m", "tests.crash.driver", scene, str(home), pattern, sabotage]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("scene", SCENES)
def test_an_operation_killed_after_any_step_is_all_or_nothing(scene: str, place: Path) -> None:
    found = drive(scene, place)
    assert found["faults"] == {}
    what = "a write" if SCENES[scene].commits else "an init" if SCENES[scene].creates else "a refresh"
    assert {step.split()[0] for step in found["steps"]} >= KINDS[what]
    if SCENES[scene].every == 1:
        assert found["killed"] == len(found["steps"])
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
    place: Path, sabotage: str, scene: str, pattern: str, fault: str
) -> None:
    assert fault in json.dumps(drive(scene, place, pattern, sabotage)["faults"])
