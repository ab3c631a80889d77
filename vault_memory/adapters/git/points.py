"""The `Points` port: commits by name and by date, the line that led to one, the branch that is reviewed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory.adapters.git.access import Access
from vault_memory.adapters.git.asking import checkout_of, commit_of, seconds_in
from vault_memory.adapters.git.cli import GitProgram, GitRefusedError
from vault_memory.adapters.git.locate import Place
from vault_memory.errors import GitError, RevisionNotFoundError
from vault_memory.model.branches import Point
from vault_memory.model.moments import instant, write_moment

if TYPE_CHECKING:
    import pygit2

    from vault_memory.adapters.git.opened import Opened

EMPTY = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
"""The tree without files, as every repository of SHA-1 names it; it need not be in there."""
TRUNKS = ("refs/heads/main", "refs/heads/master")
"""The branches that are taken for the reviewed one where no remote names one, the first that is there."""
_KEPT = 64


class GitPoints:
    """Commits of the repository around the vault at `root`; their trees are those of the vault's folder.

    `git_timeout` is the longest wait for one git command, in seconds."""

    def __init__(self, root: Path, *, git_timeout: float = 20.0) -> None:
        self._access = Access(root, timeout=git_timeout)
        self._dated: dict[tuple[str, datetime], Point] = {}
        self._held: dict[tuple[str, str], bool] = {}

    def resolve(self, revision: str) -> Point:
        """The commit that a revision names. Raises `RevisionNotFoundError`."""
        place = self._place()
        return self._access.by(
            place,
            lambda opened: _point(opened, _commit(opened, revision)),
            lambda git: _point_by_git(git, place, revision),
        )

    def at(self, moment: datetime, *, start: str = "HEAD") -> Point:
        """The last commit on the first-parent line from `start` that is not later than the moment.

        Raises `RevisionNotFoundError` where all of them are."""
        key = self.resolve(start).commit, moment
        if key not in self._dated:
            for old in list(self._dated)[: 1 - _KEPT]:
                self._dated.pop(old, None)
            self._dated[key] = self._dated_at(*key)
        return self._dated[key]

    def line(self, start: str, *, after: str | None = None) -> list[Point]:
        """The first-parent line from `start`, newest first, down to the commit `after` (left out)."""
        place = self._place()
        until = self.resolve(after).commit if after is not None else None
        return self._access.by(
            place,
            lambda opened: [_point(opened, one) for one in _line(opened, _commit(opened, start), until)],
            lambda git: _line_by_git(git, place, _tip_by_git(git, start), until),
        )

    def leads_to(self, tip: str, commit: str) -> bool:
        """Whether `commit` is the commit `tip`, or one of those that led to it; both in full."""
        if (tip, commit) not in self._held:
            for old in list(self._held)[: 1 - _KEPT]:
                self._held.pop(old, None)
            self._held[tip, commit] = tip == commit or self._access.by(
                self._place(),
                lambda opened: bool(opened.repo.descendant_of(tip, commit)),
                lambda git: git.run("merge-base", "--is-ancestor", commit, tip).ok,
            )
        return self._held[tip, commit]

    def trunk(self) -> str | None:
        """The branch that is taken for the reviewed one, as a full name; `None` for none.

        That is the one which the remote's HEAD names: the local branch of that name, else the remote's;
        without a remote `main` or `master`."""
        return self._access.by(self._place(), _trunk, _trunk_by_git)

    def _place(self) -> Place:
        return checkout_of(self._access.root)

    def _dated_at(self, start: str, moment: datetime) -> Point:
        place = self._place()
        return self._access.by(
            place,
            lambda opened: _last_by(opened, start, moment),
            lambda git: _last_by_git(git, place, start, moment),
        )


def _commit(opened: Opened, revision: str) -> pygit2.Commit:
    import pygit2

    try:
        found = opened.repo.revparse_single(revision).peel(pygit2.Commit)
    except (KeyError, pygit2.InvalidSpecError, pygit2.NotFoundError, pygit2.AmbiguousError) as error:
        raise RevisionNotFoundError(revision) from error
    except pygit2.GitError:  # what libgit2 can't read, git may: a commit of no time, as it says
        raise
    except ValueError as error:
        raise RevisionNotFoundError(revision) from error
    return found


def _point(opened: Opened, commit: pygit2.Commit) -> Point:
    from pygit2.enums import FileMode

    from vault_memory.adapters.git.trees import TreeFiles

    tree = str(commit.tree_id)
    folder, _, name = opened.place.prefix.rstrip("/").rpartition("/")
    if name:
        below = TreeFiles(opened.repo, commit.tree_id).child(folder, name)
        tree = str(below.oid) if below is not None and below.mode == FileMode.TREE else EMPTY
    return Point(str(commit.id), tree, instant(commit.commit_time))


def _line(opened: Opened, tip: pygit2.Commit, until: str | None) -> Iterator[pygit2.Commit]:
    import pygit2

    commit = tip
    while str(commit.id) != until:
        yield commit
        parents = commit.parent_ids
        above = opened.repo.get(parents[0]) if parents else None
        if not isinstance(above, pygit2.Commit):  # also where a shallow clone ends
            return
        commit = above


def _last_by(opened: Opened, start: str, moment: datetime) -> Point:
    seconds = moment.timestamp()
    for one in _line(opened, _commit(opened, start), None):
        if one.commit_time <= seconds:
            return _point(opened, one)
    raise _before_all(moment)


def _before_all(moment: datetime) -> RevisionNotFoundError:
    return RevisionNotFoundError(
        write_moment(moment), hint="the first commit is later than that; vmem log lists the commits"
    )


def _trunk(opened: Opened) -> str | None:
    references = opened.repo.references
    for remote in _remotes_in_order(list(opened.repo.remotes.names())):
        head = references.get(f"refs/remotes/{remote}/HEAD")
        target = head.target if head is not None else None
        if isinstance(target, str) and target in references:
            local = f"refs/heads/{target.removeprefix(f'refs/remotes/{remote}/')}"
            return local if local in references else target
    return next((name for name in TRUNKS if name in references), None)


def _remotes_in_order(names: list[str | None]) -> list[str]:
    known = sorted(name for name in names if name)
    return sorted(known, key=lambda name: name != "origin")


# The same by git.


def _tip_by_git(git: GitProgram, revision: str) -> str:
    if not revision or "\0" in revision or revision.startswith("-"):
        raise RevisionNotFoundError(revision)
    return commit_of(git, revision)


def _point_by_git(git: GitProgram, place: Place, revision: str) -> Point:
    [found] = _dated_by_git(git, "-1", _tip_by_git(git, revision))
    return _points_of(git, place, [found])[0]


def _dated_by_git(git: GitProgram, how: str, tip: str) -> Iterator[tuple[str, int]]:
    """(commit, its time in seconds since 1970), newest first."""
    shown = ("--no-show-signature", "--no-color", "--no-notes", "--format=%H %ct")
    for row in git.get("log", how, *shown, "--end-of-options", tip).decode("ascii").splitlines():
        commit, _, seconds = row.partition(" ")
        yield commit, seconds_in(seconds)


def _line_by_git(git: GitProgram, place: Place, tip: str, until: str | None) -> list[Point]:
    line = takewhile(lambda one: one[0] != until, _dated_by_git(git, "--first-parent", tip))
    return _points_of(git, place, list(line))


def _last_by_git(git: GitProgram, place: Place, start: str, moment: datetime) -> Point:
    for commit, seconds in _dated_by_git(git, "--first-parent", start):
        if seconds <= moment.timestamp():
            return _points_of(git, place, [(commit, seconds)])[0]
    raise _before_all(moment)


def _points_of(git: GitProgram, place: Place, commits: list[tuple[str, int]]) -> list[Point]:
    """With their trees, by one command for all."""
    folder = place.prefix.rstrip("/")
    if "\n" in folder:
        raise GitError("only git can read this repository, and it can't be asked about a folder of two lines")
    asked = "".join(f"{commit}:{folder}\n" for commit, _ in commits)
    out = git.get("cat-file", "--batch-check", stdin=os.fsencode(asked))
    rows = out.decode("utf-8", "surrogateescape").splitlines()
    points = []
    for (commit, seconds), row in zip(commits, rows, strict=True):
        words = row.split(" ")
        tree = words[0] if len(words) == 3 and words[1] == "tree" else EMPTY
        points.append(Point(commit, tree, instant(seconds)))
    return points


def _trunk_by_git(git: GitProgram) -> str | None:
    def known(name: str) -> bool:
        return git.run("show-ref", "--verify", "--quiet", "--", name).ok

    try:
        remotes = git.get("remote").decode("utf-8", "surrogateescape").splitlines()
    except GitRefusedError:
        remotes = []
    for remote in _remotes_in_order(list(remotes)):
        asked = git.run("symbolic-ref", "--quiet", f"refs/remotes/{remote}/HEAD")
        target = asked.out.decode("utf-8", "surrogateescape").strip()
        if asked.ok and known(target):
            local = f"refs/heads/{target.removeprefix(f'refs/remotes/{remote}/')}"
            return local if known(local) else target
    return next((name for name in TRUNKS if known(name)), None)
