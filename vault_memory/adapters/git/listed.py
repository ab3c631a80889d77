"""What a commit holds in the vault's folder, listed by whichever way can read the repository."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from vault_memory.adapters.git.asking import commit_of
from vault_memory.adapters.git.foreign import LINK_MODE
from vault_memory.adapters.git.trees import MissingObjectError

if TYPE_CHECKING:
    from pygit2 import Object, Oid

    from vault_memory.adapters.git.cli import GitProgram
    from vault_memory.adapters.git.opened import Opened

FILE_MODES = frozenset({0o100644, 0o100755, 0o100664})
"""What git calls a regular file; the last one was written by very old ones."""
CONVERTING = ("filter", "working-tree-encoding", "eol", "ident")
"""The attributes by which a checkout may write other bytes than are stored."""
_UNSET = (b"unspecified", b"unset")
_MARK_BYTES = 16


class Listed(NamedTuple):
    """A file or link: its path below the vault, as bytes, which blob it is, and what kind."""

    path: bytes
    blob: str
    mode: int

    @property
    def is_file(self) -> bool:
        return self.mode in FILE_MODES

    @property
    def is_link(self) -> bool:
        return self.mode == LINK_MODE


def listed(opened: Opened, commit: str) -> list[Listed]:
    """All files and links of the vault's folder; none where the commit has no such folder."""
    import pygit2
    from pygit2.enums import FileMode

    found = opened.repo.get(commit)
    if not isinstance(found, pygit2.Commit):
        raise MissingObjectError(f"commit {commit} is missing")
    root: Oid | None = found.tree_id
    for name in opened.place.prefix.split("/")[:-1]:
        root = next(
            (one.id for one in _entries(opened, root) if (one.name, one.filemode) == (name, FileMode.TREE)),
            None,
        )
        if root is None:
            return []
    files: list[Listed] = []
    folders = [(b"", root)]
    while folders:
        prefix, tree = folders.pop()
        for entry in _entries(opened, tree):
            mode = int(entry.filemode)
            path = prefix + (entry.raw_name or b"")
            if mode == FileMode.TREE:
                folders.append((path + b"/", entry.id))
            elif mode != FileMode.COMMIT:
                files.append(Listed(path, str(entry.id), mode))
    return files


def _entries(opened: Opened, tree: Oid) -> Iterator[Object]:
    import pygit2

    found = opened.repo.get(tree)
    if not isinstance(found, pygit2.Tree):
        raise MissingObjectError(f"tree {tree} is missing")
    return iter(found)


def listed_by_git(git: GitProgram, commit: str, prefix: str) -> list[Listed]:
    """The same by git. Raises `RevisionNotFoundError`."""
    folder = prefix.rstrip("/")
    named = git.run("rev-parse", "--quiet", "--verify", "--end-of-options", f"{commit}:{folder}")
    if not named.ok:
        commit_of(git, commit)
        return []
    files = []
    for line in git.get("ls-tree", "-r", "-z", "--full-tree", named.out.decode().strip()).split(b"\0")[:-1]:
        information, _, path = line.partition(b"\t")
        mode, kind, blob = information.decode("ascii").split()
        if kind == "blob":
            files.append(Listed(path, blob, int(mode, 8)))
    return files


def converted_ones(git: GitProgram, paths: Iterable[str]) -> frozenset[str]:
    """Those of the repository's paths that attributes may have a checkout write in other bytes."""
    asked = b"".join(os.fsencode(path) + b"\0" for path in paths)
    words = git.get("check-attr", "-z", "--stdin", *CONVERTING, stdin=asked).split(b"\0")
    values = zip(words[0::3], words[2::3], strict=False)
    return frozenset(os.fsdecode(path) for path, value in values if value not in _UNSET)


def written_out(git: GitProgram, blobs: Iterable[tuple[str, str]]) -> list[bytes]:
    """(blob, repository path) each as a checkout writes it, by one command. A path holds no line end.

    Git tells the length that is stored, not the one that comes out, so a line of our own is asked for
    between two of them: the name of an object that there is not."""
    mark = os.urandom(_MARK_BYTES).hex() + "-end"
    rows = list(blobs)
    asked = b"".join(f"{blob} ".encode() + os.fsencode(path) + f"\n{mark}\n".encode() for blob, path in rows)
    out = git.get("cat-file", "--batch", "--filters", stdin=asked)
    end = f"\n{mark} missing\n".encode()
    parts = out.split(end)[:-1]
    if len(parts) != len(rows):
        raise MissingObjectError("git did not give all files of a commit")
    return [part.partition(b"\n")[2] for part in parts]
