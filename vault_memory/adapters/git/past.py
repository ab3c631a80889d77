"""The `Past` port: every version of every file of a vault, and every message, by the git program."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path

from vault_memory.adapters.git import blobs
from vault_memory.adapters.git.asking import asking, below, checkout_of, rows, seconds_in
from vault_memory.adapters.git.cli import GitProgram
from vault_memory.adapters.git.foreign import tip_of
from vault_memory.adapters.git.locate import Place
from vault_memory.model.moments import instant
from vault_memory.model.past import PastCommit

PATIENCE = 900.0
"""Seconds for one look of git over all commits."""
_AT_A_TIME = 8 << 20
"""Bytes of blobs that are read at once."""
_MOST_AT_A_TIME = 2000
_FIELDS = 4
_FORMAT = "--format=tformat:%H%x00%ct%x00%an%x00%B"
_CHOSEN = ("--all", "--full-history")
"""Without the second, git leaves out side branches of which a merge kept nothing."""
_GITLINK = "160000"


class GitPast:
    """The history of the repository that holds the vault at `root`."""

    def __init__(self, root: Path) -> None:
        self._root = Path(os.path.realpath(root))

    @property
    def shallow(self) -> bool:
        """Whether older commits are missing in this clone."""
        return os.path.exists(os.path.join(checkout_of(self._root).commondir, "shallow"))

    def commits(self) -> Iterator[PastCommit]:
        """Every commit that any ref leads to and that touched the vault, newest first."""
        with self._git() as (git, place):
            shown = ("--no-show-signature", "--encoding=UTF-8", "-z", _FORMAT)
            said = git.get("log", *_CHOSEN, *shown, *below(place))
            words = said.decode("utf-8", "replace").split("\0")
            found = [words[at : at + _FIELDS] for at in range(0, len(words) - 1, _FIELDS)]
            asked = "".join(f"{row[0]}\n" for row in found).encode()
            # A merge is held against each of its parents: it may bring in what none of them had.
            options = ("--stdin", "--root", "-m", "-r", "--raw", "-z", "--no-renames", "--no-abbrev")
            versions_of = _brought(
                git.get("diff-tree", *options, *below(place), stdin=asked) if found else b"", place
            )
            for commit, seconds, author, text in found:
                when = instant(seconds_in(seconds))
                versions = tuple(dict.fromkeys(versions_of.get(commit, ())))
                yield PastCommit(commit, when, author, text.rstrip("\n"), versions)

    def contents(self, names: Iterable[str], *, most: int) -> Iterator[tuple[str, bytes | None]]:
        """Each blob with its bytes; `None` where they are not in this clone, or more than `most`."""
        with self._git() as (git, _):
            wanted = list(names)
            here = _here(git)
            for blob in wanted:
                if here is not None and blob not in here:
                    yield blob, None
            asked = "".join(f"{blob}\n" for blob in wanted if here is None or blob in here).encode()
            lines = git.get("cat-file", "--batch-check", stdin=asked).decode().splitlines() if asked else []
            group: list[str] = []
            size = 0
            for line in lines:
                blob, kind, *rest = line.split(" ")
                if kind != "blob" or int(rest[0]) > most:
                    yield blob, None
                    continue
                group.append(blob)
                size += int(rest[0])
                if size >= _AT_A_TIME or len(group) == _MOST_AT_A_TIME:
                    yield from zip(group, blobs.stored(git, group), strict=True)
                    group, size = [], 0
            yield from zip(group, blobs.stored(git, group), strict=True)

    def now(self) -> Mapping[str, str]:
        """The blob of each file of the vault in HEAD, by path."""
        with self._git() as (git, place):
            head = tip_of(git)
            if head is None:
                return {}
            listed = git.get("ls-tree", "-r", "-z", "--full-tree", head, *below(place))
        named = ((place.in_vault(name), told[2]) for told, name in rows(listed))
        return {path: blob for path, blob in named if path is not None}

    def _git(self) -> AbstractContextManager[tuple[GitProgram, Place]]:
        """A blob that a partial clone lacks is not fetched for this."""
        # The second is for a git before 2.44, which does not know the first.
        apart = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
        return asking(self._root, "through all of history", timeout=PATIENCE, environment=apart)


def _here(git: GitProgram) -> frozenset[str] | None:
    """The objects of a partial clone, where asking for another one is an error; `None` for a whole one."""
    partial = git.get("config", "--list", "-z", "--name-only").lower()
    if not any(name.startswith(b"remote.") and name.endswith(b".promisor") for name in partial.split(b"\0")):
        return None
    all_objects = ("cat-file", "--batch-all-objects", "--unordered", "--batch-check=%(objectname)")
    return frozenset(git.get(*all_objects).decode().split())


def _brought(said: bytes, place: Place) -> dict[str, list[tuple[str, str]]]:
    """(path, blob) of what each commit made or changed."""
    found: dict[str, list[tuple[str, str]]] = {}
    words = iter(said.split(b"\0"))
    commit = ""
    for word in words:
        if not word.startswith(b":"):
            commit = word.decode()
            continue
        _, mode, _, blob, _ = word[1:].decode().split(" ")
        path = place.in_vault(next(words).decode("utf-8", "surrogateescape"))
        if path is not None and blob.strip("0") and mode != _GITLINK:
            found.setdefault(commit, []).append((path, blob))
    return found
