"""Merging two versions of a memory's file where git asks for it. No vault is opened."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from vault_memory import compose
from vault_memory.errors import StorageError
from vault_memory.model.merging.lines import Clash
from vault_memory.model.merging.memory import merge
from vault_memory.model.merging.twins import Mixed, mixed

__all__ = ["MergedFile", "Mixed", "merge_files"]


class MergedFile(NamedTuple):
    """The file of both sides. `clean` is whether nothing is left to decide."""

    content: bytes
    clean: bool
    clashes: tuple[Clash, ...] = ()
    lines: bool = False
    """Whether lines stand between markers that both sides changed."""
    mixed: Mixed | None = None
    """How these came to be versions of more than one memory, where they are and that is to be decided."""


def merge_files(base: Path, ours: Path, theirs: Path, *, path: str, size: int = 7) -> MergedFile:
    """Merge what two sides have made of `base` and put it in the place of `ours`, which is a copy of git's.

    `path` is what the file is called in the repository, `size` how many characters git's markers have.
    Raises `StorageError`, and `GitError` where the lines of the text can't be merged; `ours` is then as it
    was.
    """
    was, mine, other = map(_content, (base, ours, theirs))
    merged = merge(path, was, mine, other, lines=compose.line_merger(size))
    if merged.content != mine:
        try:
            ours.write_bytes(merged.content)
        except OSError as error:
            raise StorageError(str(ours), error.strerror or str(error)) from error
    return MergedFile(*merged, None if merged.clean else mixed(path, was, mine, other))


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise StorageError(str(file), error.strerror or str(error), wanted="read") from error
