"""The merge driver: a line of .gitattributes, and the command that git runs in this clone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from vault_memory import beside, compose
from vault_memory.config.change import FileChange
from vault_memory.config.load import load
from vault_memory.errors import GitError
from vault_memory.facets.installing.offolder import OfFolder
from vault_memory.facets.installing.own import only_the_person
from vault_memory.model.merging.attributes import has_line, with_line, without_line
from vault_memory.model.namespace import Scope

ATTRIBUTES = ".gitattributes"
_LARGEST = 1 << 20
_WHAT = "change what git runs"
_DOC = "memories, by front matter key"
_ARGUMENTS = "git-merge %O %A %B --size %L --path %P"
"""What git puts in: files of the base and of both sides, the size of its markers, the file's name."""


class Driver(Protocol):
    """What git runs in a clone to merge memories. Raises `GitError`."""

    def command(self) -> str | None:
        """The command line, `None` where there is none."""

    def put(self, command: str, doc: str) -> None:
        """Have git run that command."""

    def take_out(self) -> None:
        """Have git merge as it does by itself."""


@dataclass(frozen=True, slots=True)
class Installed:
    """What a change did: whether each place is another than before, and the command that git runs now."""

    attributes: bool
    driver: bool
    command: str | None


@dataclass(frozen=True, slots=True)
class MergeDriverFacet(OfFolder):
    """The merge driver of the vault at `root`: a line that travels with it, and a setting of the clone.

    The command stands in the clone's own settings alone, since no vault may name a program to run."""

    def travels(self) -> bool:
        """Whether the line stands in the vault's attributes. Raises `StorageError`."""
        return has_line(self._attributes())

    def put(self, scope: Scope, vmem: str) -> Installed:
        """Have git merge memories by that `vmem` (as a shell takes it). Twice is no fault.

        Raises `GitError` where there is no repository, `StorageError`, `ConflictError`, `PersonOnlyError`.
        """
        only_the_person(scope, "merge", _WHAT)
        driver, command = self._driver(), f"{vmem} {_ARGUMENTS}"
        before = self._attributes()  # first of all, since it may be refused
        other, changed = driver.command() != command, not has_line(before)
        if other:
            driver.put(command, _DOC)
        if changed:
            self._write(before, with_line(before))
        return Installed(changed, other, command)

    def take_out(self, scope: Scope) -> Installed:
        """Have git merge as it does by itself. Raises as `put` does."""
        only_the_person(scope, "merge", _WHAT)
        driver, before = self._driver(), self._attributes()
        there, changed = driver.command() is not None, has_line(before)
        if there:
            driver.take_out()
        if before is not None and changed:
            self._write(before, without_line(before))
        return Installed(changed, there, None)

    def _driver(self) -> Driver:
        if compose.top_of(self.root) is None:
            raise GitError(f"no git repository holds {self.root}", hint="make one with: git init")
        return compose.merge_driver(self.root, load(self.root))

    def _attributes(self) -> bytes | None:
        return beside.read_own(self.root, ATTRIBUTES, most=_LARGEST)

    def _write(self, before: bytes | None, after: bytes) -> None:
        beside.put_settings(FileChange(self.root / ATTRIBUTES, self.root, before, after))
