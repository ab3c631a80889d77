"""`git checkout` of a branch on which thousands of files differ, until the resident knows all of them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from vault_memory.evaluate.figures import Figure, of, unmeasured
from vault_memory.evaluate.live import floors, rows
from vault_memory.evaluate.live.resident import Resident, call
from vault_memory.evaluate.scene import Scene
from vault_memory.evaluate.synthetic import git, path_of

BRANCH = "bench-other"
ROUNDS = 2
"""Times at the most that it goes forth and back."""
PATIENCE = 120.0
"""Seconds after which the resident is taken never to know them all."""
A_QUESTION = 0.01
SAMPLES = 40
"""So many of the changed files are asked for, one after the other, before all are counted."""
KEY, VALUE = "checkout", "other"
WALKS = 5


def checkout(scene: Scene) -> list[Figure]:
    """Change one file in five by a checkout (at most `CHANGES`), forth and back."""
    resident = scene.resident()
    changed, gone, new = _shares(scene.size)
    home = scene.branch.relative_to(scene.root / ".git" / "refs" / "heads").as_posix()
    git(scene.root, "checkout", "--quiet", "--", ".")  # what another probe has written by hand is in its way
    git(scene.root, "fast-import", "--quiet", stdin=b"".join(_stream(scene, home, changed, gone, new)))
    took: list[float] = []
    waits: list[float] = []
    marked = [*changed, *new]
    what, count = f"checking out {len(marked) + len(gone):,} changes", min(scene.plan.rounds, ROUNDS)
    for at in range(2 * count):
        scene.progress(what, at, 2 * count)
        forth = at % 2 == 0
        git(scene.root, "checkout", "--quiet", BRANCH if forth else home)
        known, longest = _until(resident, marked, forth=forth)
        if known is None:
            git(scene.root, "checkout", "--quiet", home)
            why = f"not all were known within {PATIENCE:g} s"
            return [unmeasured(row, scene.size, why) for row in (rows.CHECKOUT, rows.CHECKOUT_ANSWER)]
        took.append(known)
        waits.append(longest)
    scene.progress(what, 2 * count, 2 * count)
    walks = [floors.walk(scene.root) / 1000 for _ in range(WALKS)]
    trips = floors.round_trips(WALKS * 10, scene.folder)
    return [of(rows.CHECKOUT, scene.size, took, walks), of(rows.CHECKOUT_ANSWER, scene.size, waits, trips)]


def _shares(size: int) -> tuple[list[int], list[int], list[int]]:
    """The numbers of the memories that are changed, gone and new on the other branch: 8, 1 and 1 of 10."""
    count = max(3, min(rows.CHANGES, size // 5))
    tenth = max(1, count // 10)
    step = max(1, size // (count - tenth))
    touched = [number * step for number in range(count - tenth)]
    return touched[tenth:], touched[:tenth], [5_000_000 + number for number in range(tenth)]


def _until(resident: Resident, marked: Sequence[int], *, forth: bool) -> tuple[float | None, float]:
    """(seconds until a listing knows all, `None` for never; the longest wait for an answer meanwhile in ms).

    Some of the files are asked for first, which is quick, and all are counted when those are as they should
    be: a listing of thousands would hold up what is waited for.
    """
    started = time.monotonic_ns()
    longest = 0.0
    unknown = [*marked[:: max(1, len(marked) // SAMPLES)], marked[-1]]
    while (time.monotonic_ns() - started) / 1e9 < PATIENCE:
        if unknown:
            asked = resident.ask_all([call("search", None, query=_word(unknown[-1]), limit=1)])
            longest = max(longest, asked.took[0])
            if bool(asked.values[0]["hits"]) == forth:
                unknown.pop()
                continue
        else:
            listed = resident.ask_all([call("list", None, where=f"{KEY} = {VALUE}")])
            if len(listed.values[0]) == (len(marked) if forth else 0):
                return (listed.at[0] - started) / 1e9, longest
        time.sleep(A_QUESTION)
    return None, longest


def _word(number: int) -> str:
    return f"zqco{number}x"


def _stream(scene: Scene, home: str, changed: list[int], gone: list[int], new: list[int]) -> Iterator[bytes]:
    """The other branch as `git fast-import` reads it: one commit on top of the vault's own."""
    yield (
        f"commit refs/heads/{BRANCH}\ncommitter vmem bench <bench@vmem.invalid> 1767225600 +0000\n"
        f"data 5\nother\nfrom refs/heads/{home}^0\n"
    ).encode()
    for number in gone:
        yield f"D {path_of(number)}\n".encode()
    for number in (*changed, *new):
        content = scene.author.file(number).replace(b"status: ", f"{KEY}: {VALUE}\nstatus: ".encode(), 1)
        content += f"\nOn this branch it is about {_word(number)}.\n".encode()
        yield f"M 100644 inline {path_of(number)}\ndata {len(content)}\n".encode() + content + b"\n"
