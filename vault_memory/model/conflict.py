"""Finding merge markers that nobody has resolved."""

from __future__ import annotations

import re

from vault_memory.model.markdown import Spans, inside
from vault_memory.model.split import HEADER_LINE

_OURS = re.compile(r"^<{7} ", re.MULTILINE)
_MIDDLE = re.compile(r"^={7}$", re.MULTILINE)
_THEIRS = re.compile(r"^>{7} ", re.MULTILINE)


def conflict_line(header: str | None, body: str, body_line: int, fences: Spans) -> int | None:
    """The file's line of the first `<<<<<<< ` that has its `=======` and `>>>>>>> ` below it.

    It must stand outside fenced code; the others may not seem to, since the two sides of a
    conflict can hold one half of a fence each.
    """
    if header is not None:
        found = _OURS.search(header)
        if found and _goes_on(f"{header}\n{body}", found.end()):
            return HEADER_LINE + header.count("\n", 0, found.start())
    if "<<<<<<< " not in body:
        return None
    for found in _OURS.finditer(body):
        if not inside(fences, found.start()):
            if _goes_on(body, found.end()):
                return body_line + body.count("\n", 0, found.start())
            return None
    return None


def _goes_on(text: str, offset: int) -> bool:
    middle = _MIDDLE.search(text, offset)
    return middle is not None and _THEIRS.search(text, middle.end()) is not None
