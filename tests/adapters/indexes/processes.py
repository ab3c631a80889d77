"""Little patience, what lies in a folder, and other processes."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

from vault_memory.adapters.indexes.sqlite.connection import Patience

ROOT = Path(__file__).parents[3]
HASTE = Patience(reading=0.2, writing=0.2)


def beside(path: Path) -> list[str]:
    """What lies in the index's folder."""
    return sorted(found.name for found in path.parent.iterdir())


def run(script: str, *arguments: object, code: int = 0) -> str:
    """What a Python process of its own prints."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(script), *map(str, arguments)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    return done.stdout
