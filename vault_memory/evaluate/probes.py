"""The measurements themselves: each does what an agent or a person does, and takes the time."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from vault_memory.agent import Agent
from vault_memory.config import environ
from vault_memory.errors import VmemError
from vault_memory.evaluate import figures
from vault_memory.evaluate.figures import Figure
from vault_memory.evaluate.floor import Floor
from vault_memory.evaluate.launch import run
from vault_memory.evaluate.synthetic import Author, path_of
from vault_memory.vault import Progress, Vault

WITHOUT_A_LOOK = {"refresh_seconds": 3600.0, "reranker": "none"}
"""No look at the files but when one is asked for, and no model that is slow."""
SETTINGS = WITHOUT_A_LOOK | {"embedder": "none"}
"""The same, by keyword only."""

T = TypeVar("T")

TOKENS = 2_000
SETTLED = 2.1
"""Seconds: a file that changed less than two ago is read again by every refresh, and rightly so."""
WARM_UP = 20
"""Questions asked before the first that counts: a long-lived process has been asked before."""
_NEW, _MANY = 10_000_000, 20_000_000
"""Memories with numbers from here on are in no vault yet."""


def new_process(root: Path, folder: Path, rounds: int, progress: Progress) -> list[Figure]:
    """What a shell pays for one question, by the vault's own settings. `folder` holds no settings.

    Asked once before, so that every text has its vector, and the file of them all is there.
    """
    with Vault.open(root, settings=SETTINGS) as vault:
        entries = vault.person.list()
    query = entries[0].title if entries else "nothing yet"
    environment = environ.without_settings(folder)
    options = ["--vault", str(root), "recall", query, "--max-tokens", str(TOKENS)]
    ask = [sys.executable, "-m", "vault_memory", *options]
    mode = json.loads(run([*ask, "--json"], environment).stdout)["mode"]
    asked = [run(ask, environment) for _ in each(rounds, f"asking {len(entries):,} memories anew", progress)]
    cpu, wall = figures.COLD[figures.MEANING if mode.startswith(figures.MEANING) else figures.KEYWORD]
    return [
        Figure(cpu, len(entries), "ms", tuple(one.cpu for one in asked)),
        Figure(wall, len(entries), "ms", tuple(one.wall for one in asked)),
    ]


def bare_process(folder: Path, beside: int, rounds: int, progress: Progress) -> list[Figure]:
    """What an empty Python costs, `beside` the question to a vault of so many memories."""
    environment = environ.without_settings(folder)
    argv = [sys.executable, "-c", "pass"]
    empty = [run(argv, environment) for _ in each(rounds, "starting processes", progress)]
    return [
        Figure(figures.BARE_CPU, beside, "ms", tuple(one.cpu for one in empty)),
        Figure(figures.BARE_WALL, beside, "ms", tuple(one.wall for one in empty)),
    ]


def first_index(root: Path, folder: Path, size: int, progress: Progress) -> list[Figure]:
    """How long a process takes to index a vault that never was indexed, and the memory it needs."""
    argv = [sys.executable, "-m", "vault_memory.evaluate.firstindex", str(root), "none"]
    said = json.loads(whole(argv, folder, f"indexing {size:,} memories", progress))
    expect(said["added"] == size, f"{said['added']} of {size} memories were indexed")
    return [
        figures.one(figures.FIRST_INDEX, size, "s", said["seconds"]),
        figures.one(figures.FIRST_INDEX_MEMORY, size, "MB", said["peak_bytes"] / 1_000_000),
    ]


def refreshes(vault: Vault, size: int, rounds: int, progress: Progress) -> list[Figure]:
    """Looking at all files: when nothing changed, as the first act of a process, and after an edit."""
    time.sleep(SETTLED)
    vault.index.refresh()
    unchanged = [
        timed(vault.index.refresh)[0] for _ in each(rounds, f"refreshing {size:,} memories", progress)
    ]
    first: list[float] = []
    for _ in each(rounds, f"refreshing {size:,} memories anew", progress):
        with Vault.open(vault.root, settings=SETTINGS) as another:
            first.append(timed(another.index.refresh)[0])
    changed: list[float] = []
    for at in each(rounds, f"editing {size:,} memories", progress):
        with (vault.root / path_of(at * 7919 % size)).open("ab") as file:
            file.write(b"\nOne more line by hand.\n")
        took, report = timed(vault.index.refresh)
        expect(report.changed == 1, f"{report.changed} changes were seen of one")
        changed.append(took)
    return [
        Figure(figures.UNCHANGED, size, "ms", tuple(unchanged)),
        Figure(figures.UNCHANGED_FIRST, size, "ms", tuple(first)),
        Figure(figures.ONE_CHANGED, size, "ms", tuple(changed)),
    ]


def reads(
    agent: Agent, author: Author, size: int, queries: int, progress: Progress, *, mode: str = figures.KEYWORD
) -> list[Figure]:
    """Search and recall, each of a question of its own; refresh is left out of both.

    `mode` is how the answers have to be found.
    """
    texts = iter([author.query(number, size) for number in range(WARM_UP + 2 * queries)])
    for _ in range(WARM_UP):
        agent.recall(next(texts), max_tokens=TOKENS)
    searches: list[float] = []
    recalls: list[float] = []
    for _ in each(queries, f"asking {size:,} memories", progress):
        query = next(texts)
        took, found = timed(partial(agent.search, query))
        expect(bool(found.hits), f"{query!r} stands in a memory and was not found")
        expect(found.mode.startswith(mode), f"{query!r} was searched by {found.mode}")
        searches.append(took)
        query = next(texts)
        took, recalled = timed(partial(agent.recall, query, max_tokens=TOKENS))
        expect(bool(recalled.hits), f"{query!r} stands in a memory and was not recalled")
        expect(recalled.mode.startswith(mode), f"{query!r} was recalled by {recalled.mode}")
        recalls.append(took)
    search, recall = figures.READS[mode]
    return [
        Figure(search, size, "ms", tuple(searches)),
        Figure(recall, size, "ms", tuple(recalls)),
    ]


def writes(
    agent: Agent, author: Author, floor: Floor, size: int, rounds: int, progress: Progress
) -> list[Figure]:
    """One memory after the other, commit included; after each a search, and the floor."""
    remembers: list[float] = []
    searches: list[float] = []
    floors: list[float] = []
    _remember(agent, author, _NEW)  # loads what writes need
    for at in each(rounds, f"writing beside {size:,} memories", progress):
        remembers.append(_remember(agent, author, _NEW + 1 + at))
        query = author.query(at, size)
        searches.append(timed(partial(agent.search, query))[0])
        floors.append(floor.once())
    return [
        Figure(figures.REMEMBER, size, "ms", tuple(remembers), tuple(floors), figures.DURABLE),
        Figure(figures.FLOOR, size, "ms", tuple(floors)),
        Figure(figures.AFTER_WRITE, size, "ms", tuple(searches)),
    ]


def many_writes(agent: Agent, author: Author, size: int, many: int, progress: Progress) -> list[Figure]:
    """Many memories in one call, commits included."""
    texts = [author.text(_MANY + number) for number in range(many)]
    progress(f"writing {many:,} beside {size:,} memories", 0, 1)
    took, written = timed(
        lambda: agent.remember_many(
            {"text": text.body, "title": text.title, "namespace": "many"} for text in texts
        )
    )
    progress(f"writing {many:,} beside {size:,} memories", 1, 1)
    expect(all(one.commit for one in written), "not all were committed")
    return [figures.one(figures.many(many), size, "s", took / 1000)]


def _remember(agent: Agent, author: Author, number: int) -> float:
    text = author.text(number)
    took, written = timed(
        lambda: agent.remember(text.body, title=text.title, namespace="new", tags=["bench"])
    )
    expect(written.commit is not None, f"it was not committed: {written.reason}")
    return took


def timed(act: Callable[[], T]) -> tuple[float, T]:
    """The milliseconds it took, and what came of it."""
    started = time.perf_counter()
    result = act()
    return (time.perf_counter() - started) * 1000, result


def each(count: int, what: str, progress: Progress) -> Iterator[int]:
    for at in range(count):
        progress(what, at, count)
        yield at
    progress(what, count, count)


def whole(argv: Sequence[str], folder: Path, what: str, progress: Progress) -> str:
    """What a process wrote that is run once, to its end."""
    progress(what, 0, 1)
    said = run(argv, environ.without_settings(folder)).stdout
    progress(what, 1, 1)
    return said


def expect(holds: bool, else_: str) -> None:
    """A figure of work that was not done would be a lie."""
    if not holds:
        raise VmemError(f"the measurement went wrong: {else_}")
