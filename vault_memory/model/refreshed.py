"""Refreshing `updated` in a file that keeps it, in the form in which it stands there."""

from __future__ import annotations

from datetime import datetime, tzinfo

from vault_memory.model.header import open_header
from vault_memory.model.moments import write_moment, write_moment_like
from vault_memory.model.splice import splice
from vault_memory.model.yamlread import plain

_KEY = "updated"


def refresh_updated(path: str, content: bytes, now: datetime, zone: tzinfo) -> bytes:
    """The file with `updated` set to now, where it has that key: epoch stays epoch, a day a day."""
    header = open_header(path, content)
    number = None if header.parts.header is None else header.find(_KEY)
    if number is None:
        return content
    stands = plain(header.pairs.pairs[number][1])
    shaped = write_moment_like(now, stands, zone) if isinstance(stands, str) else write_moment(now)
    return splice(path, content, {_KEY: shaped}, only_present=True)
