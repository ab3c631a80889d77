"""A commit hook that waits until the test lets it go on, so that nothing is left to luck."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

LONGEST = 60.0
"""Seconds after which a wait is a failure, however loaded the machine is."""


def until(there: Callable[[], object], what: str = "it") -> None:
    """Wait for a fact."""
    end = time.monotonic() + LONGEST
    while not there():
        assert time.monotonic() < end, f"{what} never came"
        time.sleep(0.01)


class SlowHook:
    """The pre-commit hook of a repository: each run says that it is there and waits to be let go."""

    def __init__(self, root: Path) -> None:
        self._place = root / ".git" / "slow"
        self._place.mkdir()
        self._hook = root / ".git" / "hooks" / "pre-commit"
        self._hook.parent.mkdir(exist_ok=True)
        here = self._place
        self._hook.write_text(
            f'#!/bin/sh\n: > "{here}/run-$$"\nwhile [ ! -e "{here}/go" ]; do sleep 0.02; done\n'
        )
        self._hook.chmod(0o755)

    def wait_for_runs(self, count: int = 1) -> None:
        """Return once so many have begun."""
        until(lambda: len(list(self._place.glob("run-*"))) >= count, f"run {count} of the hook")

    def let_go(self) -> None:
        """From here on every run ends at once."""
        (self._place / "go").touch()
