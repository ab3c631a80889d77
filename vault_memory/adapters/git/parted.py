"""What the commits of many branches have that HEAD's line has not: by a handful of git commands for all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice

from vault_memory.adapters.git.asking import merge_base, seconds_in
from vault_memory.adapters.git.cli import GitProgram
from vault_memory.adapters.git.locate import Place
from vault_memory.model.branches import Parted
from vault_memory.model.moments import instant
from vault_memory.model.namespace import VaultPath

_OF_MEMORIES = {b"000000", b"100644", b"100755"}
"""The modes of an ordinary file, and of none."""
_Rows = list[tuple[set[bytes], str]]
"""(the modes before and after, the name in the repository) of each file that differs."""


def parted(git: GitProgram, place: Place, head: str, tips: Sequence[str]) -> dict[str, Parted]:
    """The same of each tip; all of them are commits in full."""
    if not tips:
        return {}
    bases = _bases(git, head, tips)
    differing = _differing(git, {tip: base for tip, base in bases.items() if base not in (None, tip)})
    return {
        tip: Parted(bases[tip], when, *_sorted_out(place, differing.get(tip, ())))
        for tip, when in _times(git, tips)
    }


def _bases(git: GitProgram, head: str, tips: Iterable[str]) -> dict[str, str | None]:
    """Where each left the line of `head`; git looks for it where it came back from there since."""
    asked = "".join(f"{one}\n" for one in (*tips, f"^{head}"))
    listed = git.get("rev-list", "--topo-order", "--reverse", "--parents", "--stdin", stdin=asked.encode())
    left: dict[str, frozenset[str]] = {}
    for line in listed.decode("ascii").splitlines():
        commit, *parents = line.split()
        ways = [left.get(parent, frozenset((parent,))) for parent in parents]
        # More than two tell no more than two.
        left[commit] = ways[0] if len(ways) == 1 else frozenset(islice((at for way in ways for at in way), 2))
    return {tip: _base(git, head, tip, left.get(tip, frozenset((tip,)))) for tip in tips}


def _base(git: GitProgram, head: str, tip: str, left: frozenset[str]) -> str | None:
    if len(left) == 1:
        return next(iter(left))
    return merge_base(git, head, tip)


def _differing(git: GitProgram, bases: Mapping[str, str | None]) -> dict[str, _Rows]:
    """What is not as it is in the base, of each tip that has one."""
    if not bases:
        return {}
    asked = "".join(f"{tip} {base}\n" for tip, base in bases.items())
    options = ("-r", "-z", "--raw", "--no-renames", "--no-ext-diff", "--stdin")
    found: dict[str, _Rows] = {}
    rows: _Rows = []
    parts = iter(git.get("diff-tree", *options, stdin=asked.encode()).split(b"\0")[:-1])
    for part in parts:
        if part.startswith(b":"):
            rows.append(({*part[1:].split()[:2]}, os.fsdecode(next(parts))))
        else:
            rows = found[part.decode("ascii")] = []
    return found


def _sorted_out(
    place: Place, rows: Iterable[tuple[set[bytes], str]]
) -> tuple[tuple[VaultPath, ...], tuple[str, ...]]:
    """Memories of the vault, in path order, and what is none, as the repository names it; a link or a
    repository that has a memory's name is both."""
    named = [(place.note(name), modes, name) for modes, name in rows]
    paths = sorted(VaultPath(path) for path, _, _ in named if path is not None)
    others = [name for path, modes, name in named if path is None or not modes <= _OF_MEMORIES]
    return tuple(paths), tuple(others)


def _times(git: GitProgram, tips: Iterable[str]) -> Iterator[tuple[str, datetime]]:
    asked = "".join(f"{one}\n" for one in tips)
    shown = ("--no-walk=unsorted", "--no-show-signature", "--no-color", "--no-notes", "--format=%H %ct")
    for line in git.get("log", *shown, "--stdin", stdin=asked.encode()).decode("ascii").splitlines():
        commit, _, seconds = line.partition(" ")
        yield commit, instant(seconds_in(seconds))
