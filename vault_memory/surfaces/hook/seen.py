"""Which conversations a hook had looked through, how long they were then, and whether that came to its end.

A small file in `.vmem/local/` that may be lost: then they are looked through once more, which is no harm.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

NAME = "hook.seen"
MOST_TRIES = 3
"""So often at most one is begun again that did not come to its end."""
_MOST = 100
_SAFE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_LARGEST = 256 * 1024


@dataclass(frozen=True, slots=True)
class Seen:
    """One conversation of one agent. `size` is in bytes; `tries` counts how often it was begun again."""

    agent: str
    session: str
    transcript: str
    size: int
    whole: bool = False
    """Whether it is known to have been looked through up to there."""
    tries: int = 0

    @property
    def key(self) -> str:
        """What tells it from the others."""
        parts = (self.agent, self.session, self.transcript)
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:32]

    def begun_again(self) -> Seen:
        """After one more try; the last one counts as its end."""
        return replace(self, tries=self.tries + 1, whole=self.tries + 1 >= MOST_TRIES)


def read(root: Path) -> dict[str, Seen]:
    """By key, the oldest first; what can't be read is none."""
    try:
        opened = os.open(_file(root), os.O_RDONLY | _SAFE)
        try:
            rows = json.loads(os.read(opened, _LARGEST))
        finally:
            os.close(opened)
    except (OSError, ValueError, RecursionError):
        return {}
    found = [_read(row) for row in rows] if isinstance(rows, list) else []
    return {one.key: one for one in found if one is not None}


def write(root: Path, seen: Mapping[str, Seen]) -> None:
    """In place of what stands there."""
    rows = [asdict(one) for one in list(seen.values())[-_MOST:]]
    file = _file(root)
    own = file.with_name(f"{NAME}.{os.getpid()}")
    with suppress(OSError):
        opened = os.open(own, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.write(opened, json.dumps(rows).encode())
        finally:
            os.close(opened)
        os.replace(own, file)


def _file(root: Path) -> Path:
    return root / ".vmem" / "local" / NAME


def _read(row: Any) -> Seen | None:
    if not isinstance(row, dict) or set(row) != {field.name for field in fields(Seen)}:
        return None
    texts = [row[name] for name in ("agent", "session", "transcript")]
    counts = [row[name] for name in ("size", "tries")]
    fits = (
        all(isinstance(text, str) for text in texts)
        and all(type(count) is int for count in counts)
        and type(row["whole"]) is bool
    )
    return Seen(**row) if fits else None
