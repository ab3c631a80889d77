"""Files that are put into a vault, and those that a look at it finds."""

from __future__ import annotations

from pathlib import Path

from vault_memory.adapters.files.tree import VaultFiles


def put(root: Path, *names: str) -> None:
    """Files of one line."""
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(b"text\n")


def paths(files: VaultFiles) -> list[str]:
    """What is found, in its order."""
    return [stamp.path for stamp in files.scan().stamps]
