"""Two clones of a vault and the bare repository between them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.gitrun import put_hook, run_git
from vault_memory.facets.remote import Synced, Way
from vault_memory.model.namespace import PERSON
from vault_memory.vault import Vault


class Side:
    """One clone: its folder, and its vault."""

    def __init__(self, root: Path, vault: Vault) -> None:
        self.root, self.vault = root, vault

    def git(self, *arguments: str) -> str:
        return run_git(self.root, *arguments)

    def remember(self, title: str, text: str | None = None) -> Path:
        return self.root / self.vault.person.remember(text or f"{title} it is", title=title).path

    def sync(self, way: Way = Way.MERGE, *, push: bool = True, remote: str | None = None) -> Synced:
        return self.vault.remote.sync(PERSON, way=way, push=push, remote=remote)

    def whole(self, way: Way = Way.MERGE) -> Synced:
        """A sync that nothing keeps from being whole."""
        done = self.sync(way)
        assert done.error is None
        assert self.git("rev-parse", "HEAD") == self.git("rev-parse", "origin/main") == done.head
        return done

    def titles(self) -> set[str]:
        return {one.title for one in self.vault.person.list(limit=None)}

    def state(self) -> tuple[str, str, dict[str, bytes]]:
        """Branch, index and files."""
        files = {str(p): p.read_bytes() for p in self.root.rglob("*.md")}
        return self.git("for-each-ref", "refs/heads"), self.git("status", "--porcelain=v2"), files

    def hook(self, name: str, script: str) -> Path:
        """A hook of this clone's."""
        return put_hook(self.root / ".git", name, script)


class Clones:
    """A remote and two sides of it."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.bare = folder / "bare.git"
        self.one, self.two = (self._side(folder / name, stack) for name in ("one", "two"))

    def _side(self, root: Path, stack: ExitStack) -> Side:
        settings = {"refresh_seconds": 0.0, "remote_seconds": 20.0}
        return Side(root, stack.enter_context(Vault.open(root, settings=settings)))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bare repository and two clones of it, with a vault of one note."""
    folder = tmp_path_factory.mktemp("clones")
    run_git(folder, "init", "--quiet", "--bare", "bare.git")
    one = Vault.create(folder / "one").root
    (one / "notes").mkdir()
    (one / "notes" / "first.md").write_text("first\n")
    run_git(one, "add", "--all")
    run_git(one, "commit", "--quiet", "--message", "vault")
    run_git(one, "remote", "add", "origin", "../bare.git")
    run_git(one, "push", "--quiet", "--set-upstream", "origin", "main")
    shutil.copytree(one, folder / "two", symlinks=True)
    return folder


@pytest.fixture
def clones(made: Path, tmp_path: Path) -> Iterator[Clones]:
    folder = tmp_path / "clones"
    shutil.copytree(made, folder, symlinks=True)
    with ExitStack() as stack:
        yield Clones(folder, stack)
