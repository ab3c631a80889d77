"""One row of the table of settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vault_memory.config import tables


@dataclass(frozen=True, slots=True)
class Setting:
    """One key. `shared` keys may stand in a vault's own file; the others are this machine's."""

    key: str
    default: object
    parse: Callable[[object], object]
    form: str
    doc: str
    shared: bool
    names: tables.Names | None = None
    """Where the value is a table of tables: what those are named after, and their keys. Such a setting is
    read from files alone, and what several places say is put together."""
    guards: bool = False
    """Whether it keeps agents from something: their environment may name more, and take nothing away."""
