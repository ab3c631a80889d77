"""A person's file that gets a few words of ours: added where there are none, taken out if unchanged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from vault_memory import beside
from vault_memory.config.change import FileChange
from vault_memory.errors import ConflictError, StorageError
from vault_memory.facets.installing.own import LARGEST, Did, OwnFile
from vault_memory.model.editors.jsonsplice import says_nothing
from vault_memory.model.editors.jsontext import NoJsonError


@dataclass(frozen=True, slots=True)
class Step:
    """What became of one file: `what` are the parts that went in or out, `left` why it is as it was."""

    path: str
    did: Did
    what: tuple[str, ...] = ()
    left: str | None = None
    by_hand: str | None = None
    """What to add by hand, where vmem can't."""


Change = Callable[[str], str]


def change_shared(root: Path, name: str, parts: dict[str, Change], *, by_hand: str, delete: bool) -> Step:
    """Change a file of the vault part by part; one that can't be read as JSON is left, with what to do by
    hand. With `delete` a file in which nothing stands any more goes. Raises `StorageError`, `ConflictError`.
    """
    before = beside.read_own(root, name, most=LARGEST)
    if before is None and delete:
        return Step(name, Did.NOTHING)
    done: list[str] = []
    try:
        text = first = (before or b"").decode("utf-8")
        for what, change in parts.items():
            after = change(text)
            done += [what] if after != text else []
            text = after
    except (NoJsonError, UnicodeDecodeError):
        return Step(name, Did.NOTHING, (), "it is not JSON of the usual shape", None if delete else by_hand)
    if text == first:
        return Step(name, Did.NOTHING)
    gone = delete and says_nothing(text)
    content = None if gone else text.encode("utf-8")
    beside.put_settings(FileChange(root / name, root, before, content))
    did = Did.DELETED if gone else Did.WRITTEN if before is None else Did.REPLACED
    return Step(name, did, tuple(done))


def put_own(file: OwnFile, content: bytes) -> Step:
    """Write a file of ours; one that is a person's is left, and said to be."""
    try:
        return Step(file.name, file.put(content))
    except ConflictError as error:
        return Step(file.name, Did.NOTHING, (), str(error))


def take_out_own(file: OwnFile) -> Step:
    """Delete a file of ours; one that is a person's is left, and said to be."""
    try:
        return Step(file.name, file.take_out())
    except ConflictError as error:
        return Step(file.name, Did.NOTHING, (), str(error))


def put_whole(root: Path, name: str, content: bytes) -> Step:
    """Write a file that can't carry our mark, where there is none."""
    before = beside.read_own(root, name, most=LARGEST)
    if before is not None:
        left = None if before == content else f"{name} is there already"
        return Step(name, Did.NOTHING, (), left)
    beside.put_settings(FileChange(root / name, root, None, content))
    return Step(name, Did.WRITTEN)


def take_out_whole(root: Path, name: str, content: bytes) -> Step:
    """Delete such a file where it is as it was written."""
    try:
        before = beside.read_own(root, name, most=LARGEST)
    except StorageError as error:
        return Step(name, Did.NOTHING, (), str(error))
    if before is None or before != content:
        return Step(name, Did.NOTHING, (), None if before is None else "somebody changed it, so it is theirs")
    beside.put_settings(FileChange(root / name, root, before, None))
    return Step(name, Did.DELETED)
