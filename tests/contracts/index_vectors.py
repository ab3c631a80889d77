"""What every index promises of vectors."""

from __future__ import annotations

import numpy as np
import pytest

from tests.contracts.index_values import (
    query,
    sha,
    unit,
    upsert,
)
from vault_memory.model.change import Removal
from vault_memory.model.namespace import PERSON, VaultPath
from vault_memory.ports import Index


class VectorsContract:
    """Vectors, and what is nearest."""

    def test_each_text_wants_a_vector_once(self, index: Index) -> None:
        index.apply([upsert("a.md", "one", "two"), upsert("b.md", "one")])
        assert index.shelf.missing() == {sha("one"): "one", sha("two"): "two"}
        before = index.generation
        assert index.apply([], vectors={sha("one"): unit(1, 0)}) == before + 1
        assert index.shelf.missing() == {sha("two"): "two"}
        index.apply([upsert("c.md", "three")], vectors={sha("two"): unit(0, 1), sha("three"): unit(1, 1)})
        assert index.shelf.missing() == {}
        index.apply([Removal(VaultPath("c.md"))])
        index.apply([upsert("d.md", "three")])
        assert index.shelf.missing() == {}

    def test_how_far_the_vectors_are_is_counted_by_text(self, index: Index) -> None:
        assert (index.shelf.share(), index.shelf.complete()) == ((0, 0), True)
        index.apply([upsert("a.md", "one", "two"), upsert("b.md", "one", "three")])
        assert (index.shelf.share(), index.shelf.complete()) == ((0, 3), False)
        assert index.shelf.missing(2) == {sha("one"): "one", sha("two"): "two"}
        index.apply([], vectors={sha("one"): unit(1, 0), sha("two"): unit(0, 1)})
        assert (index.shelf.share(), index.shelf.complete()) == ((2, 3), False)
        index.apply([], vectors={sha("three"): unit(1, 1)})
        assert (index.shelf.share(), index.shelf.complete()) == ((3, 3), True)
        assert list(index.shelf.kept().values()) == [3]

    def test_pruning_forgets_the_vectors_of_texts_that_are_gone_and_no_other(self, index: Index) -> None:
        vectors = {sha("one"): unit(1, 0), sha("two"): unit(0, 1)}
        index.apply([upsert("a.md", "one"), upsert("b.md", "two")], vectors=vectors)
        assert index.shelf.prune() == 0
        index.apply([Removal(VaultPath("b.md"))])
        assert index.shelf.prune() == 1
        index.apply([upsert("b.md", "two")])
        assert index.shelf.missing() == {sha("two"): "two"}
        assert index.nearest(query(1, 0), 1)[0].size == 1

    def test_the_nearest_come_first_and_equal_texts_all_come(self, index: Index) -> None:
        index.apply(
            [upsert("a.md", "east", "north"), upsert("b.md", "east", "north east"), upsert("c.md", "bare")]
        )
        vectors = {sha("east"): unit(1, 0), sha("north"): unit(0, 1), sha("north east"): unit(1, 1)}
        index.apply([], vectors=vectors)

        def nearest(limit: int) -> list[tuple[str, int, float]]:
            found, cosines = index.nearest(query(2, 0), limit)
            stored = index.passages(found.tolist())
            return [
                (stored[number].path, stored[number].passage.ordinal, round(cosine, 6))
                for number, cosine in zip(found.tolist(), cosines.tolist(), strict=True)
            ]

        everything = [("a.md", 0, 1.0), ("b.md", 0, 1.0), ("b.md", 1, 0.707107), ("a.md", 1, 0.0)]
        for limit in range(6):
            assert nearest(limit) == everything[:limit]
        index.apply([upsert("a.md", "north"), Removal(VaultPath("b.md"))])
        assert nearest(9) == [("a.md", 0, 0.0)]
        index.apply([upsert("d.md", "east")])
        assert nearest(9) == [("d.md", 0, 1.0), ("a.md", 0, 0.0)]
        index.apply([upsert("e.md", "west")], vectors={sha("west"): unit(-1, 0)})
        assert nearest(9)[-1] == ("e.md", 0, -1.0)

    def test_a_passage_takes_on_the_meaning_of_those_around_it_in_its_memory(self, index: Index) -> None:
        index.apply([upsert("a.md", "east", "bare", "north"), upsert("b.md", "east")])
        index.apply([], vectors={sha("east"): unit(1, 0), sha("north"): unit(0, 1)})
        assert index.nearest(query(0, 1), 9, (0.0, 0.0, 0.0, 1.0))[1].round(6).tolist() == [
            1.0,
            0.707107,
            0.0,
        ]
        index.apply([], vectors={sha("bare"): unit(1, 0)})
        found, cosines = index.nearest(query(0, 1), 9, (0.0, 0.0, 1.0, 0.0))
        stored = index.passages(found.tolist())
        places = [(stored[number].path, stored[number].passage.ordinal) for number in found.tolist()]
        assert places == [("a.md", 2), ("a.md", 1), ("a.md", 0), ("b.md", 0)]
        assert cosines.round(6).tolist() == [1.0, 0.707107, 0.0, 0.0]

    def test_only_those_that_may_be_found_take_a_place(self, index: Index) -> None:
        index.apply([upsert("a.md", "east"), upsert("b.md", "north")])
        index.apply([], vectors={sha("east"): unit(1, 0), sha("north"): unit(0, 1)})
        (north,) = [one.number for one in index.passages_of(VaultPath("b.md"))]
        among = np.arange(index.corpus(PERSON).lengths.size) == north
        assert index.nearest(query(1, 0), 1, among=among)[0].tolist() == [north]

    def test_a_zero_vector_is_near_to_nothing_and_no_fault(self, index: Index) -> None:
        zero = np.zeros(2, dtype="<f4").tobytes()
        index.apply([upsert("a.md", ""), upsert("b.md", "x")], vectors={sha(""): zero, sha("x"): unit(1, 0)})
        assert index.nearest(query(1, 0), 9)[1].round(6).tolist() == [1.0, 0.0]

    def test_a_text_that_has_a_vector_keeps_it(self, index: Index) -> None:
        index.apply([upsert("a.md", "x")], vectors={sha("x"): unit(1, 0)})
        index.apply([], vectors={sha("x"): unit(0, 1)})
        assert index.nearest(query(1, 0), 1)[1].tolist() == pytest.approx([1.0])
