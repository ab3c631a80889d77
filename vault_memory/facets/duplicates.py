"""`vault.upkeep.duplicates`: memories that say the same, and merging them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vault_memory.compose import Opened
from vault_memory.model.clusters import Cluster, Deduped
from vault_memory.model.namespace import Scope
from vault_memory.ops.dedupe import dedupe, duplicates
from vault_memory.ports import Progress, no_progress


@dataclass(frozen=True, slots=True)
class DuplicatesFacet:
    """Clusters within one namespace each; an agent finds and merges only what it wrote itself."""

    opened: Opened
    freshen: Callable[[], tuple[str, ...]]
    progress: Progress = no_progress

    def find(self, scope: Scope, *, namespace: str | None = None) -> list[Cluster]:
        """The clusters of memories that say the same, each with the one to stay; changes nothing."""
        self.freshen()
        return duplicates(
            self.opened.ports, self.opened.settings, scope, namespace=namespace, progress=self.progress
        )

    def merge(self, scope: Scope, listed: Sequence[Cluster]) -> Deduped:
        """Merge clusters as they were found, in one commit; what changed since stays, with the reason."""
        return dedupe(self.opened.ports, self.opened.settings, scope, listed, progress=self.progress)
