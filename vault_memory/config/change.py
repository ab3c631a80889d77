"""A change of one setting: which file it goes to, and what that file then holds; writes nothing."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from vault_memory.config import environ
from vault_memory.config.load import VAULT_FILE, accepted, find_setting, format_fault, read_file
from vault_memory.config.settings import BY_KEY, Setting
from vault_memory.config.tomlline import Lines, UnsplicedError, with_key, without_key
from vault_memory.errors import ConfigError, UsageError, VaultNotFoundError


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file of settings before and after (`None`: not there); `vault` is the root it travels with."""

    file: Path
    vault: Path | None
    before: bytes | None
    after: bytes | None
    within: Path | None = None
    """The folder that the file may not lead out of, where that is not the vault but the repository."""
    private: bool = False
    """A file that is new is readable to its owner alone."""

    @property
    def changes(self) -> bool:
        """Whether the two differ."""
        if self.after is None:
            return self.before is not None
        return (self.before or b"") != self.after


def setting_put(root: Path | None, key: str, text: str, *, shared: bool | None) -> FileChange:
    """Set a key to what `text` says (as a variable would, or in TOML's own words). Without `shared`,
    what may travel with a vault goes to the vault's file. Raises `ConfigError`, `UsageError`."""
    row = find_setting(key)
    vault = root if (row.shared if shared is None else shared) else None
    if shared and root is None:
        raise VaultNotFoundError(environ.working_folder())
    value = accepted(row, _typed(row, text), "", shared_only=vault is not None)
    return _changed(
        _file_of(vault), vault, key, lambda content: with_key(content, key, value, default=row.default)
    )


def setting_taken_out(root: Path | None, key: str, *, shared: bool | None) -> FileChange | None:
    """Take a key, one that there is not too, out of the file that sets it; of two files, out of the
    vault's. `None` where neither does."""
    places = [place for place in (root, None) if shared is None or (place is not None) is shared]
    row = BY_KEY.get(key)
    default, doc = (row.default, row.doc) if row is not None else ("", "")
    for vault in dict.fromkeys(places):
        file = _file_of(vault)
        if row is not None and row.names is not None:
            _refuse_tables(file, key)
        if os.path.isfile(file) and Lines(read_file(file)[0]).of(key) is not None:
            if key == "format":
                raise UsageError("format can't be taken out", hint="it says which vmem may write here")
            return _changed(
                file, vault, key, lambda content: without_key(content, key, default=default, doc=doc)
            )
    find_setting(key)  # raises for what is no setting at all, and says what it may have been meant to be
    return None


def _refuse_tables(file: Path, key: str) -> None:
    """Raise `ConfigError` where a setting is written as tables of their own: no one line holds it."""
    if os.path.isfile(file):
        text, table = read_file(file)
        if key in table and Lines(text).of(key) is None:
            raise ConfigError(
                str(file), key, "is written in tables of its own", hint="take them out in your editor"
            ).at_line(Lines(text).within((key,)))


def _file_of(vault: Path | None) -> Path:
    return vault / VAULT_FILE if vault is not None else environ.user_config_file()


def _typed(row: Setting, text: str) -> object:
    """The text, or the list or the tables that it writes in TOML."""
    begins = "[" if isinstance(row.default, tuple) else "{" if row.names is not None else None
    if begins is None or not text.lstrip().startswith(begins):
        return text
    try:
        return tomllib.loads(f"x = {text}")["x"]
    except tomllib.TOMLDecodeError:  # a pattern such as [ab].md
        return text


def _changed(file: Path, vault: Path | None, key: str, change: Callable[[str], str]) -> FileChange:
    if not os.path.lexists(file) and vault is None:
        return FileChange(file, None, None, change("").encode("utf-8"))
    text, table = read_file(file)
    if vault is not None:
        wrong = format_fault(file, text, table.get("format"))
        if wrong is not None:
            raise wrong
    try:
        after = change(text).encode("utf-8")
    except (UnsplicedError, UnicodeEncodeError) as error:
        reason = (
            "is no text in UTF-8" if isinstance(error, UnicodeEncodeError) else f"can't be changed: {error}"
        )
        raise ConfigError(str(file), key, reason, hint="change it in your editor").at_line(
            Lines(text).of(key)
        ) from error
    return FileChange(file, vault, text.encode("utf-8"), after)
