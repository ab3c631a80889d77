"""The matrix of vectors as a file beside the index, so that a new process need not make it again."""

from __future__ import annotations

import json
import os
import struct
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from vault_memory.adapters.indexes.sqlite.nearrows import Rows

NAME = "vectors.cache"

_MAGIC = b"vmem vectors 1\n"
_ALIGNED = 64
_LONGEST_HEADER = 4_096
LONGEST_PID = 10


class Kept(NamedTuple):
    """What a file holds: rows mapped into memory, and up to which memory none lacks a vector."""

    rows: Rows
    whole_up_to: int


def save(folder: Path, key: str, rows: Rows, whole_up_to: int) -> None:
    """Write it, whole or not at all; where the disk says no, it is made again another time."""
    header = json.dumps(
        {"key": key, "count": len(rows.passages), "width": rows.codes.shape[1], "whole": whole_up_to}
    ).encode()
    start = _MAGIC + struct.pack("<I", len(header)) + header
    temporary = folder / f"{NAME}.{os.getpid()}.tmp"
    with suppress(OSError):
        _sweep(folder)
        try:
            with temporary.open("wb") as stream:
                stream.write(start.ljust(_padded(len(start)), b"\0"))
                for array in rows:
                    stream.write(array.tobytes())
                    stream.write(b"\0" * (_padded(array.nbytes) - array.nbytes))
            temporary.replace(folder / NAME)
        finally:
            temporary.unlink(missing_ok=True)


def adopt(content: bytes, target: Path, old: str, new: str) -> None:
    """Put the content of such a file beside a copy of its index, which was called `old` and is `new` now."""
    at = content.find(f'"key": "{old} '.encode(), 0, _LONGEST_HEADER)
    if not content.startswith(_MAGIC) or at < 0 or len(old) != len(new):
        return
    at += len('"key": "')
    temporary = target / f"{NAME}.{os.getpid()}.tmp"
    with suppress(OSError):
        try:
            temporary.write_bytes(content[:at] + new.encode() + content[at + len(new) :])
            temporary.replace(target / NAME)
        finally:
            temporary.unlink(missing_ok=True)


def _sweep(folder: Path) -> None:
    """Delete what writers that were killed have left."""
    for left in folder.glob(f"{NAME}.*.tmp"):
        pid = left.name.removeprefix(f"{NAME}.").removesuffix(".tmp")
        if not (pid.isdecimal() and len(pid) < LONGEST_PID and runs(int(pid))):
            left.unlink(missing_ok=True)


def runs(pid: int) -> bool:
    """Whether a process of that number is at work."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is somebody else's
        return True
    return True


def load(folder: Path, key: str) -> Kept | None:
    """The rows that were saved under this key; `None` where there are none, or the file is not whole."""
    import numpy as np

    from vault_memory.adapters.indexes.sqlite.nearrows import Rows, sign_words

    try:
        mapped = np.memmap(folder / NAME, dtype=np.uint8, mode="r")
        (length,) = struct.unpack("<I", mapped[len(_MAGIC) : len(_MAGIC) + 4].tobytes())
        first = len(_MAGIC) + 4
        if mapped[: len(_MAGIC)].tobytes() != _MAGIC or length > _LONGEST_HEADER:
            return None
        header = json.loads(mapped[first : first + length].tobytes())
        if header["key"] != key:
            return None
        count, width, whole = int(header["count"]), int(header["width"]), int(header["whole"])
        forms = (
            (np.dtype("<i8"), (count,)),
            (np.dtype("<i8"), (count,)),
            (np.dtype("i1"), (count, width)),
            (np.dtype("<f4"), (count,)),
            (np.dtype("<u8"), (sign_words(width), count)),
        )
        at, arrays = _padded(first + length), []
        for form, shape in forms:
            size = form.itemsize * int(np.prod(shape))
            arrays.append(np.asarray(mapped[at : at + size]).view(form).reshape(shape))
            at += _padded(size)
    except (OSError, ValueError, KeyError, TypeError, struct.error):  # not there, or not as we write it
        return None
    return Kept(Rows(*arrays), whole)


def _padded(size: int) -> int:
    return -(-size // _ALIGNED) * _ALIGNED
