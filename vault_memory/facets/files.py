"""`vault.files`: memories changed in their files, by a program of the caller's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from vault_memory.compose import Opened
from vault_memory.model.namespace import Scope
from vault_memory.model.outcome import Written
from vault_memory.ops.edit import edit_in_place


@dataclass(frozen=True, slots=True)
class FilesFacet:
    """The Markdown files of one open vault."""

    opened: Opened
    freshen: Callable[[], tuple[str, ...]]

    def edit(
        self, scope: Scope, ref: str, change: Callable[[Path], None], *, if_match: str | None = None
    ) -> Written:
        """Let `change` (an editor, say) do with a memory's file as it likes, then index and commit it.

        It is given the file and returns when it is done; nothing is locked meanwhile. A version
        that a person left uncommitted is committed first, as theirs. `if_match` is as for
        `Agent.edit`.
        """
        self.freshen()
        root = self.opened.ports.files.root
        return edit_in_place(
            self.opened.ports,
            self.opened.settings,
            scope,
            ref,
            lambda path: change(root / path),
            if_match=if_match,
        )
