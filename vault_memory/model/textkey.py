"""Telling that two texts say the same, whatever their case, spacing and final full stop."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from hashlib import sha256

from vault_memory.model.caseless import caseless

_STOPS = " .!\u2026\u3002"
"""What may end a sentence without saying anything. A question mark does, and so do C# and 12 %."""
_WIDTHS = ("<wide>", "<narrow>")


def text_key(body: str) -> str:
    """The sha256 (hex) of the text in NFC and one width, case-folded, spaces collapsed, without end stops."""
    plain = body if body.isascii() else "".join(map(_one_width, body))
    folded = caseless(plain)
    words = " ".join(folded.split())
    # A text of nothing but stops keeps them: "..." and "!" are not the same.
    return sha256((words.rstrip(_STOPS) or words).encode("utf-8", "surrogatepass")).hexdigest()


@lru_cache(maxsize=4_096)
def _one_width(char: str) -> str:
    # Not NFKC for all: it would make 10\u2076 a hundred and six.
    is_variant = unicodedata.decomposition(char).startswith(_WIDTHS)
    return unicodedata.normalize("NFKC", char) if is_variant else char
