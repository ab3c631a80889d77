"""Building a tree that differs from another in some files, writing only the folders on their paths."""

from __future__ import annotations

from collections.abc import Mapping
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


class TreeFiles:
    """The files of a tree, by path. Each of its folders is read once, however many files are asked for."""

    def __init__(self, repo: Repository, root: Oid | None) -> None:
        self._repo = repo
        self._root = root
        self._folders: dict[str, pygit2.Tree | None] = {}

    def entry(self, path: str) -> Entry | None:
        """The file at `path`, `None` where the tree has none or a folder."""
        found = self.child(*path.rpartition("/")[::2])
        return None if found is None or found.mode == FileMode.TREE else found

    def child(self, folder: str, name: str) -> Entry | None:
        """What has that name in a folder of the tree, be it a file or a folder; `None` for nothing."""
        return _child(self._folder(folder), name)

    def _folder(self, path: str) -> pygit2.Tree | None:
        if path not in self._folders:
            self._folders[path] = self._read(path)
        return self._folders[path]

    def _read(self, path: str) -> pygit2.Tree | None:
        tree = _tree(self._repo, self._root)
        for name in path.split("/") if path else ():
            below = _child(tree, name)
            tree = _tree(self._repo, below.oid) if below and below.mode == FileMode.TREE else None
        return tree


def entry_at(repo: Repository, tree: Oid | None, path: str) -> Entry | None:
    """The file at `path`, `None` where the tree has none or a folder."""
    return TreeFiles(repo, tree).entry(path)


def _tree(repo: Repository, oid: Oid | None) -> pygit2.Tree | None:
    node = repo.get(oid) if oid is not None else None
    if oid is not None and node is None:
        raise MissingObjectError(f"object {oid} is missing")
    return node if isinstance(node, pygit2.Tree) else None


def _child(tree: pygit2.Tree | None, name: str) -> Entry | None:
    if tree is None or name not in tree:
        return None
    found = tree[name]
    return Entry(found.id, int(found.filemode))


def with_files(
    repo: Repository, tree: Oid | None, files: Mapping[str, Entry | None], made: list[Oid]
) -> Oid | None:
    """The tree with these files put in, or taken out with `None`; folders left empty go with them.

    `None` stands for a tree without anything, which git keeps for a root only. The trees written
    are appended to `made`."""
    builders = {"": _builder(repo, tree)}
    for path in files:
        _open_folders(repo, builders, path)
    for path, entry in files.items():
        folder, _, name = path.rpartition("/")
        if entry is not None:
            builders[folder].insert(name, entry.oid, FileMode(entry.mode))
        elif builders[folder].get(name) is not None:
            builders[folder].remove(name)
    # Not by recursion: a person's folders may go deeper than Python's stack.
    for folder in sorted(builders, key=lambda folder: folder.count("/"), reverse=True):
        if folder:
            _close_folder(builders, folder, made)
    return _written(builders[""], made)


def _open_folders(repo: Repository, builders: dict[str, TreeBuilder], path: str) -> None:
    above = ""
    for name in path.split("/")[:-1]:
        folder = f"{above}/{name}" if above else name
        if folder not in builders:
            old = builders[above].get(name)
            builders[folder] = _builder(repo, old.id if isinstance(old, pygit2.Tree) else None)
        above = folder


def _close_folder(builders: dict[str, TreeBuilder], folder: str, made: list[Oid]) -> None:
    """Write a folder whose own folders are written, into the one above."""
    above, _, name = folder.rpartition("/")
    below = _written(builders[folder], made)
    if below is not None:
        builders[above].insert(name, below, FileMode.TREE)
    elif isinstance(builders[above].get(name), pygit2.Tree):
        builders[above].remove(name)


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
