"""What editors and shells do to a file when a person saves, moves or deletes it: a table of plain functions.

Each does the calls of the program it is named after, in their order, and nothing more.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Change:
    """What is to be done: the file, its next content, and a folder outside the vault on the same disk."""

    file: Path
    content: bytes
    aside: Path


Act = Callable[[Change], Path | None]
"""Does it, and says where the content lies then, `None` where it is gone."""


@dataclass(frozen=True, slots=True)
class Save:
    """One way of saving. `new` is whether the file must not be there before; else it must.

    `keeps` is whether the content is what it was: only its place changes.
    """

    name: str
    act: Act
    new: bool = False
    keeps: bool = False


def in_place(to: Change) -> Path:
    """As nano does: the same file, cut to nothing and written at once."""
    to.file.write_bytes(to.content)
    return to.file


def in_two_steps(to: Change) -> Path:
    """Cut to nothing and closed, opened again, written in two parts: a reader may see any of it."""
    os.truncate(to.file, 0)
    with to.file.open("r+b", buffering=0) as opened:
        opened.write(to.content[: len(to.content) // 2])
        opened.write(to.content[len(to.content) // 2 :])
        os.fsync(opened.fileno())
    return to.file


def appended(to: Change) -> Path:
    """As a shell does with `>>`: what was there stays."""
    with to.file.open("ab") as opened:
        opened.write(to.content)
    return to.file


def as_vim(to: Change) -> Path:
    """A swap file, a probe whether files can be made, the old file to `file~`, a new one in its place."""
    swap, probe = to.file.with_name(f".{to.file.name}.swp"), to.file.with_name("4913")
    backup = _backup(to.file)
    swap.write_bytes(b"b0VIM 9.0")
    probe.touch(exist_ok=False)
    probe.unlink()
    to.file.rename(backup)
    _synced(to.file, to.content)
    backup.unlink()
    swap.unlink()
    return to.file


def as_emacs(to: Change) -> Path:
    """A lock that is a link to nowhere, the old file kept as `file~`, a new one in its place."""
    lock = to.file.with_name(f".#{to.file.name}")
    lock.symlink_to("person@desk.1234:1700000000")
    to.file.replace(_backup(to.file))
    _synced(to.file, to.content)
    lock.unlink()
    return to.file


def as_sed(to: Change) -> Path:
    """As `sed -i`: a file of another name beside it, renamed over it without fsync."""
    fresh = to.file.with_name("sedQx7Ruv")
    fresh.write_bytes(to.content)
    shutil.copymode(to.file, fresh)
    fresh.replace(to.file)
    return to.file


def renamed_over(to: Change) -> Path:
    """As desktop editors do: a hidden file beside it, fsync, renamed over it."""
    fresh = to.file.with_name(f".{to.file.name}.tmp-1")
    _synced(fresh, to.content)
    fresh.replace(to.file)
    return to.file


def moved_over(to: Change) -> Path:
    """A file that was written elsewhere takes its place."""
    fresh = to.aside / to.file.name
    _synced(fresh, to.content)
    fresh.replace(to.file)
    return to.file


def copied_in(to: Change) -> Path:
    """As `cp -p`: a file that was not there, with an old time."""
    source = to.aside / to.file.name
    source.write_bytes(to.content)
    os.utime(source, (1_600_000_000, 1_600_000_000))
    shutil.copy2(source, to.file)
    source.unlink()
    return to.file


def moved_in(to: Change) -> Path:
    """As `mv` from outside: the file has its old times, and is whole at once."""
    source = to.aside / to.file.name
    source.write_bytes(to.content)
    os.utime(source, (1_600_000_000, 1_600_000_000))
    source.rename(to.file)
    return to.file


def moved_out(to: Change) -> None:
    """As `mv` to outside."""
    to.file.replace(to.aside / to.file.name)


def deleted(to: Change) -> None:
    """As `rm`."""
    to.file.unlink()


def renamed(to: Change) -> Path:
    """Another name in the same folder, there and back when done twice."""
    return to.file.rename(_other(to.file))


def folder_renamed(to: Change) -> Path:
    """The folder it lies in gets another name, there and back when done twice."""
    return to.file.parent.rename(_other(to.file.parent)) / to.file.name


SAVES: tuple[Save, ...] = (
    Save("written in place", in_place),
    Save("cut to nothing, then written", in_two_steps),
    Save("appended to", appended),
    Save("saved as vim does", as_vim),
    Save("saved as emacs does", as_emacs),
    Save("sed -i", as_sed),
    Save("hidden file renamed over it", renamed_over),
    Save("file from elsewhere moved over it", moved_over),
    Save("copied in", copied_in, new=True),
    Save("moved in", moved_in, new=True),
    Save("moved out", moved_out),
    Save("deleted", deleted),
    Save("renamed", renamed, keeps=True),
    Save("folder renamed", folder_renamed, keeps=True),
)
"""Every way that is measured, and that the watcher has to see."""


def _synced(file: Path, content: bytes) -> None:
    with file.open("wb", buffering=0) as opened:
        opened.write(content)
        os.fsync(opened.fileno())


def _backup(file: Path) -> Path:
    return file.with_name(f"{file.name}~")


def _other(path: Path) -> Path:
    """The other of two names."""
    stem = path.stem
    return path.with_name(
        f"{stem.removesuffix('-moved')}{path.suffix}"
        if stem.endswith("-moved")
        else f"{stem}-moved{path.suffix}"
    )
