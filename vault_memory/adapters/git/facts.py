"""What a person may want to know of the repository: git's version, who commits, hooks, locks, upstream."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from vault_memory.adapters.git import hooks, scratch
from vault_memory.adapters.git.cli import GitProgram
from vault_memory.adapters.git.identity import person
from vault_memory.adapters.git.landing import HOLD
from vault_memory.adapters.git.locate import Place
from vault_memory.model.facts import GitLock, RepositoryFacts, Upstream
from vault_memory.model.revision import Author

if TYPE_CHECKING:
    from vault_memory.adapters.git.opened import Opened
    from vault_memory.adapters.git.settings import Settings

_VERSION = re.compile(rb"git version (\d[\w.]*)")


def facts(opened: Opened, identity: Author | None) -> RepositoryFacts:
    """By libgit2. `identity` stands in for the person's own."""
    return _facts(opened.git, opened.place, opened.settings, identity)


def facts_by_git(git: GitProgram, place: Place | None, identity: Author | None) -> RepositoryFacts:
    """By the git program, also where there is no repository."""
    from vault_memory.adapters.git.foreign import GitSettings

    if git.path is None:
        return RepositoryFacts(None, identity, False, (), _lock(place) if place is not None else None)
    return _facts(git, place, GitSettings(git), identity)


def _facts(
    git: GitProgram, place: Place | None, settings: Settings, identity: Author | None
) -> RepositoryFacts:
    names: frozenset[str] = frozenset()
    if place is not None and place.workdir is not None:
        names = hooks.active(place, settings.folder("core.hooksPath", relative_to=place.workdir))
    return RepositoryFacts(
        version=_version(git),
        person=identity or person(settings),
        signs=settings.flag("commit.gpgSign") is True,
        hooks=tuple(sorted(names)),
        lock=_lock(place) if place is not None else None,
    )


def _version(git: GitProgram) -> str | None:
    if git.path is None:
        return None
    found = _VERSION.match(git.run("version").out)
    return found[1].decode("ascii").rstrip(".") if found is not None else "unknown"


def _lock(place: Place) -> GitLock | None:
    path = os.path.join(place.gitdir, "index.lock")
    try:
        since_ns = os.lstat(path).st_mtime_ns
    except FileNotFoundError:
        return None
    return GitLock(path, since_ns, _is_ours(place, path))


def _is_ours(place: Place, lock: str) -> bool:
    """Whether the lock is the second name of a file in a vmem's own folder."""
    for folder in scratch.folders(place.commondir):
        for name in ("index", HOLD):
            try:
                if os.path.samefile(lock, os.path.join(folder, name)):
                    return True
            except FileNotFoundError:  # one of the two is gone, or was never made
                continue
    return False


def upstream(opened: Opened) -> Upstream | None:
    """What the branch follows, `None` where it follows nothing that is here."""
    import pygit2

    ref, tip = opened.branch(), opened.tip()
    if ref is None or tip is None or not ref.startswith("refs/heads/"):
        return None
    branch = opened.repo.branches.local.get(ref.removeprefix("refs/heads/"))
    try:
        other = branch.upstream if branch is not None else None
    except KeyError:  # it is set, and was never fetched
        return None
    if other is None:
        return None
    ahead, behind = opened.repo.ahead_behind(pygit2.Oid(hex=tip), other.resolve().target)
    return Upstream(other.shorthand, ahead, behind)


def upstream_by_git(git: GitProgram) -> Upstream | None:
    """The same by git."""
    name = git.run("rev-parse", "--abbrev-ref", "--symbolic-full-name", "@{upstream}")
    if not name.ok:
        return None
    counted = git.get("rev-list", "--left-right", "--count", "HEAD...@{upstream}").split()
    return Upstream(name.out.decode("utf-8", "replace").strip(), int(counted[0]), int(counted[1]))
