"""A repository around a vault, with two branches that parted at one commit."""

from __future__ import annotations

from pathlib import Path

from tests.gitrun import run_git
from tests.stand import ToldClock
from vault_memory.adapters.git.merges import GitMerges
from vault_memory.model.branches import Merged

VAULT = "my v[a]ult"


class Scene:
    """A repository around a vault, with two branches that parted at one commit."""

    def __init__(self, repo: Path, vault: str = VAULT) -> None:
        self.repo, self.root = repo, repo / vault
        self.root.mkdir(exist_ok=True)
        self.merges = GitMerges(self.root, clock=ToldClock())

    def git(self, *arguments: str) -> str:
        return run_git(self.repo, *arguments)

    def put(self, files: dict[str, str | bytes | None]) -> None:
        for name, content in files.items():
            file = self.root / name
            if content is None:
                file.unlink()
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(self, files: dict[str, str | bytes | None], message: str = "notes") -> str:
        self.put(files)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")

    def part(
        self,
        base: dict[str, str | bytes | None],
        ours: dict[str, str | bytes | None],
        theirs: dict[str, str | bytes | None],
    ) -> None:
        """`main` and `side`, with `main` checked out."""
        self.commit(base, "base")
        self.git("switch", "--quiet", "--create", "side")
        self.commit(theirs, "theirs")
        self.git("switch", "--quiet", "main")
        self.commit(ours, "ours")

    def merge(self) -> Merged:
        before = self.state()
        merged = self.merges.merged("HEAD", "side", message="Merge side")
        assert self.state() == before
        return merged

    def state(self) -> tuple[str, str]:
        return self.git("for-each-ref"), self.git("status", "--porcelain=v2", "--branch")

    def at(self, commit: str | None, name: str) -> str:
        assert commit is not None
        return run_git(self.root, "show", f"{commit}:./{name}") + "\n"

    def names(self, commit: str | None) -> list[str]:
        assert commit is not None
        return self.git("ls-tree", "-r", "--name-only", "-z", commit).split("\0")[:-1]
