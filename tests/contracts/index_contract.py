"""What every implementation of the `Index` port promises."""

from __future__ import annotations

import pytest

from tests.contracts.index_belonging import BelongingContract
from tests.contracts.index_changes import ChangesContract
from tests.contracts.index_memories import MemoriesContract
from tests.contracts.index_opened import OpenIndex
from tests.contracts.index_since import SinceContract
from tests.contracts.index_terms import TermsContract
from tests.contracts.index_values import (
    places,
    query,
    sha,
    unit,
    upsert,
)
from tests.contracts.index_vectors import VectorsContract
from vault_memory.model.change import Removal
from vault_memory.model.memory import Finding, Link
from vault_memory.model.namespace import PERSON, VaultPath
from vault_memory.ports import Index

__all__ = ["IndexContract", "OpenIndex"]


class IndexContract(
    BelongingContract, ChangesContract, SinceContract, MemoriesContract, TermsContract, VectorsContract
):
    """Inherit, and give a fixture `new_index`: an `OpenIndex`."""

    @pytest.fixture
    def index(self, new_index: OpenIndex) -> Index:
        """An empty one."""
        return new_index()

    # Reading and dropping

    def test_reading_may_be_nested(self, index: Index) -> None:
        index.apply([upsert("a.md", "x")])
        with index.reading(), index.reading():
            assert index.generation == 1
            assert index.count(PERSON) == 1
        index.apply([upsert("b.md", "x")])
        assert index.count(PERSON) == 2

    def test_writing_inside_reading_is_refused_and_changes_nothing(self, index: Index) -> None:
        with index.reading(), pytest.raises(RuntimeError, match="reading"):
            index.apply([upsert("a.md", "x")])
        assert index.known_files() == {}

    def test_tidying_up_changes_no_answer(self, index: Index) -> None:
        index.tidy()
        for number in range(60):
            path = f"notes/{number}.md"
            index.apply([upsert(path, f"about ships and harbour number{number}\n")])
            if number % 7 == 0:
                index.tidy()
        index.apply([Removal(VaultPath("notes/3.md"))])
        before, generation = index.dump(), index.generation
        for _ in range(5):
            index.tidy()
        assert (index.dump(), index.generation) == (before, generation)
        assert len(index.postings(["number59"])[0].passages) == 1
        index.apply([upsert("notes/more.md", "one more\n")])
        assert index.generation == generation + 1

    def test_dropping_forgets_all_but_vectors(self, new_index: OpenIndex) -> None:
        index, fresh = new_index(), new_index()
        change = upsert("a.md", "x", links=(Link("y", 1),), findings=(Finding("VM1", "a.md", 1, "m"),))
        index.apply([change], vectors={sha("x"): unit(1, 0)})
        index.apply([upsert("b.md", "z")])
        before = index.generation
        index.drop()
        assert index.generation == before + 1
        assert index.rebuilt is not None
        assert (index.known_files(), index.corpus(PERSON).count, places(index, "x")) == ({}, 0, {})
        assert index.nearest(query(1, 0), 1)[0].tolist() == []
        index.apply([change])
        assert index.shelf.missing() == {}
        assert index.rebuilt is None
        fresh.apply([change], vectors={sha("x"): unit(1, 0)})
        assert index.dump() == fresh.dump()
