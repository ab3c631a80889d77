"""The token of a look at the vault: a place in what happens there, to which somebody can come back."""

from __future__ import annotations

import re
from dataclasses import dataclass

from vault_memory.errors import UsageError

LOOK_FORM = "a token that vmem changes gave"
_TOKEN = re.compile(r"([0-9a-z]{1,64})\.([0-9]{1,18})\.([0-9a-f]{7,64}|-)", re.ASCII)
_SHORT = 12
"""So many digits of a commit's hash tell it from all others of a repository."""


@dataclass(frozen=True, slots=True)
class LookToken:
    """`<instance>.<generation>.<commit>`: which index was asked, how far it was, and where HEAD stood.

    `commit` is the beginning of a hash, `None` where there was no commit."""

    instance: str
    generation: int
    commit: str | None

    def __str__(self) -> str:
        return f"{self.instance}.{self.generation}.{self.commit or '-'}"


def token_of(instance: str, generation: int, head: str | None) -> LookToken:
    """The token of a look at that index; `head` is a hash in full."""
    return LookToken(instance, generation, None if head is None else head[:_SHORT])


def read_token(text: str) -> LookToken | None:
    """The token that is written there, `None` for any other text."""
    found = _TOKEN.fullmatch(text.strip())
    if found is None:
        return None
    return LookToken(found[1], int(found[2]), None if found[3] == "-" else found[3])


def parse_token(text: str) -> LookToken:
    """The same; raises `UsageError` for any other text."""
    token = read_token(text)
    if token is None:
        raise UsageError(
            f"{text!r:.200} is no token",
            hint=f"give {LOOK_FORM}: it stands in the last line, and as token in --json",
        )
    return token
