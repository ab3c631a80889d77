"""The built-in scanner: vendors' keys, key blocks, addresses with passwords, values of secret-like names.

Why our own: detect-secrets 1.5 (last release in May 2024; six more packages) takes 11 ms for one of 1,239
real notes of 2 KB and 115 ms to import, and misses 9 of 24 kinds of secrets that notes hold. The scanners in
Go and Rust that have bindings take 0.03 to 9 ms a note, weigh 27 to 57 MB, cost 0.1 to 0.4 s at each start
(one of them 3.4 s at its first), and miss 6 to 10 of the 24. This table takes 0.1 ms a note and 5 ms to load;
another scanner fits behind the same port.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from vault_memory.adapters.scanners.assigned import assigned
from vault_memory.adapters.scanners.find import Find
from vault_memory.adapters.scanners.shapes import shaped
from vault_memory.adapters.scanners.vendors import SHORTEST, vendor_keys

MASK = "[secret]"
MOST = 200
"""So many places are told of one text."""


class SecretTable:
    """Finds what looks like a live credential, unless the vault's allow list holds it."""

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        self._allowed = tuple(allowed)

    def scan(self, text: str, *, known: str = "") -> list[tuple[str, int]]:
        """(rule, line) of each find in order, but of those that stand in `known` too."""
        found = self._found(text)
        if not found:
            return []
        line_ends = text.replace("\r\n", " \n").replace("\r", "\n")
        places: dict[tuple[str, int], None] = {}
        line, counted = 1, 0
        for one in found:
            if known and text[one.start : one.end] in known:
                continue
            line += line_ends.count("\n", counted, one.start)
            counted = one.start
            places[one.rule, line] = None
            if len(places) == MOST:
                break
        return list(places)

    def mask(self, text: str) -> str:
        """The text with each find replaced."""
        pieces: list[str] = []
        last = 0
        for one in self._found(text):
            pieces += (text[last : one.start], MASK)
            last = one.end
        return "".join((*pieces, text[last:]))

    def _found(self, text: str) -> list[Find]:
        """What no allowed text holds, in order, each place once."""
        if not text:  # most fields of most memories
            return []
        kept: list[Find] = []
        for one in sorted(_all(text), key=lambda one: (one.start, -one.end)):
            secret = text[one.start : one.end]
            if any(secret in allowed for allowed in self._allowed):
                continue
            if not kept or one.start >= kept[-1].end:
                kept.append(one)
        return kept


def _all(text: str) -> Iterator[Find]:
    lowered = text.lower()
    if len(lowered) != len(text):  # one letter (İ) becomes two, and places would no longer agree
        lowered = "".join(small if len(small := char.lower()) == 1 else char for char in text)
    # Most words are too short to be a key: looking through the others is ten times as fast.
    words = " ".join([word for word in text.split() if len(word) >= SHORTEST])
    yield from vendor_keys(text, words)
    yield from shaped(text, lowered, words)
    yield from assigned(text, lowered)
