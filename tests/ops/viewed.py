"""What the tests of views ask of one."""

from __future__ import annotations

from vault_memory.vault import Vault

KEYWORDS = {"embedder": "none", "refresh_seconds": 0.0}
"""Settings that embed nothing and look again each time."""


def titles(vault: Vault, query: str, agent: str | None = None) -> list[str]:
    """The titles of what is recalled, best first."""
    caller = vault.person if agent is None else vault.agent(agent)
    return [item.hit.entry.title for item in caller.recall(query).items]
