"""The index in a file and in memory: the contract, opening, embedders."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from tests.adapters.indexes.processes import beside, run
from tests.contracts.index_contract import IndexContract, OpenIndex
from tests.contracts.index_values import many, query, sha, unit, upsert
from vault_memory.adapters.indexes.sqlite import schema
from vault_memory.adapters.indexes.sqlite.backend import SqliteIndex
from vault_memory.errors import SidecarError
from vault_memory.model.namespace import PERSON
from vault_memory.ports import Index


class TestInAFile(IndexContract):
    """The contract, on a disk."""

    @pytest.fixture
    def new_index(self, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenIndex]:
        """Each in a folder of its own."""
        opened: list[Index] = []

        def new() -> Index:
            folder = tmp_path_factory.mktemp("local")
            opened.append(SqliteIndex.open(folder / "index.db", embedder_id="e"))
            return opened[-1]

        yield new
        for index in opened:
            index.close()


class TestInMemory(IndexContract):
    """The contract, where there is no disk to write to."""

    @pytest.fixture
    def new_index(self) -> OpenIndex:
        """Gone with their last user."""
        return lambda: SqliteIndex.open(None, embedder_id="e")


# Opening


def test_a_new_file_says_that_it_has_to_be_filled_until_it_is(
    open_index: Callable[..., SqliteIndex], path: Path
) -> None:
    assert open_index().rebuilt == "there was no index yet"
    again = open_index()
    assert again.rebuilt == "there was no index yet"
    again.apply([upsert("a.md", "x")])
    assert open_index().rebuilt is None
    assert open_index().instance == again.instance


def test_only_the_last_folder_is_made(tmp_path: Path) -> None:
    gone = tmp_path / "unmounted" / ".vmem" / "local" / "index.db"
    index = SqliteIndex.open(gone)
    assert index.notice == "the index can't be written (no such file or directory): searching from memory"
    assert not (tmp_path / "unmounted").exists()
    index.apply([upsert("a.md", "x")])
    assert index.count(PERSON) == 1


def test_what_was_applied_is_there_after_closing_and_no_log_is_left(
    open_index: Callable[..., SqliteIndex], path: Path
) -> None:
    one, two = open_index(), open_index()
    one.apply(many(50))
    one.close()
    assert "index.db-wal" in beside(path)
    two.close()
    two.close()
    assert beside(path) == ["index.db"]
    assert open_index().count(PERSON) == 50
    with pytest.raises(SidecarError):
        one.count(PERSON)


def test_another_schema_is_dropped_and_named(open_index: Callable[..., SqliteIndex], path: Path) -> None:
    first = open_index()
    first.apply([upsert("a.md", "x")])
    first.close()
    with apsw.Connection(str(path)) as db:
        db.execute("UPDATE meta SET value = 999 WHERE name = 'schema'")
        db.execute("DROP TABLE passages")
    db.close()
    index = open_index()
    assert index.rebuilt == f"schema 999 → {schema.VERSION}"
    assert index.known_files() == {}
    assert index.instance != first._meta.instance
    index.apply([upsert("a.md", "x")])
    assert open_index().rebuilt is None


def test_a_database_of_another_program_is_no_index(
    open_index: Callable[..., SqliteIndex], path: Path
) -> None:
    path.parent.mkdir()
    db = apsw.Connection(str(path))
    db.execute("CREATE TABLE books (title)")
    db.close()
    assert open_index().rebuilt == "the file was damaged"


# Embedders


def test_vectors_of_two_embedders_are_never_mixed(open_index: Callable[..., SqliteIndex]) -> None:
    old = open_index("old")
    old.apply([upsert("a.md", "x", "y")], vectors={sha("x"): unit(1, 0), sha("y"): unit(0, 1)})
    new = open_index("new")
    assert new.rebuilt == "embedder old → new"
    assert new.shelf.missing() == {sha("x"): "x", sha("y"): "y"}
    assert new.nearest(query(1, 0), 9)[0].tolist() == []
    new.apply([], vectors={sha("x"): unit(0, 1)})
    assert new.rebuilt is None
    assert len(old.nearest(query(1, 0), 9)[0]) == 2
    new.apply([], vectors={sha("y"): unit(0, 1)})
    new.shelf.settle()
    assert open_index("old").shelf.missing() == {}, "those of the one before stay"
    assert new.nearest(query(0, 1), 9)[1].round(6).tolist() == [1.0, 1.0]


def test_of_other_embedders_only_the_vectors_made_last_are_kept(
    open_index: Callable[..., SqliteIndex],
) -> None:
    for name in ("z", "a", "m"):
        index = open_index(name)
        index.apply([upsert("a.md", "x")], vectors={sha("x"): unit(1, 0)})
        index.shelf.settle()
        assert index.rebuilt is None
    assert open_index("none").shelf.kept() == {"a": 1, "m": 1}
    back = open_index("a")
    assert (back.rebuilt, back.shelf.complete()) == ("embedder m → a", True)
    back.shelf.settle()
    assert open_index("a").rebuilt is None
    assert back.shelf.kept() == {"a": 1, "m": 1}


def test_without_an_embedder_nothing_waits_for_vectors_and_those_there_are_stay(
    open_index: Callable[..., SqliteIndex],
) -> None:
    some = open_index("some")
    some.apply([upsert("a.md", "x")], vectors={sha("x"): unit(1, 0)})
    none = open_index("none")
    assert (none.rebuilt, none.shelf.missing(), none.nearest(query(1, 0), 1)[0].tolist()) == (None, {}, [])
    none.apply([upsert("b.md", "z")])
    again = open_index("some")
    assert (again.rebuilt, again.shelf.missing()) == (None, {sha("z"): "z"})
    assert open_index("other").rebuilt == "embedder some → other"


def test_vectors_of_another_length_are_left_out(open_index: Callable[..., SqliteIndex]) -> None:
    index = open_index()
    index.apply([upsert("a.md", "x", "y")], vectors={sha("x"): unit(1, 0, 0), sha("y"): unit(1, 0)})
    assert len(index.nearest(query(1, 0), 9)[0]) == len(index.nearest(query(1, 0, 0), 9)[0]) == 1


# Import


def test_opening_and_writing_load_no_numpy(path: Path) -> None:
    script = """
        import sys
        from pathlib import Path
        from vault_memory.adapters.indexes.sqlite.backend import SqliteIndex
        from vault_memory.model.change import FileStamp, Upsert
        from vault_memory.model.memory import Memory
        from vault_memory.model.namespace import PERSON
        index = SqliteIndex.open(Path(sys.argv[1]))
        memory = Memory("a.md", "v", None, "t", "b", 1)
        index.apply([Upsert(FileStamp("a.md", 1, 1, 1, 1), True, memory, ())])
        assert index.count(PERSON) == 1
        index.close()
        assert "numpy" not in sys.modules
    """
    run(script, path)
