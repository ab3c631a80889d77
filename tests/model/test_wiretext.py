"""The text of an answer's JSON is that of its value, whatever is in it."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from tests.model.candidates import NOW, entry
from vault_memory.model import wire, wiretext
from vault_memory.model.hit import Dropped, Hit, Item, Parts, Reason, Recall, SearchResult, Shown
from vault_memory.model.memory import Entry
from vault_memory.model.namespace import VaultPath
from vault_memory.model.passage import Passage, StoredPassage

TEXTS = st.text(max_size=12) | st.sampled_from(['"', "\\", "\ud800", "重启", "\u2028", "</script>"])
SHARES = st.floats(0, 1) | st.sampled_from([0.00005, 0.12345, 0.99995, 1e-9])
NUMBERS = st.integers(0, 10**12)
TIMES = st.none() | st.timedeltas(timedelta(days=-20_000), timedelta(days=20_000)).map(lambda by: NOW + by)
PARTS = st.builds(Parts, SHARES, SHARES, SHARES, SHARES, st.none() | SHARES)


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    made = entry(draw(TEXTS), path=draw(TEXTS), id=draw(st.none() | TEXTS), agent=draw(st.none() | TEXTS))
    told = replace(
        made,
        importance=draw(SHARES),
        tags=tuple(draw(st.lists(TEXTS, max_size=2))),
        kind=draw(st.none() | TEXTS),
        pinned=draw(st.booleans()),
        created=draw(TIMES),
        updated=draw(TIMES),
        expires=draw(TIMES),
        size=draw(NUMBERS),
    )
    # A version is that of the bytes, of which all of these are read.
    return replace(told, version=sha256(repr(replace(told, path=VaultPath(""))).encode()).hexdigest())


PASSAGES = st.builds(
    StoredPassage,
    NUMBERS,
    TEXTS,
    st.builds(Passage, NUMBERS, NUMBERS, NUMBERS, st.tuples(TEXTS), TEXTS, TEXTS),
    NUMBERS,
)
HITS = st.builds(Hit, entries(), SHARES, PARTS, st.lists(PASSAGES, max_size=2).map(tuple))
ITEMS = st.builds(Item, HITS, st.sampled_from(Shown), NUMBERS, TEXTS, NUMBERS)
DROPPED = st.builds(
    Dropped,
    entries(),
    SHARES,
    st.none() | PARTS,
    st.sampled_from(Reason),
    st.none() | NUMBERS,
    st.none() | TEXTS,
)
LEFT_OUT = st.lists(DROPPED, max_size=3).map(tuple)
NOTICES = st.lists(TEXTS, max_size=2).map(tuple)


def read(encoded: wiretext.Encoded) -> object:
    assert encoded.text.isascii()
    assert "\n" not in encoded.text
    return json.loads(encoded.text)


def said(value: object) -> object:
    """What comes back of a value that is written as ever; the order of names is a part of it."""
    return json.loads(json.dumps(value))


@given(
    st.builds(
        Recall, TEXTS, TEXTS, st.lists(ITEMS, max_size=3).map(tuple), NUMBERS, NUMBERS, LEFT_OUT, NUMBERS,
        TEXTS, NOTICES, NUMBERS,
    )
)  # fmt: skip
def test_a_recall_reads_as_its_value_does(recall: Recall) -> None:
    for _ in range(2):  # the second time from what is kept
        assert repr(read(wiretext.recall(recall))) == repr(said(wire.recall(recall)))
    whole = wire.recall(recall)
    names = ("query", "text", "tokens", "notices")
    brief = {name: whole[name] for name in names} | {"omitted": len(recall.omitted)}
    assert read(wiretext.brief(recall)) == said(brief)


@given(
    st.builds(
        SearchResult, TEXTS, st.lists(HITS, max_size=3).map(tuple), LEFT_OUT, NUMBERS, TEXTS, NOTICES, NUMBERS
    )
)
def test_a_search_reads_as_its_value_does(search: SearchResult) -> None:
    for _ in range(2):
        assert repr(read(wiretext.search(search))) == repr(said(wire.search(search)))
