"""A machine of the tests' own: its home, its git identity, its zone, and nothing of whoever runs them."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path

import pygit2

NAME, EMAIL = "Test Person", "person@example.invalid"

_GIT_CONFIG = f"""\
[user]
\tname = {NAME}
\temail = {EMAIL}
[init]
\tdefaultBranch = main
"""

_STRANGE_PREFIXES = ("GIT_", "VMEM_", "LC_", "XDG_", "SSH_", "GPG_")
_STRANGE = frozenset(
    {
        # where programs ask or show something
        "EDITOR", "VISUAL", "PAGER", "BROWSER", "LESS", "DISPLAY",
        # how they write: typer and rich look at all of these
        "COLUMNS", "LINES", "TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR", "PY_COLORS", "CLICOLOR",
        "CLICOLOR_FORCE", "GITHUB_ACTIONS", "TTY_COMPATIBLE", "TTY_INTERACTIVE",
        # in which language
        "LANGUAGE", "PYTHONUTF8", "PYTHONIOENCODING",
        # where git looks for a person
        "EMAIL", "USER", "LOGNAME", "USERNAME",
    }
)  # fmt: skip


def environment(outer: Mapping[str, str], home: Path) -> dict[str, str]:
    """The outer environment without what would reach the tests, and a home of their own.

    Models are never fetched: a test that would need the network fails instead of waiting for it."""
    kept = {
        name: value
        for name, value in outer.items()
        if name not in _STRANGE and not name.startswith(_STRANGE_PREFIXES)
    }
    return kept | {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_DATA_HOME": str(home / ".local" / "share"),
        "XDG_STATE_HOME": str(home / ".local" / "state"),
        "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "HF_HUB_OFFLINE": "1",
        # No test leaves a process behind; those of the resident start theirs themselves.
        "VMEM_RESIDENT": "off",
    }


def furnish(home: Path) -> Path:
    """Make a home with a git identity in it."""
    home.mkdir(parents=True, exist_ok=True)
    (home / ".gitconfig").write_text(_GIT_CONFIG, encoding="utf-8")
    return home


def move_in(home: Path) -> None:
    """Make the running process live there; programs it starts inherit it.

    libgit2 looks for configuration where the environment pointed when it was loaded, and knows no
    GIT_CONFIG_NOSYSTEM, so it is told by itself."""
    chosen = environment(os.environ, home)
    os.environ.clear()
    os.environ.update(chosen)
    time.tzset()
    places = pygit2.settings.search_path
    places[pygit2.enums.ConfigLevel.GLOBAL] = str(home)
    places[pygit2.enums.ConfigLevel.XDG] = str(home / ".config" / "git")
    places[pygit2.enums.ConfigLevel.SYSTEM] = str(home / "no-system-wide-file")
