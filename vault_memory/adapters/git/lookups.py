"""Small questions to a repository, each in the two ways of asking."""

from __future__ import annotations

import re

import pygit2
from pygit2.enums import FileMode

from vault_memory.adapters.git.asking import commit_of, seconds_in
from vault_memory.adapters.git.cli import GitProgram
from vault_memory.adapters.git.conversion import checked_out
from vault_memory.adapters.git.foreign import branch_of, bytes_of, tip_of
from vault_memory.adapters.git.opened import Opened
from vault_memory.adapters.git.trees import TreeFiles, entry_at, root_of
from vault_memory.errors import RevisionNotFoundError

_FOR_EVER = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?\^?")
"""Names that mean the same commit tomorrow."""
_KEPT = 4


def branch_and_tip(opened: Opened) -> tuple[str | None, str | None]:
    """The ref HEAD points to and its commit."""
    return opened.branch_and_tip()


def branch_and_tip_by_git(git: GitProgram) -> tuple[str | None, str | None]:
    """The same by git."""
    return branch_of(git), tip_of(git)


def head_bytes(opened: Opened, path: str) -> bytes | None:
    """A file's content in HEAD; a link has none."""
    return _bytes(opened, TreeFiles(opened.repo, root_of(opened.repo, opened.tip())), path)


def head_bytes_by_git(git: GitProgram, path: str) -> bytes | None:
    """The same by git."""
    tip = tip_of(git)
    return bytes_of(git, tip, path) if tip is not None else None


def bytes_at(opened: Opened, revision: str, path: str) -> bytes | None:
    """A file's content in a commit, as a checkout writes it. Raises `RevisionNotFoundError`."""
    commit, files = _files_at(opened, revision)
    stored = _bytes(opened, files, path)
    if stored is None or checked_out(opened.repo, opened.settings, path, stored):
        return stored
    return filtered(opened.git, commit, path)


def _files_at(opened: Opened, revision: str) -> tuple[str, TreeFiles]:
    """The commit and its files. The last ones are kept: whoever asks of a commit asks file after file."""
    if revision in opened.looked_at:
        return opened.looked_at[revision]
    try:
        found = opened.repo.revparse_single(revision).peel(pygit2.Commit)
    except (KeyError, ValueError, pygit2.GitError) as error:
        raise RevisionNotFoundError(revision) from error
    at = str(found.id), TreeFiles(opened.repo, found.tree_id)
    if _FOR_EVER.fullmatch(revision):
        for old in list(opened.looked_at)[: 1 - _KEPT]:
            del opened.looked_at[old]
        opened.looked_at[revision] = at
    return at


def bytes_at_by_git(git: GitProgram, revision: str, path: str) -> bytes | None:
    """The same by git."""
    commit = commit_of(git, revision)
    return filtered(git, commit, path) if bytes_of(git, commit, path) is not None else None


def filtered(git: GitProgram, commit: str, path: str) -> bytes:
    """A file of a commit after line ends and filters (LFS, git-crypt) have had their say."""
    return git.get("cat-file", "--filters", f"{commit}:{path}")


def ignored(opened: Opened, path: str) -> bool:
    """Whether git's rules keep it out; what is tracked is never ignored."""
    if not opened.repo.path_is_ignored(path):
        return False
    index = opened.repo.index
    index.read(False)
    return path not in index and entry_at(opened.repo, root_of(opened.repo, opened.tip()), path) is None


def ignored_by_git(git: GitProgram, path: str) -> bool:
    """The same by git."""
    # It knows no literal pathspecs and refuses to work where they are asked for. It takes no pattern
    # either, so all that has to be kept from it is a ':' in front.
    asked = git.run("check-ignore", "--quiet", "--", f"./{path}", environment={"GIT_LITERAL_PATHSPECS": "0"})
    return asked.ok


def head_seconds(opened: Opened) -> int | None:
    """HEAD's commit time in seconds since 1970."""
    tip = opened.tip()
    if tip is None:
        return None
    commit = opened.repo[tip]
    assert isinstance(commit, pygit2.Commit)
    return commit.commit_time


def head_seconds_by_git(git: GitProgram) -> int | None:
    """The same by git."""
    if tip_of(git) is None:
        return None
    return seconds_in(git.get("log", "-1", "--no-show-signature", "--format=%ct", "HEAD").decode())


def _bytes(opened: Opened, files: TreeFiles, path: str) -> bytes | None:
    entry = files.entry(path)
    if entry is None or entry.mode == FileMode.LINK:
        return None
    if entry.oid not in opened.repo and opened.git.path is not None:
        # A partial clone fetches a blob when git asks for it.
        return opened.git.get("cat-file", "blob", str(entry.oid))
    blob = opened.repo[entry.oid]
    return blob.data if isinstance(blob, pygit2.Blob) else None
