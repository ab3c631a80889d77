"""Writes over the socket: until they are answered, how many a second, and until git's HEAD holds them."""

from __future__ import annotations

import subprocess
import threading
import time
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from vault_memory.config import environ
from vault_memory.evaluate.figures import Figure, of
from vault_memory.evaluate.live import floors, rows
from vault_memory.evaluate.live.resident import Answers, Json, Resident, call
from vault_memory.evaluate.probes import expect
from vault_memory.evaluate.scene import Scene

APART = 0.2
"""Seconds between two writes of which each finds the one before committed."""
A_LOOK = 0.001
"""Seconds between two looks at where the branch is: by so much a lag may be told too long."""
COMMITS = 20
_NUMBERS = count(30_000_000)


@dataclass(slots=True)
class Heads:
    """Where the branch was, and since when in monotonic nanoseconds."""

    seen: list[tuple[int, str]] = field(default_factory=list)


def acknowledge(scene: Scene) -> list[Figure]:
    """One memory after the other, first with a pause between, then without."""
    resident, size = scene.resident(), scene.size
    resident.ask(_remember(scene))  # loads what writes need
    commits = floors.commits(COMMITS, scene.folder)
    apart, heads = _written(scene, resident, scene.plan.rounds, APART)
    alone = [scene.floor.once() for _ in range(scene.plan.rounds)]
    found = [
        of(rows.ACKNOWLEDGED, size, apart.took, alone),
        of(rows.LAG, size, _lags(scene, apart, heads), commits),
    ]
    started = time.monotonic_ns()
    in_row, heads = _written(scene, resident, scene.plan.many, 0.0)
    over = max(at for at, _ in heads.seen)
    floor = [scene.floor.once() for _ in range(scene.plan.rounds)]
    return [
        *found,
        of(rows.IN_ROW, size, in_row.took, floor),
        of(rows.RATE, size, [scene.plan.many / ((over - started) / 1e9)]),
        of(rows.IN_ROW_LAG, size, _lags(scene, in_row, heads), commits),
    ]


def _written(scene: Scene, resident: Resident, many: int, pause: float) -> tuple[Answers, Heads]:
    """What so many writes answered, and where the branch was while they were committed."""
    lines = [_remember(scene) for _ in range(many)]
    what = f"writing {many:,} over the socket beside {scene.size:,} memories"
    scene.progress(what, 0, 1)
    with _watched(scene.branch) as heads:
        answers = resident.ask_all(lines, pause=pause)
        resident.ask({"do": "flush"})
    scene.progress(what, 1, 1)
    expect(all(value["path"] for value in answers.values), "a memory was not written")
    expect(len({value["path"] for value in answers.values}) == many, "not every memory is a file of its own")
    return answers, heads


def _remember(scene: Scene) -> Json:
    text = scene.author.text(next(_NUMBERS))
    return call("remember", text=text.body, title=text.title, namespace="socket", wait="saved")


@contextmanager
def _watched(branch: Path) -> Iterator[Heads]:
    """Look at the branch all the time, and once more at the end."""
    heads, over = Heads(), threading.Event()

    def look() -> None:
        while not over.wait(A_LOOK):
            _look(branch, heads)

    _look(branch, heads)
    thread = threading.Thread(target=look, name="vmem-bench-heads")
    thread.start()
    try:
        yield heads
    finally:
        over.set()
        thread.join()
        _look(branch, heads)


def _look(branch: Path, heads: Heads) -> None:
    try:
        commit = branch.read_text(encoding="ascii").strip()
    except FileNotFoundError:  # packed just now
        return
    if commit and (not heads.seen or heads.seen[-1][1] != commit):
        heads.seen.append((time.monotonic_ns(), commit))


def _lags(scene: Scene, answers: Answers, heads: Heads) -> list[float]:
    """Milliseconds from each answer until the branch held a commit of that file, 0 where it did before."""
    order = _commits_of_files(scene, heads.seen[0][1], heads.seen[-1][1])
    position = {commit: at for at, (commit, _) in enumerate(order)}
    held = [(position[commit], at) for at, commit in heads.seen if commit in position]
    reached = [place for place, _ in held]
    first: dict[str, int] = {}
    for at, (_, path) in enumerate(order):
        first.setdefault(path, at)
    lags: list[float] = []
    for value, at in zip(answers.values, answers.at, strict=True):
        place = first.get(value["path"])
        expect(place is not None, f"{value['path']} was never committed")
        assert place is not None
        seen = held[bisect_left(reached, place)][1]
        lags.append(max(0.0, (seen - at) / 1e6))
    return lags


def _commits_of_files(scene: Scene, before: str, last: str) -> Sequence[tuple[str, str]]:
    """(commit, file) of each commit since `before`, oldest first."""
    ran = subprocess.run(
        ["git", "-C", str(scene.root), "log", "--reverse", "--topo-order", "--format=%x00%H", "--name-only",
         f"{before}..{last}"],
        env=environ.clean_git_environment(),
        check=True,
        capture_output=True,
        encoding="utf-8",
    )  # fmt: skip
    found: list[tuple[str, str]] = []
    for block in ran.stdout.split("\0")[1:]:
        commit, *paths = block.split()
        found += [(commit, path) for path in paths]
    return found
