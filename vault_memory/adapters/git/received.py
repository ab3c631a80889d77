"""What became of memories between two commits, renames told, by the git program."""

from __future__ import annotations

import os

from vault_memory.adapters.git.asking import commit_of, commit_or_nothing
from vault_memory.adapters.git.cli import GitProgram
from vault_memory.adapters.git.locate import Place
from vault_memory.model.branches import Received
from vault_memory.model.namespace import VaultPath


def received(git: GitProgram, place: Place, older: str | None, newer: str) -> Received:
    """Paths of memories by what became of them; `None` is before the first commit. Raises `GitRefusedError`,
    `RevisionNotFoundError`."""
    points = commit_or_nothing(git, older), commit_of(git, newer)
    options = ["-r", "-z", "--name-status", "--find-renames", "--no-ext-diff", "-l0", *points]
    fields = iter(os.fsdecode(git.get("diff-tree", *options)).split("\0"))
    found: dict[str, list[VaultPath]] = {"A": [], "M": [], "D": []}
    renamed = []
    for status in fields:
        if not status:
            break
        names = [next(fields) for _ in range(2 if status[0] == "R" else 1)]
        paths = [VaultPath(path) for name in names if (path := place.note(name)) is not None]
        if len(paths) == 2:
            renamed.append((paths[0], paths[1]))
        elif status[0] == "R" and paths:  # into the vault, or out of it
            found["D" if place.note(names[0]) is not None else "A"] += paths
        else:
            found.get(status[0], found["M"]).extend(paths)
    added, edited, removed = (tuple(sorted(found[kind])) for kind in "AMD")
    return Received(added, edited, removed, tuple(sorted(renamed)))
