"""Reading settings from their places, later wins: defaults, user file, vault file, environment, flags."""

from __future__ import annotations

import difflib
import os
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vault_memory.config import environ
from vault_memory.config.settings import BY_KEY, FORMAT, SETTINGS, Setting, Settings, defaults, is_model_name
from vault_memory.errors import ConfigError, UnsafePathError

VAULT_FILE = ".vmem/config.toml"
LARGEST = 256 * 1024
"""Bytes of a file of settings: reading TOML takes a second a megabyte."""
_MOST = 80
"""Characters of a wrong value that a message repeats."""


def load(root: Path | None, *, flags: Mapping[str, object] | None = None) -> Settings:
    """All settings for the vault at `root` (`None`: without a vault). Raises `ConfigError`."""
    base = defaults()
    values: dict[str, Any] = dict(base.values)
    origins: dict[str, str] = dict(base.origins)

    user_file = environ.user_config_file()
    if os.path.isfile(user_file):  # unlike Path's, a plain no where the home is another user's
        _overlay(values, origins, _read(user_file), str(user_file), shared_only=False)
    if root is not None:
        file = root / VAULT_FILE
        table = _read(file)
        _check_format(file, table.pop("format", None))
        _overlay(values, origins, table, str(file), shared_only=True)
    for key, text in environ.settings(BY_KEY).items():
        _set(values, origins, BY_KEY[key], text, f"VMEM_{key.upper()}", shared_only=False)
    given = {key: value for key, value in (flags or {}).items() if value is not None}
    _overlay(values, origins, given, "flag", shared_only=False)
    return Settings(values, origins)


def _read(file: Path) -> dict[str, object]:
    try:
        return tomllib.loads(_content(file).decode("utf-8-sig"))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(str(file), "", f"not valid TOML: {error}", hint="mend the line named") from error
    except UnicodeDecodeError as error:
        raise ConfigError(str(file), "", "not UTF-8", hint="save the file as UTF-8") from error
    except (ValueError, RecursionError) as error:  # endless digits, brackets in brackets
        raise ConfigError(str(file), "", "not settings", hint="start from: vmem init") from error
    except OSError as error:
        raise ConfigError(
            str(file), "", f"can't be read: {error.strerror}", hint="mend its permissions"
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


def _check_format(file: Path, value: object) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ConfigError(str(file), "format", "must be a whole number", hint=f"write: format = {FORMAT}")
    if value > FORMAT:
        raise ConfigError(
            str(file),
            "format",
            f"this vault has format {value}, this vmem knows up to {FORMAT}",
            hint="upgrade: pip install --upgrade vault-memory",
        )


def _overlay(
    values: dict[str, Any],
    origins: dict[str, str],
    table: Mapping[str, object],
    origin: str,
    *,
    shared_only: bool,
) -> None:
    for key, value in table.items():
        row = BY_KEY.get(key)
        if row is None:
            keys = [row.key for row in SETTINGS if row.shared or not shared_only]
            close = difflib.get_close_matches(key, keys, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(keys)}"
            raise ConfigError(origin, key, "no such setting", hint=hint)
        _set(values, origins, row, value, origin, shared_only=shared_only)


def _set(
    values: dict[str, Any],
    origins: dict[str, str],
    row: Setting,
    value: object,
    origin: str,
    *,
    shared_only: bool,
) -> None:
    if shared_only and not row.shared:
        raise ConfigError(
            origin,
            row.key,
            "is this machine's own setting and can't come with a vault",
            hint=f"set it in {environ.user_config_file()} or as VMEM_{row.key.upper()}",
        )
    if shared_only and row.key == "embedder_model" and value and not is_model_name(str(value)):
        raise ConfigError(
            origin,
            row.key,
            "a vault may only name a model, not a folder or an address",
            hint=f"set the folder in {environ.user_config_file()} or as VMEM_EMBEDDER_MODEL",
        )
    try:
        values[row.key] = row.parse(value)
    except (ValueError, UnsafePathError) as error:
        shown = repr(value)
        if len(shown) > _MOST:
            shown = f"{shown[:_MOST]}…"
        raise ConfigError(origin, row.key, f"can't be {shown}", hint=f"it takes {row.form}") from error
    origins[row.key] = origin
