"""The vectors of all passages in memory, brought from each generation to the next."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from vault_memory.adapters.indexes.sqlite import nearfile
from vault_memory.adapters.indexes.sqlite.nearrows import (
    Part,
    Rows,
    empty,
    merged,
    nearest,
    packed_size,
    rows_of,
    unpacked,
)
from vault_memory.adapters.indexes.sqlite.rows import select

if TYPE_CHECKING:
    from vault_memory.model.corpus import Flags, Floats, Numbers
    from vault_memory.model.vector import Vectors
    from vault_memory.ports import Spread

FEW = 1_500
"""Up to so many passages are compared whole."""
MANY = 20
"""A file for other processes is written where more than one in so many passages is new."""
SIEVED = 600
"""Of more passages so many, alike in the signs of their vectors, are compared whole."""
AMONG = 2
"""For so many askers it is kept which rows they may find: the person and an agent, mostly."""
ASIDE = 4_096
"""So many passages come, or go, before the rows are put together anew."""

_FRESH = """
    SELECT passages.number, memory, vector
    FROM passages JOIN vectors ON embedder = ? AND vectors.text_hash = passages.text_hash
    WHERE memory > ? AND length(vector) = ?
    ORDER BY passages.number
    """
_FRESH_OF = """
    SELECT passages.number, passages.memory, vector
    FROM json_each(?) AS asked
        CROSS JOIN passages ON passages.number = asked.value
        CROSS JOIN vectors ON embedder = ? AND vectors.text_hash = passages.text_hash
    WHERE length(vector) = ?
    ORDER BY passages.number
    """


class Matrix:
    """The vectors of one embedder, each with a share of those around it, by passage number.

    A memory's passages never change under its number, and numbers only grow: so only the vectors of
    new memories, and of those that lacked one, are read again. They stand aside, and those that are
    gone are passed over, until there are many.
    """

    def __init__(
        self, embedder: str, dimensions: int, spread: Spread, *, folder: Path | None, name: str
    ) -> None:
        """`folder` is where it may be kept for the next process, under this name."""
        self._folder = folder
        self._key = f"{name} {dimensions} {spread}"
        self._asked_file = False
        self.embedder = embedder
        self.dimensions = dimensions
        self.spread = spread
        self._rows = empty(dimensions)
        self._aside = empty(dimensions)
        self._stays: Flags | None = None
        """Which of the rows are there still; `None` for all."""
        self._gone = 0
        self._whole_up_to = 0
        """No memory up to this number lacks a vector, and all of them are among the rows."""
        self._lacking: dict[int, list[int]] | None = None
        """The memories that lack a vector, each with its passages; `None` where that is not known."""
        self._generation = -1
        self._among: list[tuple[Flags | None, Part]] = []
        """What may be found of the rows by those that asked last, the last one first."""

    def look(
        self, db: apsw.Connection, generation: int, memories: Numbers, changed: Collection[int] | None = None
    ) -> None:
        """Bring it to that generation, in which `memories` (by passage number, -1 for none) are there.

        `changed` are the passages that may be others than at the last look, `None` where it may be any."""
        if generation == self._generation:
            return
        self._among.clear()
        lacking = self._lacking if self._generation >= 0 else None
        self._generation = -1
        aside = self._gone + len(self._aside.passages)
        if changed is None or lacking is None or aside + len(changed) + len(lacking) > ASIDE:
            self._look_at_all(db, memories)
        elif changed or lacking:
            self._look_at(db, memories, changed, lacking)
        self._generation = generation

    def nearest(self, query: Vectors, limit: int, among: Flags | None) -> tuple[Numbers, Floats]:
        """Numbers and cosines, best first; of equals, the lower number first."""
        parts = [self._found_among(among)]
        if self._aside.passages.size:
            parts.append(_part(self._aside, None, among))
        return nearest(query.reshape(-1), parts, limit, FEW, max(SIEVED, 4 * limit))

    def _found_among(self, among: Flags | None) -> Part:
        """Those of the rows that may be found; the flags of one asker are the same array each time."""
        for at, (known, part) in enumerate(self._among):
            if known is among:
                self._among.insert(0, self._among.pop(at))
                return part
        part = _part(self._rows, self._stays, among)
        if among is None or not among.flags.writeable:
            self._among.insert(0, (among, part))
            del self._among[AMONG:]
        return part

    def _look_at(
        self,
        db: apsw.Connection,
        memories: Numbers,
        changed: Collection[int],
        lacking: dict[int, list[int]],
    ) -> None:
        """Read what changed, and what lacked a vector: each memory whole, since neighbours have a share."""
        import numpy as np

        size = memories.size
        now = {
            memory: passages
            for memory, passages in lacking.items()
            if passages[0] < size and memories[passages[0]] == memory
        }
        for passage in sorted(changed):
            memory = int(memories[passage]) if passage < size else -1
            if memory >= 0 and memory not in lacking:
                now.setdefault(memory, []).append(passage)
        asked = [passage for passages in now.values() for passage in passages]
        self._drop(np.array(sorted({*changed, *asked}), np.int64))
        width = packed_size(self.dimensions)
        fresh = self._read(select(db, _FRESH_OF, (json.dumps(asked), self.embedder, width)))
        self._aside = merged(self._aside, fresh)
        held = Counter(fresh.memories.tolist())
        self._lacking = {memory: of for memory, of in now.items() if held[memory] < len(of)}

    def _drop(self, passages: Numbers) -> None:
        """Pass over the rows of these passages."""
        import numpy as np

        rows = self._rows.passages
        at = np.searchsorted(rows, passages)
        inside = at < rows.size
        at = at[inside][rows[at[inside]] == passages[inside]]
        if at.size:
            stays = np.ones(rows.size, np.bool_) if self._stays is None else self._stays
            stays[at] = False
            self._stays, self._gone = stays, int(rows.size - np.count_nonzero(stays))
        outside = ~np.isin(self._aside.passages, passages)
        if not outside.all():
            self._aside = self._aside.taken(outside)

    def _look_at_all(self, db: apsw.Connection, memories: Numbers) -> None:
        """Compare all rows with what is there, read what is missing, and put them together."""
        import numpy as np

        self._take_up(memories)
        here = np.flatnonzero(memories >= 0)
        old = here[memories[here] <= self._whole_up_to]
        kept = self._rows if self._stays is None else self._rows.taken(self._stays)
        kept = merged(kept, self._aside)
        if not np.array_equal(old, kept.passages):
            kept = kept.taken(np.searchsorted(kept.passages, old))
        width = packed_size(self.dimensions)
        fresh = self._read(select(db, _FRESH, (self.embedder, self._whole_up_to, width)))
        self._rows, self._aside = merged(kept, fresh), empty(self.dimensions)
        self._stays, self._gone = None, 0
        self._lacking, self._whole_up_to = self._missing(memories, here)
        if self._folder is not None and len(fresh.passages) > max(FEW, len(kept.passages) // MANY):
            nearfile.save(self._folder, self._key, self._rows, self._whole_up_to)

    def _missing(self, memories: Numbers, here: Numbers) -> tuple[dict[int, list[int]] | None, int]:
        """The memories that lack a vector, `None` where they are too many to be listed; and up to which
        number none does."""
        import numpy as np

        if not here.size:
            return {}, 0
        of = memories[here]
        first = np.concatenate(([0], np.flatnonzero(of[1:] != of[:-1]) + 1))
        has = np.zeros(memories.size, np.bool_)
        has[self._rows.passages] = True
        ends = np.append(first[1:], here.size)
        lacking = np.flatnonzero(np.add.reduceat(has[here].astype(np.int64), first) < ends - first)
        if not lacking.size:
            return {}, int(of.max())
        whole_up_to = int(of[first[lacking]].min()) - 1
        if lacking.size > ASIDE:
            return None, whole_up_to
        found = {int(of[first[at]]): here[first[at] : ends[at]].tolist() for at in lacking.tolist()}
        return found, whole_up_to

    def _take_up(self, memories: Numbers) -> None:
        """Begin with what another process left, where it fits what is there now."""
        if self._asked_file or self._folder is None:
            return
        self._asked_file = True
        import numpy as np

        found = nearfile.load(self._folder, self._key)
        if found is None:
            return
        rows = found.rows
        size = memories.size
        inside = (rows.passages >= 0) & (rows.passages < size)
        there = rows.memories == memories[np.where(inside, rows.passages, 0)]
        missing = np.count_nonzero((memories >= 0) & (memories <= found.whole_up_to))
        # Whole memories may have gone since; none of those that are left may lack a passage.
        if (np.diff(rows.passages) > 0).all() and np.count_nonzero(inside & there) == missing:
            self._rows, self._whole_up_to = rows, found.whole_up_to

    def _read(self, fresh: Sequence[tuple[int, int, bytes]]) -> Rows:
        """New vectors with their shares of those around them."""
        import numpy as np

        passages = np.array([row[0] for row in fresh], dtype=np.int64)
        memories = np.array([row[1] for row in fresh], dtype=np.int64)
        own = unpacked([row[2] for row in fresh], self.dimensions)
        return rows_of(passages, memories, self._joined(passages, memories, own))

    def _joined(self, passages: Numbers, memories: Numbers, own: Vectors) -> Vectors:
        """Each vector with its share of those around it, of unit length."""
        import numpy as np

        rows: Vectors = own.copy()
        for step, share in zip((-2, -1, 1, 2), self.spread, strict=True):
            if not share or not len(rows):
                continue
            there = np.minimum(np.searchsorted(passages, passages + step), len(rows) - 1)
            beside = (passages[there] == passages + step) & (memories[there] == memories)
            rows[beside] += np.float32(share) * own[there[beside]]
        length = np.linalg.norm(rows, axis=1, keepdims=True)
        np.divide(rows, length, out=rows, where=length > 0)
        return rows


def _part(rows: Rows, stays: Flags | None, among: Flags | None) -> Part:
    import numpy as np

    if among is None:
        return Part(rows, np.arange(rows.passages.size) if stays is None else np.flatnonzero(stays))
    # Of passages that are gone a row may still be here whose number nothing else reaches any more.
    known = int(np.searchsorted(rows.passages, among.size))
    inside = np.zeros(rows.passages.size, np.bool_)
    inside[:known] = among[rows.passages[:known]]
    return Part(rows, np.flatnonzero(inside if stays is None else inside & stays))
