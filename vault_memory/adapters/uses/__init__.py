"""Local traces: which memories were given to whom, in `uses.db`."""

from __future__ import annotations

from vault_memory.adapters.uses.gathered import GatheredUses

__all__ = ["GatheredUses"]
