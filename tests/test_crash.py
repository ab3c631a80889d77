"""Killed after any step, an operation is all there or not at all, and the next one goes on."""

from __future__ import annotations

import json
import subprocess
import sys
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


def drive(scene: str, home: Path, pattern: str = "", sabotage: str = "") -> dict[str, Any]:
    """Run the driver in a process of its own, where it can fork and exchange what it likes."""
    command = [sys.executable, "-m", "tests.crash.driver", scene, str(home), pattern, sabotage]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("scene", SCENES)
def test_an_operation_killed_after_any_step_is_all_or_nothing(scene: str, tmp_path: Path) -> None:
    found = drive(scene, tmp_path)
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
        ("nothing swept", "remember", "link index.lock", "the next write is not committed"),
    ],
)
def test_a_product_that_can_lose_something_is_found_out(
    tmp_path: Path, sabotage: str, scene: str, pattern: str, fault: str
) -> None:
    assert fault in json.dumps(drive(scene, tmp_path, pattern, sabotage)["faults"])
