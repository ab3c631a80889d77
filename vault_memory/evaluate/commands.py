"""Whole commands over all memories, as a shell runs them: what they take beyond the start of a process."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from vault_memory.config import environ
from vault_memory.errors import VmemError
from vault_memory.evaluate import figures
from vault_memory.evaluate.figures import Figure
from vault_memory.evaluate.launch import Run, run
from vault_memory.evaluate.synthetic import EXPIRE, TAGS, Author
from vault_memory.vault import Progress, Vault

MOST = 5
"""Samples of a command at the most: a process of seconds needs no dozens of them."""
FAR_OFF = "2121-01-01"
"""When every made-up memory that expires has expired."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command line, and of how many memories at least it prints a line: one in so many of all."""

    what: str
    argv: tuple[str, ...]
    one_in: int
    unit: str = "ms"


ALL = (
    Command(figures.LIST, ("list",), 1),
    Command(figures.LIST_WHERE, ("list", "--where", "effort >= 20 and status != done"), 6),
    Command(figures.TAGS, ("tags",), 0),
    Command(figures.GC, ("gc", "--now", FAR_OFF, "--dry-run"), EXPIRE),
    Command(figures.LINT, ("lint",), 0, "s"),
)
"""Beside these the search by tag, which needs a question."""


def commands(
    root: Path, folder: Path, author: Author, size: int, rounds: int, progress: Progress
) -> list[Figure]:
    """Time them all on a vault that is indexed, beside a list of nothing. `folder` holds no settings."""
    empty = folder / "empty"
    Vault.create(empty)
    tag = ("search", author.query(0, size), "--tag", f"{TAGS[0]} or not {TAGS[1]}")
    every = (*ALL, Command(figures.SEARCH_TAG, tag, 0))
    _run(empty, folder, Command(figures.START, ("list",), 0), size)
    starts: list[float] = []
    took: dict[str, list[float]] = {one.what: [] for one in every}
    for _ in _each(min(rounds, MOST), f"running commands on {size:,} memories", progress):
        starts.append(_run(empty, folder, Command(figures.START, ("list",), 0), 0).wall)
        for one in every:
            took[one.what].append(_run(root, folder, one, size).wall - starts[-1])
    return [
        Figure(figures.START, size, "ms", tuple(starts)),
        *(
            Figure(
                one.what,
                size,
                one.unit,
                tuple(ms / (1000 if one.unit == "s" else 1) for ms in took[one.what]),
                tuple(starts) if one.unit == "ms" else (),
                figures.START_OF_A_PROCESS if one.unit == "ms" else "",
            )
            for one in every
        ),
    ]


def _run(root: Path, folder: Path, command: Command, size: int) -> Run:
    environment = environ.without_settings(folder) | {"VMEM_EMBEDDER": "none"}
    ran = run([sys.executable, "-m", "vault_memory", "--vault", str(root), *command.argv], environment)
    lines = len(ran.stdout.splitlines())
    if lines < 1 or (command.one_in and lines < size // command.one_in):
        raise VmemError(f"the measurement went wrong: {lines} lines came of vmem {' '.join(command.argv)}")
    return ran


def _each(count: int, what: str, progress: Progress) -> Iterator[int]:
    for at in range(count):
        progress(what, at, count)
        yield at
    progress(what, count, count)
