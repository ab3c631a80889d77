"""A conversation as a vault: one file a session, one line a turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

from vault_memory.errors import StorageError
from vault_memory.evaluate.recall.conversations import Conversation, Session
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.namespace import VaultPath
from vault_memory.model.passage import Passage, cut

FIRST_LINE = 5
"""The line of a session's file on which its first turn stands."""

Place = tuple[str, int]
"""A turn in a vault: the file's path, and the turn's number from 0."""


@dataclass(frozen=True, slots=True)
class Written:
    """What the files of a vault hold. `mixed` are those in which a passage is more than one turn."""

    turns: Mapping[str, Sequence[str]]
    passages: int
    mixed: tuple[str, ...]

    def shown(self, path: str, passage: Passage) -> Iterator[Place]:
        """The turns of which a passage shows anything, in order."""
        last = len(self.turns[path]) - 1
        for turn in range(passage.start_line - FIRST_LINE, passage.end_line - FIRST_LINE + 1):
            if 0 <= turn <= last:
                yield path, turn


def path_of(conversation: Conversation, session: int) -> str:
    """The file of a session."""
    return f"{conversation.name}/{conversation.sessions[session].name}.md"


def write(root: Path, conversations: Sequence[Conversation]) -> Written:
    """Put the files of these conversations into the vault at `root`, and say what they hold."""
    turns: dict[str, Sequence[str]] = {}
    passages = 0
    mixed: list[str] = []
    for conversation in conversations:
        for number, session in enumerate(conversation.sessions):
            path = path_of(conversation, number)
            content = file_of(session)
            _put(root / path, content)
            turns[path] = session.turns
            memory = parse_memory(VaultPath(path), content, zone=UTC)
            cuts = cut(memory.body, memory.body_line)
            passages += len(cuts)
            if any(one.start_line != one.end_line for one in cuts):
                mixed.append(path)
    return Written(turns, passages, tuple(mixed))


def file_of(session: Session) -> bytes:
    """A session as a file: its title and date, then a line for each turn."""
    lines = "".join(f"{turn}\n" for turn in session.turns)
    return f"---\ntitle: {session.title}\ncreated: {session.at:%Y-%m-%dT%H:%M:%SZ}\n---\n{lines}".encode()


def _put(file: Path, content: bytes) -> None:
    """Write the file unless that is what it holds. Raises `StorageError`."""
    try:
        file.parent.mkdir(exist_ok=True)
        if not file.exists() or file.read_bytes() != content:
            file.write_bytes(content)
    except OSError as error:
        raise StorageError(str(file), error.strerror or str(error)) from error
