"""A vault on disk, made by the code that makes vaults."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from vault_memory.adapters.files.layout import create_layout
from vault_memory.adapters.files.tree import VaultFiles

MAX_BYTES = 100_000


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """The root of an empty vault."""
    root = tmp_path / "vault"
    create_layout(root, "format = 1\n")
    return root


@pytest.fixture
def files(vault: Path) -> VaultFiles:
    """Its files, with a limit of 100,000 bytes."""
    return VaultFiles(vault, max_bytes=MAX_BYTES)


@pytest.fixture
def listing(vault: Path) -> Callable[[], set[str]]:
    """All that lies in the vault but folders, lock and layout, hidden things included."""
    furniture = {".vmem/config.toml", ".vmem/.gitignore"}

    def everything() -> set[str]:
        found = itertools.chain(vault.rglob("*"), vault.rglob(".*"))
        names = {str(place.relative_to(vault)) for place in found if place.is_symlink() or not place.is_dir()}
        return names - furniture

    return everything
