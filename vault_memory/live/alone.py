"""One resident a vault: a lock that it holds as long as it lives, and that the kernel frees when it dies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from vault_memory import compose
from vault_memory.errors import LockedError

GLANCED = 0.25
"""Seconds: whoever only looks whether it is held takes it for a moment."""


def located(path: Path | None) -> Path:
    """The root of the vault that `path` lies in; without one `VMEM_VAULT`, else the working folder.

    Raises `VaultNotFoundError`."""
    return compose.locate(path)


@contextmanager
def alone(root: Path) -> Iterator[bool]:
    """Hold the place of the resident of the vault at `root`; given is `False` where another has it.

    Raises `StorageError` where the lock's file can't be made.
    """
    with ExitStack() as held:
        try:
            held.enter_context(compose.resident_lock(root).held(wait=GLANCED))
            first = True
        except LockedError:
            first = False
        yield first


def is_taken(root: Path) -> bool:
    """Whether a resident of that vault lives, whether it answers or not. Raises `StorageError`."""
    return compose.resident_lock(root).holder() is not None
