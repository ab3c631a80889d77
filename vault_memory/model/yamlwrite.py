"""Writing values so that every YAML reader, old or new, reads the same text that ours does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from vault_memory.errors import ValueFormatError
from vault_memory.model.moments import write_moment

FieldValue = str | float | bool | datetime | Sequence[str]
"""What a key can be set to: text stays text, numbers, flags and times are written bare."""

_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf", "infinity"})
"""Unquoted, some reader takes these for something else than text."""
_NUMBER = re.compile(
    r"0x[0-9a-f_]*|0o[0-7_]*|0b[01_]*|[0-9][0-9_,]*(\.[0-9_]*)?(e[-+]?[0-9]*)?|[0-9][0-9_:]*(\.[0-9_]*)?",
    re.IGNORECASE,
)
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}")
_MOMENT_KEYS = frozenset({"created", "updated", "expires"})
_BARE_MOMENT = re.compile(r"[0-9][0-9Tt:.,+Zz -]*")
_SAFE_FIRST = re.compile(r"[^\W_]|[\U0001F300-\U0001FAFF]")
_UNSAFE = re.compile(r": |:$| #|^ | $|[\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
_UNSAFE_IN_FLOW = re.compile(r"[,\[\]{}:\"'#&*!|>%@?`\\]")
_ESCAPED = re.compile(r"[\"\\\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_SURROGATE = re.compile("[\ud800-\udfff]")


def scalar(text: str, *, flow: bool = False) -> str:
    """The text as one YAML scalar on one line, quoted only where it must be.

    `flow` is for inside `[a, b]`. Raises `ValueFormatError` for half a surrogate pair.
    """
    if _SURROGATE.search(text):
        raise ValueFormatError("a text", text, "characters that can be written as UTF-8")
    if _is_plain(text) and not (flow and _UNSAFE_IN_FLOW.search(text)):
        return text
    return quoted(text)


def quoted(text: str) -> str:
    """The text in double quotes."""
    return f'"{_ESCAPED.sub(_escape, text)}"'


def written(value: FieldValue, key: str = "") -> str:
    """A value as it stands after `key: `; a date typed for a key that takes one stays bare."""
    if isinstance(value, str) and key in _MOMENT_KEYS and _BARE_MOMENT.fullmatch(value):
        return value.strip()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quoted(value) if key == "id" else scalar(value)
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, datetime):
        return write_moment(value)
    return f"[{', '.join(scalar(item, flow=True) for item in value)}]"


def read_back(value: FieldValue) -> str | list[str]:
    """What our reader makes of `written(value)`."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool | int | float | datetime):
        return written(value)
    return list(value)


def _is_plain(text: str) -> bool:
    if not _SAFE_FIRST.match(text) or _UNSAFE.search(text) or text.casefold() in _WORDS:
        return False
    if text[0].isdecimal():
        # Sexagesimals and dates included: 16:9 is 969 to some readers, 2026-03-14 a date.
        return not (_NUMBER.fullmatch(text) or _DATE.match(text))
    return True


def _number(value: float) -> str:
    # Imported here: only writing needs it, and every command imports this module.
    from decimal import Decimal

    text = format(Decimal(repr(value)), "f")
    return text if "." in text or isinstance(value, int) else f"{text}.0"


def _escape(found: re.Match[str]) -> str:
    char = found[0]
    return _ESCAPES.get(char) or (f"\\x{ord(char):02X}" if char <= "\xff" else f"\\u{ord(char):04X}")
