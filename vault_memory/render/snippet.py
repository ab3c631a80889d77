"""The part of a text around the first word that was asked for, the words that match in ‹ ›."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from vault_memory.model.language import of_text
from vault_memory.model.terms import ask, cut, is_unspaced
from vault_memory.render.style import cells, harmless, styled

_WORD = re.compile(r"\S+")
_CORE = re.compile(r"\w(?:.*\w)?")
GAP = "…"
LONG = 24
"""From so many columns on, a word is rather a clause of a script without spaces, and may be cut."""


class _Piece(NamedTuple):
    """A word, and from where to where of it was asked for (the same twice: nowhere)."""

    text: str
    start: int
    end: int

    @property
    def matches(self) -> bool:
        return self.end > self.start


def snippet(text: str, query: str, width: int, *, colour: bool) -> str:
    """At most about `width` columns on one line; begins with the text where nothing of it matches."""
    asked = ask(query)
    terms = frozenset(asked.terms)
    typed = sorted((word.casefold() for word in _WORD.findall(query)), key=len, reverse=True)
    words = _WORD.findall(harmless(text))
    language = asked.language or of_text(text)
    pieces = [_shortened(_piece(word, terms, language, typed), width // 3) for word in words]
    first = next((at for at, piece in enumerate(pieces) if piece.matches), 0)
    start = _start(pieces, first, width // 3)
    shown: list[str] = []
    left = width
    for piece in pieces[start:]:
        if shown and cells(piece.text) > left:
            shown.append(_beginning(piece, left - 1))
            break
        shown.append(_marked(piece, colour=colour))
        left -= cells(piece.text) + 1
    if start and not shown[0].startswith(GAP):
        shown.insert(0, GAP)
    return " ".join(shown)


def _beginning(piece: _Piece, room: int) -> str:
    """Of a long clause without spaces what still fits in, of a common word nothing; and the mark of a gap."""
    if cells(piece.text) < LONG or room < LONG // 2:
        return GAP
    kept = piece.text[: room // 2]  # two columns a character at most
    return f"{kept}{GAP}"


def _piece(word: str, terms: frozenset[str], language: str | None, typed: Sequence[str]) -> _Piece:
    if terms.isdisjoint(cut(word, language)):
        return _Piece(word, 0, 0)
    folded = word.casefold()
    if len(folded) == len(word):
        # Where a script has no spaces the word is a whole clause: what was typed is marked in it.
        for one in typed:
            at = folded.find(one)
            if at >= 0 and is_unspaced(one[0]):
                return _Piece(word, at, at + len(one))
    core = _CORE.search(word)
    return _Piece(word, *(core.span() if core else (0, len(word))))


def _shortened(piece: _Piece, most: int) -> _Piece:
    """A clause without spaces that is longer than `most` columns, cut down to what is around the match."""
    if cells(piece.text) <= 2 * most:
        return piece
    start = max(0, piece.start - most // 2)
    end = max(piece.end, start + most)
    head = GAP if start else ""
    tail = GAP if end < len(piece.text) else ""
    moved = len(head) - start
    text = f"{head}{piece.text[start:end]}{tail}"
    return _Piece(text, piece.start + moved, piece.end + moved) if piece.matches else _Piece(text, 0, 0)


def _start(pieces: Sequence[_Piece], first: int, room: int) -> int:
    """The piece to begin with so that about `room` columns stand before the first match."""
    start, used = first, 0
    while start > 0 and used + cells(pieces[start - 1].text) < room:
        start -= 1
        used += cells(pieces[start].text) + 1
    return start


def _marked(piece: _Piece, *, colour: bool) -> str:
    if not piece.matches:
        return piece.text
    found = styled(f"‹{piece.text[piece.start : piece.end]}›", "yellow", colour=colour)
    return piece.text[: piece.start] + found + piece.text[piece.end :]
