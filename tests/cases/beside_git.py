"""A vault beside a person's own git: asked by the command line, in this process or in one of its own."""

from __future__ import annotations

import io
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.forked import run_vmem
from tests.gitrun import run_git
from vault_memory.surfaces.cli.app import main
from vault_memory.surfaces.cli.context import World
from vault_memory.vault import Vault

PACKAGE = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call of `vmem` left: its exit code, both streams, and how long it took."""

    code: int
    out: str
    err: str
    seconds: float = 0.0

    @property
    def value(self) -> Any:
        """The JSON value on stdout."""
        return json.loads(self.out)

    @property
    def error(self) -> Any:
        """The JSON error on stderr."""
        return json.loads(self.err)["error"]


@dataclass(slots=True)
class Desk:
    """The command line on one vault, by the wall's clock: a person's git beside it has no other."""

    root: Path
    world: World = field(default_factory=World)

    def vmem(self, *argv: str, stdin: str = "") -> Answer:
        """A call in this process."""
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
        before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
        start = time.monotonic()
        try:
            with redirect_stdout(out), redirect_stderr(err):
                code = main(["--vault", str(self.root), *argv], world=self.world)
        finally:
            sys.stdin = before
        return Answer(code, _text(out), _text(err), time.monotonic() - start)

    def process(
        self, *argv: str, stdin: str = "", cwd: Path | None = None, env: Mapping[str, str] | None = None
    ) -> Answer:
        """A call in a process of its own, as it is at the prompt."""
        start = time.monotonic()
        done = run_vmem(
            ["--vault", str(self.root), *argv],
            stdin=stdin.encode(),
            environment=vmem_environment(env or {}),
            cwd=cwd or self.root.parent,
        )
        seconds = time.monotonic() - start
        return Answer(done.returncode, done.stdout.decode(), done.stderr.decode(), seconds)

    def json(self, *argv: str, stdin: str = "") -> Any:
        """The value of a call that must succeed."""
        said = self.vmem(*argv, "--json", stdin=stdin)
        assert said.code == 0, said.err
        return said.value

    @contextmanager
    def python(self) -> Iterator[Vault]:
        """The same vault by Python; every call looks at the files."""
        with Vault.open(self.root, settings={"refresh_seconds": 0.0}) as opened:
            yield opened

    def git(self, *arguments: str, stdin: str | None = None) -> str:
        """What git says in the vault's folder."""
        return run_git(self.root, *arguments, stdin=stdin)

    def subjects(self, *arguments: str) -> list[str]:
        """The commits' first lines, newest first."""
        return self.git("log", "--format=%s", *arguments).splitlines()

    def waiting(self) -> list[str]:
        """The paths that `vmem status` says wait for a commit."""
        return [str(one["path"]) for one in self.json("status")["waiting"]]

    def recalled(self, query: str) -> list[str]:
        """The paths of a recall, as JSON gives them."""
        return [str(one["path"]) for one in self.json("recall", query, "--max-tokens", "4000")["memories"]]

    def names(self) -> list[str]:
        """Every file of the vault but git's and vmem's."""
        found = (path.relative_to(self.root) for path in self.root.rglob("*") if path.is_file())
        return sorted(str(path) for path in found if not {".git", ".vmem"} & set(path.parts))


@dataclass(frozen=True, slots=True)
class Work:
    """All that a person has in git's index and in files, but for the paths of vmem."""

    cached: str
    entries: tuple[str, ...]
    status: tuple[str, ...]
    files: Mapping[str, bytes]


def work(top: Path, *, without: tuple[str, ...] = ()) -> Work:
    """How a person's work stands in the repository at `top`; `without` names folders of vmem's own."""
    skip = (*without, ".vmem/")

    def kept(path: str) -> bool:
        return not any(f"/{part}" in f"/{path}" for part in skip)

    entries = [line for line in run_git(top, "ls-files", "--stage").splitlines() if kept(line.split("\t")[1])]
    lines = run_git(top, "status", "--porcelain", "--untracked-files=all", "--ignored").splitlines()
    files = {
        str(path.relative_to(top)): path.read_bytes()
        for path in sorted(top.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(top).parts and kept(str(path.relative_to(top)))
    }
    cached = run_git(top, "diff", "--cached", "--binary", "--no-renames")
    return Work(cached, tuple(entries), tuple(line for line in lines if kept(line[3:])), files)


def sound(top: Path) -> None:
    """Git finds nothing broken, and no lock or folder of ours lies about in its directory."""
    run_git(top, "fsck", "--strict", "--no-dangling")
    common = Path(run_git(top, "rev-parse", "--path-format=absolute", "--git-common-dir"))
    strays = [*common.rglob("*vmem*"), *common.rglob("*.lock")]
    assert sorted(str(path.relative_to(common)) for path in strays) == []


def temporary_files(root: Path) -> list[str]:
    """Temporary files of vmem's, anywhere in the vault."""
    return sorted(str(path.relative_to(root)) for path in root.rglob("*.tmp"))


def new_desk(root: Path) -> Desk:
    """A vault with a repository of its own and nothing in it."""
    Vault.create(root)
    return Desk(root)


def vmem_command(root: Path, *argv: str) -> list[str]:
    """The command line of a real process."""
    return [sys.executable, "-m", "vault_memory", "--vault", str(root), *argv]


def vmem_environment(more: Mapping[str, str]) -> dict[str, str]:
    """Its environment."""
    return {**os.environ, "PYTHONPATH": str(PACKAGE), **more}


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8")
