"""The `Past` port: every version of every file of a vault, and every message, by the git program."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from vault_memory.adapters.git import locate, reasons
from vault_memory.adapters.git.cli import GitProgram, GitRefusedError
from vault_memory.adapters.git.locate import Place
from vault_memory.errors import GitCommandError, GitError
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
        return os.path.exists(os.path.join(self._place().commondir, "shallow"))

    def commits(self) -> Iterator[PastCommit]:
        """Every commit that any ref leads to and that touched the vault, newest first."""
        place = self._place()
        below = _below(place)
        with self._git(place) as get:
            said = get("log", *_CHOSEN, "--no-show-signature", "--encoding=UTF-8", "-z", _FORMAT, *below)
            words = said.decode("utf-8", "replace").split("\0")
            rows = [words[at : at + _FIELDS] for at in range(0, len(words) - 1, _FIELDS)]
            asked = "".join(f"{row[0]}\n" for row in rows).encode()
            # A merge is held against each of its parents: it may bring in what none of them had.
            options = ("--stdin", "--root", "-m", "-r", "--raw", "-z", "--no-renames", "--no-abbrev")
            brought = _brought(get("diff-tree", *options, *below, stdin=asked) if rows else b"", place)
            for commit, seconds, author, text in rows:
                when = datetime.fromtimestamp(int(seconds), UTC)
                versions = tuple(dict.fromkeys(brought.get(commit, ())))
                yield PastCommit(commit, when, author, text.rstrip("\n"), versions)

    def contents(self, blobs: Iterable[str], *, most: int) -> Iterator[tuple[str, bytes | None]]:
        """Each blob with its bytes; `None` where they are not in this clone, or more than `most`."""
        place = self._place()
        with self._git(place) as get:
            wanted = list(blobs)
            here = _here(get)
            for blob in wanted:
                if here is not None and blob not in here:
                    yield blob, None
            asked = "".join(f"{blob}\n" for blob in wanted if here is None or blob in here).encode()
            lines = get("cat-file", "--batch-check", stdin=asked).decode().splitlines() if asked else []
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
                    yield from _read(get, group)
                    group, size = [], 0
            yield from _read(get, group)

    def now(self) -> Mapping[str, str]:
        """The blob of each file of the vault in HEAD, by path."""
        place = self._place()
        with self._git(place) as get:
            try:
                listed = get("ls-tree", "-r", "-z", "--full-tree", "HEAD", *_below(place))
            except GitCommandError:  # before the first commit of this branch
                return {}
        found: dict[str, str] = {}
        for line in listed.split(b"\0")[:-1]:
            fields, _, name = line.partition(b"\t")
            path = place.in_vault(os.fsdecode(name))
            if path is not None:
                found[path] = fields.split()[2].decode()
        return found

    def _place(self) -> Place:
        place = locate.find(self._root)
        if place is None:
            raise GitError(f"no git repository holds {self._root}", hint="make one with: git init")
        if place.workdir is None:
            raise GitError(reasons.BARE)
        return place

    @contextmanager
    def _git(self, place: Place) -> Iterator[Callable[..., bytes]]:
        """What runs a command; a blob that a partial clone lacks is not fetched for this."""
        assert place.workdir is not None
        program = GitProgram(place.workdir, timeout=PATIENCE)
        # The second is for a git before 2.44, which does not know the first.
        apart = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}

        def get(*arguments: str, stdin: bytes = b"") -> bytes:
            try:
                return program.get(*arguments, stdin=stdin, environment=apart)
            except GitRefusedError as error:
                raise GitCommandError("through all of history", str(error)) from error

        yield get


def _below(place: Place) -> list[str]:
    return ["--", place.prefix] if place.prefix else []


def _here(get: Callable[..., bytes]) -> frozenset[str] | None:
    """The objects of a partial clone, where asking for another one is an error; `None` for a whole one."""
    partial = get("config", "--list", "-z", "--name-only").lower()
    if not any(name.startswith(b"remote.") and name.endswith(b".promisor") for name in partial.split(b"\0")):
        return None
    all_objects = ("cat-file", "--batch-all-objects", "--unordered", "--batch-check=%(objectname)")
    return frozenset(get(*all_objects).decode().split())


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
        path = place.in_vault(os.fsdecode(next(words)))
        if path is not None and blob.strip("0") and mode != _GITLINK:
            found.setdefault(commit, []).append((path, blob))
    return found


def _read(get: Callable[..., bytes], blobs: list[str]) -> Iterator[tuple[str, bytes]]:
    if not blobs:
        return
    batch = get("cat-file", "--batch", stdin="".join(f"{blob}\n" for blob in blobs).encode())
    at = 0
    for blob in blobs:
        end = batch.index(b"\n", at)
        size = int(batch[at:end].rsplit(b" ", 1)[1])
        yield blob, batch[end + 1 : end + 1 + size]
        at = end + 2 + size
