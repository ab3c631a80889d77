"""Reading settings from their places, later wins: defaults, user file, vault file, environment, flags."""

from __future__ import annotations

import difflib
import os
import stat
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vault_memory.config import environ
from vault_memory.config.forms import is_model_name
from vault_memory.config.settings import (
    BY_KEY,
    FLAG,
    FORMAT,
    MODELS,
    SETTINGS,
    VARIABLES,
    Setting,
    Settings,
    defaults,
)
from vault_memory.config.tables import joined, read_tables, shown
from vault_memory.config.tomlline import Lines, fault_of, parsed
from vault_memory.errors import ConfigError, UnsafePathError

VAULT_FILE = ".vmem/config.toml"
LARGEST = 256 * 1024
"""Bytes of a file of settings: reading TOML takes a second a megabyte."""


def load(root: Path | None, *, flags: Mapping[str, object] | None = None) -> Settings:
    """All settings for the vault at `root` (`None`: without a vault). Raises `ConfigError`."""
    settings, faults = survey(root, flags=flags)
    if faults:
        raise faults[0]
    return settings


def survey(
    root: Path | None, *, flags: Mapping[str, object] | None = None
) -> tuple[Settings, tuple[ConfigError, ...]]:
    """All settings as far as they can be read, and everything that is wrong with their places."""
    base = defaults()
    found = _Found({key: list(layers) for key, layers in base.layers.items()})
    user_file = environ.user_config_file()
    if os.path.isfile(user_file):  # unlike Path's, a plain no where the home is another user's
        found.add_file(user_file, shared_only=False)
    if root is not None:
        found.add_file(root / VAULT_FILE, shared_only=True)
    for key, text in environ.settings(VARIABLES).items():
        found.add({key: text}, f"VMEM_{key.upper()}", by_variable=True)
    found.faults += map(_unknown_variable, environ.unknown_variables(VARIABLES))
    found.add({key: value for key, value in (flags or {}).items() if value is not None}, FLAG)
    last = {key: layers[-1] for key, layers in found.layers.items()}
    settings = Settings(
        {key: value for key, (_, value) in last.items()},
        {key: origin for key, (origin, _) in last.items()},
        {key: tuple(layers) for key, layers in found.layers.items()},
    )
    return settings, tuple(found.faults)


def find_setting(key: str) -> Setting:
    """The row of that key. Raises `ConfigError` with the nearest key there is."""
    row = BY_KEY.get(key)
    if row is None:
        raise _no_such(key, "", BY_KEY)
    return row


def accepted(row: Setting, value: object, origin: str, *, shared_only: bool) -> object:
    """A value, checked and brought into the setting's form. `shared_only` is the rule for what comes
    with a vault: nothing that runs, listens, or leads out of it. Raises `ConfigError`."""
    if shared_only and not row.shared:
        raise ConfigError(
            origin,
            row.key,
            "is this machine's own setting and can't come with a vault",
            hint=f"set it in {environ.user_config_file()} or as VMEM_{row.key.upper()}",
        )
    if shared_only and row.key in MODELS and value and not is_model_name(str(value)):
        raise ConfigError(
            origin,
            row.key,
            "a vault may only name a model, not a folder or an address",
            hint=f"set the folder in {environ.user_config_file()} or as VMEM_{row.key.upper()}",
        )
    if row.names is not None:
        read = read_tables(row.key, row.names, value, origin)
        for _, fault in read.faults:
            raise fault
        return read.tables
    try:
        return row.parse(value)
    except (ValueError, UnsafePathError) as error:
        raise ConfigError(origin, row.key, f"can't be {shown(value)}", hint=f"it takes {row.form}") from error


@dataclass(slots=True)
class _Found:
    """What the places say so far: each key's values in order, and what is wrong."""

    layers: dict[str, list[tuple[str, Any]]]
    faults: list[ConfigError] = field(default_factory=list)

    def add_file(self, file: Path, *, shared_only: bool) -> None:
        """Take a file of settings; a fault in it does not keep the rest of it from being read."""
        try:
            text, table = read_file(file)
        except ConfigError as error:
            self.faults.append(error)
            return
        if shared_only:
            wrong = format_fault(file, text, table.pop("format", None))
            self.faults += [wrong] if wrong is not None else []
        self.add(table, str(file), shared_only=shared_only, text=text)

    def add(
        self,
        table: Mapping[str, object],
        origin: str,
        *,
        shared_only: bool = False,
        by_variable: bool = False,
        text: str | None = None,
    ) -> None:
        """Take these values; `text` is the file that they stand in."""
        lines = Lines(text) if text is not None else None
        for key, value in table.items():
            row = BY_KEY.get(key)
            if row is not None and row.names is not None:
                self._add_tables(row, value, origin, lines)
                continue
            try:
                if row is None:
                    raise _no_such(
                        key, origin, [one.key for one in SETTINGS if one.shared or not shared_only]
                    )
                taken = accepted(row, value, origin, shared_only=shared_only)
            except ConfigError as error:
                self.faults.append(error.at_line(lines.of(key)) if lines is not None else error)
            else:
                if row.guards and by_variable:
                    taken = tuple(dict.fromkeys((*self.layers[key][-1][1], *_listed(taken))))
                self.layers[key].append((origin, taken))

    def _add_tables(self, row: Setting, value: object, origin: str, lines: Lines | None) -> None:
        """Put the tables of this place together with those of the places before."""
        assert row.names is not None
        read = read_tables(row.key, row.names, value, origin)
        for place, fault in read.faults:
            self.faults.append(fault.at_line(lines.within(place)) if lines is not None else fault)
        if read.tables:
            before = self.layers[row.key][-1][1]
            self.layers[row.key].append((origin, joined(before, read.tables)))


def _listed(value: object) -> tuple[object, ...]:
    assert isinstance(value, tuple)
    return value


def _no_such(key: str, origin: str, keys: Iterable[str]) -> ConfigError:
    known = list(keys)
    close = difflib.get_close_matches(key, known, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(known)}"
    return ConfigError(origin, key, "no such setting", hint=hint)


def _unknown_variable(name: str) -> ConfigError:
    names = [f"VMEM_{key.upper()}" for key in VARIABLES]
    close = difflib.get_close_matches(name, [*names, "VMEM_VAULT", "VMEM_AGENT", "VMEM_DEBUG"], n=1)
    meant = f"did you mean {close[0]}?   " if close else ""
    return ConfigError(name, "", "no such setting", hint=f"{meant}take the variable away: unset {name}")


def read_file(file: Path) -> tuple[str, dict[str, object]]:
    """A file of settings as text (a byte order mark included) and as values. Raises `ConfigError`."""
    place = str(file)
    try:
        text = _content(file).decode("utf-8")
        return text, parsed(text)
    except tomllib.TOMLDecodeError as error:
        reason, line = fault_of(error)
        fault = ConfigError(place, "", f"not valid TOML: {reason}", hint="mend the line named")
        raise fault.at_line(line) from error
    except UnicodeDecodeError as error:
        raise ConfigError(place, "", "not UTF-8", hint="save the file as UTF-8") from error
    except (ValueError, RecursionError) as error:  # endless digits, brackets in brackets
        raise ConfigError(place, "", "not settings", hint="start from: vmem init") from error
    except OSError as error:
        raise ConfigError(
            place, "", f"can't be read: {error.strerror}", hint="mend its permissions"
        ) from error


def _content(file: Path) -> bytes:
    """The file's bytes; raises `ConfigError` for what is no file (a pipe would block) and for a huge one."""
    status = file.stat()
    if not stat.S_ISREG(status.st_mode):
        raise ConfigError(str(file), "", "it is no regular file", hint="put a file of settings in its place")
    if status.st_size > LARGEST:
        raise ConfigError(
            str(file), "", f"{status.st_size:,} bytes are more than settings can take", hint="shorten it"
        )
    return file.read_bytes()


def format_fault(file: Path, text: str, value: object) -> ConfigError | None:
    """What is wrong with the `format` of a vault's file, `None` where this program may write there."""
    reason = hint = ""
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        reason, hint = "must be a whole number", f"write: format = {FORMAT}"
    elif value > FORMAT:
        reason = f"this vault has format {value}, this vmem knows up to {FORMAT}"
        hint = "upgrade: pip install --upgrade vault-memory"
    if not reason:
        return None
    return ConfigError(str(file), "format", reason, hint=hint).at_line(Lines(text).of("format"))


def writable_by_others(root: Path) -> list[Path]:
    """The files of settings of this vault and this machine that every user of it may write."""
    loose = []
    for file in (environ.user_config_file(), root / VAULT_FILE):
        try:
            mode = file.stat().st_mode
        except OSError:  # not there, or not to be looked at; reading it has said so
            continue
        if os.name == "posix" and mode & stat.S_IWOTH:
            loose.append(file)
    return loose
