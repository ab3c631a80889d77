"""After a command has answered: a resident for the next ones, where the settings allow it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory.config import environ

if TYPE_CHECKING:
    from vault_memory.surfaces.cli.context import World
    from vault_memory.vault import Progress, Vault


class Noted:
    """The vault that a command has opened."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._root: Path | None = None

    @contextmanager
    def opening(self, path: Path | None, progress: Progress) -> Iterator[Vault]:
        """`Vault.open`, noting whether a process may keep that vault open."""
        from vault_memory.vault import Vault

        world = self._world
        with Vault.open(path, clock=world.clock, ids=world.ids, progress=progress) as vault:
            yield vault
            if vault.settings["resident"] == "auto" and vault.index.unkept is None:
                self._root = vault.root

    def begin_resident(self, argv: Sequence[str]) -> None:
        """Start one in the background, if the command is of those that it would have answered; whatever
        goes wrong is silent."""
        if self._root is None or environ.is_unattended():
            return
        from vault_memory.surfaces.resident.verbs import READS, WRITES, verb_of

        if verb_of(argv) in READS | WRITES:
            from vault_memory.surfaces.resident.starting import begin_unless_there
            from vault_memory.vault import system_clock

            begin_unless_there(self._root, system_clock().now_ns())
