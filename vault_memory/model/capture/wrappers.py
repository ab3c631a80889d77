"""Taking out of a turn what nobody said: stored notes, words of the client, code, quotations, tables."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator

from vault_memory.model.injected import stripped

_TAGS = (r"[a-z]+(?:[-_][a-z]+)+", "instructions", "permissions instructions", "skill", "thinking", "caveat")
"""What clients put around words of their own: every name of several words, as `system-reminder`."""
_OPENING = re.compile(rf"<({'|'.join(_TAGS)})(?:\s[^<>]{{0,2000}})?>", re.IGNORECASE)
_SMALL = {ord(letter): letter.lower() for letter in string.ascii_uppercase}
"""Not `lower()`: it makes two letters of some, and places would be others."""
_UNTYPED = re.compile(
    r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
    r"\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]"
)
"""What nobody types: sequences for terminals, control characters, characters that can't be seen."""
_FENCE = re.compile(r"^[ \t]*(```|~~~)")
_NOISE = re.compile(
    r"[ \t]*(?:>|\||\$ |# *!|\+\+\+|---|@@|diff --git|Traceback|File \"|at [\w.$]+\(|\[\d{4}-|"
    r"\d{4}-\d\d-\d\d[T ]\d\d:|(?:ERROR|WARN(?:ING)?|INFO|DEBUG)\b[: \[]|"
    r"[*_]{0,3}(?i:system|assistant|human|developer)[*_]{0,3}[ \t]*[:：])"
)
"""Beginnings of lines that quote, draw tables, come from a program, or pose as somebody else's turn."""
_QUOTED = re.compile(
    r"(?<![\w\"])\"(?=[^\s\"])[^\"]{40,4000}(?<=\S)\"(?![\w\"])|“[^“”]{40,4000}”|„[^„“”]{40,4000}[“”]|«[^«»]{40,4000}»"
)
"""What somebody else has said, retold: a page that an agent has read may hold whatever it likes. A word or
two in quotation marks are a name."""
_INDENTED = re.compile(r"(?: {4}|\t)(?![ \t]*(?:[-*+•]|\d+[.)])[ \t])")
_CODE = re.compile(
    r"[{};]\s*$|^\s*(?:def|class|import|from|return|const|let|var|function|SELECT|INSERT)\s.*[({=;]"
)


def cleaned(text: str) -> str:
    """What was said, in its lines; what was taken out leaves empty ones, so that nothing runs together."""
    text = _UNTYPED.sub("", text)
    kept = "".join(_unwrapped(stripped(text))) if "<" in text else text
    said = "\n".join(_said(kept.replace("\r\n", "\n").split("\n")))
    return _QUOTED.sub(_blank, said)


def _blank(quoted: re.Match[str]) -> str:
    return "…" + "\n" * quoted[0].count("\n")


def notes_in(text: str) -> Iterator[str]:
    """The lines of the stored notes that were put before the agent in this turn."""
    if "vault-memory" in text.lower():
        left = set(stripped(text).split("\n"))
        yield from (line.strip() for line in text.split("\n") if line not in left and len(line.strip()) > 20)


def _unwrapped(text: str) -> Iterator[str]:
    """What stands outside of the wrappers. One without an end that begins a line reaches to the end of the
    text; within a line it is a word like others."""
    folded = text.translate(_SMALL)
    at = 0
    for opening in _OPENING.finditer(text):
        start = opening.start()
        if start < at:
            continue
        end = folded.find(f"</{opening[1].translate(_SMALL)}", opening.end())
        if end < 0 and text[text.rfind("\n", 0, start) + 1 : start].strip():
            continue
        yield text[at:start]
        yield "\n\n"
        closed = text.find(">", end) if end >= 0 else -1
        at = closed + 1 if closed >= 0 else len(text)
    yield text[at:]


def _said(lines: list[str]) -> Iterator[str]:
    fence = ""
    before = ""
    for line in lines:
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1] == fence):
            fence = "" if fence else mark[1]
            yield ""
        elif (
            fence
            or _NOISE.match(line)
            or _CODE.search(line)
            or (not before.strip() and _INDENTED.match(line))
        ):
            yield ""
            continue  # an indented block goes on
        else:
            yield line
        before = line
