"""The short form of `make torture`: some random kills, and nothing that was acknowledged is lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_writers_killed_at_random_beside_a_persons_git_lose_nothing() -> None:
    command = [sys.executable, "-m", "tests.torture", "--kills", "25", "--seed", "20261129"]
    done = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("nothing was lost\n")
    assert "'remember': " in done.stdout
    assert "'killed in the middle': " in done.stdout
