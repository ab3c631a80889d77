"""Putting commits on top of another one, each merged by key; no ref, index or file is touched."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from vault_memory.adapters.git.asking import tree_of_nothing
from vault_memory.adapters.git.bykey import Settled, settle
from vault_memory.adapters.git.cli import GitProgram
from vault_memory.adapters.git.locate import Place
from vault_memory.adapters.git.mergetree import merge_tree
from vault_memory.adapters.git.settings import Settings
from vault_memory.adapters.git.treecommit import commit_tree, signs
from vault_memory.errors import GitError
from vault_memory.model.branches import Apart

_PERSON = re.compile(rb"(.*) <(.*)> (\d+ [+-]\d{4})")
_NOBODY = {
    f"GIT_{role}_{part}": value
    for role in ("AUTHOR", "COMMITTER")
    for part, value in (("NAME", "vmem"), ("EMAIL", "vmem@vmem.invalid"), ("DATE", "@0 +0000"))
}
"""For commits that stand for a tree and that nobody will see."""


class Replanted(NamedTuple):
    """The last of the new commits, and the memories that got another name by them."""

    tip: str
    apart: tuple[Apart, ...]


def replant(
    git: GitProgram,
    place: Place,
    settings: Settings,
    commits: list[tuple[str, list[str]]],
    onto: str,
    committer: dict[str, str],
) -> Replanted | Settled:
    """The commits (each with its parents, oldest first) on top of `onto`, with authors, dates and messages;
    one whose change is there already is left out. Else what kept one from being made.

    Raises `GitRefusedError`, and `GitError` for a merge."""
    tip, apart = onto, list[Apart]()
    for commit, parents in commits:
        if len(parents) > 1:
            raise GitError(
                f"{commit[:10]} is a merge, which can't be put on top of other commits as it is",
                hint="merge instead: vmem sync --merge   or by hand: git rebase --rebase-merges",
            )
        if parents == [tip]:
            tip = commit
            continue
        was, mine, here = (_tree(git, one) for one in (parents[0] if parents else None, commit, tip))
        root = _bare(git, was)
        ours, theirs = _bare(git, here, root), _bare(git, mine, root)
        tree, found = merge_tree(git, place, settings, ours, theirs)
        done = settle(git, place, tree, found)
        if done.conflicts or done.outside:
            return done
        if done.tree != here or was == mine:
            tip = _again(git, settings, commit, done.tree, tip, committer)
            # What is put on top is ours, though to this merge it comes second.
            apart += [replace(one, ours_moved=not one.ours_moved) for one in done.apart]
    return Replanted(tip, tuple(apart))


def _tree(git: GitProgram, commit: str | None) -> str:
    if commit is None:
        return tree_of_nothing(git, write=True)
    return git.get("rev-parse", f"{commit}^{{tree}}").decode("ascii").strip()


def _bare(git: GitProgram, tree: str, parent: str | None = None) -> str:
    """A commit that only says which tree came of which: git merges commits, and these have one base."""
    parents = [parent] if parent is not None else []
    return commit_tree(git, tree, parents, b"vmem\n", who=_NOBODY, signs=False)


def _again(
    git: GitProgram, settings: Settings, commit: str, tree: str, parent: str, committer: dict[str, str]
) -> str:
    head, _, message = git.get("cat-file", "commit", commit).partition(b"\n\n")
    lines = dict(line.split(b" ", 1) for line in head.split(b"\n") if not line.startswith(b" "))
    author = _PERSON.fullmatch(lines[b"author"])
    if author is None:
        raise GitError(f"the author of {commit[:10]} can't be read", hint="merge instead: vmem sync --merge")
    name, email, date = (part.decode("utf-8", "surrogateescape") for part in author.groups())
    own = {"GIT_AUTHOR_NAME": name, "GIT_AUTHOR_EMAIL": email, "GIT_AUTHOR_DATE": date}
    encoding = lines.get(b"encoding", b"UTF-8").decode("ascii", "replace")
    who = {**committer, **own}
    return commit_tree(git, tree, [parent], message, who=who, signs=signs(settings), encoding=encoding)
