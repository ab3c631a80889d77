"""Ids of memories: ULIDs, which sort by the time they were made."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no I, L, O, U."""
LENGTH = 26
SHORT_LENGTH = 8
"""How much of an id is shown where a whole one would be noise."""
RANDOM_BYTES = 10
MAX_MS = 2**48 - 1

_ULID = re.compile(f"[0-7][{ALPHABET}]{{25}}", re.IGNORECASE | re.ASCII)


def ulid(at_ms: int, randomness: bytes) -> str:
    """The ULID of a moment (milliseconds since 1970) and ten random bytes.

    Raises `ValueError` for a moment outside 48 bits or another number of bytes.
    """
    if not 0 <= at_ms <= MAX_MS:
        raise ValueError(f"a ULID's time lies between 0 and {MAX_MS} ms since 1970, not {at_ms}")
    if len(randomness) != RANDOM_BYTES:
        raise ValueError(f"a ULID takes {RANDOM_BYTES} random bytes, not {len(randomness)}")
    number = (at_ms << 80) | int.from_bytes(randomness, "big")
    return "".join(ALPHABET[(number >> shift) & 31] for shift in range(125, -1, -5))


def short(memory_id: str | None) -> str:
    """The beginning of a ULID, which names the memory where it is the only one so; any other id whole,
    since only a ULID's beginning is a name. Empty where there is no id."""
    text = memory_id or ""
    return text[:SHORT_LENGTH] if is_ulid(text) else text


def short_apart(memory_ids: Sequence[str | None]) -> list[str]:
    """The ids as `short` gives them, longer where two that differ would look the same.

    ULIDs of the same second begin alike, so of many written at once eight characters name none.
    """
    ids = [one or "" for one in memory_ids]
    ulids = {one.upper() for one in ids if is_ulid(one)}
    apart = range(SHORT_LENGTH, LENGTH + 1)
    length = apart[
        bisect_left(apart, True, key=lambda size: len({one[:size] for one in ulids}) == len(ulids))
    ]
    return [one[:length] if is_ulid(one) else one for one in ids]


def is_ulid(text: str) -> bool:
    """Whether the text is a ULID, in upper or lower case."""
    return _ULID.fullmatch(text) is not None
