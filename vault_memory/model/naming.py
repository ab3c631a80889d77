"""Names of new files, and titles for texts that come without one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection
from datetime import datetime

from vault_memory.errors import UnsafePathError
from vault_memory.model.clip import clip, clip_words, one_line
from vault_memory.model.markdown import bare_heading
from vault_memory.model.namespace import PRIVATE, SHARED, Namespace, parse_namespace
from vault_memory.model.normalform import normalized

MAX_SLUG = 80
MAX_SLUG_BYTES = 200
MAX_DERIVED_TITLE = 80
FOLDER_SIZE = 500
"""Generated files that a folder takes before the next one is begun: git slows down past that."""
UNTITLED = "Untitled"

_DROPPED = frozenset("'’ʼ`´")
_QUOTES, _NO_LETTERS = re.compile("['`]"), re.compile("[^a-z0-9_]+")
"""The same for a text in ASCII: what is dropped, and what becomes a `-`."""
_MONTH_FOLDER = re.compile(r"[0-9]{4}-(?:0[1-9]|1[0-2])(?:-[0-9]{1,6})?")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.*)")
_LOOKED_AT = 1000
"""Characters of a line that a title is made of: there are lines of a megabyte."""
_LIST_MARK = re.compile(r"^(?:[ \t>]|[-*+][ \t]|[0-9]{1,9}[.)][ \t])+")
_EMPHASIS = re.compile(r"\*\*|`+")
_SENTENCE = re.compile(r"(.{12,}?)(?:[.!?]+(?=\s|$)|[。！？])|.+")
_VARIATION = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))


def slug(title: str, fallback: str) -> str:
    """A file name (without `.md`) made of a title: letters and digits of any script, and `-`.

    At most 80 characters and 200 bytes, in NFC and lower case, good on every system. A title
    without a single letter or digit gives `fallback`, in lower case.
    """
    text = normalized("NFC", normalized("NFC", title).lower())
    letters = _NO_LETTERS.sub("-", _QUOTES.sub("", text)) if text.isascii() else _letters(text)
    name = clip(letters.strip("-_"), MAX_SLUG, max_bytes=MAX_SLUG_BYTES).strip("-_")
    if not any(char.isalnum() for char in name):
        name = fallback.lower()
    return name if _is_safe(name) else f"memory-{name}"


def _letters(text: str) -> str:
    """The letters, digits and marks on them, with one `-` for what lies between."""
    pieces: list[str] = []
    for char in text:
        category = unicodedata.category(char)
        if category[0] == "L" or category in ("Nd", "Nl", "No") or char == "_":
            pieces.append(char)
        elif category in ("Mn", "Mc"):
            # A mark belongs to the letter before it; after an emoji it is only decoration.
            if pieces and pieces[-1] != "-" and not any(ord(char) in block for block in _VARIATION):
                pieces.append(char)
        elif category not in ("Cf", "Me", "Cs") and char not in _DROPPED and pieces and pieces[-1] != "-":
            pieces.append("-")
    return "".join(pieces)


def fold_name(name: str) -> str:
    """A file name as file systems that ignore case and Unicode form compare it."""
    return normalized("NFC", name.casefold())


def free_name(base: str, taken: Collection[str], fallback: str) -> str:
    """`base.md`, else `base-2.md`, `base-3.md` …: the first that is not in `taken` (folded names).

    After a thousand of the same name the memory's id (`fallback`) goes into it.
    """
    for number in range(1, 1001):
        name = f"{base}.md" if number == 1 else f"{base}-{number}.md"
        if fold_name(name) not in taken:
            return name
    return f"{base}-{fallback.lower()}.md"


def file_name(title: str, taken: Collection[str], memory_id: str) -> str:
    """The name of a new memory's file; `taken` are the folded names in its folder."""
    return free_name(slug(title, memory_id), taken, memory_id)


def generated_folder(namespace: Namespace, at: datetime, count_in: Callable[[Namespace], int]) -> Namespace:
    """The folder that takes the next generated file of a namespace.

    The namespace's own until it holds 500, then `<yyyy-mm>/`, then `<yyyy-mm>-2/` and so on.
    `count_in` tells how many files a folder holds.
    """
    folder, number = namespace, 0
    while count_in(folder) >= FOLDER_SIZE:
        number += 1
        month = f"{at.year:04d}-{at.month:02d}" + (f"-{number}" if number > 1 else "")
        folder = Namespace(f"{namespace}/{month}" if namespace else month)
    return folder


def home_of(folder: str) -> Namespace:
    """The namespace that a folder belongs to: month folders are no part of it."""
    parent, _, last = folder.rpartition("/")
    if _MONTH_FOLDER.fullmatch(last) and parent not in ("", PRIVATE, SHARED):
        return Namespace(parent)
    return Namespace(folder)


def title_of(text: str) -> str:
    """A title for a text that has none: its first heading, else its first sentence, shortened."""
    lines = [line.strip()[:_LOOKED_AT] for line in text.split("\n") if any(map(str.isalnum, line))]
    headings = (bare_heading(found[1]) for line in lines if (found := _HEADING.fullmatch(line)))
    heading = next(filter(None, headings), None)
    first = heading or next(iter(lines), None) or text.strip()[:_LOOKED_AT]
    plain = one_line(_EMPHASIS.sub("", _LIST_MARK.sub("", first))).strip("*_ ")
    if heading is None:
        sentence = _SENTENCE.match(plain)
        plain = (sentence[1] or sentence[0]).rstrip() if sentence else plain
    return clip_words(plain, MAX_DERIVED_TITLE, ellipsis="…") or UNTITLED


def _is_safe(name: str) -> bool:
    try:
        return parse_namespace(name) == name
    except UnsafePathError:
        return False
