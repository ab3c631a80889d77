"""Is everything well? Each check is one row: what was looked at, the outcome, and what to do."""

from __future__ import annotations

from collections.abc import Callable

from vault_memory.config.settings import Settings
from vault_memory.errors import VmemError
from vault_memory.model.health import Check
from vault_memory.model.namespace import Scope
from vault_memory.ops.checks import commits, files, machine
from vault_memory.ops.checks.sight import Sight, Told
from vault_memory.ports import Ports

CHECKS: tuple[tuple[str, Callable[[Sight], Told]], ...] = (
    ("files", files.files),
    ("index", files.index),
    ("journal", commits.journal),
    ("locks", commits.locks),
    ("git", commits.git),
    ("repository", commits.repository),
    ("identity", commits.identity),
    ("hooks", commits.hooks),
    ("clock", commits.clock),
    ("embedder", files.embedder),
    ("settings", machine.settings),
    ("local", machine.local),
    ("disk", machine.disk),
    ("watching", machine.watching),
)


def doctor(ports: Ports, settings: Settings, scope: Scope) -> list[Check]:
    """Run every check; none changes anything, and none stops the others.

    Files are counted and named as far as the scope may read them.
    """
    sight = Sight(ports, settings, scope)
    checks: list[Check] = []
    for name, look in CHECKS:
        try:
            found, advice = look(sight)
        except VmemError as error:
            found, advice = error.message, error.hint or "mend that first"
        checks.append(Check(name, advice is None, found, advice or ""))
    return checks
