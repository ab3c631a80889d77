"""What the repository's git configuration says, read through libgit2 as git would."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from vault_memory.config.environ import git_global_config

if TYPE_CHECKING:
    import pygit2

_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0", ""})


class Settings:
    """Looks each key up when asked: the person may change it while we run."""

    def __init__(self, repo: pygit2.Repository) -> None:
        self._repo = repo

    def text(self, key: str) -> str | None:
        """A key's value; the last of several wins."""
        values = self._values(key)
        return values[-1] or "" if values else None

    def flag(self, key: str) -> bool | None:
        """A boolean key; `None` where it is not set or has a word of its own (`core.autocrlf=input`)."""
        values = self._values(key)
        if not values:
            return None
        if values[-1] is None:  # the key alone on its line: git's short way to say yes
            return True
        word = values[-1].lower()
        return True if word in _TRUE else False if word in _FALSE else None

    def folder(self, key: str, *, relative_to: str) -> str | None:
        """A key that names a folder, `~` and relative names resolved."""
        value = self.text(key)
        return os.path.join(relative_to, os.path.expanduser(value)) if value else None

    def _values(self, key: str) -> list[str | None]:
        config = self._repo.config
        other = git_global_config()
        if other is None:
            return list(config.get_multivar(key))
        return _overruled(config, key.lower(), other)


def _overruled(config: pygit2.Config, key: str, other: str) -> list[str | None]:
    """The values of a key where the environment names another file in place of `~/.gitconfig`."""
    import pygit2
    from pygit2.enums import ConfigLevel

    found: dict[bool, list[str | None]] = {True: [], False: []}
    for entry in config:
        if entry.name == key and entry.level not in (ConfigLevel.GLOBAL, ConfigLevel.XDG):
            found[entry.level >= ConfigLevel.LOCAL].append(entry.value)
    middle = list(pygit2.Config(other).get_multivar(key)) if os.path.isfile(other) else []
    return [*found[False], *middle, *found[True]]
