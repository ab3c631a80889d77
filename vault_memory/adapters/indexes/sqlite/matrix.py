"""The vectors of all passages in memory: one byte a number, first sieved by their signs alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import apsw

from vault_memory.adapters.indexes.sqlite import nearfile
from vault_memory.adapters.indexes.sqlite.rows import select

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vault_memory.model.corpus import Flags, Floats, Numbers
    from vault_memory.model.vector import Vectors
    from vault_memory.ports import Spread

    Codes = NDArray[np.int8]
    Signs = NDArray[np.uint64]

FEW = 1_500
"""Up to so many passages are compared whole."""
MANY = 20
"""A file for other processes is written where more than one in so many passages is new."""
SIEVED = 600
"""Of more passages so many, alike in the signs of their vectors, are compared whole."""

_SCALE_BYTES = 4
_WORD_BITS = 64
_STEPS = 127
_UNLIKE = 10_000
"""More than any count of different signs."""

_FRESH = """
    SELECT passages.number, memory, vector
    FROM passages JOIN vectors ON embedder = ? AND vectors.text_hash = passages.text_hash
    WHERE memory > ? AND length(vector) = ?
    ORDER BY passages.number
    """


def packed(vector: bytes) -> bytes:
    """A vector of float32 (little endian) as it is kept: what its largest number is (float32), and each
    number as a share of that, in 127 steps."""
    import numpy as np

    codes, scales = _coded(np.frombuffer(vector, dtype="<f4").reshape(1, -1))
    return scales.astype("<f4").tobytes() + codes.tobytes()


def packed_size(dimensions: int) -> int:
    """Bytes of a packed vector."""
    return _SCALE_BYTES + dimensions


def sign_words(dimensions: int) -> int:
    """How many numbers of 64 bits hold the signs of a vector."""
    return -(-dimensions // _WORD_BITS)


class Rows(NamedTuple):
    """Passages (ascending), the memory of each, and their vectors. `signs` has a column a passage."""

    passages: Numbers
    memories: Numbers
    codes: Codes
    scales: Vectors
    signs: Signs

    def taken(self, at: Numbers) -> Rows:
        return Rows(self.passages[at], self.memories[at], self.codes[at], self.scales[at], self.signs[:, at])


class Matrix:
    """The vectors of one embedder, each with a share of those around it, by passage number.

    A memory's passages never change under its number, and numbers only grow: so only the vectors of
    new memories, and of those that lacked one, are read again.
    """

    def __init__(
        self, embedder: str, dimensions: int, spread: Spread, *, folder: Path | None, name: str
    ) -> None:
        """`folder` is where it may be kept for the next process, under this name."""
        import numpy as np

        self._folder = folder
        self._key = f"{name} {dimensions} {spread}"
        self._asked_file = False
        self.embedder = embedder
        self.dimensions = dimensions
        self.spread = spread
        self._rows = self._made(
            np.empty(0, np.int64), np.empty(0, np.int64), np.empty((0, dimensions), np.float32)
        )
        self._whole_up_to = 0
        """No memory up to this number lacks a vector."""
        self._generation = -1

    def look(self, db: apsw.Connection, generation: int, memories: Numbers) -> None:
        """Bring it to that generation, in which `memories` (by passage number, -1 for none) are there."""
        import numpy as np

        if generation == self._generation:
            return
        self._generation = -1
        self._take_up(memories)
        here = np.flatnonzero(memories >= 0)
        old = here[memories[here] <= self._whole_up_to]
        kept = self._rows
        if not np.array_equal(old, kept.passages):
            kept = kept.taken(np.searchsorted(kept.passages, old))
        size = packed_size(self.dimensions)
        fresh = self._read(select(db, _FRESH, (self.embedder, self._whole_up_to, size)))
        self._rows = _merged(kept, fresh)
        wanted, held = _counts(memories[here]), _counts(self._rows.memories)
        lacking = [memory for memory, count in wanted.items() if held.get(memory, 0) < count]
        self._whole_up_to = min(lacking) - 1 if lacking else max(wanted, default=0)
        self._generation = generation
        if self._folder is not None and len(fresh.passages) > max(FEW, len(kept.passages) // MANY):
            nearfile.save(self._folder, self._key, self._rows, self._whole_up_to)

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

    def nearest(self, query: Vectors, limit: int, among: Flags | None) -> tuple[Numbers, Floats]:
        """Numbers and cosines, best first; of equals, the lower number first."""
        import numpy as np

        rows, asked = self._rows, query.reshape(-1)
        inside = np.arange(rows.passages.size) if among is None else np.flatnonzero(among[rows.passages])
        if limit <= 0 or not inside.size:
            return rows.passages[:0], np.empty(0)
        if inside.size > FEW:
            inside = self._alike(asked, inside, max(SIEVED, 4 * limit))
        # No BLAS: for so little its threads cost more than they save, and sums differ with their number.
        found = np.einsum("ij,j->i", rows.codes[inside], asked, dtype=np.float32) * rows.scales[inside]
        if limit < found.size:
            worst = np.partition(found, found.size - limit)[found.size - limit]
            inside, found = inside[found >= worst], found[found >= worst]
        order = np.lexsort((rows.passages[inside], -found))[:limit]
        return rows.passages[inside[order]], found[order].astype(np.float64)

    def _alike(self, asked: Vectors, inside: Numbers, limit: int) -> Numbers:
        """Those of `inside` whose vectors differ from the question's in the fewest signs."""
        import numpy as np

        if limit >= inside.size:
            return inside
        signs = self._rows.signs
        different = np.bitwise_count(signs ^ _signs(asked.reshape(1, -1))).sum(axis=0, dtype=np.uint16)
        if inside.size < different.size:
            outside = np.ones(different.size, np.bool_)
            outside[inside] = False
            different[outside] = _UNLIKE
        # Counts are few and small: up to which one there are enough is told faster than by sorting.
        enough = np.searchsorted(np.cumsum(np.bincount(different)), limit)
        return np.flatnonzero(different <= enough)

    def _read(self, fresh: Sequence[tuple[int, int, bytes]]) -> Rows:
        """New vectors with their shares of those around them."""
        import numpy as np

        passages = np.array([row[0] for row in fresh], dtype=np.int64)
        memories = np.array([row[1] for row in fresh], dtype=np.int64)
        size = packed_size(self.dimensions)
        stored = np.frombuffer(b"".join(row[2] for row in fresh), dtype=np.uint8).reshape(-1, size)
        scales = stored[:, :_SCALE_BYTES].copy().view("<f4")
        own = stored[:, _SCALE_BYTES:].view(np.int8).astype(np.float32) * scales
        return self._made(passages, memories, self._joined(passages, memories, own))

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

    def _made(self, passages: Numbers, memories: Numbers, vectors: Vectors) -> Rows:
        codes, scales = _coded(vectors)
        return Rows(passages, memories, codes, scales, _signs(vectors))


def _coded(vectors: Vectors) -> tuple[Codes, Vectors]:
    """Each row as whole numbers up to 127, and what to multiply them with."""
    import numpy as np

    most = np.abs(vectors).max(axis=1, initial=0.0).astype(np.float32)
    scales = most / np.float32(_STEPS)
    steps = np.divide(1.0, scales, out=np.zeros_like(scales), where=scales > 0)
    return np.rint(vectors * steps[:, None]).astype(np.int8), scales


def _signs(vectors: Vectors) -> Signs:
    """The signs of each row as bits, 64 to a number; a column a row."""
    import numpy as np

    bits = np.packbits(vectors > 0, axis=1)
    padded = np.zeros((len(bits), 8 * sign_words(vectors.shape[1])), np.uint8)
    padded[:, : bits.shape[1]] = bits
    return np.ascontiguousarray(padded.view(np.uint64).T)


def _merged(one: Rows, other: Rows) -> Rows:
    import numpy as np

    if not one.passages.size or not other.passages.size:
        return one if one.passages.size else other
    both = Rows(
        np.concatenate((one.passages, other.passages)),
        np.concatenate((one.memories, other.memories)),
        np.concatenate((one.codes, other.codes)),
        np.concatenate((one.scales, other.scales)),
        np.concatenate((one.signs, other.signs), axis=1),
    )
    return both.taken(np.argsort(both.passages, kind="stable"))


def _counts(memories: Numbers) -> dict[int, int]:
    """How many passages each memory has."""
    import numpy as np

    found, counts = np.unique(memories, return_counts=True)
    return dict(zip(found.tolist(), counts.tolist(), strict=True))
