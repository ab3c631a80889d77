"""`vault.upkeep`: how the vault is, and what waits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vault_memory.compose import Opened
from vault_memory.model.health import Check, Status
from vault_memory.model.namespace import Scope
from vault_memory.model.revision import CommitReport
from vault_memory.ops.doctor import doctor
from vault_memory.ops.settle import settle
from vault_memory.ops.status import status


@dataclass(frozen=True, slots=True)
class UpkeepFacet:
    """Status, doctor, and finishing what a crash left."""

    opened: Opened
    freshen: Callable[[], tuple[str, ...]]

    def status(self, scope: Scope) -> Status:
        """Counts, index, embedder, and what is not committed; changes nothing in the vault."""
        return status(self.opened.ports, scope, notices=self.freshen())

    def doctor(self, scope: Scope) -> list[Check]:
        """Every check with its outcome and what to do; files are named as far as the scope may read."""
        self.freshen()
        return doctor(self.opened.ports, scope)

    def settle(self) -> CommitReport:
        """Commit what waits, if git is ready; also what a killed process left."""
        with self.opened.ports.lock.held(wait=self.opened.settings["lock_seconds"]):
            self.opened.ports.files.sweep()
            self.opened.ports.history.heal()
            return settle(self.opened.ports)
