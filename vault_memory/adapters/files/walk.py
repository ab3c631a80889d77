"""One look at every folder of the vault: which Markdown files there are."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from vault_memory.adapters.files.atomic import reason_of
from vault_memory.adapters.files.place import SUFFIXES, is_inside, kind_of
from vault_memory.adapters.files.skipping import RULES_FILE, Skipping
from vault_memory.errors import VaultUnreadableError
from vault_memory.model.change import FileStamp
from vault_memory.model.ignore import ROOM, Rules
from vault_memory.model.namespace import VaultPath
from vault_memory.ports import Scan

_OFFICE_LOCK = b"~$"
_NOT_UTF8 = "its name is not valid UTF-8"


_stamp: Callable[[tuple[VaultPath, int, int, int, int]], FileStamp] = partial(tuple.__new__, FileStamp)
"""`FileStamp`, made in a third of the time."""


def walk(root: bytes, skip: Skipping) -> Scan:
    """Stamps of all Markdown files below `root` in path order; raises `VaultUnreadableError`.

    Names are read as bytes and decoded as UTF-8, so that the locale has no say.
    """
    seen = _Seen(root, skip)
    seen.folders.append(_Folder(root, "", b"", skip.around))
    while seen.folders:
        here = seen.folders.pop()
        prefix = here.prefix
        found: list[_Folder] = []
        try:
            with os.scandir(here.place) as entries:
                for entry in entries:
                    _look(entry, here, seen, found)
        except (FileNotFoundError, NotADirectoryError) as error:
            if not prefix:
                raise VaultUnreadableError(_shown(root), reason_of(error)) from error
            # A folder that was deleted between being listed and being opened holds nothing.
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                # Reachable by nobody under that path, so nothing of it was ever known.
                seen.odd.append((prefix[:-1], "its path is too long"))
                continue
            raise VaultUnreadableError(prefix[:-1] or _shown(root), reason_of(error)) from error
        # Only now: the folder's own rules may have come last.
        _open_later(found, here, seen)
    seen.stamps.sort(key=_path_of)
    return Scan(tuple(seen.stamps), tuple(sorted(seen.odd)), tuple(sorted(seen.skipped)))


@dataclass(slots=True)
class _Folder:
    """A folder to open: its place, its path with a `/` behind it, the ignore rules for what is in it."""

    place: bytes
    prefix: str
    name: bytes
    rules: tuple[Rules, ...]


@dataclass(slots=True)
class _Seen:
    """What the walk has found so far, and the folders still to open."""

    root: bytes
    skip: Skipping
    stamps: list[FileStamp] = field(default_factory=list)
    odd: list[tuple[str, str]] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    folders: list[_Folder] = field(default_factory=list)
    room: int = 10 * ROOM
    """What is left for the rules of all folders: other people wrote them, and a look must not take long."""


def _open_later(found: list[_Folder], here: _Folder, seen: _Seen) -> None:
    for folder in found:
        path = folder.prefix[:-1]
        reason = seen.skip.folder(folder.name, path, here.rules)
        if reason is not None:
            seen.skipped.append((path, reason))
            continue
        folder.rules = here.rules
        seen.folders.append(folder)
        if folder.name.lower().endswith(SUFFIXES):
            seen.odd.append((path, "it is a folder"))


def _look(entry: os.DirEntry[bytes], here: _Folder, seen: _Seen, found: list[_Folder]) -> None:
    name = entry.name
    prefix = here.prefix
    if name.startswith(b"."):
        if name == RULES_FILE:
            here.rules = seen.skip.inside(here.place, prefix, here.rules, seen.room)
            seen.room -= here.rules[0].weight
        return
    markdown = name.lower().endswith(SUFFIXES) and not name.startswith(_OFFICE_LOCK)
    if markdown and entry.is_file(follow_symlinks=False):
        try:
            status = entry.stat(follow_symlinks=False)
            path = VaultPath(prefix + name.decode())
        except FileNotFoundError:  # deleted since the folder was listed
            return
        except UnicodeDecodeError:
            seen.odd.append((prefix + _shown(name), _NOT_UTF8))
            return
        if not seen.skip.file(path):
            stamp = (path, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
            seen.stamps.append(_stamp(stamp))
    elif entry.is_dir(follow_symlinks=False):
        try:
            found.append(_Folder(entry.path, prefix + name.decode() + "/", name, ()))
        except UnicodeDecodeError:
            seen.odd.append((prefix + _shown(name), _NOT_UTF8))
    elif entry.is_symlink():
        reason = _fault_of_link(entry, seen.root, markdown=markdown)
        if reason:
            seen.odd.append((prefix + _shown(name), reason))
    elif markdown:
        seen.odd.append((prefix + _shown(name), _kind(entry)))


def _fault_of_link(entry: os.DirEntry[bytes], root: bytes, *, markdown: bool) -> str | None:
    """Why a link is worth a word. One to a note inside is not: the note is found at its own place."""
    try:
        folder = entry.is_dir()
        exists = folder or os.path.exists(entry.path)
    except OSError:  # a loop of links
        return None
    if not exists:
        return None
    inside = is_inside(root, os.path.realpath(entry.path) + b"/")
    if folder:
        return "it is a link to a folder" if inside else "it is a link to a folder outside the vault"
    return "it is a link that leaves the vault" if markdown and not inside else None


def _kind(entry: os.DirEntry[bytes]) -> str:
    return kind_of(entry.stat(follow_symlinks=False).st_mode) or "it is not a regular file"


def _shown(name: bytes) -> str:
    return name.decode("utf-8", "backslashreplace")


def _path_of(stamp: FileStamp) -> str:
    return stamp.path
