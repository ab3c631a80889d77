"""A file that vmem writes whole for another program: new, replaced and deleted only as vmem wrote it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from vault_memory import beside
from vault_memory.config.change import FileChange
from vault_memory.errors import ConflictError
from vault_memory.model.namespace import Scope
from vault_memory.model.signed import is_unchanged

LARGEST = 1 << 20


class Did(StrEnum):
    """What became of a file."""

    WRITTEN = "written"
    REPLACED = "replaced"
    DELETED = "deleted"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class OwnFile:
    """`name` below the folder `top` (the repository's, or the vault's own), made by `vmem install MAKER`.

    `root` is the vault. A file that a person changed is theirs: it is neither replaced nor deleted.
    """

    root: Path
    top: Path
    name: str
    maker: str

    def put(self, content: bytes) -> Did:
        """Write it. Raises `ConflictError` where there is one that is not vmem's, and `StorageError`."""
        before = self._content()
        if before == content:
            return Did.NOTHING
        if before is not None:
            self._check(before, "moved away, a new one is written")
        self._change(before, content)
        return Did.WRITTEN if before is None else Did.REPLACED

    def take_out(self) -> Did:
        """Delete it. Raises as `put` does."""
        before = self._content()
        if before is None:
            return Did.NOTHING
        self._check(before, "delete it yourself if you don't want it any more")
        self._change(before, None)
        return Did.DELETED

    def _check(self, before: bytes, otherwise: str) -> None:
        if not is_unchanged(before, self.maker):
            reason = "it is not as vmem wrote it, so it was left alone"
            raise ConflictError(self.name, reason, hint=f"it is yours: keep it; {otherwise}")

    def _content(self) -> bytes | None:
        return beside.read_own(self.top, self.name, most=LARGEST)

    def _change(self, before: bytes | None, after: bytes | None) -> None:
        beside.put_settings(FileChange(self.top / self.name, self.root, before, after, within=self.top))


def only_the_person(scope: Scope, maker: str, what: str) -> None:
    """Raise `PersonOnlyError` for an agent."""
    scope.check_person(what, hint=f"ask the person to run: vmem install {maker}")
