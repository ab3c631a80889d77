"""What every index promises of files and generations."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contracts.index_opened import SHARED, OpenIndex
from tests.contracts.index_values import (
    AT,
    changes,
    check_against,
    play,
    query,
    sha,
    similarity,
    sized,
    stamp,
    unit,
    upsert,
)
from vault_memory.model.change import Change, FileStamp, KnownFile, Removal, Restamp, Upsert
from vault_memory.model.memory import Finding, Link
from vault_memory.model.namespace import PERSON, Scope, VaultPath
from vault_memory.ports import ALONE, Index, Spread


class ChangesContract:
    """Files, numbers, generations."""

    def test_an_empty_index_answers_everything_with_nothing(self, index: Index) -> None:
        assert index.writable
        assert index.notice is None
        assert index.rebuilt is not None
        assert (index.known_files(), index.entries(PERSON), index.count(PERSON)) == ({}, [], 0)
        corpus = index.corpus(PERSON)
        assert (corpus.count, corpus.mean_length, corpus.lengths.tolist()) == (0, 0.0, [-1])
        assert index.postings(["risk"])[0].passages.size == 0
        assert (index.passages([0, 1]), index.entries_of([0, 1])) == ({}, {})
        assert index.nearest(query(1, 0), 5)[0].tolist() == []
        assert (index.shelf.missing(), index.findings(PERSON)) == ({}, [])
        assert index.entry(VaultPath("a.md")) is None
        assert index.passages_of(VaultPath("a.md")) == []
        assert index.links_from(VaultPath("a.md")) == []

    def test_no_change_is_no_new_generation(self, index: Index) -> None:
        assert index.apply([]) == index.generation == 0
        assert index.apply([upsert("a.md", "risk")]) == index.generation == 1
        assert index.apply([], vectors={}) == index.generation == 1

    def test_an_index_that_was_filled_is_no_longer_to_be_rebuilt(self, index: Index) -> None:
        index.apply([upsert("a.md", "risk")], vectors={sha("risk"): unit(1, 0)})
        assert index.rebuilt is None

    def test_each_change_of_content_is_a_generation_and_a_new_stamp_is_none(self, index: Index) -> None:
        one = upsert("a.md", "risk")
        assert index.apply([one]) == 1
        assert index.apply([one]) == 1
        assert index.apply([Restamp(stamp("a.md", 7, 4), False)]) == 1
        assert index.known_files()[VaultPath("a.md")] == KnownFile(
            stamp("a.md", 7, 4), one.memory.version, False
        )
        assert index.apply([upsert("a.md", "risks")]) == 2
        assert index.apply([Removal(VaultPath("a.md")), Removal(VaultPath("b.md"))]) == 3
        assert index.apply([Removal(VaultPath("a.md"))]) == 3
        assert index.apply([Restamp(stamp("a.md"), True)]) == 3
        assert index.known_files() == {}

    def test_known_gives_just_the_files_asked_for(self, index: Index) -> None:
        index.apply([upsert("a.md", "x"), upsert("b.md", "y")])
        both = index.known_files()
        assert index.known([VaultPath("b.md"), VaultPath("c.md")]) == {
            VaultPath("b.md"): both[VaultPath("b.md")]
        }

    def test_what_is_given_out_is_the_callers_own(self, index: Index) -> None:
        index.apply([upsert("a.md", "x")])
        index.known_files().clear()
        assert list(index.known_files()) == ["a.md"]
        with pytest.raises(ValueError, match="read-only"):
            index.corpus(PERSON).lengths[0] = 3

    def test_stamps_of_any_size_come_back_exactly(self, index: Index) -> None:
        odd = FileStamp(VaultPath("a.md"), 0, 2**64, -(2**63) - 1, 2**64 - 1)
        index.apply([replace(upsert("a.md", "x"), stamp=odd)])
        assert index.known_files()[VaultPath("a.md")].stamp == odd

    def test_numbers_of_unchanged_memories_stay(self, index: Index) -> None:
        index.apply([upsert("a.md", "one", "two"), upsert("b.md", "three")])
        before = index.passages_of(VaultPath("b.md"))
        index.apply([upsert("a.md", "one", "two", "and more"), upsert("b.md", "three", number=9)])
        assert index.passages_of(VaultPath("b.md")) == before

    def test_a_number_in_use_is_never_given_to_another(self, index: Index) -> None:
        index.apply([upsert("a.md"), upsert("b.md", "one"), upsert("c.md", "two", "three")])
        index.apply([upsert("a.md", "four"), upsert("c.md", "two"), Removal(VaultPath("b.md"))])
        index.apply([upsert("b.md", "five", "six")])
        files = {path: index.passages_of(VaultPath(path)) for path in ("a.md", "b.md", "c.md")}
        numbers = [one.number for stored in files.values() for one in stored]
        assert len(numbers) == len(set(numbers)) == 4
        assert [one.passage.text for one in files["b.md"]] == ["five", "six"]

    @settings(max_examples=60, suppress_health_check=SHARED)
    @given(st.lists(st.lists(changes(), max_size=5), max_size=6))
    def test_any_sequence_of_changes_equals_a_fresh_index(
        self, new_index: OpenIndex, steps: list[list[Change]]
    ) -> None:
        index, files = new_index(), dict[str, Upsert]()
        for step in steps:
            played: list[Change] = []
            for change in step:
                fitting = sized(change, files)
                played.append(fitting)
                play(files, fitting)
            index.apply(played)
            check_against(index, files)
        fresh = new_index()
        fresh.apply(list(files.values()))
        assert index.dump() == fresh.dump()
        index.close()
        fresh.close()

    @settings(max_examples=40, suppress_health_check=SHARED)
    @given(
        st.lists(st.lists(changes(), max_size=4), max_size=5),
        st.tuples(*[st.sampled_from([0.0, 0.5, 1.0])] * 4),
        st.data(),
    )
    def test_vectors_given_in_pieces_are_found_as_in_a_fresh_index(
        self, new_index: OpenIndex, steps: list[list[Change]], spread: Spread, given_: st.DataObject
    ) -> None:
        index, files, vectors = new_index(), dict[str, Upsert](), dict[str, bytes]()
        asked = query(0.6, 0.8)
        for step in steps:
            played = [sized(change, files) for change in step if not isinstance(change, Restamp)]
            for change in played:
                play(files, change)
            texts = sorted({one.passage.text for file in files.values() for one in file.passages})
            some = given_.draw(st.sets(st.sampled_from(texts)) if texts else st.just(set()))
            angles = {text: given_.draw(st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.0])) for text in sorted(some)}
            new = {sha(text): unit(math.cos(angle), math.sin(angle)) for text, angle in angles.items()}
            vectors = new | vectors  # a text has one vector for ever
            if given_.draw(st.booleans()):
                index.apply(played, vectors=new)
            else:
                index.apply(played)
                similarity(index, asked, spread)
                index.apply([], vectors=new)
            fresh = new_index()
            fresh.apply(list(files.values()), vectors=vectors)
            assert similarity(index, asked, spread) == pytest.approx(
                similarity(fresh, asked, spread), abs=1e-6
            )
            lengths = [one.corpus(Scope("mira")).lengths for one in (index, fresh)]
            assert similarity(index, asked, ALONE, lengths[0] >= 0) == pytest.approx(
                similarity(fresh, asked, ALONE, lengths[1] >= 0), abs=1e-6
            )
            fresh.close()
        index.close()

    def test_dumps_differ_where_anything_differs(self, new_index: OpenIndex) -> None:
        base = upsert("a.md", "risk", context="title")
        memory = base.memory
        others = [
            upsert("b.md", "risk", context="title"),
            upsert("a.md", "risk risk", context="title"),
            upsert("a.md", "risk", context="title title"),
            upsert("a.md", "risk", "", context="title"),
            upsert("a.md", "risk", context="title", voices=["ann"]),
            upsert("a.md", "risk", context="title", voices=["bo"]),
            upsert("a.md", "risk", context="title", cues=[1]),
            replace(base, memory=replace(memory, created=AT)),
            replace(base, memory=replace(memory, created=AT + timedelta(days=1))),
            replace(base, memory=replace(memory, title="other")),
            replace(base, memory=replace(memory, expires=AT)),
            replace(base, memory=replace(memory, front={"a": "b"})),
            replace(base, memory=replace(memory, links=(Link("x", 1),))),
            replace(base, memory=replace(memory, findings=(Finding("VM012", "a.md", 1, "m"),))),
        ]
        dumps = []
        for change in [base, *others]:
            index = new_index()
            index.apply([change])
            dumps.append(index.dump())
        assert all(one != other for at, one in enumerate(dumps) for other in dumps[:at])
