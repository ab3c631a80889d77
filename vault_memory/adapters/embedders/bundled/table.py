"""The table's file: vocabulary, and for each piece one or two halves of 4-bit numbers."""

from __future__ import annotations

import hashlib
import json
import mmap
import struct
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from vault_memory.adapters.embedders.bundled.vocabulary import Vocabulary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vault_memory.model.vector import Vectors

    Numbers = NDArray[np.intp]
    Packed = NDArray[np.uint8]

MAGIC = b"VMEMTAB1"
ALIGNMENT = 64
"""The numbers begin at a multiple of it."""

SECTIONS = ("starts", "inner", "more_starts", "more_inner", "runs")
"""Groups of pieces, in the order of their rows; those of the first two have both halves."""


@dataclass(frozen=True, slots=True)
class Half:
    """Rows of 4-bit numbers from −7 to 7 (two a byte, the earlier one low) and a scale for each row."""

    packed: Packed
    scales: Vectors

    def rows(self, numbers: Numbers) -> Vectors:
        """Those rows as numbers, shape (len(numbers), dimensions)."""
        import numpy as np

        packed = self.packed[numbers]
        values = np.empty((len(numbers), 2 * packed.shape[1]), dtype=np.float32)
        values[:, 0::2] = packed & 15
        values[:, 1::2] = packed >> 4
        values -= 8
        values *= self.scales[numbers][:, None]
        return values


@dataclass(frozen=True, slots=True)
class Table:
    """All that the file holds. `narrow` is for the pieces of English only, `wide` for all."""

    vocabulary: Vocabulary
    narrow: Half
    wide: Half
    span: tuple[float, float]

    @property
    def english(self) -> int:
        """How many rows, from the first on, have both halves."""
        return len(self.narrow.scales)


@lru_cache(2)
def read_table(file: str, sha256: str) -> Table:
    """Map the file into memory, once for all vaults of a process; raises `OSError`, and `ValueError` where
    its bytes are not those."""
    import numpy as np

    with open(file, "rb") as stream:
        mapped = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    if hashlib.sha256(mapped).hexdigest() != sha256:
        raise ValueError("its bytes are not those that were published")
    header, at = _header(mapped)
    pieces, at = _pieces(mapped, header, at)
    both = len(pieces[0]) + len(pieces[1])
    count = sum(map(len, pieces))
    at += -at % ALIGNMENT

    def take(rows: int, width: int, kind: Any) -> Any:
        nonlocal at
        found = np.frombuffer(mapped, kind, rows * width, at)
        at += found.nbytes
        return found.reshape(rows, width)

    narrow_scales, wide_scales = take(both, 1, "<f2"), take(count, 1, "<f2")
    narrow, wide = take(both, header["narrow"] // 2, "u1"), take(count, header["wide"] // 2, "u1")
    return Table(
        _vocabulary(pieces),
        Half(narrow, narrow_scales.ravel().astype(np.float32)),
        Half(wide, wide_scales.ravel().astype(np.float32)),
        (header["span"][0], header["span"][1]),
    )


def _header(mapped: mmap.mmap) -> tuple[dict[str, Any], int]:
    start = len(MAGIC) + 4
    (size,) = struct.unpack_from("<I", mapped, len(MAGIC))
    return json.loads(mapped[start : start + size]), start + size


def _pieces(mapped: mmap.mmap, header: dict[str, Any], at: int) -> tuple[list[list[str]], int]:
    end = at + header["text"]
    words = mapped[at:end].decode().split("\n")
    pieces, start = [], 0
    for section in SECTIONS:
        stop = start + header[section]
        pieces.append(words[start:stop])
        start = stop
    return pieces, end


def _vocabulary(pieces: list[list[str]]) -> Vocabulary:
    numbered: list[dict[str, int]] = []
    start = 0
    for section in pieces:
        numbered.append(dict(zip(section, range(start, start + len(section)), strict=True)))
        start += len(section)
    starts, inner, more_starts, more_inner, runs = numbered
    return Vocabulary({**more_starts, **starts}, {**more_inner, **inner}, runs)
