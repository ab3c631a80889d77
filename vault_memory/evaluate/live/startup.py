"""The start of a resident: until it answers at all, and until it has compared all files with the index."""

from __future__ import annotations

from vault_memory.evaluate.figures import Figure, of, unmeasured
from vault_memory.evaluate.live import floors, rows
from vault_memory.evaluate.live.called import bare
from vault_memory.evaluate.live.resident import call
from vault_memory.evaluate.probes import TOKENS, expect
from vault_memory.evaluate.scene import Scene
from vault_memory.evaluate.synthetic import path_of

MOST = 5
TRIPS = 50
PATIENCE = 60.0
"""Seconds within which it must have compared all files."""


def startup(scene: Scene) -> list[Figure]:
    """End it, change a file by hand, start it, ask at once, and see when it has compared all files."""
    count = min(scene.plan.rounds, MOST)
    started: list[float] = []
    answered: list[float] = []
    compared: list[float] = []
    empty: list[float] = []
    walks: list[float] = []
    for at in range(count):
        scene.progress(f"starting the resident of {scene.size:,} memories", at, count)
        resident = scene.asleep()
        with (scene.root / path_of(at * 7919 % scene.size)).open("ab") as file:
            file.write(b"\nOne more line by hand.\n")
        walks.append(floors.walk(scene.root))
        empty.append(bare(resident).wall)
        question = call("recall", query=scene.author.query(at, scene.size), max_tokens=TOKENS)
        rise = resident.rise(question, PATIENCE)
        expect(bool(rise.value["memories"]), "the first question to a new resident found nothing")
        started.append(rise.up)
        answered.append(rise.answered)
        if rise.compared is not None:
            compared.append(rise.compared)
    scene.let_go()
    trips = floors.round_trips(TRIPS, scene.folder)
    return [
        of(rows.STARTED, scene.size, started, empty),
        of(rows.STARTED_ANSWER, scene.size, answered, trips),
        of(rows.RECONCILED, scene.size, compared, walks)
        if len(compared) == count
        else unmeasured(
            rows.RECONCILED, scene.size, f"its index was not up to the files within {PATIENCE:g} s"
        ),
    ]
