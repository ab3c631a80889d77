"""Which recall checks an agent may hear of: those that name nothing but what it may read."""

from __future__ import annotations

from collections.abc import Iterator

from vault_memory.errors import AmbiguousRefError, MemoryNotFoundError, UnsafePathError
from vault_memory.model.lookalike import alike
from vault_memory.model.namespace import SHARED, Scope
from vault_memory.model.recallcheck.check import RecallCheck, Wanted
from vault_memory.ops.missed import holding
from vault_memory.ops.resolve import resolve
from vault_memory.ports import Ports


def may_hear_of(ports: Ports, runner: Scope, check: RecallCheck) -> bool:
    """Whether the check may be told to those who have it run; the person hears of all.

    What is not there and what is hidden are one to an agent, so a check of either is not told: its question
    or its text may be just what was hidden.
    """
    if runner.agent is None:
        return True
    if check.agent not in (None, runner.agent):
        return False
    return all(runner.may_read(f"{folder}/x.md") for folder in _folders(check)) and all(
        _is_there(ports, runner, one) for one in (*check.must, *check.must_not)
    )


def _folders(check: RecallCheck) -> Iterator[str]:
    """Those that its filter may mean: `market` is `shared/market`, too."""
    for folder in _texts(check, "path"):
        yield folder
    for folder in _texts(check, "namespace"):
        yield from (folder, f"{SHARED}/{folder}")


def _texts(check: RecallCheck, name: str) -> Iterator[str]:
    value = check.filter.get(name, [])
    yield from (one.strip("/") for one in ([value] if isinstance(value, str) else value))


def _is_there(ports: Ports, runner: Scope, wanted: Wanted) -> bool:
    if wanted.is_text:
        return next(holding(ports, runner, wanted.name), None) is not None
    try:
        resolve(ports, runner, wanted.name)
    except AmbiguousRefError:
        return True
    except (MemoryNotFoundError, UnsafePathError):
        # The path of one that was removed can be told; any other name may be a hidden memory's.
        return alike(wanted.name).startswith(f"{SHARED}/") and runner.may_read(wanted.name)
    return True
