"""A secret word in a file that its owner alone can read: made once, and read whenever it is asked for."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable
from pathlib import Path

from vault_memory.adapters.files.atomic import disk_errors
from vault_memory.adapters.files.local import ensure_local
from vault_memory.adapters.files.safely import opened
from vault_memory.errors import ConfigError

SHORTEST = 20
"""Characters; a shorter one can be guessed."""
_MOST_BYTES = 4096
_RANDOM_BYTES = 32
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def kept_word(file: Path, local: Path | None = None, randomness: Callable[[int], bytes] = os.urandom) -> str:
    """The word in `file`, which is made with a new one where there is none; others can't read it.

    Below the vault's local folder (`local`) the folder of the file is made too.

    Raises `StorageError`, and `ConfigError` for a file that others may read, or that holds no such word.
    """
    with disk_errors(str(file), "write"):
        if not os.path.lexists(file):
            for folder in () if local is None else (local, file.parent):
                ensure_local(os.fsencode(folder))
            _make(file, randomness(_RANDOM_BYTES).hex())
    with disk_errors(str(file), "read"):
        return _read(file)


def _make(file: Path, word: str) -> None:
    """Of two that make it at once one wins, and nobody reads a half: it is whole when it gets its name."""
    begun = f"{file}.{os.getpid()}.new"
    with contextlib.ExitStack() as stack, opened(begun, os.O_WRONLY | os.O_CREAT | os.O_EXCL) as number:
        stack.callback(os.unlink, begun)
        os.write(number, f"{word}\n".encode("ascii"))
        os.fsync(number)
        with contextlib.suppress(FileExistsError):
            os.link(begun, file)


def _read(file: Path) -> str:
    if file.is_symlink():
        raise _unfit(file, "it is a link", "name the file itself")
    with opened(file) as number:
        found = os.fstat(number)
        if not stat.S_ISREG(found.st_mode):
            raise _unfit(file, "it is no file", "name another one")
        if hasattr(os, "getuid") and (found.st_mode & _OTHERS or found.st_uid != os.getuid()):
            raise _unfit(file, "others can read it", f"chmod 600 '{file}', and put a new token in it")
        held = os.read(number, _MOST_BYTES)
    word = held.strip()
    if len(word) < SHORTEST or any(not 0x21 <= one <= 0x7E for one in word):
        reason = f"it holds no token of at least {SHORTEST} letters, digits and signs, and nothing else"
        raise _unfit(file, reason, "delete it: a new one is made at the next start")
    return word.decode("ascii")


def _unfit(file: Path, reason: str, hint: str) -> ConfigError:
    return ConfigError(str(file), "", reason, hint=hint)
