"""What a reader keeps in memory follows what others write, and is what a fresh reader finds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.contracts.index_values import WORDS, changes, many, play, query, sha, sized, unit, upsert
from vault_memory.adapters.indexes.sqlite import followed, lexical, places, reads, touched, warming
from vault_memory.adapters.indexes.sqlite.backend import SqliteIndex
from vault_memory.errors import SidecarError
from vault_memory.model import around
from vault_memory.model.change import Change, Removal, Upsert
from vault_memory.model.namespace import PERSON, Scope, VaultPath
from vault_memory.model.weights import DEFAULT

if TYPE_CHECKING:
    from vault_memory.model.corpus import Corpus

SCOPES = (PERSON, Scope("akashi"), Scope("mira"))
TERMS = ("risk", "rsi", "nothing", "4o", "c++")
SPREAD = (0.1, 0.5, 0.3, 0.1)
ASKED = query(0.6, 0.8)
PATHS = ("a.md", "private/akashi/b.md", "shared/m/c.md", "shared/m/2026-01/d.md")
_SHARED = [HealthCheck.function_scoped_fixture]


def arrays(corpus: Corpus) -> list[object]:
    """All that ranking reads of a corpus."""
    columns = (corpus.lengths, corpus.memories, corpus.voices, corpus.cues, corpus.days, corpus.sides())
    voices = {number: corpus.names[number] for number in corpus.voice_numbers() if number}
    return [
        *((str(column.dtype), column.tolist()) for column in columns),
        None if corpus.readable is None else corpus.readable.tolist(),
        (corpus.count, corpus.mean_length, corpus.memory_count(), voices, corpus.voice_names()),
        around.lengths(corpus, DEFAULT).tolist(),
        around.mean_length(corpus, DEFAULT),
    ]


def content(index: SqliteIndex) -> list[object]:
    """All that answers are made of."""
    found: list[object] = []
    for scope in SCOPES:
        found += arrays(index.corpus(scope))
        found.append(index.count(scope))
    for one in index.postings(TERMS):
        found.append((one.term, one.passages.tolist(), one.own.tolist(), one.context.tolist()))
    numbers = range(index.corpus(PERSON).lengths.size)
    found += [index.passages(numbers), index.entries_of(numbers), index.known(map(VaultPath, PATHS))]
    for scope in (*SCOPES, *SCOPES[1:]):
        near, cosines = index.nearest(ASKED, 1_000, SPREAD, index.corpus(scope).readable)
        found += [near.tolist(), cosines.tolist()]
    found += [index.shelf.missing(), index.shelf.complete(), index.shelf.share()]
    return found


@pytest.fixture
def pair(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], tuple[SqliteIndex, SqliteIndex, Path]]:
    """Gives a writer and a reader of one new file, and the file."""

    def new() -> tuple[SqliteIndex, SqliteIndex, Path]:
        path = tmp_path_factory.mktemp("local") / "index.db"
        return SqliteIndex.open(path, embedder_id="e"), SqliteIndex.open(path, embedder_id="e"), path

    return new


STEPS = st.lists(
    st.tuples(st.lists(changes(), max_size=4), st.sets(WORDS, max_size=3), st.booleans()), max_size=6
)


@settings(max_examples=60, deadline=None, suppress_health_check=_SHARED)
@given(STEPS, st.sampled_from([3, 12, 1_000]), st.sampled_from([0, 3, 1_000]), st.booleans())
def test_a_reader_that_follows_finds_what_one_that_comes_new_finds(
    pair: Callable[[], tuple[SqliteIndex, SqliteIndex, Path]],
    steps: list[tuple[list[Change], set[str], bool]],
    most: int,
    aside: int,
    tight: bool,
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(touched, "MOST", most)
        patch.setattr(touched, "KEPT", 2 * most)
        patch.setattr("vault_memory.adapters.indexes.sqlite.matrix.ASIDE", aside)
        patch.setattr(places, "MOST_BYTES", 2 * places.A_TERM if tight else places.MOST_BYTES)
        patch.setattr(places, "STEPS", 2 if tight else places.STEPS)
        patch.setattr(places, "WIDE", 1 if tight else places.WIDE)
        patch.setattr(followed, "PASSAGES_BYTES", 2_000 if tight else followed.PASSAGES_BYTES)
        writer, reader, path = pair()
        files: dict[str, Upsert] = {}
        with closing(writer), closing(reader):
            for step, words, looks in steps:
                played = [sized(change, files) for change in step]
                for change in played:
                    play(files, change)
                vectors = {sha(word): unit(math.cos(len(word)), math.sin(len(word))) for word in words}
                writer.apply(played, vectors=vectors)
                if looks:
                    with closing(SqliteIndex.open(path, embedder_id="e")) as fresh:
                        assert content(reader) == content(fresh)
            with closing(SqliteIndex.open(path, embedder_id="e")) as fresh:
                assert content(reader) == content(fresh)
                assert content(writer) == content(fresh)


@pytest.fixture
def both(
    pair: Callable[[], tuple[SqliteIndex, SqliteIndex, Path]],
) -> Iterator[tuple[SqliteIndex, SqliteIndex]]:
    """A writer and a reader of a file with a few memories, which the reader has read."""
    writer, reader, _ = pair()
    writer.apply(many(20))
    content(reader)
    yield writer, reader
    writer.close()
    reader.close()


def test_after_a_write_no_more_is_read_than_was_written(
    both: tuple[SqliteIndex, SqliteIndex], monkeypatch: pytest.MonkeyPatch
) -> None:
    writer, reader = both

    def never(*_: object) -> object:
        raise AssertionError("this reads all passages again")

    monkeypatch.setattr(lexical, "read_corpus", never)
    monkeypatch.setattr(lexical, "read_postings", never)
    monkeypatch.setattr(lexical, "read_owners", never)
    before = {one.term: one.passages.size for one in reader.postings(["risk", "rsi"])}
    writer.apply([upsert("a.md", "risk", "rsi rsi"), upsert("private/akashi/b.md", "risk")])
    writer.apply([Removal(VaultPath("notes/00003.md")), upsert("notes/00004.md", "other")])
    after = {one.term: one.passages.size for one in reader.postings(["risk", "rsi"])}
    assert {term: after[term] - before[term] for term in after} == {"risk": 2 - 2, "rsi": 1 - 2}
    assert reader.corpus(PERSON).count == 40 + 3 - 3
    assert reader.corpus(Scope("mira")).count == reader.corpus(PERSON).count - 1


def test_a_vector_alone_leaves_passages_and_terms_as_they_were(
    both: tuple[SqliteIndex, SqliteIndex],
) -> None:
    writer, reader = both
    before = reader.corpus(PERSON)
    assert not reader.shelf.complete()
    writer.apply([], vectors={sha(text): unit(1, 0) for text in reader.shelf.missing().values()})
    assert reader.corpus(PERSON) is before
    assert reader.shelf.complete()


def test_who_could_not_follow_to_the_end_reads_all_anew(
    both: tuple[SqliteIndex, SqliteIndex], monkeypatch: pytest.MonkeyPatch
) -> None:
    writer, reader = both
    writer.apply([upsert("a.md", "risk")])

    def broken(*_: object) -> object:
        raise apsw.IOError("the disk is gone")

    with monkeypatch.context() as patch:
        patch.setattr(lexical, "read_rows", broken)
        with pytest.raises(SidecarError):
            reader.corpus(PERSON)
    assert content(reader) == content(writer)


def test_a_change_of_very_many_is_told_without_their_terms(both: tuple[SqliteIndex, SqliteIndex]) -> None:
    writer, reader = both
    writer.apply(many(touched.MOST))
    assert reader._db.execute("SELECT count(*) FROM touched").get == 0
    assert content(reader) == content(writer)


def test_what_changed_last_is_kept_and_no_more(both: tuple[SqliteIndex, SqliteIndex]) -> None:
    writer, _ = both
    for at in range(touched.KEPT + touched.MOST):
        writer.apply([upsert("a.md", f"word{at}")])
    rows = writer._db.execute("SELECT count(*), max(number) - min(number) + 1 FROM touched").fetchall()
    ((count, span),) = rows
    assert isinstance(count, int)
    assert count == span
    assert touched.KEPT - touched.MOST <= count <= touched.KEPT + touched.MOST


def test_a_reader_of_a_dropped_index_finds_nothing(both: tuple[SqliteIndex, SqliteIndex]) -> None:
    writer, reader = both
    writer.drop()
    assert reader.corpus(PERSON).count == 0
    assert [one.passages.size for one in reader.postings(["risk", "rsi"])] == [0, 0]
    assert reader.passages(range(50)) == {}


def test_what_is_kept_of_agents_is_bounded(
    both: tuple[SqliteIndex, SqliteIndex], monkeypatch: pytest.MonkeyPatch
) -> None:
    writer, reader = both
    monkeypatch.setattr(followed, "AGENTS_BYTES", 0)
    for number in range(3 * followed.FEWEST_AGENTS):
        writer.apply([upsert(f"private/agent-{number}/x.md", "risk")])
    sizes = [reader.corpus(Scope(f"agent-{at}")).count for at in range(3 * followed.FEWEST_AGENTS)]
    assert sizes == [41] * len(sizes)
    assert len(reader._kept.passages._agents) == followed.FEWEST_AGENTS
    assert reader.corpus(Scope("agent-0")).count == 41


def test_passages_make_room_for_others_a_few_at_a_time(
    both: tuple[SqliteIndex, SqliteIndex], monkeypatch: pytest.MonkeyPatch
) -> None:
    writer, reader = both
    kept = reader._kept.passages
    monkeypatch.setattr(followed, "PASSAGES_BYTES", 10 * (followed.A_PASSAGE + 20))
    kept._forget()
    every = {number: reader.passages([number])[number] for number in range(1, 41)}
    asked: list[int] = []

    def read(_: object, numbers: list[int]) -> object:
        asked.extend(numbers)
        return {number: every[number] for number in numbers}

    with monkeypatch.context() as patch:
        patch.setattr(reads, "passages", read)
        assert list(reader.passages([40, 31, 2])) == [40, 31, 2]
        assert asked == [2]
        assert list(reader.passages(range(1, 41))) == list(range(1, 41))
    assert len(kept._passages) >= 10
    writer.apply([Removal(VaultPath("notes/00019.md"))])
    assert reader.passages([40]) == {}
    assert kept._bytes == sum(map(followed._size, kept._passages.values())) <= followed.PASSAGES_BYTES


# Reading ahead


def test_reading_ahead_comes_to_an_end_and_leaves_nothing_to_be_read(
    both: tuple[SqliteIndex, SqliteIndex], monkeypatch: pytest.MonkeyPatch
) -> None:
    writer, reader = both
    writer.apply(many(warming.SELDOM + 8))
    for name in ("MEMORIES_AT_A_TIME", "PASSAGES_AT_A_TIME", "TERMS_AT_A_TIME"):
        monkeypatch.setattr(warming, name, 7)
    steps = 0
    while reader.warm():
        steps += 1
        assert steps < 1_000
        if steps == 3:
            writer.apply([upsert("a.md", "risk")])
    expected = content(writer)

    def never(*_: object) -> object:
        raise AssertionError("this was to be read ahead")

    with monkeypatch.context() as patch:
        patch.setattr(lexical, "read_corpus", never)
        patch.setattr(reads, "entries_by_number", never)
        numbers = range(1, 80)
        assert len(reader.passages(numbers)) == 79
        assert len(reader.entries_of(numbers)) == 79
        patch.setattr(lexical, "read_postings", never)
        assert [one.passages.size for one in reader.postings(["risk", "rsi"])] == [41, 40]
    assert content(reader) == expected


def test_reading_ahead_stops_where_half_of_the_room_is_taken(
    both: tuple[SqliteIndex, SqliteIndex], monkeypatch: pytest.MonkeyPatch
) -> None:
    writer, reader = both
    writer.apply(many(60))
    monkeypatch.setattr(places, "MOST_BYTES", 2 * places.A_TERM)
    while reader.warm():
        pass
    assert len(reader._kept.passages._places._terms) == 1
