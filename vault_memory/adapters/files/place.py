"""Where a vault path lies on disk, with the proof that it does not lead out of the vault."""

from __future__ import annotations

import os
import stat

from vault_memory.errors import UnsafePathError
from vault_memory.model.namespace import ENDINGS, owner_of

SUFFIXES = tuple(ending.encode() for ending in ENDINGS)
"""What a memory's file name ends in, in lower case."""


def locate(root: bytes, path: str, *, follow: bool) -> bytes:
    """The file's absolute place; raises `UnsafePathError` where a link leads elsewhere.

    Folders on the way may be links inside the vault. With `follow` a link at the end is replaced
    by the memory it leads to; without, the link itself is meant.
    """
    folder, _, name = path.rpartition("/")
    _check_seen(name, path)
    place = locate_folder(root, folder, shown=path) + b"/" + _encoded(name, path)
    if not follow or not os.path.islink(place):
        return place
    real = os.path.realpath(place)
    _check_inside(root, real, path)
    if not real.lower().endswith(SUFFIXES):
        raise UnsafePathError(path, "it is a link to what is no Markdown file")
    return real


def locate_folder(root: bytes, folder: str, *, shown: str) -> bytes:
    """The folder's absolute place (`""` is the root); it need not exist. Errors name `shown`."""
    if not folder:
        return root
    place = root
    linked = False
    for segment in folder.split("/"):
        _check_seen(segment, shown)
        place += b"/" + _encoded(segment, shown)
        linked = linked or os.path.islink(place)
    if linked:
        place = os.path.realpath(place)
        # A file of that folder stands for it, since private folders begin below the agent's name.
        _check_inside(root, place + b"/x", shown)
    return place


def _check_seen(segment: str, shown: str) -> None:
    """A path is checked where it comes in; here once more, since all that is written goes this way."""
    if segment.startswith("."):
        raise UnsafePathError(shown, f"{segment!r} is hidden; hidden files hold no memories")


def kind_of(mode: int) -> str | None:
    """What a file that is no regular file is, for a person; `None` for a regular one."""
    for is_kind, text in _KINDS:
        if is_kind(mode):
            return text
    return None


_KINDS = (
    (stat.S_ISDIR, "it is a folder"),
    (stat.S_ISLNK, "it is a link"),
    (stat.S_ISFIFO, "it is a pipe"),
    (stat.S_ISSOCK, "it is a socket"),
    (stat.S_ISCHR, "it is a device"),
    (stat.S_ISBLK, "it is a device"),
)


def is_inside(root: bytes, real: bytes) -> bool:
    """Whether a resolved place lies below the (resolved) root."""
    return real.startswith(root.rstrip(b"/") + b"/")


def _encoded(segment: str, shown: str) -> bytes:
    # Always UTF-8, whatever the locale: a vault's paths mean the same to every process.
    try:
        return segment.encode("utf-8")
    except UnicodeEncodeError as error:
        raise UnsafePathError(shown, "its name is not valid UTF-8") from error


def _check_inside(root: bytes, real: bytes, path: str) -> None:
    if not is_inside(root, real):
        raise UnsafePathError(path, "it is a link that leaves the vault")
    below = real[len(root.rstrip(b"/")) + 1 :].decode("utf-8", "surrogateescape")
    if any(segment.startswith(".") for segment in below.split("/")):
        raise UnsafePathError(path, "it is a link into a hidden folder")
    if owner_of(below) not in (None, owner_of(path)):
        raise UnsafePathError(path, "it is a link into another's private folder")
