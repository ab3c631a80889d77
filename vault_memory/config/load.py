"""Reading settings from their places, later wins: defaults, user file, vault file, environment, flags."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vault_memory.config import environ
from vault_memory.config.settings import BY_KEY, FORMAT, SETTINGS, Setting, Settings, defaults, is_model_name
from vault_memory.errors import ConfigError, UnsafePathError

VAULT_FILE = ".vmem/config.toml"


def load(root: Path | None, *, flags: Mapping[str, object] | None = None) -> Settings:
    """All settings for the vault at `root` (`None`: without a vault). Raises `ConfigError`."""
    base = defaults()
    values: dict[str, Any] = dict(base.values)
    origins: dict[str, str] = dict(base.origins)

    user_file = environ.user_config_file()
    if user_file.is_file():
        _overlay(values, origins, _read(user_file), str(user_file), shared_only=False)
    if root is not None:
        file = root / VAULT_FILE
        table = _read(file)
        _check_format(file, table.pop("format", None))
        _overlay(values, origins, table, str(file), shared_only=True)
    for key, text in environ.settings(BY_KEY).items():
        _set(values, origins, BY_KEY[key], text, f"VMEM_{key.upper()}", shared_only=False)
    for key, value in (flags or {}).items():
        if value is not None:
            _set(values, origins, BY_KEY[key], value, "flag", shared_only=False)
    return Settings(values, origins)


def _read(file: Path) -> dict[str, object]:
    try:
        return tomllib.loads(file.read_bytes().decode("utf-8-sig"))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(str(file), "", f"not valid TOML: {error}", hint="mend the line named") from error
    except UnicodeDecodeError as error:
        raise ConfigError(str(file), "", "not UTF-8", hint="save the file as UTF-8") from error
    except OSError as error:
        raise ConfigError(str(file), "", f"can't be read: {error.strerror}") from error


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
            close = difflib.get_close_matches(key, [row.key for row in SETTINGS], n=1)
            hint = f"did you mean {close[0]!r}?" if close else "docs/settings.md lists every key"
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
        raise ConfigError(origin, row.key, f"can't be {value!r}", hint=f"it takes {row.form}") from error
    origins[row.key] = origin
