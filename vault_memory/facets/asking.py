"""Who asks where no vault need be open; what such a caller is refused stands in the vault's list too."""

from __future__ import annotations

from pathlib import Path

from vault_memory import compose
from vault_memory.errors import VmemError
from vault_memory.model.namespace import PERSON, Scope, Wanted, parse_agent


def asks_of(path: Path | None, agent: str | None) -> Scope:
    """The agent of that name, else the person, as far as no memory is concerned: who reads or writes one has
    the scope that `Vault.agent` gives. Raises `UnsafePathError` for a name that is none."""
    if agent is None:
        return PERSON

    def noted(name: str, wanted: Wanted, what: str) -> None:
        try:
            opened = compose.open_vault(compose.locate(path))
        except VmemError:
            return  # in no vault there is no list
        opened.scope(name).noted(name, wanted, what)
        opened.close()

    return Scope(parse_agent(agent), noted=noted)
