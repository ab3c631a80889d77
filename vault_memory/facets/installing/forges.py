"""What a forge runs for a pull request: GitHub's workflow, and a script for all others."""

from __future__ import annotations

from dataclasses import dataclass

from vault_memory import beside, compose
from vault_memory.errors import GitError, UsageError
from vault_memory.facets.installing.offolder import OfFolder
from vault_memory.facets.installing.own import LARGEST, Did, OwnFile, only_the_person
from vault_memory.model.namespace import Scope
from vault_memory.model.pullrequest import script, workflow
from vault_memory.model.signed import signed

_WHAT = "change what a forge runs"


@dataclass(frozen=True, slots=True)
class ForgesFacet(OfFolder):
    """The files for forges of the vault at `root`. They travel with the repository."""

    def put_github(self, scope: Scope, package: str | None, ours: str | None) -> Did:
        """Write the workflow. `package` is what pip is to install there; without it what a workflow that
        is there names, else `ours`, from where this very vmem came.

        Raises `ConflictError` for a file that a person changed, `ValueFormatError`, `GitError` where there
        is no repository, `StorageError`, `PersonOnlyError`, and `UsageError` where nothing tells what to
        install.
        """
        only_the_person(scope, "github", _WHAT)
        file, vault = self._workflow()
        content = beside.read_own(file.top, file.name, most=LARGEST) or b""
        chosen = package
        if chosen is None:
            chosen = workflow.package_in(content.decode("utf-8", "replace")) or ours
        if chosen is None:
            hint = "vmem install github --package git+https://HOST/vault-memory@TAG"
            raise UsageError(
                "this vmem was installed from a folder, and GitHub can't have it there", hint=hint
            )
        return file.put(signed(workflow.workflow(vault, chosen), file.maker))

    def take_out_github(self, scope: Scope) -> Did:
        """Delete the workflow. Raises as `put_github` does."""
        only_the_person(scope, "github", _WHAT)
        return self._workflow()[0].take_out()

    def put_script(self, scope: Scope) -> Did:
        """Write the script. Raises `ConflictError` for one that a person changed, `StorageError`."""
        only_the_person(scope, "ci", _WHAT)
        return self._script().put(signed(script.script(), "ci"))

    def take_out_script(self, scope: Scope) -> Did:
        """Delete the script. Raises as `put_script` does."""
        only_the_person(scope, "ci", _WHAT)
        return self._script().take_out()

    def _workflow(self) -> tuple[OwnFile, str]:
        """The file, and the vault's folder as it is called there."""
        top = compose.top_of(self.root)
        if top is None:
            raise GitError(f"no git repository holds {self.root}", hint="make one with: git init")
        vault = self.root.resolve().relative_to(top).as_posix()
        return OwnFile(self.root, top, workflow.NAME, "github"), vault

    def _script(self) -> OwnFile:
        return OwnFile(self.root, self.root, script.NAME, "ci")
