"""What every implementation of the `Index` port promises."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.contracts.index_values import (
    AT,
    NEXT_TO_NOTHING,
    changes,
    check_against,
    entry_of,
    paths,
    places,
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
from vault_memory.model.corpus import NO_DAY
from vault_memory.model.memory import Finding, Link
from vault_memory.model.namespace import PERSON, Namespace, Scope, VaultPath
from vault_memory.model.textkey import text_key
from vault_memory.ports import ALONE, Index, Spread

OpenIndex = Callable[[], Index]
"""Gives a new, empty index at each call; its embedder is called `e` and has two dimensions."""


# `new_index` makes a new one whenever it is called, so examples don't meet; and the suite is inherited.
_SHARED = [HealthCheck.function_scoped_fixture, HealthCheck.differing_executors]


class IndexContract:
    """Inherit, and give a fixture `new_index`: an `OpenIndex`."""

    @pytest.fixture
    def index(self, new_index: OpenIndex) -> Index:
        """An empty one."""
        return new_index()

    # Files and generations

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

    @settings(max_examples=60, suppress_health_check=_SHARED)
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

    @settings(max_examples=40, suppress_health_check=_SHARED)
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

    # Memories

    def test_an_entry_comes_back_as_it_was(self, index: Index) -> None:
        away = timezone(timedelta(hours=-7, minutes=-30))
        change = upsert(
            "shared/m/ü.md", "text", id="01K8zQ", title="Größe 重启 🙂\x00 'x' \"y\"", importance=0.9,
            tags=("a", "b'c", "日本"), kind="semantic", pinned=True, source_agent="akashi", created=AT,
            updated=AT.astimezone(away), dated=datetime(1, 1, 1, tzinfo=UTC),
            expires=datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC), conflicted=True,
            front={"z": "1.10", "a": ["x", ["y"]], "m": {"k": {"n": ""}}, "no": "no", "e": [], "u": "\ud800"},
        )  # fmt: skip
        index.apply([change])
        found = index.entry(VaultPath("shared/m/ü.md"))
        assert found == entry_of(change)
        assert found is not None
        assert list(found.front) == ["z", "a", "m", "no", "e", "u"]
        assert index.entries(PERSON) == [found]
        (passage,) = index.passages_of(VaultPath("shared/m/ü.md"))
        assert index.entries_of([passage.number]) == {passage.number: found}

    def test_times_beyond_the_calendar_in_utc_are_held_to_its_ends(self, index: Index) -> None:
        east, west = timezone(timedelta(hours=14)), timezone(timedelta(hours=-12))
        early, late = datetime(1, 1, 1, tzinfo=east), datetime(9999, 12, 31, 23, tzinfo=west)
        index.apply([upsert("a.md", "x", created=early, expires=late)])
        found = index.entry(VaultPath("a.md"))
        assert found is not None
        assert found.created == datetime.min.replace(tzinfo=UTC)
        assert found.expires == datetime.max.replace(tzinfo=UTC)

    def test_halves_of_characters_are_no_obstacle(self, index: Index) -> None:
        index.apply(
            [upsert("a.md", "half \ud83d there", title="\ud800", id="\udfff", links=(Link("\ud800", 1),))]
        )
        found = index.entry(VaultPath("a.md"))
        assert found is not None
        assert found.title == "\N{REPLACEMENT CHARACTER}"
        assert places(index, "there") == {("a.md", 0): (1, 0)}
        assert index.find(PERSON, title="\udc80", id_prefix="\udc80") == [found]
        assert index.entry(VaultPath("\udc80")) is None

    def test_a_text_of_megabytes_comes_back_whole(self, index: Index) -> None:
        text = "risk 重启 " * 300_000
        index.apply([upsert("a.md", text, front={"k": text})])
        assert index.passages_of(VaultPath("a.md"))[0].passage.text == text
        assert places(index, "重启") == {("a.md", 0): (300_000, 0)}

    def test_the_passages_of_a_memory_are_numbered_on_and_know_how_many_they_are(self, index: Index) -> None:
        index.apply([upsert("a.md", "one", "two", "three"), upsert("b.md", "four")])
        index.apply([upsert("a.md", "one", "two", "three", "five")])
        passages = index.passages_of(VaultPath("a.md"))
        first = passages[0].number
        assert [(one.number, one.passage.ordinal, one.among) for one in passages] == [
            (first + at, at, 4) for at in range(4)
        ]
        numbers = [passages[2].number, passages[0].number, passages[2].number, 10_000]
        assert index.passages(numbers) == {one.number: one for one in (passages[0], passages[2])}
        assert index.passages(iter([])) == {}

    def test_entries_come_in_path_order_and_only_from_below_the_folder(self, index: Index) -> None:
        names = [
            "z.md",
            "a/b.md",
            "a-b/c.md",
            "a/b/c.md",
            "ab.md",
            "a0/x.md",
            "A/x.md",
            "%/x.md",
            "_/x.md",
            "ä/x.md",
        ]
        index.apply([upsert(name, "x") for name in names])
        assert paths(index.entries(PERSON)) == sorted(names)
        assert paths(index.entries(PERSON, under=Namespace("a"))) == ["a/b.md", "a/b/c.md"]
        assert paths(index.entries(PERSON, under=Namespace("%"))) == ["%/x.md"]
        assert paths(index.entries(PERSON, under=Namespace("_"))) == ["_/x.md"]
        assert paths(index.entries(PERSON, under=Namespace("nowhere"))) == []
        assert paths(index.entries(PERSON, under=Namespace(""))) == sorted(names)

    def test_what_ends_by_a_time_is_found_in_path_order_within_the_scope(self, index: Index) -> None:
        tick = timedelta(microseconds=1)
        index.apply(
            [
                upsert("z.md", "x", expires=AT - timedelta(days=9)),
                upsert("a.md", "x", expires=AT),
                upsert("b.md", "x", expires=AT + tick),
                upsert("c.md", "x"),
                upsert("private/akashi/d.md", "x", expires=AT),
                upsert("private/mira/e.md", "x", expires=AT.astimezone(timezone(timedelta(hours=13)))),
            ]
        )
        every = ["a.md", "private/akashi/d.md", "private/mira/e.md", "z.md"]
        assert paths(index.expired(PERSON, AT)) == every
        assert paths(index.expired(Scope("akashi"), AT)) == ["a.md", "private/akashi/d.md", "z.md"]
        assert paths(index.expired(PERSON, AT - tick)) == ["z.md"]
        assert index.expired(PERSON, AT)[0] == index.entry(VaultPath("a.md"))

    @pytest.mark.parametrize("agent", [None, "aka", "akashi", "mira", ""])
    def test_every_list_holds_what_the_scope_may_read_and_no_more(
        self, index: Index, agent: str | None
    ) -> None:
        names = [
            "notes/a.md", "shared/m/a.md", "private/akashi/a.md", "private/akashi/sub/a.md", "a.md",
            "private/akashi.md", "private/aka/a.md", "Private/akashi/a.md", "PRIVATE/mira/a.md",
            "private/mira/2026-01/a.md", "x/private/mira/a.md", "privates/mira/a.md",
        ]  # fmt: skip
        fault = Finding("VM012", "", 3, "broken")
        index.apply(
            [
                upsert(name, "x", title="Same", id=f"01K8{at}", findings=(replace(fault, path=name),))
                for at, name in enumerate(names)
            ]
        )
        scope = Scope(agent)
        readable = sorted(name for name in names if scope.may_read(name))
        assert paths(index.entries(scope)) == readable
        assert index.count(scope) == index.count(scope) == len(readable)
        assert index.corpus(scope).count == len(readable)
        inside = [index.corpus(scope).within(one) for one in index.postings(["x"])]
        assert [one.passages.size for one in inside] == [len(readable)]
        assert paths(index.find(scope, title="same")) == readable
        assert paths(index.find(scope, id_prefix="01k8")) == readable
        assert paths(index.find(scope, id_prefix="01k8", title="same")) == readable
        assert [found.path for found in index.findings(scope)] == readable
        below = [name for name in readable if name.startswith("private/")]
        assert paths(index.entries(scope, under=Namespace("private"))) == below

    def test_an_id_prefix_is_literal_and_its_case_does_not_count(self, index: Index) -> None:
        ids = {
            "a.md": "01K8ZQ4T",
            "b.md": "01K8ZR77",
            "c.md": "01k9",
            "d.md": "0_K8",
            "e.md": "%",
            "f.md": None,
        }
        index.apply([upsert(path, "x", id=id_) for path, id_ in ids.items()])
        assert paths(index.find(PERSON, id_prefix="01K8")) == ["a.md", "b.md"]
        assert paths(index.find(PERSON, id_prefix="01k8zr")) == ["b.md"]
        assert paths(index.find(PERSON, id_prefix="01K9")) == ["c.md"]
        assert paths(index.find(PERSON, id_prefix="0_")) == ["d.md"]
        assert paths(index.find(PERSON, id_prefix="%")) == ["e.md"]
        for nothing in ("", "*", "?", "01K8ZQ4TX", "K8", "01K8%", " 01K8"):
            assert index.find(PERSON, id_prefix=nothing) == []
        assert index.find(PERSON) == []

    def test_a_title_is_found_whole_whatever_its_case_and_composition(self, index: Index) -> None:
        index.apply(
            [
                upsert("a.md", "x", title="Straße Nr. 1"),
                upsert("b.md", "x", title="Cafe\u0301"),
                upsert("c.md", "x"),
            ]
        )
        assert paths(index.find(PERSON, title="STRASSE nr. 1")) == ["a.md"]
        assert paths(index.find(PERSON, title="CAFÉ")) == ["b.md"]
        assert index.find(PERSON, title="Straße") == []
        assert index.find(PERSON, title="%") == []

    def test_the_same_text_is_known_within_its_folder_and_its_months(self, index: Index) -> None:
        key = text_key("Buy low.")
        for path in ("shared/m/sub/a.md", "shared/mm/a.md", "shared/a.md", "shared/m/2026/a.md"):
            index.apply([upsert(path, "Buy low.")])
        assert index.same_text(Namespace("shared/m"), key) == []
        assert index.same_text(Namespace("shared/m"), text_key("other")) == []
        added = ["shared/m/x.md", "shared/m/2026-11/y.md", "shared/m/2026-11-2/z.md"]
        index.apply([upsert(path, "Buy low.") for path in added])
        assert paths(index.same_text(Namespace("shared/m"), key)) == sorted(added)
        assert paths(index.same_text(Namespace("shared/m/2026-11"), key)) == ["shared/m/2026-11/y.md"]

    def test_links_and_findings_come_in_order_and_go_with_their_memory(self, index: Index) -> None:
        links = (Link("b", 3, "link", "the B"), Link("a", 1, "supersedes"), Link("b", 3))
        faults = (Finding("VM2", "a.md", 9, "late", "do"), Finding("VM1", "a.md", 2, "ärly"))
        index.apply([upsert("b.md", "x", findings=(Finding("VM3", "b.md", 1, "m"),))])
        index.apply([upsert("a.md", "x", links=links, findings=faults)])
        assert index.links_from(VaultPath("a.md")) == list(links)
        other = Finding("VM3", "b.md", 1, "m")
        assert index.links(PERSON) == [(VaultPath("a.md"), link) for link in links]
        assert index.findings(PERSON) == [faults[1], faults[0], other]
        index.apply([upsert("a.md", "x")])
        assert index.links_from(VaultPath("a.md")) == []
        assert index.links(PERSON) == []
        assert index.findings(PERSON) == [other]

    # Terms

    def test_terms_come_back_as_they_were_cut(self, index: Index) -> None:
        index.apply([upsert("a.md", " ".join(NEXT_TO_NOTHING)), upsert("b.md", "gpt 4o c env it s b co")])
        for term in NEXT_TO_NOTHING:
            assert places(index, term) == {("a.md", 0): (1, 0)}
        assert places(index, "4o") == {("b.md", 0): (1, 0)}
        for part in ("gp", "gpt-4", "重", "a@b", ""):
            assert places(index, part) == {}

    @settings(suppress_health_check=_SHARED)
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

    # Vectors

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
