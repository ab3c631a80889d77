"""The slow road: one commit made by the git program, with the person's hooks and signature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from vault_memory.adapters.git import identity
from vault_memory.adapters.git.asking import index_lines
from vault_memory.adapters.git.cli import DURABLE, GitProgram, GitRefusedError
from vault_memory.adapters.git.hooks import Hooks
from vault_memory.adapters.git.plan import Step
from vault_memory.adapters.git.scratch import Scratch
from vault_memory.adapters.git.treecommit import commit_tree
from vault_memory.model.revision import Author

_MESSAGE = "COMMIT_EDITMSG"


@dataclass(frozen=True, slots=True)
class SlowRoad:
    """Makes commits without moving anything: a temporary index, then hooks, tree and commit."""

    git: GitProgram
    hooks: Hooks
    scratch: Scratch
    person: Author
    now: datetime
    signs: bool

    def make(self, tip: str | None, step: Step, entries: Mapping[str, tuple[str, int] | None]) -> str:
        """The commit (full hex) for a step on top of `tip`; `entries` gives each file's (blob, mode),
        `None` for its removal. Raises `GitRefusedError` with the words of whoever said no."""
        author = step.author or self.person
        lines = identity.environment(author, self.person, step.at, self.now)
        environment = {**lines, "GIT_INDEX_FILE": self.scratch.path("hooked")}
        self._stage(tip, entries, environment)
        self.hooks.run("pre-commit", environment=environment)
        tree = self.git.get(*DURABLE, "write-tree", environment=environment).decode().strip()
        if tip is not None and tree == self.git.get("rev-parse", f"{tip}^{{tree}}").decode().strip():
            raise GitRefusedError("the pre-commit hook left nothing to commit")
        message = self._message(step.message, environment)
        parents = [tip] if tip is not None else []
        return commit_tree(self.git, tree, parents, message, who=lines, signs=self.signs)

    def after(self) -> None:
        """Run the post-commit hook; the commit stands whatever it says."""
        try:
            self.hooks.run("post-commit", environment={})
        except GitRefusedError:
            return

    def _stage(
        self,
        tip: str | None,
        entries: Mapping[str, tuple[str, int] | None],
        environment: dict[str, str],
    ) -> None:
        self.git.get("read-tree", tip or "--empty", environment=environment)
        lines = index_lines(entries, digits=len(tip or ""))
        self.git.get("update-index", "-z", "--index-info", stdin=lines, environment=environment)
        # A hook that compares the index with the files must not see all of them as changed.
        self.git.run("update-index", "-q", "--refresh", environment=environment)

    def _message(self, message: str, environment: dict[str, str]) -> bytes:
        """The message as the hooks leave it."""
        file = self.scratch.path(_MESSAGE)
        with open(file, "w", encoding="utf-8", newline="\n") as out:
            out.write(message.rstrip("\n") + "\n")
        self.hooks.run("prepare-commit-msg", file, "message", environment=environment)
        self.hooks.run("commit-msg", file, environment=environment)
        with open(file, "rb") as written:
            cleaned = self.git.get("stripspace", stdin=written.read())
        if not cleaned.strip():
            raise GitRefusedError("a hook left the commit message empty")
        return cleaned
