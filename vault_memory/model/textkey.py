"""Telling that two texts say the same, whatever their case, spacing and final full stop."""

from __future__ import annotations

import unicodedata
from hashlib import sha256


def text_key(body: str) -> str:
    """The sha256 (hex) of the text in NFKC, case-folded, spaces collapsed, end punctuation off."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", body).casefold())
    words = " ".join(folded.split())
    end = len(words)
    while end and (words[end - 1] == " " or unicodedata.category(words[end - 1]).startswith("P")):
        end -= 1
    # A text of nothing but punctuation keeps it: "?" and "!" are not the same.
    return sha256((words[:end] or words).encode("utf-8", "surrogatepass")).hexdigest()
