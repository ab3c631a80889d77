"""A person's `git stash` and `git stash pop`, to their end, whatever comes between."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass

from tests.crash.patient import PatientGit
from tests.soak.known import Known

PATIENCE = 40.0
"""Seconds for which a person tries to take back what they put away."""


@dataclass(slots=True)
class Stash:
    """The stash of one person, who takes back all that they put away."""

    git: PatientGit
    known: Known
    commit_all: Callable[[], None]

    def put_away(self, *only: str) -> int:
        """Put changes away; how many entries the stash had before.

        A stash is made in several steps. One that stops at a lock in the middle, and is tried again, may
        leave two entries of the same."""
        before = self._count()
        self.git("stash", "push", "-q", *only)
        if self._count() <= before:
            self.known.blame("git stash put nothing away")
        return before

    def take_back(self, before: int) -> None:
        """Take back all that came since then."""
        deadline = time.monotonic() + PATIENCE
        while self._count() > before:
            said = self._pop()
            if said is not None and time.monotonic() > deadline:
                self.git.faults.append(f"git stash pop does not work: {said}")
                return

    def _count(self) -> int:
        return self.git("stash", "list").count("\n")

    def _pop(self) -> str | None:
        """Take one entry back; what git says against it."""
        done = subprocess.run(
            ["git", "stash", "pop", "-q"], cwd=self.git.root, capture_output=True, text=True, check=False
        )
        if done.returncode == 0:
            return None
        said = (done.stderr + done.stdout).strip()
        torn = sorted(set(self.git("diff", "--name-only", "--diff-filter=U").split()))
        if torn:
            self._keep_ours(torn)
            self.git("stash", "drop", "-q")
            return None
        if "overwritten" in said:  # what lies there is newer: it goes in first
            self.commit_all()
        self.git.again[said.splitlines()[0] if said else "stash pop"] += 1
        time.sleep(0.05)
        return said

    def _keep_ours(self, torn: list[str]) -> None:
        """Decide a conflict for what HEAD has of these files, which may be nothing."""
        self.known.note("person: a stash that conflicts")
        for name in torn:
            there = self.git("ls-tree", "--name-only", "HEAD", "--", name)
            self.git(*(("checkout", "HEAD", "--") if there else ("rm", "-qf", "--")), name)
            self.known.decided(name)
