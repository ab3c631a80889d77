"""Merging lines as git does, for texts that need not be in any repository."""

from __future__ import annotations

import os
import tempfile

from vault_memory.adapters.git.cli import GitProgram, GitRefusedError
from vault_memory.errors import GitCommandError

LIMIT = 60.0
"""Seconds that it may take."""
_MOST_CONFLICTS = 127
"""Git's exit code is the number of conflicts up to here; above it, it failed."""
_NAMES = ("ours", "base", "theirs")


def merge_lines(base: bytes, ours: bytes, theirs: bytes, *, size: int = 7) -> tuple[bytes, bool]:
    """Their lines merged, with markers of that size where both have changed the same, and whether none
    have. Raises `GitCommandError` where git can't, as with bytes that are no text."""
    if theirs in (ours, base):  # one of both has changed nothing here: no process is needed to tell
        return ours, True
    if ours == base:
        return theirs, True
    with tempfile.TemporaryDirectory(prefix="vmem-merge-") as folder:
        for name, content in zip(_NAMES, (ours, base, theirs), strict=True):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content)
        labels = [word for name in _NAMES for word in ("-L", name)]
        command = ["merge-file", "-p", "-q", f"--marker-size={size}", *labels, *_NAMES]
        try:
            done = GitProgram(folder, timeout=LIMIT).run(*command)
        except GitRefusedError as error:
            raise GitCommandError("merge-file", str(error)) from error
    if done.code is None or done.code > _MOST_CONFLICTS:
        raise GitCommandError("merge-file", done.words() or "it did not end in time")
    return done.out, done.code == 0
