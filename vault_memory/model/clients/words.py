"""The commands of vmem that stand in a program's settings: made, and known again."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from vault_memory.errors import UsageError
from vault_memory.model.agenthook import CAPTURES, Event

_NAME = re.compile(r"(?:^|[/\\])vmem(?:\.exe)?$", re.IGNORECASE)
_HEEDED = re.compile('[$`%!"]')
"""Signs that mean something between double quotes, in one shell of Windows or another."""
_PLAIN = re.compile(r"[\w@%+=:,./-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to stand in the settings: by which command of this machine, of which vault, as which agent."""

    vmem: tuple[str, ...]
    """The words that start vmem, whole paths."""
    vault: str
    agent: str
    read_only: bool = False

    def server(self) -> tuple[str, list[str]]:
        """The server's command and its arguments."""
        only = ["--read-only"] if self.read_only else []
        first, *rest = self.vmem
        return first, [*rest, "mcp", "--vault", self.vault, "--agent", self.agent, *only]

    def hook(self, event: Event, caller: str, *, windows: bool = False) -> str | None:
        """The command line of a hook; `None` for one that is not to run."""
        if self.read_only and event in CAPTURES:
            return None
        said = ["hook", event.value, "--for", caller, "--vault", self.vault, "--agent", self.agent]
        return in_a_line([*self.vmem, *said], windows=windows)


def in_a_line(words: Sequence[str], *, windows: bool = False) -> str:
    """The words as a shell takes them. On Windows that may be either of two shells, which both understand
    slashes and double quotes. Raises `UsageError` for what one of them would read as more than a name."""
    if not windows:
        return shlex.join(words)
    if any(_HEEDED.search(word) for word in words):
        hint = 'give the folder a name without any of $ ` % ! and "'
        raise UsageError("a command line on Windows can't hold such a name safely", hint=hint)
    said = (word.replace("\\", "/") for word in words)
    return " ".join(word if _PLAIN.fullmatch(word) else f'"{word}"' for word in said)


def words_of(line: object) -> list[str]:
    """The words of a command line; none where it is no such line."""
    try:
        return shlex.split(line) if isinstance(line, str) else []
    except ValueError:
        return []


def is_ours(words: Sequence[object], verb: str) -> bool:
    """Whether they start that verb of vmem, wherever that is installed."""
    for at, word in enumerate(words):
        if word == verb and at:
            before = words[at - 1]
            return before == "vault_memory" or (isinstance(before, str) and bool(_NAME.search(before)))
    return False


def vault_in(words: Sequence[object]) -> str | None:
    """The vault that they name."""
    for at, word in enumerate(words):
        if word == "--vault" and at + 1 < len(words):
            return str(words[at + 1])
        if isinstance(word, str) and word.startswith("--vault="):
            return word.removeprefix("--vault=")
    return None
