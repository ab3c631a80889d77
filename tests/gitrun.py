"""Running git in a folder, as a person would at the prompt, and its hooks."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Protocol


class Git(Protocol):
    """The type of the fixture `git`."""

    def __call__(self, folder: Path, *arguments: str, stdin: str | None = None) -> str: ...


def run_git(folder: Path, *arguments: str, stdin: str | None = None) -> str:
    """What git writes to standard output, its last newline cut; a failure raises with git's own words."""
    run = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        input=stdin or "",
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        check=False,
    )
    if run.returncode:
        raise AssertionError(f"git {' '.join(arguments)} failed ({run.returncode}): {run.stderr.strip()}")
    return run.stdout.removesuffix("\n")


def put_hook(gitdir: Path, name: str, script: str) -> Path:
    """Put a hook of the shell in place; where it lies."""
    place = gitdir / "hooks" / name
    place.parent.mkdir(exist_ok=True)
    place.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    place.chmod(0o755)
    return place
