"""The forms in which clients write transcripts: a row each, and telling them apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vault_memory.errors import UsageError
from vault_memory.model.capture import claudecode, codexlines, geminichat, plaintext
from vault_memory.model.capture.turn import Turn

AUTO = "auto"
TEXT = "text"


@dataclass(frozen=True, slots=True)
class Format:
    """A form with a JSON record a line."""

    name: str
    recognises: Callable[[Mapping[str, Any]], bool]
    session: Callable[[Mapping[str, Any]], str | None]
    turns: Callable[[Mapping[str, Any], int], Iterator[Turn]]


RECORDS: Mapping[str, Format] = {
    row.name: row
    for row in (
        Format("claude-code", claudecode.recognises, claudecode.session, claudecode.turns),
        Format("codex", codexlines.recognises, codexlines.session, codexlines.turns),
        Format("gemini", geminichat.recognises, geminichat.session, geminichat.turns),
    )
}
NAMES = (AUTO, *RECORDS, TEXT)


def parse_format(name: str) -> str:
    """The name of a form, or `auto`. Raises `UsageError`."""
    if name not in NAMES:
        raise UsageError(f"no form of transcript is called {name!r}", hint=f"there are: {', '.join(NAMES)}")
    return name


def format_of(records: Iterable[Mapping[str, Any]], lines: Iterable[str]) -> str | None:
    """The form of a transcript by some of its first records, or where there are none by its first lines;
    `None` for no form of ours."""
    counted = dict.fromkeys(RECORDS, 0)
    held = list(records)
    for record in held:
        for name, row in RECORDS.items():
            counted[name] += row.recognises(record)
    best = max(counted, key=lambda name: counted[name])
    if counted[best]:
        return best
    return TEXT if not held and any(map(plaintext.begins_turn, lines)) else None
