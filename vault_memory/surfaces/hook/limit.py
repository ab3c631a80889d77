"""How long a hook may take: asked before anything else is loaded, so the one file of settings is only read
as TOML where it speaks of it."""

from __future__ import annotations

import os

from vault_memory.config import given

SECONDS = 2.0
KEY = "hook_seconds"
_LEAST, _MOST = 0.001, 60.0
_READ = 256 * 1024


def seconds() -> float:
    """`VMEM_HOOK_SECONDS`, else this machine's setting `hook_seconds`; what is no number is not given."""
    told = given.variable("VMEM_HOOK_SECONDS")
    found = _number(told) if told else _from_file()
    return SECONDS if found is None else min(max(found, _LEAST), _MOST)


def _from_file() -> float | None:
    usual = given.variable("APPDATA") if os.name == "nt" else os.path.join(given.variable("HOME"), ".config")
    home = given.variable("XDG_CONFIG_HOME") or usual
    file = os.path.join(home, "vault-memory", "config.toml")
    try:
        opened = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return None
    try:
        content = os.read(opened, _READ)
    except OSError:
        return None
    finally:
        os.close(opened)
    if KEY.encode() not in content:
        return None
    import tomllib

    try:
        return _number(tomllib.loads(content.decode()).get(KEY))
    except ValueError:
        return None


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        found = float(value)
    except ValueError:
        return None
    return found if found == found else None  # noqa: PLR0124 - NaN is none
