"""A person's git that tries again where another git has just a lock, as people do."""

from __future__ import annotations

import subprocess
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

PATIENCE = 20.0
"""Seconds for which a command is tried."""

PASSING = ("index.lock", "cannot lock ref", "nothing")
"""Words of a refusal that may be over in a moment."""


class PatientGit:
    """Git in one folder; what was refused and how often is in `again`, what never worked in `faults`."""

    def __init__(self, root: Path, *, patience: float = PATIENCE) -> None:
        self.root = root
        self.again: Counter[str] = Counter()
        self.faults: list[str] = []
        self._patience = patience

    def __call__(self, *arguments: str, give_up: Sequence[str] = ()) -> str:
        """What it says on standard output, empty where it never worked; `give_up` takes back half of it."""
        done, said = self.tried(*arguments, give_up=give_up)
        if said is not None:
            self.faults.append(f"git {' '.join(arguments)} does not work: {said}")
        return done

    def tried(
        self, *arguments: str, give_up: Sequence[str] = (), once: bool = False
    ) -> tuple[str, str | None]:
        """What it says on standard output, and why it did not work to the end (`None`: it did)."""
        deadline = time.monotonic() + self._patience
        while True:
            command = ["git", *arguments]
            done = subprocess.run(command, cwd=self.root, capture_output=True, text=True, check=False)
            if done.returncode == 0:
                return done.stdout, None
            said = (done.stderr + done.stdout).strip()
            self.again[next((word for word in PASSING if word in said), said)] += 1
            if give_up:
                subprocess.run(["git", *give_up], cwd=self.root, capture_output=True, check=False)
            if once or time.monotonic() > deadline:
                return "", said
            time.sleep(0.02)
