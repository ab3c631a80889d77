"""A vault in a repository, and operations on it as the vault's own code would journal them."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.gitrun import put_hook, run_git
from vault_memory.adapters.git.history import GitHistory
from vault_memory.model.message import commit_message
from vault_memory.model.namespace import VaultPath
from vault_memory.model.revision import Author, CommitReport, Intent, Op, Operation, agent_author


class WallClock:
    """The present; these tests stand beside a real git, which asks the same clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def now_ns(self) -> int:
        return int(datetime.now(UTC).timestamp() * 1e9)


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@dataclass
class Bench:
    """A vault's folder, its history, and the journal's numbers."""

    root: Path
    history: GitHistory
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def git(self, *arguments: str, stdin: str | None = None) -> str:
        return run_git(self.root, *arguments, stdin=stdin)

    def write(self, path: str, content: str | bytes, *, agent: str | None = None) -> Intent:
        """Write the file; its intent."""
        file = self.root / path
        before = sha256(file.read_bytes()) if file.exists() else None
        file.parent.mkdir(parents=True, exist_ok=True)
        content = content.encode() if isinstance(content, str) else content
        fresh = file.with_name(file.name + ".new")
        fresh.write_bytes(content)
        fresh.replace(file)
        return self.intent(Op.EDIT if before else Op.REMEMBER, path, sha256(content), before, agent=agent)

    def remove(self, path: str) -> Intent:
        """Delete the file; its intent."""
        before = sha256((self.root / path).read_bytes())
        (self.root / path).unlink()
        return self.intent(Op.FORGET, path, None, before)

    def intent(
        self, op: Op, path: str, version: str | None, before: str | None, *, agent: str | None = None
    ) -> Intent:
        message = commit_message(op, path, memory_id="01K8ZQ4T7R3M5N9V2XW6Y0ABCD", agent=agent)
        author: Author | None = agent_author(agent) if agent else None
        operation = Operation(op, VaultPath(path), version, before, message, author)
        return Intent(next(self.numbers), operation, None, datetime(2026, 11, 29, 10, 15, tzinfo=UTC))

    def commit(self, *intents: Intent) -> CommitReport:
        return self.history.commit(intents)

    def remember(self, path: str, content: str | bytes = "text\n") -> str:
        """Write and commit; the commit."""
        intent = self.write(path, content)
        report = self.commit(intent)
        assert report.waiting == {}
        assert report.unversioned == {}
        return report.commits[intent.number]

    def hook(self, name: str, script: str) -> Path:
        """Put a hook in place."""
        return put_hook(self.root / ".git", name, script)

    def waits(self, path: str = "a.md") -> str:
        """Write a file whose commit has to wait; the reason. HEAD and index stand as before."""
        before = (self.history.state().head, self.git("ls-files", "--stage"))
        intent = self.write(path, "text\n")
        report = self.commit(intent)
        assert (report.commits, report.unversioned) == ({}, {})
        assert (self.history.state().head, self.git("ls-files", "--stage")) == before
        assert self.strays() == []
        return report.waiting[intent.number]

    def files_in(self, commit: str) -> list[str]:
        """What the commit changed, as `git show --name-status` lists it."""
        out = self.git("show", "--format=", "--name-status", "--no-renames", "-z", commit)
        fields = [part for part in out.split("\0") if part]
        return [f"{code} {path}" for code, path in zip(fields[::2], fields[1::2], strict=True)]

    def check_sound(self) -> None:
        """Nothing broken, nothing of ours left lying about, every stat in the index true."""
        self.git("fsck", "--strict", "--no-dangling")
        assert self.git("status", "--porcelain", "--untracked-files=all") == ""
        assert self.strays() == []

    def strays(self) -> list[str]:
        """Files of ours, and locks, in the git directory."""
        common = Path(self.git("rev-parse", "--path-format=absolute", "--git-common-dir"))
        found = [*common.rglob("*vmem*"), *common.rglob("*.lock")]
        return sorted(str(path.relative_to(common)) for path in found)


MakeBench = Callable[[Path], Bench]


@pytest.fixture
def bench_at(tmp_path: Path) -> MakeBench:
    """A bench for any folder; waits are short, since nothing here holds a lock for long."""

    def make(root: Path) -> Bench:
        local = root / ".vmem" / "local"
        local.mkdir(parents=True, exist_ok=True)
        (local.parent / ".gitignore").write_text("*\n")
        return Bench(root, GitHistory(root, clock=WallClock(), local=local, lock_wait=1.0, git_timeout=5.0))

    return make


@pytest.fixture
def bench(repo: Path, bench_at: MakeBench) -> Bench:
    """A vault that is a whole repository with one commit."""
    (repo / "README.md").write_text("# notes\n")
    run_git(repo, "add", "README.md")
    run_git(repo, "commit", "--quiet", "--message=first")
    return bench_at(repo)
