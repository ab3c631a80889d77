"""Stored text made harmless for a prompt: nothing in it can pose as the frame, a role or a command.

Only what a model is shown changes, and each change can be seen: the first character of a mark that
poses becomes `‹`. Files and JSON keep the text as it is.
"""

from __future__ import annotations

import re

from vault_memory.model.clip import clip, one_line

_LINE_END = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
"""All that `str.splitlines` takes for the end of a line."""
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x1f\x7f-\x9f\u180e\u200b\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e0fff]"
)
"""Control characters, turned direction, invisible letters; joiners within emoji and words stay."""
_LONE = re.compile("[\ud800-\udfff]")
_SUSPECT = re.compile(r"[<\[:!]|  ")
_FENCE = re.compile(
    r"[ \t>]*(?:[-*+][ \t]+)?(?P<mark>`{3,}(?=[^`\n]*$)|~{3,})(?P<info>[^\n]*)$", re.MULTILINE
)
_REMOTE = r"[ \t]*<?(?:[a-z][a-z0-9+.-]{0,20}:)?//"
_ALT = r"\[(?:[^\[\]]|\[[^\[\]]{0,200}\]){0,500}\]"
_IMAGE = re.compile(rf"!(?={_ALT}\({_REMOTE})", re.IGNORECASE)
_ANY_IMAGE = re.compile(rf"!(?={_ALT}(?:\({_REMOTE}|(?!\()))", re.IGNORECASE)
_DEFINES_REMOTE = re.compile(rf"^[ \t>]*\[[^\[\]\n]{{1,200}}\]:{_REMOTE}", re.IGNORECASE | re.MULTILINE)
_HTML_REMOTE = re.compile(
    r"<(?=\s{0,20}(?:img|iframe|script|object|embed|link)\b[^<>]{0,500}//)", re.IGNORECASE
)

_NAMES = (
    "memory|memories|vmem|system|reminder|instructions?|prompt|assistant|human|user|developer|tools?"
    "|functions?|calls|invoke|antml|thinking|inst|sys|bos|eos|s|turn|context|documents?"
)
# `List<User>` is code: a capitalised name right behind a word is left alone.
_TAG = re.compile(
    r"(?:(?<!\w)<|<(?![A-Z][a-z]))"
    rf"(?=\s{{0,20}}/?\s{{0,20}}(?:(?i:[a-z0-9]){{1,30}}[-_:.]){{0,5}}(?i:{_NAMES})(?!(?i:[a-z0-9]))"
    r"|[|｜][^<>\s]{1,60}[|｜]>)"
)
_BRACKET = re.compile(
    r"\[(?=\s{0,20}/?\s{0,20}(?:inst|sys|system_prompt|tool_calls|tool_results|available_tools)\s{0,20}\])",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"^([ \t>*_#-]*+)(system|human|user|assistant|developer|tool|instructions?|response)(?=[*_ \t]*+[:：])",
    re.IGNORECASE | re.MULTILINE,
)


def harmless(text: str) -> str:
    """The text with LF line ends, without unseen characters, its marks of prompts and roles defused."""
    if not text.isascii() or not text.replace("\n", "").replace("\t", "").isprintable():
        text = _UNSEEN.sub("", _LINE_END.sub("\n", text))
        text = _LONE.sub("\ufffd", text)
    if "![" in text:
        pattern = _ANY_IMAGE if _DEFINES_REMOTE.search(text) else _IMAGE
        text = pattern.sub("", text)
    if "<" in text:
        text = _TAG.sub("‹", _HTML_REMOTE.sub("‹", text))
    if "[" in text:
        text = _BRACKET.sub("‹", text)
    if ":" in text or "：" in text:
        text = _ROLE.sub(r"\1‹\2›", text)
    return text


def harmless_line(text: str, limit: int) -> str:
    """The text on one line of at most `limit` characters, for a place in the frame itself."""
    if not text.isascii() or not text.isprintable() or _SUSPECT.search(text):
        text = one_line(harmless(_LINE_END.sub(" ", text).replace("\n", " ")))
    return clip(text.strip(), limit, ellipsis="…")


def boxed(text: str) -> str:
    """The text harmless and every line indented by two spaces; a fence left open is closed.

    Runs of blank lines become one empty line; there is none at either end.
    """
    shown = "\n".join(indented(harmless(text)))
    mark = open_fence(shown)
    return f"{shown}\n  {mark}" if mark else shown


def indented(text: str) -> list[str]:
    """The lines of a text, each indented by two spaces and without blanks at its end; of blank ones on end
    one is left, and it is empty; none at either end."""
    lines: list[str] = []
    for line in text.split("\n"):
        if line.strip():
            lines.append("  " + line.rstrip())
        elif lines and lines[-1]:
            lines.append("")
    if lines and not lines[-1]:
        lines.pop()
    return lines


def open_fence(text: str, opened: str = "") -> str:
    """The mark of a code fence that is still open where the text ends; empty where none is.

    `opened` is the mark of one that is open where the text begins.
    """
    if "```" not in text and "~~~" not in text:
        return opened
    for found in _FENCE.finditer(text):
        mark = found["mark"]
        if not opened:
            opened = mark
        elif mark[0] == opened[0] and len(mark) >= len(opened) and not found["info"].strip():
            opened = ""
    return opened
