"""Saying in a person's words why a text is not valid YAML, and how to mend the line."""

from __future__ import annotations

import re
from enum import Enum
from typing import Any, NamedTuple

_KEY_VALUE = re.compile(r"^([ \t]*(?:- +)?[^\s:#][^:]*):[ \t]+(\S.*?)[ \t]*$")

_TYPE = "an unquoted '!' names a type"

# (what the parser says, what it means, point at where the thing began, advise to quote)
_REASONS = (
    ("unknown escape", "a '\\' in double quotes begins an escape", True, False),
    ("expected hexdecimal", "a '\\' in double quotes begins an escape", True, False),
    ("invalid Unicode character", "an escape that stands for no character", True, False),
    ("found unexpected end of stream", "a quote is opened and never closed", True, False),
    ("alphabetic or numeric", "an unquoted '*' or '&' begins a reference", True, True),
    ("expected ',' or ']'", "a list is opened by '[' and not closed", True, False),
    ("expected ',' or '}'", "a map is opened by '{' and not closed", True, False),
    ("could not find expected ':'", "a line that is not  key: value", True, False),
    ("comment or line break", "text follows '|' or '>'", False, True),
    ("comment or a line break", "text follows '|' or '>'", False, True),
    ("indentation indicator", "text follows '|' or '>'", False, True),
    ("unexpected document", "a quote is opened and never closed", True, False),
    ("tag URI", _TYPE, True, True),
    ("expected URI", _TYPE, True, True),
    ("URI escaped", _TYPE, True, True),
    ("tag handle", _TYPE, True, True),
    ("tag directive", _TYPE, True, True),
    ("while scanning a tag", _TYPE, True, True),
    ("expected whitespace or line break", _TYPE, True, True),
    ("expected ' '", _TYPE, True, True),
    ("expected '!'", _TYPE, True, True),
    ("sequence entries", "a list can't begin on the line of its key", False, False),
    ("unexpected ':'", "':' in an unquoted value", False, True),
    ("a tab character", "a tab can't indent", False, False),
    ("\\t", "a tab can't indent", False, False),
    ("<document start>", "something follows the end of the value", False, True),
    ("mapping keys are not allowed", "'?' can't begin an unquoted value", False, True),
)
_PLAIN_ADVICE = {
    "sequence entries": "put each item on a line of its own:  - item",
    "a tab character": "indent with spaces",
    "\\t": "indent with spaces",
    "unexpected document": "close the quote at the end of its value",
    "unknown escape": "use single quotes, in which '\\' is only itself",
    "expected hexdecimal": "use single quotes, in which '\\' is only itself",
    "found unexpected end of stream": "close the quote at the end of its value",
    "expected ',' or ']'": "close it by ']', or quote a value that only begins with '['",
    "expected ',' or '}'": "close it by '}', or quote a value that only begins with '{'",
}


class Trouble(Enum):
    """The kinds of what can be wrong with a text that is to be YAML."""

    INVALID = "not valid YAML"
    TOO_BIG = "too big to read"


class Snag(NamedTuple):
    """What is wrong with a text: `line` counts its lines from 0, `advice` may be empty."""

    trouble: Trouble
    line: int
    reason: str
    advice: str = ""


def explain(error: Any, text: str) -> Snag:
    """What an exception of PyYAML (`yaml.YAMLError`) means."""
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        return _control_character(error, text)
    problem = str(getattr(error, "problem", None) or "it can't be read")
    if "nesting depth" in problem:
        return Snag(Trouble.TOO_BIG, text.count("\n", 0, mark.index), "nested too deep")
    place = 0 if "<document start>" in problem else mark.index
    if _line(text, place).startswith("%"):
        return _snag(text, place, "a line can't begin with '%'", "begin a comment with '#'")
    for sign, tell in _LOOKED_AT:
        if sign in problem:
            return tell(text, mark.index)
    for says, means, at_beginning, quoting in _REASONS:
        if says in problem:
            began = getattr(error, "context_mark", None)
            offset = began.index if at_beginning and began is not None else mark.index
            advice = _quoted(_line(text, offset)) if quoting else _PLAIN_ADVICE.get(says, "")
            return _snag(text, offset, means, advice)
    return _snag(text, mark.index, "what stands here can't be read", "")


def _snag(text: str, offset: int, reason: str, advice: str) -> Snag:
    # The parser may point behind the last line, where a person sees nothing.
    offset = min(offset, len(text.rstrip("\n")))
    return Snag(Trouble.INVALID, text.count("\n", 0, offset), reason, advice)


def _colon(text: str, offset: int) -> Snag:
    line = _line(text, offset)
    found = _KEY_VALUE.match(line)
    if found and re.search(r":(\s|$)", found[2]):
        return _snag(text, offset, "':' in an unquoted value", _quoted(line))
    return _snag(
        text,
        offset,
        "a ':' where no key can begin",
        "look at the line above (a key without ':'?) and at this line's indentation",
    )


def _no_key(text: str, offset: int) -> Snag:
    line = _line(text, offset)
    found = _KEY_VALUE.match(line)
    if found and found[2][0] in "[{\"'":
        return _snag(text, offset, "something follows the end of the value", _quoted(line))
    return _snag(text, offset, "a line where no key can begin", "look at its indentation")


def _no_value(text: str, offset: int) -> Snag:
    if text[offset : offset + 1] in {",", "]", "}", "?", "-"}:
        return _bad_start(text, offset)
    advice = "close it by ']' or '}', or quote a value that only begins like one"
    return _snag(text, offset, "a list or map is opened and not closed", advice)


def _bad_start(text: str, offset: int) -> Snag:
    sign = text[offset : offset + 1]
    if sign == "\t":
        return _snag(text, offset, "a tab can't indent", "indent with spaces")
    return _snag(text, offset, f"{sign!r} can't begin an unquoted value", _quoted(_line(text, offset)))


def _control_character(error: Any, text: str) -> Snag:
    # The C parser counts bytes here, the other one characters; so look for it ourselves.
    sign = getattr(error, "character", None)
    sign = chr(sign) if isinstance(sign, int) else str(sign)[:1]
    offset = max(text.find(sign), 0)
    return _snag(text, offset, f"the control character U+{ord(sign or chr(0)):04X}", "delete that character")


def _line(text: str, offset: int) -> str:
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    return text[start:] if end < 0 else text[start:end]


def _quoted(line: str) -> str:
    """Advice to quote the value of a line, with the line as it would be."""
    found = _KEY_VALUE.match(line)
    if not found:
        return ""
    key, value = found[1].strip(), found[2]
    if '"' in value or "\\" in value:
        value = value.replace("'", "''")
        return f"quote the value:  {key}: '{value}'"
    return f'quote the value:  {key}: "{value}"'


_LOOKED_AT = (
    ("node content", _no_value),
    ("cannot start any token", _bad_start),
    ("mapping values are not allowed", _colon),
    ("expected key", _no_key),
    ("<block end>, but found", _no_key),
    ("'-' indicator", _no_key),
)
"""What the parser says where the line itself tells more, and who looks at it."""
