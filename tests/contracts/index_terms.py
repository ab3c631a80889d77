"""What every index promises of terms, and of who speaks, what is asked, of which day."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contracts.index_opened import SHARED, OpenIndex
from tests.contracts.index_values import (
    AT,
    NEXT_TO_NOTHING,
    places,
    upsert,
)
from vault_memory.model.change import Removal
from vault_memory.model.corpus import NO_DAY
from vault_memory.model.namespace import PERSON, Scope, VaultPath
from vault_memory.ports import Index


class TermsContract:
    """Postings, voices, cues, days."""

    def test_terms_come_back_as_they_were_cut(self, index: Index) -> None:
        index.apply([upsert("a.md", " ".join(NEXT_TO_NOTHING)), upsert("b.md", "gpt 4o c env it s b co")])
        for term in NEXT_TO_NOTHING:
            assert places(index, term) == {("a.md", 0): (1, 0)}
        assert places(index, "4o") == {("b.md", 0): (1, 0)}
        for part in ("gp", "gpt-4", "重", "a@b", ""):
            assert places(index, part) == {}

    @settings(suppress_health_check=SHARED)
    @given(
        st.lists(
            st.text(st.characters(exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp", "Lu")), min_size=1),
            min_size=1,
            max_size=20,
        )
    )
    def test_any_term_comes_back_as_it_was_cut(self, new_index: OpenIndex, terms: list[str]) -> None:
        index = new_index()
        change = upsert("a.md", "x")
        piece = replace(change.passages[0], terms=tuple(terms), context=(terms[0],))
        index.apply([replace(change, passages=(piece,))])
        for term, times in Counter(terms).items():
            assert places(index, term) == {("a.md", 0): (times, int(term == terms[0]))}
        index.close()

    def test_text_and_context_are_counted_apart(self, index: Index) -> None:
        index.apply([upsert("a.md", "risk risk rsi", "rsi", context="risk nvda nvda")])
        assert places(index, "risk") == {("a.md", 0): (2, 1), ("a.md", 1): (0, 1)}
        assert places(index, "nvda") == {("a.md", 0): (0, 2), ("a.md", 1): (0, 2)}
        assert places(index, "rsi") == {("a.md", 0): (1, 0), ("a.md", 1): (1, 0)}
        corpus = index.corpus(PERSON)
        assert corpus.mean_length == 2.0

    def test_postings_are_in_the_order_asked_and_may_repeat(self, index: Index) -> None:
        index.apply([upsert("a.md", "x y")])
        asked = ["y", "x", "nothing", "y"]
        assert [postings.term for postings in index.postings(asked)] == asked
        assert [postings.passages.size for postings in index.postings(asked)] == [1, 1, 0, 1]
        assert index.postings([]) == []

    # Who speaks, what is asked, of which day

    def test_voices_cues_and_days_come_back_by_passage(self, index: Index) -> None:
        east = datetime(2026, 3, 2, 1, tzinfo=timezone(timedelta(hours=9)))
        index.apply(
            [
                upsert("a.md", "x", "y", "z", voices=["ann", "", "bo"], cues=[1, 0, 3], created=east),
                upsert("b.md", "x", voices=["ann"], dated=datetime(1969, 12, 31, tzinfo=UTC)),
                upsert("c.md", "x", created=AT, dated=datetime(1969, 12, 31, tzinfo=UTC)),
                upsert("d.md", "x"),
            ]
        )
        corpus = index.corpus(PERSON)
        numbers = {
            path: [one.number for one in index.passages_of(VaultPath(path))]
            for path in ("a.md", "b.md", "c.md", "d.md")
        }
        ann, nobody, bo = corpus.voices[numbers["a.md"]].tolist()
        assert (corpus.names[ann], nobody, corpus.names[bo]) == ("ann", 0, "bo")
        assert corpus.voices[numbers["b.md"]].tolist() == [ann]
        assert corpus.cues[numbers["a.md"]].tolist() == [1, 0, 3]
        assert corpus.days[numbers["a.md"]].tolist() == [20_514] * 3, "the day it was where it was told"
        assert corpus.days[numbers["b.md"]].tolist() == [-1]
        assert corpus.days[numbers["c.md"]].tolist() == [20_513], "when it came to be goes before the rest"
        assert corpus.days[numbers["d.md"]].tolist() == [NO_DAY]

    def test_a_voice_is_there_as_long_as_it_has_a_passage_that_may_be_read(self, index: Index) -> None:
        index.apply(
            [
                upsert("private/mira/a.md", "x", "y", voices=["ann", "bo"]),
                upsert("shared/m/b.md", "x", voices=["bo"]),
            ]
        )
        assert set(index.corpus(PERSON).voice_names()) == {"ann", "bo"}
        assert set(index.corpus(Scope("mira")).voice_names()) == {"ann", "bo"}
        assert set(index.corpus(Scope("akashi")).voice_names()) == {"bo"}
        index.apply([upsert("shared/m/b.md", "x", voices=["cy"])])
        assert set(index.corpus(Scope("akashi")).voice_names()) == {"cy"}
        index.apply([Removal(VaultPath("private/mira/a.md"))])
        assert set(index.corpus(PERSON).voice_names()) == {"cy"}

    def test_halves_of_characters_in_a_voice_are_no_obstacle(self, index: Index) -> None:
        index.apply([upsert("a.md", "x", voices=["\ud800"])])
        assert set(index.corpus(PERSON).voice_names()) == {"\N{REPLACEMENT CHARACTER}"}
