"""What a resident costs while nobody asks it."""

from __future__ import annotations

import time

from vault_memory.evaluate.figures import Figure, of, unmeasured
from vault_memory.evaluate.live import floors, rows, usage
from vault_memory.evaluate.live.resident import Resident
from vault_memory.evaluate.scene import Scene

SETTLED = 1.0
"""Seconds after the last question before it counts as at rest."""


def at_rest(scene: Scene, resident: Resident) -> list[Figure]:
    """Memory, and CPU time over some seconds, of a resident that has answered before."""
    what, seconds = f"leaving the resident of {scene.size:,} memories alone", scene.plan.rest_seconds
    scene.progress(what, 0, 1)
    time.sleep(min(SETTLED, seconds))
    before, started = usage.cpu_ms(resident.pid), time.perf_counter()
    time.sleep(seconds)
    after, lasted = usage.cpu_ms(resident.pid), time.perf_counter() - started
    memory, bare = usage.memory_mb(resident.pid), floors.idle_memory()
    scene.progress(what, 1, 1)
    return [
        unmeasured(rows.REST_CPU, scene.size, usage.NOT_TOLD)
        if before is None or after is None
        else of(rows.REST_CPU, scene.size, [(after - before) / lasted / 10]),
        unmeasured(rows.REST_MEMORY, scene.size, usage.NOT_TOLD)
        if memory is None
        else of(rows.REST_MEMORY, scene.size, [memory], () if bare is None else [bare]),
    ]
