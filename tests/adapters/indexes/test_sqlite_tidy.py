"""A process that tidies up leaves its writers nothing to do but their own write."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import apsw

from tests.contracts.index_values import upsert
from vault_memory.adapters.indexes.sqlite import backend
from vault_memory.adapters.indexes.sqlite.backend import SqliteIndex
from vault_memory.model.namespace import PERSON

_PIECES = """
    SELECT count(DISTINCT segid)
    FROM terms_idx
    """


def pieces(path: Path) -> int:
    """In how many pieces the terms lie."""
    db = apsw.Connection(str(path))
    try:
        return int(db.execute(_PIECES).get)
    finally:
        db.close()


def write(index: SqliteIndex, start: int, count: int) -> None:
    for number in range(start, start + count):
        index.apply([upsert(f"{number}.md", f"word{number} harbour")])


def test_the_pieces_that_writes_leave_are_merged(open_index: Callable[..., SqliteIndex], path: Path) -> None:
    index = open_index()
    write(index, 0, 15)
    assert pieces(path) > 10
    for _ in range(5):
        index.tidy()
    assert pieces(path) < 5
    assert len(index.postings(["harbour"])[0].passages) == 15


def test_after_many_writes_the_log_is_brought_in(
    open_index: Callable[..., SqliteIndex], path: Path, tmp_path: Path
) -> None:
    index = open_index()
    write(index, 0, backend.WRITES_IN_LOG - 1)
    index.tidy()
    write(index, 100, 1)
    index.tidy()
    copy = tmp_path / "copy" / "index.db"
    copy.parent.mkdir()
    shutil.copy(path, copy)  # without the log beside it
    assert SqliteIndex.open(copy).count(PERSON) == backend.WRITES_IN_LOG


def test_who_wrote_nothing_does_nothing(open_index: Callable[..., SqliteIndex], path: Path) -> None:
    index = open_index()
    write(index, 0, 15)
    before = pieces(path)
    open_index().tidy()
    assert pieces(path) == before


def test_writers_go_on_while_another_thread_tidies_up(open_index: Callable[..., SqliteIndex]) -> None:
    index = open_index()
    done = threading.Event()

    def tidy() -> None:
        while not done.is_set():
            index.tidy()

    tidying = threading.Thread(target=tidy)
    tidying.start()
    try:
        write(index, 0, 150)
    finally:
        done.set()
        tidying.join()
    assert index.count(PERSON) == 150
    assert len(index.postings(["harbour"])[0].passages) == 150
    index.check()
