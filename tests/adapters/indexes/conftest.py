"""One index's file, opened as often as a test likes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.adapters.indexes.processes import HASTE
from vault_memory.adapters.indexes.sqlite.backend import SqliteIndex


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where an index may be made; its folder is not there yet."""
    return tmp_path / "local" / "index.db"


@pytest.fixture
def open_index(path: Path) -> Iterator[Callable[..., SqliteIndex]]:
    """Opens the same file again and again, with little patience; all are closed at the end."""
    opened: list[SqliteIndex] = []

    def open_it(embedder: str = "e") -> SqliteIndex:
        opened.append(SqliteIndex.open(path, embedder_id=embedder, patience=HASTE))
        return opened[-1]

    yield open_it
    for index in opened:
        index.close()
