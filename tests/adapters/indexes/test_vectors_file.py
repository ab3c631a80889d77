"""The matrix of vectors beside the index: taken up by the next process, not believed against the index."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.contracts.index_values import query, sha, unit, upsert
from vault_memory.adapters.indexes.sqlite import matrix, nearfile, nearrows
from vault_memory.adapters.indexes.sqlite.backend import SqliteIndex
from vault_memory.model.change import Removal
from vault_memory.model.namespace import VaultPath

WORDS = ("east", "north", "west", "south east", "north east")
VECTORS = {
    sha("east"): unit(1, 0),
    sha("north"): unit(0, 1),
    sha("west"): unit(-1, 0),
    sha("south east"): unit(1, -1),
    sha("north east"): unit(1, 1),
}
SPREAD = (0.1, 0.5, 0.3, 0.1)


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is written for three passages, and sieved by signs past two."""
    monkeypatch.setattr(matrix, "FEW", 2)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """An index with five texts in two memories, and the file that a first question leaves."""
    path = tmp_path / "index.db"
    with_file = SqliteIndex.open(path, embedder_id="compass")
    with_file.apply([upsert("a.md", *WORDS[:3]), upsert("b.md", *WORDS[3:])], vectors=VECTORS)
    with_file.nearest(query(1, 0), 9, SPREAD)
    with_file.close()
    assert (tmp_path / nearfile.NAME).is_file()
    return path


def answer(path: Path | None, embedder: str = "compass") -> tuple[list[int], list[float]]:
    """What a process that opens the index now is told."""
    index = SqliteIndex.open(path, embedder_id=embedder)
    try:
        numbers, cosines = index.nearest(query(1, 0.5), 9, SPREAD)
        return numbers.tolist(), cosines.round(4).tolist()
    finally:
        index.close()


def test_the_next_process_takes_it_up(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = answer(place)
    read: list[int] = []
    monkeypatch.setattr(matrix.Matrix, "_read", _counting(read))
    assert answer(place) == expected
    assert read == [0], "nothing is read again"


def _counting(read: list[int]) -> object:
    original = matrix.Matrix._read

    def counted(self: matrix.Matrix, fresh: list[tuple[int, int, bytes]]) -> nearrows.Rows:
        read.append(len(fresh))
        return original(self, fresh)

    return counted


def test_what_changed_since_is_right_all_the_same(place: Path) -> None:
    index = SqliteIndex.open(place, embedder_id="compass")
    index.apply(
        [Removal(VaultPath("a.md")), upsert("b.md", "north", "west"), upsert("c.md", "east", "north east")]
    )
    index.close()
    told = answer(place)
    (place.parent / nearfile.NAME).unlink()
    assert told == answer(place)


@pytest.mark.parametrize("keep", [0, 10, 40, 200, -70])
def test_a_file_that_is_not_whole_is_made_anew(place: Path, keep: int) -> None:
    file = place.parent / nearfile.NAME
    expected, whole = answer(place), file.read_bytes()
    file.write_bytes(whole[:keep])
    assert answer(place) == expected
    assert file.read_bytes() == whole


def test_a_file_of_other_memories_or_another_model_is_not_believed(place: Path) -> None:
    file = place.parent / nearfile.NAME
    expected, whole = answer(place), bytearray(file.read_bytes())
    rows = np.frombuffer(whole, dtype="<i8", offset=whole.index(b"\0" * 8) // 64 * 64 + 64, count=5)
    assert rows.tolist() == [1, 2, 3, 4, 5]
    forged = whole.copy()
    forged[whole.index(rows.tobytes()) : whole.index(rows.tobytes()) + 8] = (10**12).to_bytes(8, "little")
    file.write_bytes(forged)
    assert answer(place) == expected
    assert answer(place, embedder="none") == ([], [])
    other = SqliteIndex.open(place, embedder_id="other")
    other.apply([], vectors=dict.fromkeys(VECTORS, unit(0, 1)))
    assert set(other.nearest(query(1, 0), 9, SPREAD)[1].round(4).tolist()) == {0.0}
    other.close()


def test_what_a_killed_writer_left_is_swept_and_a_living_ones_is_not(place: Path) -> None:
    gone = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True
    )
    left = place.parent / f"{nearfile.NAME}.{int(gone.stdout)}.tmp"
    odd = place.parent / f"{nearfile.NAME}.{'9' * 40}.tmp"
    living = place.parent / f"{nearfile.NAME}.{os.getppid()}.tmp"
    for file in (left, odd, living):
        file.write_bytes(b"half")
    (place.parent / nearfile.NAME).unlink()
    answer(place)
    assert [file.exists() for file in (left, odd, living)] == [False, False, True]


def test_on_a_network_disk_there_is_none(tmp_path: Path) -> None:
    index = SqliteIndex.open(tmp_path / "index.db", embedder_id="compass", shared_memory=False)
    index.apply([upsert("a.md", *WORDS)], vectors=VECTORS)
    assert index.nearest(query(1, 0), 9, SPREAD)[0].size == len(WORDS)
    index.close()
    assert not (tmp_path / nearfile.NAME).exists()
