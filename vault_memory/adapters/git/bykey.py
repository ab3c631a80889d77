"""What `git merge-tree` left open: memories are merged by front matter key, two under one name get two."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Sequence
from dataclasses import dataclass, field

from vault_memory.adapters.git import blobs
from vault_memory.adapters.git.cli import GitProgram
from vault_memory.adapters.git.locate import Place
from vault_memory.adapters.git.mergelines import merge_lines
from vault_memory.adapters.git.mergetree import DRIVER, Found
from vault_memory.adapters.git.treecommit import tree_with
from vault_memory.errors import GitCommandError
from vault_memory.model.branches import Apart, Conflict
from vault_memory.model.merging.memory import Merged, merge
from vault_memory.model.merging.twins import Mixed, id_in, mixed
from vault_memory.model.namespace import VaultPath, is_memory_name, without_ending
from vault_memory.model.naming import fold_name, free_name

_WHY = {
    "CONFLICT (rename/rename)": "each side gave it another name",
    "CONFLICT (rename/add)": "one side gave it the name of another file",
    "CONFLICT (file/directory)": "one side has a folder of that name",
    "CONFLICT (distinct modes)": "the two sides hold different kinds of file there",
    "CONFLICT (submodule)": "both sides changed the repository inside",
}
_BOTH = "both sides changed the same lines"
_KEYS = "both sides changed the same keys"
_KEYS_AND_LINES = "both sides changed the same keys and lines"
_REMOVED: dict[tuple[int, ...], str] = {
    (1, 3): "removed here, and changed there",
    (1, 2): "changed here, and removed there",
}


@dataclass(slots=True)
class Settled:
    """A merge's tree once memories are merged, and what is left for a person to decide."""

    tree: str
    apart: list[Apart] = field(default_factory=list)
    conflicts: dict[str, Conflict] = field(default_factory=dict)
    """By the repository's name for the file."""
    outside: list[str] = field(default_factory=list)


def settle(git: GitProgram, place: Place, tree: str, found: dict[str, Found]) -> Settled:
    """Merge what can be merged. Raises `GitRefusedError`."""
    done = Settled(tree)
    entries: dict[str, tuple[bytes, int]] = {}
    open_ones = [one for one in found.values() if _is_ours(place, one)]
    names = [one.stages[stage][1] for one in open_ones for stage in (1, 2, 3) if stage in one.stages]
    contents = dict(zip(names, blobs.read(git, names), strict=True))
    for one in open_ones:
        sides = tuple(contents[one.stages[at][1]] if at in one.stages else b"" for at in (1, 2, 3))
        _settle_one(git, place, one, sides, done, entries)
    for path, one in found.items():
        if path not in entries and path not in done.conflicts:
            _leave(place, one, done)
    if entries:
        done.tree = _with(git, tree, entries)
    return done


def _is_ours(place: Place, one: Found) -> bool:
    name = place.in_vault(one.path)
    return name is not None and is_memory_name(name) and one.only_content and one.driver == DRIVER


def _settle_one(
    git: GitProgram,
    place: Place,
    one: Found,
    sides: tuple[bytes, ...],
    done: Settled,
    entries: dict[str, tuple[bytes, int]],
) -> None:
    base, ours, theirs = sides
    path = _vault_path(place, one.path)
    several = mixed(path, base, ours, theirs)
    if several is Mixed.TWO and 1 not in one.stages:
        _put_apart(git, place, one, (ours, theirs), done, entries)
        return
    if several is Mixed.OTHER:
        done.conflicts[one.path] = Conflict(path, several.value)
        return
    try:
        merged = merge(path, base, ours, theirs, lines=merge_lines)
    except GitCommandError:  # no text: nothing can be said of its lines
        done.conflicts[one.path] = Conflict(path, _BOTH)
        return
    if merged.clean:
        entries[one.path] = merged.content, _mode(one)
        return
    done.conflicts[one.path] = _told(path, merged)


def _told(path: VaultPath, merged: Merged) -> Conflict:
    keys = tuple(clash.key for clash in merged.clashes)
    why = (_KEYS_AND_LINES if merged.lines else _KEYS) if keys else _BOTH
    return Conflict(path, why, keys, lines=merged.lines)


def _put_apart(
    git: GitProgram,
    place: Place,
    one: Found,
    sides: tuple[bytes, bytes],
    done: Settled,
    entries: dict[str, tuple[bytes, int]],
) -> None:
    """The memory that was made first keeps the name, whichever side it is on, so that all make the same."""
    path = _vault_path(place, one.path)
    ours, theirs = (id_in(path, side) or "" for side in sides)
    first, second = (0, 1) if ours < theirs else (1, 0)
    folder, name = posixpath.split(one.path)
    taken = {fold_name(other) for other in _names_in(git, done.tree, folder)}
    taken |= {fold_name(posixpath.basename(other)) for other in entries}
    moved = posixpath.join(folder, free_name(without_ending(name), taken, (ours, theirs)[second]))
    entries[one.path] = sides[first], int(one.stages[2 + first][0], 8)
    entries[moved] = sides[second], int(one.stages[2 + second][0], 8)
    done.apart.append(Apart(path, _vault_path(place, moved), ours_moved=second == 0))


def _leave(place: Place, one: Found, done: Settled) -> None:
    if place.in_vault(one.path) is None:
        done.outside.append(one.path)
        return
    stages = tuple(stage for stage in (1, 2, 3) if stage in one.stages)
    words = (_WHY[kind] for kind in sorted(one.types) if kind in _WHY)
    why = next(words, None) or _REMOVED.get(stages) or (_BOTH if one.only_content else one.words or _BOTH)
    done.conflicts[one.path] = Conflict(_vault_path(place, one.path), why)


def _with(git: GitProgram, tree: str, entries: dict[str, tuple[bytes, int]]) -> str:
    """The tree with these files."""
    written = blobs.write(git, [content for content, _ in entries.values()])
    files = {path: (blob, mode) for (path, (_, mode)), blob in zip(entries.items(), written, strict=True)}
    return tree_with(git, tree, files)


def _names_in(git: GitProgram, tree: str, folder: str) -> Sequence[str]:
    where = [f"{folder}/"] if folder else []
    listed = git.get("ls-tree", "--name-only", "-z", tree, "--", *where).split(b"\0")
    return [posixpath.basename(os.fsdecode(name)) for name in listed if name]


def _mode(one: Found) -> int:
    """The mode as the side has it that changed it."""
    base, ours, theirs = (one.stages.get(stage, ("",))[0] for stage in (1, 2, 3))
    return int(theirs if ours == base else ours, 8)


def _vault_path(place: Place, path: str) -> VaultPath:
    name = place.in_vault(path)
    assert name is not None
    return VaultPath(name)
