"""Going through the folders of a vault by name alone: which are looked into, and what notes are in them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from vault_memory.adapters.files.skipping import RULES_FILE, Skipping
from vault_memory.model.ignore import ROOM, Rules
from vault_memory.model.namespace import VaultPath
from vault_memory.model.passedover import is_note


@dataclass(slots=True)
class Folder:
    """A folder that is looked into: `prefix` is its path with a `/` behind it, `""` for the root;
    `rules` are the ignore rules for what is in it, and `notes` what is in it."""

    prefix: str
    rules: tuple[Rules, ...]
    notes: list[VaultPath] = field(default_factory=list)


def explore(
    root: bytes, skip: Skipping, start: Folder, entering: Callable[[str, bytes], object]
) -> Iterator[Folder]:
    """The folders from `start` down that a scan looks into, by the same rules, without a look at files.

    `entering` is told (prefix, place) of each before it is listed. One that is gone by then, or can't
    be listed, is left out: a scan says so. `start` brings the rules from above it.
    """
    open_ = [start]
    room = 10 * ROOM
    while open_:
        here = open_.pop()
        place = place_of(root, here.prefix)
        entering(here.prefix, place)
        inner: list[bytes] = []
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    name = entry.name
                    if name == RULES_FILE:
                        here.rules = skip.inside(place, here.prefix, here.rules, room)
                        room -= here.rules[0].weight
                    elif is_note(name) and entry.is_file(follow_symlinks=False):
                        _add(here, name, skip)
                    elif not name.startswith(b".") and entry.is_dir(follow_symlinks=False):
                        inner.append(name)
        except OSError:
            continue
        # Only now: the folder's own rules may have come last.
        for name in inner:
            below = inner_folder(skip, here, name)
            if below is not None:
                open_.append(below)
        yield here


def inner_folder(skip: Skipping, outer: Folder, name: bytes) -> Folder | None:
    """The folder of that name in one that is looked into, `None` where it is passed over."""
    if name.startswith(b"."):
        return None
    try:
        path = outer.prefix + name.decode()
    except UnicodeDecodeError:
        return None
    return None if skip.folder(name, path, outer.rules) is not None else Folder(f"{path}/", outer.rules)


def note_in(skip: Skipping, prefix: str, name: bytes) -> VaultPath | None:
    """The path of a note of that name in a folder, `None` where the name is none of a memory's."""
    if not is_note(name):
        return None
    try:
        path = VaultPath(prefix + name.decode())
    except UnicodeDecodeError:
        return None
    return None if skip.file(path) else path


def is_looked_at(root: bytes, skip: Skipping, path: str) -> bool:
    """Whether a scan would come by a regular file of that path and take it for a memory."""
    *folders, name = path.split("/")
    here = Folder("", with_own_rules(root, skip, "", skip.around))
    for segment in folders:
        below = inner_folder(skip, here, segment.encode("utf-8", "surrogateescape"))
        if below is None:
            return False
        here = Folder(below.prefix, with_own_rules(root, skip, below.prefix, below.rules))
    return note_in(skip, here.prefix, name.encode("utf-8", "surrogateescape")) is not None


def with_own_rules(root: bytes, skip: Skipping, prefix: str, rules: tuple[Rules, ...]) -> tuple[Rules, ...]:
    """The rules for what is in a folder, its own before those from above it."""
    place = place_of(root, prefix)
    return skip.inside(place, prefix, rules, ROOM) if os.path.lexists(place + b"/" + RULES_FILE) else rules


def place_of(root: bytes, prefix: str) -> bytes:
    """Where a folder lies, without a `/` at the end but the root's own."""
    return root if not prefix else root.rstrip(b"/") + b"/" + prefix[:-1].encode("utf-8", "surrogateescape")


def _add(here: Folder, name: bytes, skip: Skipping) -> None:
    path = note_in(skip, here.prefix, name)
    if path is not None:
        here.notes.append(path)
