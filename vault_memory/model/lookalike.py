"""Folders that some system, or a reader, takes for one another: what closes one closes those alike."""

from __future__ import annotations

import re
from functools import lru_cache

from vault_memory.model.caseless import caseless
from vault_memory.model.normalform import normalized

_LETTERS = str.maketrans(
    # Cyrillic, Greek and other letters that are drawn as these, as small letters or as capitals.
    "авсԁеһіјкӏмнорԛѕтѵԝхуүαβεηικμνορτυχıɩɡɑ",
    "abcdehijklmhopqstvwxyyabehikmvoptuxiiga",
)
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff\x00-\x1f\x7f-\x9f]"
)
"""Characters that nobody sees, some of which some systems leave out of names."""


def alike(path: str) -> str:
    """Equal for paths whose folders differ only in case, width, composition, letters that are drawn the same,
    characters that nobody sees, and blanks or dots around a name, which Windows leaves out."""
    if path.isascii() and path.isprintable() and " " not in path and "." not in path:
        return path.lower()
    return "/".join(map(_name, path.split("/")))


@lru_cache(maxsize=4_096)
def _name(text: str) -> str:
    seen = _UNSEEN.sub("", normalized("NFKC", text))
    return caseless(seen).replace("i\u0307", "i").translate(_LETTERS).strip(" .")
