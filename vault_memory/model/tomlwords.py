"""Values and keys as TOML writes them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml(value: object) -> str:
    """A text, number or flag, or a list or table of them, on one line."""
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{toml_key(name)} = {toml(one)}' for name, one in value.items())}}}"
    # Of texts, numbers and flags JSON is TOML, but for the one character that it lets stand.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_key(name: str) -> str:
    """A key, in quotes where it needs them."""
    return name if _BARE.fullmatch(name) else toml(name)


def dotted(names: Iterable[str]) -> str:
    """The way to a table, as it stands in the table's head."""
    return ".".join(map(toml_key, names))
