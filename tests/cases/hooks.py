"""Git hooks and the pre-commit program around `vmem gc --staged`, with real commits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.cases.doors import REPOSITORY
from tests.gitrun import run_git
from vault_memory.vault import Vault

COMMAND = f"'{sys.executable}' -m vault_memory gc --staged"
PAST = "expires: 2001-02-03"
"""Front matter of what has expired by every clock that these tests can meet."""

CONFIG = f"""\
repos:
  - repo: local
    hooks:
      - id: vmem-gc
        name: vmem gc
        language: system
        entry: {json.dumps(COMMAND)}
        always_run: true
        pass_filenames: false
"""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended: its exit code, and all that it wrote."""

    code: int
    said: str


@dataclass(frozen=True, slots=True)
class Hooked:
    """A vault `root` in the repository `top`, whose commits run the hook."""

    top: Path
    root: Path

    @classmethod
    def made(cls, top: Path, *, below: str = "") -> Hooked:
        """A new one, with one commit."""
        top.mkdir(parents=True)
        run_git(top, "init", "--quiet", "--initial-branch=main")
        Vault.create(top / below)
        (top / "code.txt").write_text("one\n", encoding="utf-8")
        hooked = cls(top, top / below)
        hooked.commit_all("first")
        return hooked

    def put(self, name: str, front: str = PAST, body: str = "text") -> Path:
        """Write a memory as an editor would."""
        place = self.root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"---\n{front}\n---\n{body}\n", encoding="utf-8")
        return place

    def commit_all(self, message: str) -> None:
        """Commit everything without any hook."""
        self.git("add", "--", ".")
        self.git("commit", "--quiet", "--no-verify", "-m", message)

    def work(self) -> None:
        """Change what is no memory, and stage it."""
        with (self.top / "code.txt").open("a", encoding="utf-8") as file:
            file.write("more\n")
        self.git("add", "--", "code.txt")

    def install(self, command: str = COMMAND, name: str = "pre-commit") -> None:
        """Put the plain hook in place."""
        self.hook(name, f"exec {command}")

    def hook(self, name: str, script: str) -> None:
        """Put a hook in place."""
        place = Path(self.git("rev-parse", "--git-path", f"hooks/{name}"))
        place = self.top / place
        place.parent.mkdir(exist_ok=True)
        place.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        place.chmod(0o755)

    def install_program(self) -> None:
        """Let the pre-commit program run the hook, from a commit that holds its configuration."""
        (self.top / ".pre-commit-config.yaml").write_text(CONFIG, encoding="utf-8")
        self.commit_all("pre-commit")
        assert self.run(sys.executable, "-m", "pre_commit", "install").code == 0

    def git(self, *arguments: str) -> str:
        """Git, which must end well."""
        return run_git(self.top, *arguments)

    def commit(self, *arguments: str, cwd: Path | None = None) -> Ended:
        """`git commit`, which runs the hook."""
        return self.run("git", "commit", "--quiet", *arguments, cwd=cwd)

    def run(self, *argv: str, cwd: Path | None = None, environment: Mapping[str, str] | None = None) -> Ended:
        """A command in the repository, with `vmem` in its reach."""
        done = subprocess.run(
            argv,
            cwd=cwd or self.top,
            env={
                **os.environ,
                "PYTHONPATH": str(REPOSITORY),
                "PRE_COMMIT_HOME": str(self.top.parent / "pre-commit-home"),
                **(environment or {}),
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=100,
            check=False,
        )
        assert "Traceback" not in done.stdout, done.stdout
        assert "bug in vmem" not in done.stdout, done.stdout
        return Ended(done.returncode, done.stdout)

    def in_head(self) -> list[str]:
        """The vault's memories in HEAD."""
        names = self.git("ls-tree", "-r", "-z", "--name-only", "HEAD", "--", f"{self.root}/").split("\0")
        return [name for name in names if name.endswith(".md")]

    def state(self) -> str:
        """What `git status` says of memories and code."""
        return self.git("status", "--porcelain", "--", ":(exclude).vmem", ":(exclude)*/.vmem")
