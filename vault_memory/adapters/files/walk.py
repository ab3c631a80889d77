"""One look at every folder of the vault: which Markdown files there are."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass, field

from vault_memory.adapters.files.atomic import reason_of
from vault_memory.adapters.files.place import SUFFIXES, is_inside, kind_of
from vault_memory.errors import VaultUnreadableError
from vault_memory.model.change import FileStamp
from vault_memory.model.namespace import VaultPath
from vault_memory.ports import Scan

SKIPPED_FOLDERS = frozenset(
    {b"node_modules", b"lost+found", b"$RECYCLE.BIN", b"System Volume Information", b"__pycache__"}
)
"""Folders that never hold notes; those whose names begin with a dot are skipped besides."""
_OFFICE_LOCK = b"~$"
_NOT_UTF8 = "its name is not valid UTF-8"


def walk(root: bytes) -> Scan:
    """Stamps of all Markdown files below `root` in path order; raises `VaultUnreadableError`.

    Names are read as bytes and decoded as UTF-8, so that the locale has no say.
    """
    seen = _Seen(root)
    seen.folders.append((root, ""))
    while seen.folders:
        folder, prefix = seen.folders.pop()
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    _look(entry, prefix, seen)
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
    seen.stamps.sort(key=_path_of)
    return Scan(tuple(seen.stamps), tuple(sorted(seen.odd)))


@dataclass(slots=True)
class _Seen:
    """What the walk has found so far, and the folders still to open with their paths below the root."""

    root: bytes
    stamps: list[FileStamp] = field(default_factory=list)
    odd: list[tuple[str, str]] = field(default_factory=list)
    folders: list[tuple[bytes, str]] = field(default_factory=list)


def _look(entry: os.DirEntry[bytes], prefix: str, seen: _Seen) -> None:
    name = entry.name
    if name.startswith(b"."):
        return
    markdown = name.lower().endswith(SUFFIXES) and not name.startswith(_OFFICE_LOCK)
    if markdown and entry.is_file(follow_symlinks=False):
        try:
            found = entry.stat(follow_symlinks=False)
            path = VaultPath(prefix + name.decode())
        except FileNotFoundError:  # deleted since the folder was listed
            return
        except UnicodeDecodeError:
            seen.odd.append((prefix + _shown(name), _NOT_UTF8))
            return
        seen.stamps.append(FileStamp(path, found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino))
    elif entry.is_dir(follow_symlinks=False):
        if name in SKIPPED_FOLDERS:
            return
        try:
            seen.folders.append((entry.path, prefix + name.decode() + "/"))
        except UnicodeDecodeError:
            seen.odd.append((prefix + _shown(name), _NOT_UTF8))
            return
        if markdown:
            seen.odd.append((prefix + _shown(name), "it is a folder"))
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
