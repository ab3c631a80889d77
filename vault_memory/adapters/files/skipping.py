"""The rules of what a look at the vault passes over, from its settings and the `.gitignore` files on disk."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from vault_memory.adapters.files.reading import read_whole
from vault_memory.errors import StorageError
from vault_memory.model.ignore import ROOM, Rules
from vault_memory.model.passedover import (
    FOREIGN_FOLDERS,
    LARGEST_RULES,
    NO_RULES,
    RULES_FILE,
    PassedOver,
    around_from,
    exclude_from,
    own_folders,
    rules_in,
)

__all__ = ["FOREIGN_FOLDERS", "RULES_FILE", "Skipping", "skipping"]


class Skipping(PassedOver):
    """The rules for one vault on disk."""

    __slots__ = ()

    def inside(self, folder: bytes, path: str, rules: tuple[Rules, ...], room: int) -> tuple[Rules, ...]:
        """The rules for what lies in a folder of the vault that has a `.gitignore`; `room` is for the
        new ones."""
        return (_read(folder, f"{self.prefix}{path}", min(room, ROOM)), *rules)


def skipping(root: bytes, exclude: Sequence[str], inbox: str) -> Skipping:
    """The rules for the vault at `root`, with those of the repository around it."""
    own, rules = own_folders(inbox), exclude_from(exclude)
    top = _repository_around(root)
    if top is None or top == root:
        return Skipping(own, rules)
    prefix = os.path.relpath(root, top).decode("utf-8", "surrogateescape") + "/"
    around = around_from(prefix, _above(top, prefix))
    return Skipping(own, rules) if around is None else Skipping(own, rules, prefix, around)


def _above(top: bytes, prefix: str) -> Iterator[Rules]:
    below = ""
    for name in prefix[:-1].split("/"):
        yield _read(top + b"/" + os.fsencode(below[:-1]) if below else top, below)
        below += f"{name}/"


def _repository_around(root: bytes) -> bytes | None:
    """The nearest folder with a repository: the vault's own or one above it."""
    folder = root
    while not os.path.lexists(folder + b"/.git"):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def _read(folder: bytes, base: str, room: int = ROOM) -> Rules:
    """The rules in a folder; none where they can't be read, as with git."""
    try:
        found = read_whole(folder + b"/" + RULES_FILE, "", max_bytes=LARGEST_RULES)
    except (OSError, StorageError):
        return NO_RULES
    return rules_in(None if found is None else found.content, base, room)
