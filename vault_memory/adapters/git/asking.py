"""Asking the git program about the repository around a vault: the way to it, and what everybody asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from vault_memory.adapters.git import locate, reasons
from vault_memory.adapters.git.cli import GitProgram, GitRefusedError
from vault_memory.adapters.git.locate import Place
from vault_memory.errors import GitCommandError, GitError, RevisionNotFoundError

MAKE_ONE = "make one with: git init"


def place_of(root: Path, *, hint: str = MAKE_ONE) -> Place:
    """The repository around the folder. Raises `GitError` where there is none."""
    place = locate.find(root)
    if place is None:
        raise GitError(f"no git repository holds {root}", hint=hint)
    return place


def checkout_of(root: Path, *, hint: str = MAKE_ONE) -> Place:
    """The same; raises `GitError` for one without a working tree too."""
    place = place_of(root, hint=hint)
    if place.workdir is None:
        raise GitError(reasons.BARE)
    return place


@contextmanager
def asking(
    root: Path,
    what: str,
    *,
    timeout: float,
    hint: str = MAKE_ONE,
    environment: Mapping[str, str] | None = None,
) -> Iterator[tuple[GitProgram, Place]]:
    """The program in the working tree around the folder, and the repository. What git refuses becomes a
    `GitCommandError` that names `what` was asked."""
    place = checkout_of(root, hint=hint)
    assert place.workdir is not None
    try:
        yield GitProgram(place.workdir, timeout=timeout, environment=environment), place
    except GitRefusedError as error:
        raise GitCommandError(what, str(error)) from error


def commit_of(git: GitProgram, revision: str) -> str:
    """The commit in full that a revision names. Raises `RevisionNotFoundError`."""
    found = commit_or_none(git, revision)
    if found is None:
        raise RevisionNotFoundError(revision)
    return found


def commit_or_none(git: GitProgram, revision: str) -> str | None:
    """The same, `None` for none."""
    asked = git.run("rev-parse", "--quiet", "--verify", "--end-of-options", f"{revision}^{{commit}}")
    return asked.out.decode("ascii").strip() if asked.ok else None


def merge_base(git: GitProgram, one: str, other: str) -> str | None:
    """The commit where two lines parted, `None` for lines that have nothing in common."""
    done = git.run("merge-base", one, other)
    if done.code == 1 and not done.err:
        if git.get("rev-parse", "--is-shallow-repository").strip() == b"true":
            raise GitError(
                "history is cut off here, and where the two lines parted lies behind that",
                hint="bring the rest of it: git fetch --unshallow",
            )
        return None
    if not done.ok:
        raise GitRefusedError(done.words() or "git merge-base did not end in time")
    return done.out.decode("ascii").split()[0]


def commit_or_nothing(git: GitProgram, revision: str | None) -> str:
    """The commit in full; of `None`, which is before the first one, the tree without files. Raises
    `RevisionNotFoundError`."""
    return commit_of(git, revision) if revision is not None else tree_of_nothing(git)


def tree_of_nothing(git: GitProgram, *, write: bool = False) -> str:
    """The tree without files, as this repository names it; with `write` it is in there, too."""
    writing = ["-w"] if write else []
    return git.get("hash-object", *writing, "-t", "tree", "--stdin").decode("ascii").strip()


def below(place: Place) -> list[str]:
    """What a command is told so that it looks into the vault's folder alone."""
    return ["--", place.prefix] if place.prefix else []


def seconds_in(text: str) -> int:
    """A commit's time in seconds since 1970; 0 where git writes nothing, since it can make nothing of it."""
    return int(text.strip() or 0)


def rows(listed: bytes) -> Iterator[tuple[list[str], str]]:
    """(what is told of it, its name) of each file that `ls-tree -z` or `ls-files --stage -z` lists."""
    for line in listed.split(b"\0")[:-1]:
        told, _, name = line.partition(b"\t")
        yield told.decode("ascii").split(), name.decode("utf-8", "surrogateescape")


def index_lines(entries: Mapping[str, tuple[str, int] | None], *, digits: int) -> bytes:
    """What `update-index -z --index-info` reads: each file's (blob, mode), `None` for one that goes. `digits`
    is how long an object's name is here.

    What goes comes first, since a file may take the name of a folder whose last file goes."""
    gone = [f"0 {'0' * digits}\t{path}" for path, entry in entries.items() if entry is None]
    there = [f"{entry[1]:o} {entry[0]}\t{path}" for path, entry in entries.items() if entry is not None]
    return "".join(f"{line}\0" for line in gone + there).encode("utf-8", "surrogateescape")
