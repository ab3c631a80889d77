"""Long-term memory of AI agents as plain Markdown files in a git repository.

    from vault_memory import Vault

    with Vault.open("~/memory") as vault:
        agent = vault.agent("akashi")
        agent.remember("RSI above 70 on NVDA was followed by -12 % over five days", tags=["nvda"])
        print(agent.recall("NVDA risk", max_tokens=2000))

Importing this package loads nothing heavy: each name is loaded when it is first used.
"""

from __future__ import annotations

TYPE_CHECKING = False  # the name itself would cost the import of typing, as long as all of a fast call
if TYPE_CHECKING:
    from vault_memory.agent import Agent
    from vault_memory.errors import VmemError
    from vault_memory.model.hit import Hit, Recall, SearchResult, Strategy
    from vault_memory.model.memory import Entry, Memory
    from vault_memory.model.outcome import Written
    from vault_memory.surfaces.resident.connection import Connection, connect
    from vault_memory.vault import Vault

__all__ = [
    "Agent",
    "Connection",
    "Entry",
    "Hit",
    "Memory",
    "Recall",
    "SearchResult",
    "Strategy",
    "Vault",
    "VmemError",
    "Written",
    "connect",
]
__version__ = "0.1.0"

_HOMES = {
    "Agent": "vault_memory.agent",
    "Connection": "vault_memory.surfaces.resident.connection",
    "Entry": "vault_memory.model.memory",
    "Hit": "vault_memory.model.hit",
    "Memory": "vault_memory.model.memory",
    "Recall": "vault_memory.model.hit",
    "SearchResult": "vault_memory.model.hit",
    "Strategy": "vault_memory.model.hit",
    "Vault": "vault_memory.vault",
    "VmemError": "vault_memory.errors",
    "Written": "vault_memory.model.outcome",
    "connect": "vault_memory.surfaces.resident.connection",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # here, since a fast call is over before it would be imported

    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
