"""What agents were refused, for the person to look at."""

from __future__ import annotations

from collections.abc import Sequence

from vault_memory.model.denied import Denied
from vault_memory.model.namespace import Scope
from vault_memory.ports import Ports


def denials(ports: Ports, scope: Scope) -> Sequence[Denied]:
    """The refusals that are kept, the newest first. Raises `PersonOnlyError`: what one agent asked for is
    nothing for the others."""
    scope.check_person("see what agents were refused", hint="ask the person to run: vmem agents --denied")
    return tuple(reversed(ports.denials.kept()))
