"""Which files differ between two commits, by the git program."""

from __future__ import annotations

import os

from vault_memory.adapters.git.asking import below, commit_of, commit_or_nothing, rows
from vault_memory.adapters.git.cli import GitProgram
from vault_memory.adapters.git.locate import Place
from vault_memory.model.namespace import VaultPath


def changed_between(git: GitProgram, place: Place, older: str | None, newer: str) -> list[VaultPath]:
    """Those of memories, by vault paths in order; `older=None` is before the first commit.

    Raises `RevisionNotFoundError`."""
    points = commit_or_nothing(git, older), commit_of(git, newer)
    options = ("-r", "-z", "--name-only", "--no-renames", "--no-ext-diff")
    names = git.get("diff-tree", *options, *points, *below(place)).split(b"\0")
    found = (place.note(os.fsdecode(name)) for name in names if name)
    return sorted(VaultPath(path) for path in found if path is not None)


def changed_files(
    git: GitProgram, old: str | None, new: str
) -> dict[str, tuple[tuple[str, int] | None, tuple[str, int] | None]]:
    """What a commit changed: path → (blob, mode) before and after, `None` where there was no file."""
    if old is None:
        listed = rows(git.get("ls-tree", "-r", "-z", new))
        return {path: (None, (blob, int(mode, 8))) for (mode, _, blob), path in listed}
    fields = git.get("diff-tree", "-r", "-z", "--no-renames", old, new).split(b"\0")[:-1]
    found = {}
    for info, path in zip(fields[::2], fields[1::2], strict=True):
        old_mode, new_mode, old_blob, new_blob, _ = info.removeprefix(b":").decode().split(" ")
        before = (old_blob, int(old_mode, 8)) if int(old_mode, 8) else None
        after = (new_blob, int(new_mode, 8)) if int(new_mode, 8) else None
        found[path.decode("utf-8", "surrogateescape")] = (before, after)
    return found
