"""Files, memories and vectors for tests of an index, and what it must answer about them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import strategies as st

from vault_memory.model.change import Change, FileStamp, KnownFile, Removal, Restamp, Upsert
from vault_memory.model.corpus import NO_DAY
from vault_memory.model.memory import Entry, Link, Memory
from vault_memory.model.namespace import PERSON, VaultPath
from vault_memory.model.passage import Passage, PassageTerms
from vault_memory.ports import Index, Spread

if TYPE_CHECKING:
    from vault_memory.model.corpus import Flags
    from vault_memory.model.vector import Vectors

AT = datetime(2026, 3, 1, 10, 15, 0, 123456, tzinfo=UTC)
NEXT_TO_NOTHING = [
    "c++", "c#", "gpt-4o", ".env", "a@b.co", "it's", '"', 'say"so', "'", "{}", "[x]", "(", "--", "*", "%",
    "_", "a*", "^", ":", "own:a", "\\", "`x`", "重启", "启动", "🙂", "👩\u200d💻", "ünï", "ß", "é", "\u0301",
    "near", "and", "null",
]  # fmt: skip


def sha(text: str) -> str:
    """The sha256 of a text, in hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def stamp(path: str, number: int = 1, size: int = 10) -> FileStamp:
    """A stamp that differs with its number."""
    return FileStamp(VaultPath(path), size, 10**18 + number, 10**18 + 2 * number, 4000 + number)


def upsert(
    path: str,
    *texts: str,
    context: str = "",
    number: int = 1,
    voices: Sequence[str] = (),
    cues: Sequence[int] = (),
    **fields: Any,
) -> Upsert:
    """A file with a passage for each text; terms are the words of the texts. Passages beyond the voices
    and cues have none."""
    body = "\n\n".join(texts)
    memory = Memory(
        **{
            "path": VaultPath(path),
            "version": sha(repr((path, texts, context, voices, cues, sorted(fields.items(), key=str)))),
            "id": None,
            "title": path.rpartition("/")[2],
            "body": body,
            "body_line": 1,
            **fields,
        }
    )
    passages = tuple(
        PassageTerms(
            Passage(ordinal, 2 * ordinal + 1, 2 * ordinal + 1, (f"H{ordinal}",), text, sha(text)),
            tuple(text.split()),
            tuple(context.split()),
            voice,
            cue,
        )
        for ordinal, (text, voice, cue) in enumerate(
            zip(texts, chain(voices, repeat("")), chain(cues, repeat(0)), strict=False)
        )
    )
    return Upsert(stamp(path, number, len(body)), True, memory, passages)


def entry_of(change: Upsert) -> Entry:
    """What the index must give back."""
    memory = change.memory
    return Entry(
        path=memory.path, version=memory.version, id=memory.id, title=memory.title,
        importance=memory.importance, tags=memory.tags,
        inline_tags=memory.inline_tags, aliases=memory.aliases, kind=memory.kind, pinned=memory.pinned,
        source_agent=memory.source_agent, created=memory.created, updated=memory.updated,
        dated=memory.dated, expires=memory.expires, size=change.stamp.size,
        conflicted=memory.conflicted, front=memory.front,
    )  # fmt: skip


def paths(entries: Iterable[Entry]) -> list[str]:
    """Just the paths."""
    return [entry.path for entry in entries]


def places(index: Index, term: str) -> dict[tuple[str, int], tuple[int, int]]:
    """(path, ordinal) of the passages that hold a term → how often in text and context."""
    (postings,) = index.postings([term])
    assert postings.term == term
    assert postings.passages.tolist() == sorted(set(postings.passages.tolist()))
    assert len(postings.passages) == len(postings.own) == len(postings.context)
    stored = index.passages(postings.passages.tolist())
    return {
        (stored[number].path, stored[number].passage.ordinal): (own, context)
        for number, own, context in zip(
            postings.passages.tolist(), postings.own.tolist(), postings.context.tolist(), strict=True
        )
    }


def unit(*numbers: float) -> bytes:
    """A vector of length one, as stored."""
    vector = np.array(numbers, dtype="<f4")
    return bytes((vector / np.linalg.norm(vector)).astype("<f4").tobytes())


def query(*numbers: float) -> np.ndarray[Any, np.dtype[np.float32]]:
    """A query's vector, as an embedder gives it."""
    return np.frombuffer(unit(*numbers), dtype="<f4").reshape(1, -1).astype(np.float32)


def day_of(change: Upsert) -> int:
    """The day of a memory, from 1970, in the zone in which it is told."""
    moment = change.memory.created or change.memory.dated
    return NO_DAY if moment is None else (moment.date() - date(1970, 1, 1)).days


def similarity(
    index: Index, asked: Vectors, spread: Spread, among: Flags | None = None
) -> dict[tuple[str, int], float]:
    """(path, ordinal) of all passages with a vector → how near they are."""
    numbers, cosines = index.nearest(asked, 1_000, spread, among)
    stored = index.passages(numbers.tolist())
    places = [(stored[number].path, stored[number].passage.ordinal) for number in numbers.tolist()]
    assert len(set(places)) == len(places)
    assert cosines.tolist() == sorted(cosines.tolist(), reverse=True)
    return dict(zip(places, cosines.tolist(), strict=True))


def check_against(index: Index, files: Mapping[str, Upsert]) -> None:
    """The index answers as if it had read these files just now."""
    assert index.known_files() == {
        path: KnownFile(change.stamp, change.memory.version, change.settled) for path, change in files.items()
    }
    assert index.entries(PERSON) == [entry_of(files[path]) for path in sorted(files)]
    assert index.count(PERSON) == len(files)
    corpus = index.corpus(PERSON)
    expected: dict[str, dict[tuple[str, int], tuple[int, int]]] = {}
    lengths = []
    for path, change in files.items():
        stored = index.passages_of(VaultPath(path))
        assert [one.passage for one in stored] == [piece.passage for piece in change.passages]
        numbers = [one.number for one in stored]
        assert numbers == [numbers[0] + ordinal for ordinal in range(len(numbers))]
        assert index.passages(numbers) == {one.number: one for one in stored}
        assert index.entries_of(numbers) == dict.fromkeys(numbers, entry_of(change))
        assert corpus.lengths[numbers].tolist() == [len(piece.terms) for piece in change.passages]
        assert len(set(corpus.memories[numbers].tolist())) == min(1, len(numbers))
        heard = [corpus.names[voice] if voice else "" for voice in corpus.voices[numbers].tolist()]
        assert heard == [piece.voice for piece in change.passages]
        assert corpus.cues[numbers].tolist() == [piece.cues for piece in change.passages]
        assert corpus.days[numbers].tolist() == [day_of(change)] * len(numbers)
        lengths += corpus.lengths[numbers].tolist()
        for piece in change.passages:
            own, context = Counter(piece.terms), Counter(piece.context)
            for term in own | context:
                place = (path, piece.passage.ordinal)
                expected.setdefault(term, {})[place] = (own[term], context[term])
        assert index.links_from(VaultPath(path)) == list(change.memory.links)
    spoken = {piece.voice for change in files.values() for piece in change.passages} - {""}
    assert set(corpus.voice_names()) == spoken
    absent = corpus.lengths < 0
    assert not corpus.voices[absent].any()
    assert not corpus.cues[absent].any()
    assert (corpus.memories[absent] == -1).all()
    assert (corpus.days[absent] == NO_DAY).all()
    assert corpus.count == len(lengths) == int((corpus.lengths >= 0).sum())
    assert corpus.mean_length == pytest.approx(sum(lengths) / len(lengths) if lengths else 0.0)
    assert {term: places(index, term) for term in expected} == expected


WORDS = st.sampled_from(["risk", "rsi", *NEXT_TO_NOTHING[:8]])
_TEXTS = st.lists(WORDS, max_size=4).map(" ".join)
_PATHS = st.sampled_from(["a.md", "private/akashi/b.md", "shared/m/c.md", "shared/m/2026-01/d.md"])


@st.composite
def changes(draw: st.DrawFn) -> Change:
    """Any change of one of a few files."""
    path = draw(_PATHS)
    kind = draw(st.sampled_from(["upsert", "upsert", "upsert", "removal", "restamp"]))
    if kind == "removal":
        return Removal(VaultPath(path))
    number, settled = draw(st.integers(1, 3)), draw(st.booleans())
    if kind == "restamp":
        return Restamp(stamp(path, number), settled)
    texts = draw(st.lists(_TEXTS, max_size=4))
    change = upsert(
        path,
        *texts,
        context=draw(_TEXTS),
        number=number,
        voices=draw(st.lists(st.sampled_from(["", "ann", "bo", "小明"]), max_size=4)),
        cues=draw(st.lists(st.integers(0, 3), max_size=4)),
        created=draw(st.sampled_from([None, AT, AT.astimezone(timezone(timedelta(hours=14)))])),
        dated=draw(st.sampled_from([None, AT, datetime(1969, 12, 31, 23, tzinfo=UTC)])),
    )
    links = tuple(Link(word, 1) for word in texts)
    return replace(change, settled=settled, memory=replace(change.memory, links=links))


def play(files: dict[str, Upsert], change: Change) -> None:
    """What a change does to the files known."""
    if isinstance(change, Removal):
        files.pop(change.path, None)
    elif isinstance(change, Upsert):
        files[change.stamp.path] = change
    elif (old := files.get(change.stamp.path)) is not None:
        kept = change.stamp._replace(size=old.stamp.size)
        files[change.stamp.path] = replace(old, stamp=kept, settled=change.settled)


def sized(change: Change, files: Mapping[str, Upsert]) -> Change:
    """A new stamp of unchanged bytes has the old size."""
    if isinstance(change, Restamp) and change.stamp.path in files:
        return replace(change, stamp=change.stamp._replace(size=files[change.stamp.path].stamp.size))
    return change


def many(count: int, text: str = "risk rsi") -> Sequence[Change]:
    """Changes that take a while."""
    return [upsert(f"notes/{at:05}.md", f"{text} {at}", "more of it") for at in range(count)]
