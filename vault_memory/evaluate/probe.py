"""One thing that `vmem bench` measures: its name, what it is, and the function that does it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vault_memory.evaluate.figures import Figure
from vault_memory.evaluate.scene import Scene

Measure = Callable[[Scene], list[Figure]]


@dataclass(frozen=True, slots=True)
class Probe:
    """A row of the table of probes; `name` is what `--only` takes."""

    name: str
    what: str
    measure: Measure
