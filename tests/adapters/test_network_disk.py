"""On a network disk index and journal keep their promises without shared memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from tests.contracts.index_contract import IndexContract, OpenIndex
from tests.contracts.index_values import upsert
from tests.contracts.journal_contract import AT, JournalContract, operation
from vault_memory.adapters.files.disk import network_disk
from vault_memory.adapters.indexes.sqlite.backend import SqliteIndex
from vault_memory.adapters.journal import SqliteJournal
from vault_memory.model.namespace import VaultPath
from vault_memory.ports import Index


class TestIndex(IndexContract):
    """The contract of the index."""

    @pytest.fixture
    def new_index(self, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenIndex]:
        """Each in a folder of its own."""
        opened: list[Index] = []

        def new() -> Index:
            folder = tmp_path_factory.mktemp("local")
            opened.append(SqliteIndex.open(folder / "index.db", embedder_id="e", shared_memory=False))
            return opened[-1]

        yield new
        for index in opened:
            index.close()


class TestJournal(JournalContract):
    """The contract of the journal."""

    @pytest.fixture
    def journal(self, tmp_path: Path) -> SqliteJournal:
        return SqliteJournal(tmp_path / "state.db", shared_memory=False)


def mode_of(path: Path) -> str:
    """How the file is kept, by a look of SQLite's own."""
    db = apsw.Connection(str(path), apsw.SQLITE_OPEN_READONLY)
    try:
        return str(db.pragma("journal_mode"))
    finally:
        db.close()


def test_nothing_that_needs_shared_memory_lies_beside_the_files(tmp_path: Path) -> None:
    index = SqliteIndex.open(tmp_path / "index.db", shared_memory=False)
    journal = SqliteJournal(tmp_path / "state.db", shared_memory=False)
    index.apply([upsert("a.md", "heron")])
    journal.open([operation()], branch=None, at=AT)
    names = {place.name for place in tmp_path.iterdir()}
    assert names == {"index.db", "index.db-journal", "state.db", "state.db-journal"}
    assert mode_of(tmp_path / "index.db") != "wal"
    assert mode_of(tmp_path / "state.db") != "wal"
    index.close()
    journal.close_file()


def test_a_vault_that_moves_from_one_disk_to_another_keeps_its_index(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    for shared_memory, mode in ((True, "wal"), (False, "delete"), (True, "wal")):
        index = SqliteIndex.open(path, shared_memory=shared_memory)
        if index.rebuilt:
            index.apply([upsert("a.md", "heron")])
        assert list(index.known_files()) == [VaultPath("a.md")]
        index.close()
        assert mode_of(path) == mode


def test_a_reader_beside_a_writer_sees_whole_generations(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    one = SqliteIndex.open(path, shared_memory=False)
    two = SqliteIndex.open(path, shared_memory=False)
    for number in range(20):
        one.apply([upsert(f"{number}.md", "heron")])
        assert len(two.known_files()) == number + 1
    with two.reading():
        seen = len(two.known_files())
        assert seen == len(two.known_files()) == 20
    one.close()
    two.close()


def test_a_folder_on_a_disk_of_this_machine_is_on_no_network(tmp_path: Path) -> None:
    assert network_disk(tmp_path, mountinfo="27 1 0:1 / / rw - ext4 /dev/root rw\n") is None
    assert network_disk(tmp_path / "not there yet", mountinfo="27 1 0:1 / / rw - nfs4 s:/ rw\n") == "nfs4"


def test_a_link_to_a_local_folder_is_on_the_local_disk(tmp_path: Path) -> None:
    (tmp_path / "near").mkdir()
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "local").symlink_to(tmp_path / "near")
    mounts = f"27 1 0:1 / / rw - ext4 /dev/root rw\n28 27 0:2 / {tmp_path}/far rw - nfs4 server:/ rw\n"
    assert network_disk(tmp_path / "far", mountinfo=mounts) == "nfs4"
    assert network_disk(tmp_path / "far" / "local", mountinfo=mounts) is None
