"""What a look at the vault passes over: folders that never hold notes, what git ignores, what a person
leaves out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from vault_memory.adapters.files.reading import read_whole
from vault_memory.errors import StorageError
from vault_memory.model.ignore import ROOM, Rules, left_out, parse_rules
from vault_memory.model.namespace import PRIVATE, SHARED

FOREIGN_FOLDERS = frozenset(
    {b"node_modules", b"lost+found", b"$RECYCLE.BIN", b"System Volume Information", b"__pycache__"}
)
"""Folders that never hold notes, by name; those whose names begin with a dot are hidden besides."""
RULES_FILE = b".gitignore"
_LARGEST = 1024 * 1024
_NO_RULES = Rules("", ())


@dataclass(frozen=True, slots=True)
class Skipping:
    """The rules for one vault. `own` are the folders that vmem itself writes to: nothing below them is
    ever passed over, or a memory could be written and not be found.

    `prefix` is the vault's folder below its repository, `""` or ending in `/`; `around` are the rules of
    the repository's folders above the vault, the nearest first."""

    own: tuple[str, ...]
    exclude: Rules
    prefix: str = ""
    around: tuple[Rules, ...] = ()

    def inside(self, folder: bytes, path: str, rules: tuple[Rules, ...], room: int) -> tuple[Rules, ...]:
        """The rules for what lies in a folder of the vault that has a `.gitignore`; `room` is for the
        new ones."""
        return (_read(folder, f"{self.prefix}{path}", min(room, ROOM)), *rules)

    def folder(self, name: bytes, path: str, rules: tuple[Rules, ...]) -> str | None:
        """Why a folder is passed over, a word for people; `None` where it is looked into."""
        if any(path == own or path.startswith(f"{own}/") or own.startswith(f"{path}/") for own in self.own):
            return None
        if name in FOREIGN_FOLDERS:
            return _FOREIGN
        verdict = self.exclude.verdict(path, folder=True)
        if verdict is not None:
            return _EXCLUDED if verdict else None
        return _IGNORED if rules and left_out(rules, f"{self.prefix}{path}", folder=True) else None

    def file(self, path: str) -> bool:
        """Whether a file is left out by the setting; one that only git ignores is not."""
        if not self.exclude.patterns or any(path.startswith(f"{own}/") for own in self.own):
            return False
        return self.exclude.verdict(path, folder=False) is True


_FOREIGN = "never holds notes"
_IGNORED = "git ignores it"
_EXCLUDED = "the setting exclude leaves it out"


def skipping(root: bytes, exclude: Sequence[str], inbox: str) -> Skipping:
    """The rules for the vault at `root`, with those of the repository around it."""
    own = (PRIVATE, SHARED, inbox)
    rules = parse_rules(exclude)
    top = _repository_around(root)
    if top is None or top == root:
        return Skipping(own, rules)
    prefix = os.path.relpath(root, top).decode("utf-8", "surrogateescape") + "/"
    around: list[Rules] = [_read(top, "")]
    below = ""
    for name in prefix[:-1].split("/"):
        below += name
        if left_out(reversed(around), below, folder=True):
            return Skipping(own, rules)  # git ignores the vault as a whole, which says nothing of its notes
        below += "/"
        if below != prefix:
            around.append(_read(top + b"/" + os.fsencode(below[:-1]), below))
    return Skipping(own, rules, prefix, tuple(reversed(around)))


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
        found = read_whole(folder + b"/" + RULES_FILE, "", max_bytes=_LARGEST)
    except (OSError, StorageError):
        return _NO_RULES
    if found is None:
        return _NO_RULES
    return parse_rules(found.content.decode("utf-8-sig", "surrogateescape").split("\n"), base, room=room)
