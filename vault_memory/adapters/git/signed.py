"""The slow road: one commit made by the git program, with the person's hooks and signature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from vault_memory.adapters.git import identity
from vault_memory.adapters.git.cli import DURABLE, GitProgram, GitRefusedError
from vault_memory.adapters.git.hooks import Hooks
from vault_memory.adapters.git.plan import Step
from vault_memory.adapters.git.scratch import Scratch
from vault_memory.model.revision import Author

_MESSAGE = "COMMIT_EDITMSG"
_SAME_EVERYWHERE = ("-c", "i18n.commitEncoding=UTF-8")
"""Our messages are UTF-8 whatever the person writes theirs in, and git must say so."""


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
        file = self._message(step.message, environment)
        parents = ["-p", tip] if tip is not None else []
        signing = ["-S"] if self.signs else []
        arguments = [*_SAME_EVERYWHERE, *DURABLE, "commit-tree", tree, *parents, *signing, "-F", file]
        return self.git.get(*arguments, environment=lines).decode().strip()

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

    def _message(self, message: str, environment: dict[str, str]) -> str:
        file = self.scratch.path(_MESSAGE)
        with open(file, "w", encoding="utf-8", newline="\n") as out:
            out.write(message.rstrip("\n") + "\n")
        self.hooks.run("prepare-commit-msg", file, "message", environment=environment)
        self.hooks.run("commit-msg", file, environment=environment)
        with open(file, "rb") as written:
            cleaned = self.git.get("stripspace", stdin=written.read())
        if not cleaned.strip():
            raise GitRefusedError("a hook left the commit message empty")
        with open(file, "wb") as out:
            out.write(cleaned)
        return file


def index_lines(entries: Mapping[str, tuple[str, int] | None], *, digits: int) -> bytes:
    """What `git update-index -z --index-info` reads; `digits` is how long an object's name is here.

    What goes comes first, since a file may take the name of a folder whose last file goes."""
    gone = [f"0 {'0' * digits}\t{path}" for path, entry in entries.items() if entry is None]
    there = [f"{entry[1]:o} {entry[0]}\t{path}" for path, entry in entries.items() if entry is not None]
    return "".join(f"{line}\0" for line in gone + there).encode("utf-8", "surrogateescape")


def changed_files(
    git: GitProgram, old: str | None, new: str
) -> dict[str, tuple[tuple[str, int] | None, tuple[str, int] | None]]:
    """What a commit changed: path → (blob, mode) before and after, `None` where there was no file."""
    if old is None:
        listed = git.get("ls-tree", "-r", "-z", new).split(b"\0")[:-1]
        heads = (line.split(b"\t", 1) for line in listed)
        return {
            path.decode("utf-8", "surrogateescape"): (
                None,
                (info.split()[2].decode(), int(info.split()[0], 8)),
            )
            for info, path in heads
        }
    fields = git.get("diff-tree", "-r", "-z", "--no-renames", old, new).split(b"\0")[:-1]
    found = {}
    for info, path in zip(fields[::2], fields[1::2], strict=True):
        old_mode, new_mode, old_blob, new_blob, _ = info.removeprefix(b":").decode().split(" ")
        before = (old_blob, int(old_mode, 8)) if int(old_mode, 8) else None
        after = (new_blob, int(new_mode, 8)) if int(new_mode, 8) else None
        found[path.decode("utf-8", "surrogateescape")] = (before, after)
    return found
