"""Folding text so that spellings which people take for the same are the same characters."""

from __future__ import annotations

import re

from vault_memory.model.normalform import normalized

TWO_SPELLINGS = {"ä": ("a", "ae"), "ö": ("o", "oe"), "ü": ("u", "ue"), "ø": ("o", "oe"), "å": ("a", "aa")}
"""Letters that `fold` keeps, because they are typed either bare or as two letters."""

# Accents of Latin, Greek and Cyrillic, vowel points of Hebrew and Arabic, and what nobody sees: soft
# hyphens, joiners, text direction, emoji variants and skin tones. Vowel signs of the scripts of India
# and of South-East Asia are marks too, but without them the words are others, so they stay.
_UNSEEN = (
    "\u0300-\u0307\u0309\u030b-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u08d3-\u08ff"
    "\u00ad\u061c\u034f\u180b-\u180e\u200c-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff"
    "\U0001f3fb-\U0001f3ff\U000e0001-\U000e01ef"
)
_DROPPED = re.compile(f"(?<![aouAOU])\u0308|(?<![aA])\u030a|[{_UNSEEN}]+")
_LEFT_OVER = re.compile("[\u0300-\u036f]+")

_LETTERS = str.maketrans(
    {
        "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ŧ": "t", "ı": "i", "ĸ": "k",
        "ŋ": "n", "ƀ": "b", "ƶ": "z", "ɨ": "i", "ɔ": "o", "ɛ": "e",
        "’": "'", "‘": "'", "ʼ": "'", "ʻ": "'",
        "‐": "-", "‒": "-", "–": "-", "−": "-", "⁄": "/",
    }
)  # fmt: skip


def fold(text: str) -> str:
    """Lower-case text in one form: no accents, no invisible characters, ß as ss, Hangul composed.

    The keys of `TWO_SPELLINGS` are left as they are; line breaks and blanks too.
    """
    if text.isascii():
        return text.lower()
    bare = _DROPPED.sub("", normalized("NFKD", text))
    composed = normalized("NFC", bare.casefold())
    return _LEFT_OVER.sub("", composed).translate(_LETTERS)
