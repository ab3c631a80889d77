"""`vault.upkeep.secrets`: what looks like a secret in files, in what is staged, and in all of history."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from vault_memory import beside, compose
from vault_memory.compose import Opened
from vault_memory.model.linted import LintReport
from vault_memory.model.namespace import Scope
from vault_memory.model.past import Unearthed
from vault_memory.ops.secrets import secrets, secrets_staged
from vault_memory.ops.secrets_past import secrets_past
from vault_memory.ports import Progress, no_progress


@dataclass(frozen=True, slots=True)
class SecretsFacet:
    """The rules that guard the way in, held against what is there. Needs no search index."""

    opened: Opened
    progress: Progress = no_progress

    def look(self, scope: Scope, *, paths: Collection[str] = ()) -> LintReport:
        """Every secret in memories, settings and checks; with `paths` in those files and folders alone.

        A file that is named is looked into whatever it is.
        """
        opened = self.opened
        return secrets(opened.ports, opened.settings, scope, self._read, paths=paths, progress=self.progress)

    def staged(self, scope: Scope) -> LintReport:
        """The same of the memories that the commit under way changes. Raises `GitError`."""
        return secrets_staged(self.opened.ports, scope)

    def history(self, scope: Scope) -> Unearthed:
        """The same of every version of every file, and every message, that a ref of git leads to.

        Raises `GitError`, and `PersonOnlyError` for an agent.
        """
        ports = self.opened.ports
        return secrets_past(
            compose.past(ports.files.root),
            ports.scanner,
            scope,
            most=self._most,
            progress=self.progress,
        )

    @property
    def _most(self) -> int:
        most: int = self.opened.settings["max_file_bytes"]
        return most

    def _read(self, path: str) -> bytes | None:
        return beside.read_own(self.opened.ports.files.root, path, most=self._most)
