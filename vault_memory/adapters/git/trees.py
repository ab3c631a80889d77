"""Building a tree that differs from another in one file, writing only the folders on its path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pygit2
from pygit2.enums import FileMode

if TYPE_CHECKING:
    from pygit2 import Oid, Repository
    from pygit2._pygit2 import TreeBuilder


@dataclass(frozen=True, slots=True)
class Entry:
    """A file in a tree or the index: which blob, with which mode."""

    oid: Oid
    mode: int


class MissingObjectError(Exception):
    """An object that is not here, as in a partial clone; git can fetch it."""


def entry_at(repo: Repository, tree: Oid | None, path: str) -> Entry | None:
    """The file at `path`, `None` where the tree has none or a folder."""
    *folders, last = path.split("/")
    for folder in folders:
        below = _child(repo, tree, folder)
        tree = below.oid if below is not None and below.mode == FileMode.TREE else None
    found = _child(repo, tree, last)
    return None if found is None or found.mode == FileMode.TREE else found


def _child(repo: Repository, tree: Oid | None, name: str) -> Entry | None:
    node = repo.get(tree) if tree is not None else None
    if tree is not None and node is None:
        raise MissingObjectError(f"object {tree} is missing")
    if not isinstance(node, pygit2.Tree) or name not in node:
        return None
    return Entry(node[name].id, int(node[name].filemode))


def with_file(
    repo: Repository, tree: Oid | None, path: str, entry: Entry | None, made: list[Oid]
) -> Oid | None:
    """The tree with the file put in, or taken out with `None`; folders left empty go with it.

    `None` stands for a tree without anything, which git keeps for a root only. The trees written
    are appended to `made`."""
    *folders, name = path.split("/")
    builders = [_builder(repo, tree)]
    for folder in folders:
        old = builders[-1].get(folder)
        builders.append(_builder(repo, old.id if isinstance(old, pygit2.Tree) else None))
    innermost = builders.pop()
    if entry is not None:
        innermost.insert(name, entry.oid, FileMode(entry.mode))
    elif innermost.get(name) is not None:
        innermost.remove(name)
    below = _written(innermost, made)
    # Not by recursion: a person's folders may go deeper than Python's stack.
    while builders:
        builder, folder = builders.pop(), folders.pop()
        if below is not None:
            builder.insert(folder, below, FileMode.TREE)
        elif isinstance(builder.get(folder), pygit2.Tree):
            builder.remove(folder)
        below = _written(builder, made)
    return below


def _builder(repo: Repository, tree: Oid | None) -> TreeBuilder:
    return repo.TreeBuilder(tree) if tree is not None else repo.TreeBuilder()


def _written(builder: TreeBuilder, made: list[Oid]) -> Oid | None:
    if not len(builder):
        return None
    made.append(builder.write())
    return made[-1]


def root_of(repo: Repository, commit: str | None) -> Oid | None:
    """The root tree of a commit, `None` for no commit."""
    if commit is None:
        return None
    found = repo.get(commit)
    if not isinstance(found, pygit2.Commit):
        raise MissingObjectError(f"commit {commit} is missing")
    return found.tree_id


def empty_tree(repo: Repository) -> Oid:
    """The tree that holds nothing."""
    return repo.TreeBuilder().write()


def last_change(repo: Repository, head: str, path: str, *, most: int = 500) -> str:
    """The commit that brought `path` to what it is in `head`, looking back along first parents."""
    wanted = entry_at(repo, root_of(repo, head), path)
    commit = repo[head]
    for _ in range(most):
        assert isinstance(commit, pygit2.Commit)
        if not commit.parent_ids or commit.parent_ids[0] not in repo:  # the end, or a shallow clone's
            break
        parent = repo[commit.parent_ids[0]]
        assert isinstance(parent, pygit2.Commit)
        if entry_at(repo, parent.tree_id, path) != wanted:
            break
        commit = parent
    return str(commit.id)
