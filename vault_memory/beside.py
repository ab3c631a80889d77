"""Files that are no memories: settings of the vault, of this machine and of other programs, tokens, logs."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

from vault_memory.config import given
from vault_memory.config.change import FileChange
from vault_memory.errors import RefusedError

ALLOWED_SECRETS = "allow_secrets"
LOCK_SECONDS = 5.0
"""The longest wait for who writes to the vault just now."""
HOOK_LOG = "hook.log"
LARGEST_LOG = 128 * 1024
"""Bytes of a log; then it becomes `hook.log.1`, and the one before goes."""


def refuse_secret(key: str, text: str) -> None:
    """Raise `RefusedError` for a value that looks like a secret: a vault's settings travel with it."""
    from vault_memory.plugins import scanner

    found = scanner("table").scan(text)
    if found and key != ALLOWED_SECRETS:
        raise RefusedError(
            found[0][0],
            f"the value for {key} looks like it holds a secret",
            field=key,
            hint=f"a vault's settings are committed with it; what is no secret goes into {ALLOWED_SECRETS}",
        )


def read_own(root: Path, name: str, *, most: int) -> bytes | None:
    """A file of `.vmem/` that travels with the vault, `None` where there is none. Raises `StorageError`."""
    from vault_memory.adapters.files.settingsfile import read_own as read

    return read(root / name, vault=root, most=most)


def read_theirs(file: Path, *, within: Path | None, most: int) -> bytes | None:
    """A person's file of settings, `None` where there is none. Raises `StorageError`."""
    from vault_memory.adapters.files.settingsfile import read_theirs as read

    return read(file, within=within, most=most)


def put_settings(change: FileChange) -> None:
    """Write (or delete) a file of settings, or another that travels with the vault.

    Raises `StorageError`, and `ConflictError` where it has changed."""
    from vault_memory.adapters.files.lock import VaultLock
    from vault_memory.adapters.files.settingsfile import put_settings as put

    with ExitStack() as stack:
        if change.vault is not None:
            lock = VaultLock(change.vault / ".vmem" / "local" / "lock")
            stack.enter_context(lock.held(wait=LOCK_SECONDS))
        put(change.file, change.after, before=change.before, vault=change.vault, within=change.within,
            private=change.private)  # fmt: skip


def kept_word(file: Path, local: Path | None) -> str:
    """The secret word in that file, made where there is none. Raises `StorageError`, `ConfigError`."""
    from vault_memory.adapters.files import keyfile

    return keyfile.kept_word(file, local)


def comes_with_the_vault(root: Path, path: str) -> bool:
    """Whether git holds the file of that path below the vault: then others have written it."""
    from vault_memory.adapters.git.tracked import is_tracked

    return is_tracked(root, path)


def log_of_hooks(root: Path | None, line: bytes) -> None:
    """Add a line to the log of hooks: the vault's, or this user's own where there is none at `root`, or no
    folder in it that is ours. Raises `OSError`."""
    from vault_memory.adapters.files.rotated import RotatedLog

    folder = given.state_folder()
    if root is not None:
        local = root / ".vmem" / "local"
        if os.path.isdir(local) and not os.path.islink(local):
            folder = os.fspath(local)
    if folder:
        os.makedirs(folder, 0o700, exist_ok=True)
        RotatedLog(Path(folder, HOOK_LOG), LARGEST_LOG).add(line)
