"""The run of `vmem bench`: which vaults are made and measured, and what comes out."""

from __future__ import annotations

import os
import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import FrameType

from vault_memory.errors import UsageError
from vault_memory.evaluate import figures, indexalone, plain, probes
from vault_memory.evaluate.figures import Figure
from vault_memory.evaluate.live import table as live
from vault_memory.evaluate.live.resident import Failed, Home
from vault_memory.evaluate.live.rows import PARTS
from vault_memory.evaluate.machine import facts
from vault_memory.evaluate.plan import Plan
from vault_memory.evaluate.probe import Probe
from vault_memory.evaluate.scene import Scene
from vault_memory.evaluate.synthetic import Author, build
from vault_memory.vault import Progress

__all__ = ["GROUPS", "NAMES", "PROBES", "Plan", "Report", "chosen", "measure"]

PROBES = (*plain.READING, *live.READING, *plain.WRITING, *live.WRITING)
"""In the order they are run: what leaves more memories behind comes last."""
ONCE = "once"
"""The probe of a new process on a small vault, which is run once, whatever the sizes."""
GROUPS = {
    "plain": (ONCE, *(one.name for one in (*plain.READING, *plain.WRITING))),
    "live": tuple(one.name for one in (*live.READING, *live.WRITING)),
}
"""Names that stand for several."""
ALONE = "passages"
"""An index alone, of as many passages as the plan says."""
NAMES = (ONCE, *(one.name for one in PROBES), ALONE)


@dataclass(frozen=True, slots=True)
class Report:
    """Every figure, and the machine and plan it comes from.

    `loads` are the least and the most of the machine's load while it ran.
    """

    machine: dict[str, object]
    plan: Plan
    figures: tuple[Figure, ...]
    loads: tuple[float, float]


def chosen(words: tuple[str, ...]) -> tuple[str, ...]:
    """The probes that these names and groups stand for. Raises `UsageError`."""
    found: list[str] = []
    for word in words:
        if word not in GROUPS and word not in NAMES:
            raise UsageError(
                f"{word!r} is nothing that bench measures",
                hint=f"one of {', '.join((*GROUPS, *NAMES))}",
            )
        found += GROUPS.get(word, (word,))
    return tuple(dict.fromkeys(found))


def measure(plan: Plan, progress: Progress) -> Report:
    """Build, measure and remove one vault after the other."""
    author = Author(plan.seed)
    found: list[Figure] = []
    loads: list[float] = []
    wanted = plan.only or NAMES
    with _ended_by_signals(), tempfile.TemporaryDirectory(prefix="vmem-bench-", dir=plan.folder) as name:
        folder = Path(name)
        machine = facts(folder)
        if ONCE in wanted:
            found += _once(folder, author, plan, progress)
        if plan.passages and ALONE in wanted:
            found += indexalone.index_alone(folder, author, plan.passages, plan.queries, progress)
        with closing(Home(folder)) as home:
            for size in sorted(plan.sizes) if set(wanted) - {ONCE, ALONE} else ():
                with _made(folder, author, size, progress) as root:
                    scene = Scene(root, root.parent, size, author, plan, home, progress)
                    with closing(scene):
                        for probe in PROBES:
                            if probe.name in wanted:
                                found += _measured(probe, scene)
                                loads.append(os.getloadavg()[0])
        loads.append(os.getloadavg()[0])
    remembers = [figure for figure in found if figure.what == figures.REMEMBER]
    found += [figures.growth(smaller, larger) for smaller, larger in pairwise(remembers)]
    return Report(machine, plan, tuple(found), (min(loads), max(loads)))


def _measured(probe: Probe, scene: Scene) -> list[Figure]:
    """The probe's figures; where the resident did not do what was asked, why there are none."""
    try:
        return probe.measure(scene)
    except Failed as error:
        scene.let_go()
        return [figures.unmeasured(row, scene.size, error.message) for row in PARTS[probe.name]]


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """What asks this process to end does so as Ctrl-C does: whatever was started is ended, too."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, _interrupt) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(_: int, __: FrameType | None) -> None:
    raise KeyboardInterrupt


def _once(folder: Path, author: Author, plan: Plan, progress: Progress) -> list[Figure]:
    with _made(folder, author, figures.SAMPLE, progress) as sample:
        found = probes.new_process(plan.vault or sample, folder, plan.rounds, progress)
        return [*found, *probes.bare_process(folder, found[0].memories, plan.rounds, progress)]


@contextmanager
def _made(folder: Path, author: Author, size: int, progress: Progress) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix=f"{size}-", dir=folder) as name:
        root = Path(name) / "vault"
        build(root, author, size, progress)
        yield root
