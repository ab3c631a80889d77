"""Vectors side by side, one byte a number, and finding those of them that are most like another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vault_memory.model.corpus import Flags, Floats, Numbers
    from vault_memory.model.vector import Vectors

    Codes = NDArray[np.int8]
    Signs = NDArray[np.uint64]

_SCALE_BYTES = 4
_WORD_BITS = 64
_STEPS = 127
_UNLIKE = 10_000
"""More than any count of different signs."""
_AT_A_TIME = 32_768
"""Signs of so many passages are compared at a time: what comes between stays in the processor's cache."""
_IN_A_BYTE = 3
"""So many words of bits are counted in one byte."""


class Rows(NamedTuple):
    """Passages (ascending), the memory of each, and their vectors. `signs` has a column a passage."""

    passages: Numbers
    memories: Numbers
    codes: Codes
    scales: Vectors
    signs: Signs

    def taken(self, at: Numbers | Flags) -> Rows:
        """Those at these places."""
        return Rows(self.passages[at], self.memories[at], self.codes[at], self.scales[at], self.signs[:, at])


class Part(NamedTuple):
    """Rows, and which of them may be found: their places, ascending."""

    rows: Rows
    inside: Numbers


def rows_of(passages: Numbers, memories: Numbers, vectors: Vectors) -> Rows:
    """Rows of vectors as they are."""
    codes, scales = coded(vectors)
    return Rows(passages, memories, codes, scales, _signs(vectors))


def empty(dimensions: int) -> Rows:
    """No rows."""
    import numpy as np

    none = np.empty(0, np.int64)
    return rows_of(none, none, np.empty((0, dimensions), np.float32))


def unpacked(stored: Sequence[bytes], dimensions: int) -> Vectors:
    """Vectors as they were before `packed`, but for what that rounds."""
    import numpy as np

    size = packed_size(dimensions)
    rows = np.frombuffer(b"".join(stored), dtype=np.uint8).reshape(-1, size)
    scales = rows[:, :_SCALE_BYTES].copy().view("<f4")
    found: Vectors = rows[:, _SCALE_BYTES:].view(np.int8).astype(np.float32) * scales
    return found


def packed(vector: bytes) -> bytes:
    """A vector of float32 (little endian) as it is kept: what its largest number is (float32), and each
    number as a share of that, in 127 steps."""
    import numpy as np

    codes, scales = coded(np.frombuffer(vector, dtype="<f4").reshape(1, -1))
    return scales.astype("<f4").tobytes() + codes.tobytes()


def packed_size(dimensions: int) -> int:
    """Bytes of a packed vector."""
    return _SCALE_BYTES + dimensions


def sign_words(dimensions: int) -> int:
    """How many numbers of 64 bits hold the signs of a vector."""
    return -(-dimensions // _WORD_BITS)


def nearest(
    asked: Vectors, parts: Sequence[Part], limit: int, few: int, sieved: int
) -> tuple[Numbers, Floats]:
    """Numbers and cosines of the `limit` nearest, best first; of equals, the lower number first.

    More than `few` are sieved by the signs of their vectors first: `sieved` of them, and those as alike
    as the last of these, are compared whole.
    """
    import numpy as np

    count = sum(part.inside.size for part in parts)
    if limit <= 0 or not count:
        return np.empty(0, np.int64), np.empty(0)
    if count > few:
        parts = _alike(asked, parts, sieved)
    # No BLAS: for so little its threads cost more than they save, and sums differ with their number.
    found = np.concatenate(
        [
            np.einsum("ij,j->i", rows.codes[inside], asked, dtype=np.float32) * rows.scales[inside]
            for rows, inside in parts
        ]
    )
    passages = np.concatenate([rows.passages[inside] for rows, inside in parts])
    if limit < found.size:
        worst = np.partition(found, found.size - limit)[found.size - limit]
        passages, found = passages[found >= worst], found[found >= worst]
    order = np.lexsort((passages, -found))[:limit]
    return passages[order], found[order].astype(np.float64)


def _alike(asked: Vectors, parts: Sequence[Part], limit: int) -> Sequence[Part]:
    """Those whose vectors differ from the question's in the fewest signs."""
    import numpy as np

    if limit >= sum(part.inside.size for part in parts):
        return parts
    signs = _signs(asked.reshape(1, -1))
    every = [_different(part, signs) for part in parts]
    # Counts are few and small: up to which one there are enough is told faster than by sorting.
    counted = np.bincount(np.concatenate(every))
    enough = int(np.searchsorted(np.cumsum(counted), limit))
    return [
        Part(part.rows, np.flatnonzero(different <= enough))
        for part, different in zip(parts, every, strict=True)
    ]


def _different(part: Part, signs: Signs) -> NDArray[np.uint16]:
    """By row, in how many signs it differs; `_UNLIKE` for those that may not be found."""
    import numpy as np

    theirs = part.rows.signs
    words, count = theirs.shape
    different = np.zeros(count, np.uint16)
    for start in range(0, count, _AT_A_TIME):
        chunk = slice(start, start + _AT_A_TIME)
        for first in range(0, words, _IN_A_BYTE):
            bits = np.bitwise_count(theirs[first, chunk] ^ signs[first])
            for word in range(first + 1, min(first + _IN_A_BYTE, words)):
                bits += np.bitwise_count(theirs[word, chunk] ^ signs[word])
            different[chunk] += bits
    if part.inside.size < count:
        outside = np.ones(count, np.bool_)
        outside[part.inside] = False
        different[outside] = _UNLIKE
    return different


def coded(vectors: Vectors) -> tuple[Codes, Vectors]:
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


def merged(one: Rows, other: Rows) -> Rows:
    """Both, in the order of their passages."""
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
