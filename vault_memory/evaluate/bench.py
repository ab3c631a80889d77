"""The run of `vmem bench`: which vaults are made and measured, and what comes out."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from vault_memory.evaluate import figures, probes
from vault_memory.evaluate.commands import commands
from vault_memory.evaluate.figures import Figure
from vault_memory.evaluate.floor import Floor
from vault_memory.evaluate.machine import facts
from vault_memory.evaluate.meaning import meaning
from vault_memory.evaluate.synthetic import Author, build
from vault_memory.vault import Progress, Vault


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure: `rounds` samples of each write, refresh and new process, `queries` of each read."""

    sizes: tuple[int, ...] = (100, 1_000, 10_000)
    rounds: int = 40
    queries: int = 200
    many: int = 1_000
    seed: int = 7
    folder: Path | None = None
    """Where the vaults are made for as long as it takes; `None` is the system's place for such things."""
    vault: Path | None = None
    """A vault to ask from a new process, in place of a made-up one."""


@dataclass(frozen=True, slots=True)
class Report:
    """Every figure, and the machine and plan it comes from."""

    machine: dict[str, object]
    plan: Plan
    figures: tuple[Figure, ...]


def measure(plan: Plan, progress: Progress) -> Report:
    """Build, measure and remove one vault after the other."""
    author = Author(plan.seed)
    found: list[Figure] = []
    with tempfile.TemporaryDirectory(prefix="vmem-bench-", dir=plan.folder) as name:
        folder = Path(name)
        machine = facts(folder)
        with _made(folder, author, figures.SAMPLE, progress) as sample:
            found += probes.new_process(plan.vault or sample, folder, plan.rounds, progress)
            found += probes.bare_process(folder, found[0].memories, plan.rounds, progress)
        for size in sorted(plan.sizes):
            with _made(folder, author, size, progress) as root, Floor(root.parent / "floor") as floor:
                found += probes.first_index(root, folder, size, progress)
                found += meaning(root, root.parent, author, size, plan.rounds, plan.queries, progress)
                found += commands(root, root.parent, author, size, plan.rounds, progress)
                with Vault.open(root, settings=probes.SETTINGS) as vault:
                    agent = vault.agent("akashi")
                    found += probes.refreshes(vault, size, plan.rounds, progress)
                    found += probes.reads(agent, author, size, plan.queries, progress)
                    found += probes.writes(agent, author, floor, size, plan.rounds, progress)
                    found += probes.many_writes(agent, author, size, plan.many, progress)
    remembers = [figure for figure in found if figure.what == figures.REMEMBER]
    found += [figures.growth(smaller, larger) for smaller, larger in pairwise(remembers)]
    return Report(machine, plan, tuple(found))


@contextmanager
def _made(folder: Path, author: Author, size: int, progress: Progress) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix=f"{size}-", dir=folder) as name:
        root = Path(name) / "vault"
        build(root, author, size, progress)
        yield root
