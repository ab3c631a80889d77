"""Two versions of memories compared: which are new, gone, moved or edited, and in what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from enum import StrEnum
from typing import NamedTuple

from vault_memory.model.flags.flag import Flag
from vault_memory.model.matching import Opcode, grouped, middle, opcodes, pairs
from vault_memory.model.memory import Memory
from vault_memory.model.namespace import VaultPath
from vault_memory.model.parse import parse_memory

AROUND = 2
"""So many unchanged lines are shown around a change."""
MOST_PAIRS = 100_000
"""So many pairs of equal lines are looked at to find out what belongs together: about a second."""
WORKING_TREE = "files"
"""The name of the newer side where that is the files as they lie there."""
STAGED = "staged"
"""The same where it is the commit that git is about to make."""
Mask = Callable[[str], str]
"""What replaces secrets in a text."""


class How(StrEnum):
    """What became of a memory between two versions."""

    ADDED = "added"
    REMOVED = "removed"
    MOVED = "moved"
    EDITED = "edited"


@dataclass(frozen=True, slots=True)
class KeyChange:
    """One front matter key before and after, `None` where it is not there."""

    key: str
    before: object
    after: object


@dataclass(frozen=True, slots=True)
class Difference:
    """What is different in one memory."""

    how: How
    path: str
    came_from: str | None
    """Where it lay before, for one that was moved."""
    id: str | None
    title: str
    keys: tuple[KeyChange, ...]
    lines: tuple[str, ...]
    """The changes of the text in the unified form, numbered by the lines of the file."""
    flags: tuple[Flag, ...] = ()
    """What a reviewer should look at, the weightiest first; only what the older version had not."""

    @property
    def only_form(self) -> bool:
        """Whether the bytes differ and say the same: line ends, quotes, remarks in the front matter."""
        return self.how is How.EDITED and not self.keys and not self.lines and not self.flags


@dataclass(frozen=True, slots=True)
class Comparison:
    """All differences between two points, in path order. Points are commits, `files` or `staged`."""

    older: str
    newer: str
    differences: tuple[Difference, ...]
    notices: tuple[str, ...] = ()


Versions = tuple[bytes | None, bytes | None]
"""A file before and after, `None` where it is not there."""


class Compared(NamedTuple):
    """A difference with the two versions that it is of, `None` where there is none."""

    difference: Difference
    before: Memory | None
    after: Memory | None


def compare(files: Mapping[VaultPath, Versions], *, zone: tzinfo) -> tuple[Difference, ...]:
    """Compare each file's two versions; one that went and one that came with the same id were moved."""
    return tuple(one.difference for one in compared(files, zone=zone))


def compared(files: Mapping[VaultPath, Versions], *, zone: tzinfo, mask: Mask = str) -> list[Compared]:
    """The same with the memories, which are whole; in what the differences repeat secrets are masked."""
    before = {path: old for path, (old, _) in files.items() if old is not None}
    after = {path: new for path, (_, new) in files.items() if new is not None}
    came_from = dict(_moves(before, after, zone))
    left = set(came_from.values())
    found = []
    for path in sorted({*before, *after}):
        old_path = came_from.get(path, path)
        old, new = before.get(old_path), after.get(path)
        if path not in left and (old != new or old_path != path):
            older = parse_memory(old_path, old, zone=zone) if old is not None else None
            newer = parse_memory(path, new, zone=zone) if new is not None else None
            found.append(Compared(_difference(path, old_path, older, newer, mask), older, newer))
    return found


def _moves(
    before: Mapping[VaultPath, bytes], after: Mapping[VaultPath, bytes], zone: tzinfo
) -> Iterator[tuple[VaultPath, VaultPath]]:
    """(new path, old path) of memories that are elsewhere now: by their id, else by their very bytes."""
    gone = {
        path: parse_memory(path, content, zone=zone) for path, content in before.items() if path not in after
    }
    new = [path for path in after if path not in before] if gone else []
    by_id = _alone((memory.id, path) for path, memory in gone.items() if memory.id)
    by_bytes = _alone((before[path], path) for path in gone)
    taken: set[VaultPath] = set()
    for path in sorted(new):
        memory = parse_memory(path, after[path], zone=zone)
        old = by_id.get(memory.id) if memory.id else None
        old = old or by_bytes.get(after[path])
        if old is not None and old not in taken:
            taken.add(old)
            yield path, old


def _alone(pairs: Iterable[tuple[object, VaultPath]]) -> dict[object, VaultPath]:
    """The pairs whose first part comes once."""
    found: dict[object, list[VaultPath]] = {}
    for key, path in pairs:
        found.setdefault(key, []).append(path)
    return {key: paths[0] for key, paths in found.items() if len(paths) == 1}


def _difference(
    path: VaultPath, old_path: VaultPath, before: Memory | None, after: Memory | None, mask: Mask
) -> Difference:
    memory = after or before
    assert memory is not None
    how = How.ADDED if before is None else How.REMOVED if after is None else How.EDITED
    moved = old_path != path
    same_text = before is not None and after is not None and before.body == after.body
    return Difference(
        How.MOVED if moved else how,
        path,
        old_path if moved else None,
        memory.id,
        mask(memory.title),
        tuple(_keys(before, after, mask)),
        () if same_text else tuple(_lines(_Body.of(before, mask), _Body.of(after, mask))),
    )


def _keys(before: Memory | None, after: Memory | None, mask: Mask) -> Iterator[KeyChange]:
    """In the order of the newer version, then those that are gone."""
    old: Mapping[str, object] = before.front if before is not None else {}
    new: Mapping[str, object] = after.front if after is not None else {}
    for key in dict.fromkeys([*new, *old]):
        if old.get(key) != new.get(key) or (key in old) is not (key in new):
            yield KeyChange(key, _masked(key, old.get(key), mask), _masked(key, new.get(key), mask))


def _masked(key: str, found: object, mask: Mask) -> object:
    """A value is often known for a secret by the name of its key."""
    if isinstance(found, str):
        return mask(f"{key}: {found}").removeprefix(f"{key}: ")
    if isinstance(found, list | tuple):
        return [_masked(key, one, mask) for one in found]
    if isinstance(found, Mapping):
        return {name: _masked(str(name), one, mask) for name, one in found.items()}
    return found


class _Body(NamedTuple):
    """The lines of a text, and the line of the file that the first one is."""

    lines: Sequence[str]
    first: int

    @classmethod
    def of(cls, memory: Memory | None, mask: Mask) -> _Body:
        if memory is None:
            return cls([], 1)
        lines = mask(memory.body).split("\n")
        return cls(lines if lines[-1] else lines[:-1], memory.body_line)


def _lines(old: _Body, new: _Body) -> Iterator[str]:
    for group in _groups(old.lines, new.lines):
        first, last = group[0], group[-1]
        yield (f"@@ -{_range(first[1], last[2], old.first)} +{_range(first[3], last[4], new.first)} @@")
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                yield from (f" {line}" for line in old.lines[i1:i2])
            else:
                yield from (f"-{line}" for line in old.lines[i1:i2])
                yield from (f"+{line}" for line in new.lines[j1:j2])


def _groups(left: Sequence[str], right: Sequence[str]) -> Iterable[Sequence[Opcode]]:
    """The changes with what is around them; as one change where the lines repeat so often that finding
    out which of them belong together would take many seconds."""
    first, left_end, right_end = middle(left, right)
    changed = right[first:right_end]
    # The matcher leaves out what is very common.
    common = len(changed) // 100 + 1 if len(changed) >= 200 else None
    if pairs(left[first:left_end], changed, common=common) <= MOST_PAIRS:
        return grouped(opcodes(left, right, autojunk=True), AROUND)
    before, behind = min(first, AROUND), min(len(left) - left_end, AROUND)
    return [
        [
            ("equal", first - before, first, first - before, first),
            ("replace", first, left_end, first, right_end),
            ("equal", left_end, left_end + behind, right_end, right_end + behind),
        ]
    ]


def _range(start: int, stop: int, first: int) -> str:
    """As `diff -u` numbers lines."""
    length = stop - start
    begin = start + first if length else start + first - 1
    return f"{begin}" if length == 1 else f"{begin},{length}"
