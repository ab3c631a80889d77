"""How the suites of an index come by one."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import HealthCheck

from vault_memory.ports import Index

OpenIndex = Callable[[], Index]
"""Gives a new, empty index at each call; its embedder is called `e` and has two dimensions."""

# `new_index` makes a new one whenever it is called, so examples don't meet; and the suites are inherited.
SHARED = [HealthCheck.function_scoped_fixture, HealthCheck.differing_executors]
