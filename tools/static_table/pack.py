"""Writing the table: rows to 4 bits, and the file that `vault_memory…bundled.table` reads."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tools.static_table.weights import Floats
from vault_memory.adapters.embedders.bundled.table import ALIGNMENT, MAGIC, SECTIONS

_MOST = 7


def quantized(rows: Floats) -> tuple[NDArray[np.uint8], NDArray[np.float16]]:
    """Numbers from −7 to 7, two a byte (the earlier one low, 8 added), and a scale for each row."""
    scales = np.maximum(np.abs(rows).max(axis=1) / _MOST, 1e-6).astype(np.float16)
    values = np.clip(np.round(rows / scales.astype(np.float32)[:, None]), -_MOST, _MOST) + 8
    low, high = values[:, 0::2].astype(np.uint8), values[:, 1::2].astype(np.uint8)
    return low | (high << 4), scales


def packed(
    sections: Mapping[str, Sequence[str]], narrow: Floats, wide: Floats, span: tuple[float, float]
) -> bytes:
    """The whole file."""
    text = "\n".join(piece for section in SECTIONS for piece in sections[section]).encode()
    header = {
        "span": span,
        "narrow": narrow.shape[1],
        "wide": wide.shape[1],
        "text": len(text),
        **{section: len(sections[section]) for section in SECTIONS},
    }
    encoded = json.dumps(header, ensure_ascii=False).encode()
    front = MAGIC + struct.pack("<I", len(encoded)) + encoded + text
    front += bytes(-len(front) % ALIGNMENT)
    narrow_values, narrow_scales = quantized(narrow)
    wide_values, wide_scales = quantized(wide)
    return front + b"".join(
        part.astype(part.dtype.newbyteorder("<")).tobytes()
        for part in (narrow_scales, wide_scales, narrow_values, wide_values)
    )
