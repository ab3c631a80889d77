"""From an editor's save to an answer that knows it, for every way of saving."""

from __future__ import annotations

import itertools
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from vault_memory.evaluate.figures import Figure, of, unmeasured
from vault_memory.evaluate.live import floors, rows
from vault_memory.evaluate.live.resident import Json, Resident, call
from vault_memory.evaluate.live.saves import SAVES, Change, Save
from vault_memory.evaluate.scene import Scene

MOST = 10
"""Saves of each kind at the most."""
FLOORS = 20
"""So many times the system's word is waited for."""
PATIENCE = 20.0
"""Seconds after which a save counts as never recalled."""
QUIET = 0.15
"""Seconds of quiet before each save, so that none is seen with the one before."""
A_QUESTION = 0.004
"""Seconds between two questions while the save is not known yet."""
NOTES = "bench-saves"

Words = Iterator[str]


def saves(scene: Scene) -> list[Figure]:
    """Save in each way, ask over the socket until an answer knows it. The vault is left as it was."""
    resident = scene.resident()
    words = (f"zqv{number}x{scene.author.seed}" for number in itertools.count())
    aside = scene.folder / "aside"
    aside.mkdir()
    told = floors.heard(FLOORS, scene.folder)
    found: list[Figure] = []
    try:
        for at, save in enumerate(SAVES):
            scene.progress(f"saving beside {scene.size:,} memories", at, len(SAVES))
            found.append(_one(scene, resident, save, words, aside, told))
        scene.progress(f"saving beside {scene.size:,} memories", len(SAVES), len(SAVES))
    finally:
        for folder in scene.root.glob(f"{NOTES}*"):
            shutil.rmtree(folder)
        shutil.rmtree(aside)
    return found


def _one(
    scene: Scene, resident: Resident, save: Save, words: Words, aside: Path, told: tuple[float, ...]
) -> Figure:
    row = rows.SAVED[save.name]
    count = min(scene.plan.rounds, MOST)
    took: list[float] = []
    for number in range(count):
        folder = scene.root / f"{NOTES}-{number}"
        folder.mkdir(exist_ok=True)
        file, old, new = folder / f"note-{next(words)}.md", next(words), next(words)
        if not save.new:
            file.write_text(_note(old), encoding="utf-8")
            if _until(resident, old, lambda path: path is not None) is None:
                return unmeasured(row, scene.size, f"a new file was not recalled within {PATIENCE:g} s")
        time.sleep(QUIET)
        content = _note(new).encode()
        place = save.act(Change(file, content, aside))
        word = new if place is not None and not save.keeps else old
        wanted = None if place is None else place.relative_to(scene.root).as_posix()
        saved = time.monotonic_ns()
        known = _until(resident, word, lambda path, wanted=wanted: path == wanted)  # type: ignore[misc]
        if known is None:
            return unmeasured(row, scene.size, f"it was not recalled within {PATIENCE:g} s")
        took.append((known - saved) / 1_000_000)
        if place is not None:
            place.unlink()
            place.with_name(f"{file.name}~").unlink(missing_ok=True)
            _tidy(place.parent, folder)
    return of(row, scene.size, took, told)


def _tidy(now: Path, folder: Path) -> None:
    """Bring a folder that was renamed back to its name."""
    if now != folder:
        now.rename(folder)


def _until(resident: Resident, word: str, holds: Callable[[str | None], bool]) -> int | None:
    """When an answer to that word was first as it should be, in monotonic nanoseconds; `None` for never.

    `holds` is given the path of the best memory, `None` where there is none.
    """
    line = _question(word)
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        answers = resident.ask_all([line])
        memories = answers.values[0]["memories"]
        if holds(memories[0]["path"] if memories else None):
            return answers.at[0]
        time.sleep(A_QUESTION)
    return None


def _question(word: str) -> Json:
    return call("recall", None, query=word, max_tokens=200)


def _note(word: str) -> str:
    return f"# A note\n\nThe heron is called {word} in this one.\n"
