"""What the commit under way would change in memories, read from git's index."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from vault_memory.adapters.git import blobs
from vault_memory.adapters.git.asking import below, commit_or_nothing
from vault_memory.adapters.git.cli import GitProgram
from vault_memory.adapters.git.listed import converted_ones, written_out
from vault_memory.adapters.git.locate import Place
from vault_memory.model.comparison import Versions
from vault_memory.model.namespace import VaultPath

_REGULAR = ("100644", "100755")
_UNMERGED = "U"


class _Row(NamedTuple):
    path: VaultPath
    tracked: str
    old: str | None
    new: str | None


def index_changes(
    git: GitProgram, place: Place, index: Mapping[str, str], since: str | None
) -> dict[VaultPath, Versions]:
    """Each memory that the index has in another version than the commit `since` (`None`: before the first
    one), with both as a checkout writes them. What a merge left unresolved is left out.

    Raises `RevisionNotFoundError`, `GitRefusedError`."""
    options = ("--cached", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff")
    old = commit_or_nothing(git, since)
    out = git.get("diff-index", *options, old, *below(place), environment=index)
    rows = _rows(place, out)
    contents = _contents(git, rows)
    return {row.path: (contents.get((row.tracked, row.old or "")), contents.get((row.tracked, row.new or "")))
            for row in rows}  # fmt: skip


def _rows(place: Place, out: bytes) -> list[_Row]:
    parts = out.split(b"\0")[:-1]
    found = []
    for information, name in zip(parts[::2], parts[1::2], strict=True):
        old_mode, new_mode, old, new, status = information.decode("ascii").removeprefix(":").split()
        tracked = os.fsdecode(name)
        path = place.note(tracked)
        if path is None or status == _UNMERGED:
            continue
        before = old if old_mode in _REGULAR else None
        after = new if new_mode in _REGULAR else None
        if before != after:
            found.append(_Row(VaultPath(path), tracked, before, after))
    return found


def _contents(git: GitProgram, rows: list[_Row]) -> dict[tuple[str, str], bytes]:
    """By path and blob; few commands, however many files."""
    wanted = [(row.tracked, blob) for row in rows for blob in (row.old, row.new) if blob is not None]
    if not wanted:
        return {}
    converted = converted_ones(git, {path for path, _ in wanted})
    # A path of two lines can't be asked about by a line of its own.
    filtered = [(path, blob) for path, blob in wanted if path in converted and "\n" not in path]
    plain = [one for one in wanted if one[0] not in converted or "\n" in one[0]]
    stored = dict(zip(plain, blobs.read(git, [blob for _, blob in plain]), strict=True))
    return stored | dict(
        zip(filtered, written_out(git, [(blob, path) for path, blob in filtered]), strict=True)
    )
