"""Two versions of memories compared: which are new, gone, moved or edited, and in what."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from enum import StrEnum

from vault_memory.model.memory import Memory
from vault_memory.model.namespace import VaultPath
from vault_memory.model.parse import parse_memory, read_parts

AROUND = 2
"""So many unchanged lines are shown around a change."""
MOST_PAIRS = 100_000
"""So many pairs of equal lines are looked at to find out what belongs together: about a second."""
Opcode = tuple[str, int, int, int, int]
"""What to do, and with which lines of the left and of the right."""
WORKING_TREE = "files"
"""The name of the newer side where that is the files as they lie there."""


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

    @property
    def only_form(self) -> bool:
        """Whether the bytes differ and say the same: line ends, quotes, remarks in the front matter."""
        return self.how is How.EDITED and not self.keys and not self.lines


@dataclass(frozen=True, slots=True)
class Comparison:
    """All differences between two points, in path order. Points are commits, or `files`."""

    older: str
    newer: str
    differences: tuple[Difference, ...]
    notices: tuple[str, ...] = ()


Versions = tuple[bytes | None, bytes | None]
"""A file before and after, `None` where it is not there."""


def compare(files: Mapping[VaultPath, Versions], *, zone: tzinfo) -> tuple[Difference, ...]:
    """Compare each file's two versions; one that went and one that came with the same id were moved."""
    before = {path: old for path, (old, _) in files.items() if old is not None}
    after = {path: new for path, (_, new) in files.items() if new is not None}
    came_from = dict(_moves(before, after, zone))
    left = set(came_from.values())
    found = []
    for path in sorted({*before, *after}):
        old_path = came_from.get(path, path)
        old, new = before.get(old_path), after.get(path)
        if path not in left and (old != new or old_path != path):
            found.append(_difference(path, old_path, old, new, zone))
    return tuple(found)


def _moves(
    before: Mapping[VaultPath, bytes], after: Mapping[VaultPath, bytes], zone: tzinfo
) -> Iterator[tuple[VaultPath, VaultPath]]:
    """(new path, old path) of memories that are elsewhere now: by their id, else by their very bytes."""
    gone = {
        path: parse_memory(path, content, zone=zone) for path, content in before.items() if path not in after
    }
    new = [path for path in after if path not in before]
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
    path: VaultPath, old_path: VaultPath, old: bytes | None, new: bytes | None, zone: tzinfo
) -> Difference:
    before = parse_memory(old_path, old, zone=zone) if old is not None else None
    after = parse_memory(path, new, zone=zone) if new is not None else None
    memory = after or before
    assert memory is not None
    how = How.ADDED if before is None else How.REMOVED if after is None else How.EDITED
    moved = old_path != path
    return Difference(
        How.MOVED if moved else how,
        path,
        old_path if moved else None,
        memory.id,
        memory.title,
        tuple(_keys(before, after)),
        tuple(_lines(old, new)),
    )


def _keys(before: Memory | None, after: Memory | None) -> Iterator[KeyChange]:
    """In the order of the newer version, then those that are gone."""
    old: Mapping[str, object] = before.front if before is not None else {}
    new: Mapping[str, object] = after.front if after is not None else {}
    for key in dict.fromkeys([*new, *old]):
        if old.get(key) != new.get(key) or (key in old) is not (key in new):
            yield KeyChange(key, old.get(key), new.get(key))


def _lines(old: bytes | None, new: bytes | None) -> Iterator[str]:
    left, left_line = _body(old)
    right, right_line = _body(new)
    for group in _groups(left, right):
        first, last = group[0], group[-1]
        yield (f"@@ -{_range(first[1], last[2], left_line)} +{_range(first[3], last[4], right_line)} @@")
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                yield from (f" {line}" for line in left[i1:i2])
            else:
                yield from (f"-{line}" for line in left[i1:i2])
                yield from (f"+{line}" for line in right[j1:j2])


def _groups(left: Sequence[str], right: Sequence[str]) -> Iterable[Sequence[Opcode]]:
    """The changes with what is around them; as one change where the lines repeat so often that finding
    out which of them belong together would take many seconds."""
    first = _alike(left, right)
    last = _alike(left[first:][::-1], right[first:][::-1])
    left_end, right_end = len(left) - last, len(right) - last
    if _pairs(left[first:left_end], right[first:right_end]) <= MOST_PAIRS:
        return difflib.SequenceMatcher(None, left, right).get_grouped_opcodes(AROUND)
    before, behind = min(first, AROUND), min(last, AROUND)
    return [
        [
            ("equal", first - before, first, first - before, first),
            ("replace", first, left_end, first, right_end),
            ("equal", left_end, left_end + behind, right_end, right_end + behind),
        ]
    ]


def _alike(left: Sequence[str], right: Sequence[str]) -> int:
    """How many lines are the same from the beginning."""
    return next((at for at, (one, other) in enumerate(zip(left, right, strict=False)) if one != other),
                min(len(left), len(right)))  # fmt: skip


def _pairs(left: Sequence[str], right: Sequence[str]) -> int:
    """How many pairs of equal lines the matcher would have to look at; it leaves out what is very common."""
    common = len(right) // 100 + 1 if len(right) >= 200 else len(right)
    times = Counter(left)
    return sum(number * times[line] for line, number in Counter(right).items() if number <= common)


def _body(content: bytes | None) -> tuple[Sequence[str], int]:
    """The lines of the text, and the line of the file that the first one is."""
    if content is None:
        return [], 1
    parts, _, _ = read_parts(content)
    lines = [line.rstrip("\r") for line in parts.body.split("\n")]
    return lines if lines[-1] else lines[:-1], parts.body_line


def _range(start: int, stop: int, first: int) -> str:
    """As `diff -u` numbers lines."""
    length = stop - start
    begin = start + first if length else start + first - 1
    return f"{begin}" if length == 1 else f"{begin},{length}"
