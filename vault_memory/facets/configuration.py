"""Settings: what holds and where it comes from, and changing one in its file; needs no open vault."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from vault_memory import beside, compose
from vault_memory.config import environ
from vault_memory.config.change import FileChange, setting_put, setting_taken_out
from vault_memory.config.explain import all_explained, explained
from vault_memory.config.load import find_setting, survey
from vault_memory.config.settings import DEFAULT
from vault_memory.errors import ConfigError
from vault_memory.model.explained import Explained
from vault_memory.model.namespace import Scope


@dataclass(frozen=True, slots=True)
class SettingChanged:
    """What a change did, and the place that sets the key all the same, `None` where none does."""

    file: Path | None
    """The file that holds the change; `None` where nothing sets the key in any."""
    changed: bool
    shared: bool
    overruled_by: str | None


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings that hold for the vault at `root`; without one, those of this machine."""

    root: Path | None

    @classmethod
    def of(cls, path: str | Path | None = None) -> Configuration:
        """Those of the vault that `path` lies in; without one `VMEM_VAULT`, else the working folder.

        A place that is named and holds no vault raises `VaultNotFoundError`; a working folder that is
        in none gives what holds on this machine.
        """
        if path is None and environ.vault() is None:
            return cls(compose.vault_around())
        return cls(compose.locate(Path(path) if path is not None else None))

    def faults(self) -> tuple[ConfigError, ...]:
        """All that is wrong with the places that settings come from, each with its line."""
        return survey(self.root)[1]

    def explain(self, key: str) -> Explained:
        """One setting as far as it can be read. Raises `ConfigError` for a key that there is not."""
        row = find_setting(key)
        return explained(survey(self.root)[0], row)

    def explain_all(self) -> list[Explained]:
        """Every setting as far as it can be read, in the order of the table."""
        return all_explained(survey(self.root)[0])

    def put(self, scope: Scope, key: str, text: str, *, shared: bool | None = None) -> SettingChanged:
        """Set a key: one line of one file, `text` being what a `VMEM_` variable would hold.

        `shared` chooses the vault's file or the machine's; without it, what may travel with a vault
        goes to the vault's, if there is one. Only the person may. Raises `ConfigError`, `StorageError`,
        and `RefusedError` for a secret that would travel with the vault.
        """
        _only_the_person(scope)
        change = setting_put(self.root, key, text, shared=shared)
        if change.vault is not None:
            beside.refuse_secret(key, text)
        return self._write(key, change)

    def take_out(self, scope: Scope, key: str, *, shared: bool | None = None) -> SettingChanged:
        """Take a key out of its file, so that what comes before it holds again; also a misspelt one."""
        _only_the_person(scope)
        change = setting_taken_out(self.root, key, shared=shared)
        if change is None:
            return SettingChanged(None, False, False, self._origin(key))
        return self._write(key, change)

    def _write(self, key: str, change: FileChange) -> SettingChanged:
        if change.changes:
            beside.put_settings(change)
        origin = self._origin(key)
        return SettingChanged(
            change.file,
            change.changes,
            change.vault is not None,
            origin if origin != str(change.file) else None,
        )

    def _origin(self, key: str) -> str | None:
        origin = survey(self.root)[0].origins.get(key, DEFAULT)
        return None if origin == DEFAULT else origin


def _only_the_person(scope: Scope) -> None:
    scope.check_person("change settings", hint="ask the person to run: vmem config …")
