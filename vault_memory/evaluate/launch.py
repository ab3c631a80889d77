"""Running a program as a person would, and what the process cost."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Run:
    """What a process wrote, and its wall and CPU time (user and system) in milliseconds."""

    stdout: str
    wall: float
    cpu: float


def run(argv: Sequence[str], environment: Mapping[str, str], stdin: str | None = None) -> Run:
    """Run it to its end; raises `CalledProcessError`. Nothing else may be started at the same time."""
    import resource

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    ran = subprocess.run(
        argv, env=environment, input=stdin, capture_output=True, encoding="utf-8", check=True
    )
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Run(ran.stdout, wall * 1000, cpu * 1000)
