"""Answers as the text of their JSON: what `wire` and an encoder make of them, in a third of the time.

An answer names dozens of memories, each with the parts of its score; most of them come again and again.
"""

from __future__ import annotations

import json
from functools import lru_cache
from json.encoder import encode_basestring_ascii
from typing import TYPE_CHECKING, NamedTuple

from vault_memory.model import wire

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from vault_memory.model.hit import Dropped, Hit, Item, Parts, Recall, SearchResult
    from vault_memory.model.memory import Entry

_MOST_KEPT = 8_192
_text = encode_basestring_ascii
_encode = json.JSONEncoder(separators=(",", ":")).encode


class Encoded(NamedTuple):
    """A value, as ASCII JSON."""

    text: str


def recall(one: Recall) -> Encoded:
    """`wire.recall` of it."""
    return Encoded(
        f'{{"query":{_text(one.query)},"text":{_text(one.text)},"tokens":{one.tokens},"budget":{one.budget},'
        f'"considered":{one.considered},"filtered_out":{one.filtered_out},"mode":{_text(one.mode)},'
        f'"memories":{_list(map(_item, one.items))},"omitted":{_list(map(_dropped, one.omitted))},'
        f'"notices":{_encode(list(one.notices))}}}'
    )


def brief(one: Recall) -> Encoded:
    """What a prompt needs of it: the text, and of the memories left out only how many there are."""
    return Encoded(
        f'{{"query":{_text(one.query)},"text":{_text(one.text)},"tokens":{one.tokens},'
        f'"omitted":{len(one.omitted)},"notices":{_encode(list(one.notices))}}}'
    )


def search(one: SearchResult) -> Encoded:
    """`wire.search` of it."""
    return Encoded(
        f'{{"query":{_text(one.query)},"considered":{one.considered},"filtered_out":{one.filtered_out},'
        f'"mode":{_text(one.mode)},"hits":{_list(map(_hit, one.hits))},'
        f'"dropped":{_list(map(_dropped, one.dropped))},"notices":{_encode(list(one.notices))}}}'
    )


def _item(one: Item) -> str:
    return (
        f'{_entry(one.hit.entry)},"score":{one.hit.score:.4f},"parts":{_parts(one.hit.parts)},'
        f'"superseded_by":{_or_null(one.hit.superseded_by)},"shown":"{one.shown.value}","line":{one.line},"tokens":{one.tokens},"text":{_text(one.text)}}}'
    )


def _hit(one: Hit) -> str:
    passages = _encode([wire.passage(each) for each in one.passages])
    return (
        f'{_entry(one.entry)},"score":{one.score:.4f},"parts":{_parts(one.parts)},'
        f'"superseded_by":{_or_null(one.superseded_by)},"passages":{passages}}}'
    )


def _dropped(one: Dropped) -> str:
    entry, score, parts, reason, tokens, instead_of = one
    return (
        f'{_names(entry.id, entry.path, entry.title)},"score":{score:.4f},"parts":{_parts(parts)},'
        f'"reason":"{reason._value_}","tokens":{"null" if tokens is None else tokens},'
        f'"instead_of":{_or_null(instead_of)}}}'
    )


def _or_null(text: str | None) -> str:
    return "null" if text is None else _text(text)


def _parts(one: Parts | None) -> str:
    """Of four places after the point: the same number as one that is rounded to these."""
    if one is None:
        return "null"
    relevance, importance, recency, keyword, meaning = one
    last = "null" if meaning is None else f"{meaning:.4f}"
    return (
        f'{{"relevance":{relevance:.4f},"importance":{importance:.4f},"recency":{recency:.4f},'
        f'"keyword":{keyword:.4f},"meaning":{last}}}'
    )


@lru_cache(_MOST_KEPT)
def _names(id_: str | None, path: str, title: str) -> str:
    """The beginning of an object, left open."""
    return _encode({"id": id_, "path": path, "title": title})[:-1]


_kept: dict[tuple[str, str, datetime | None, datetime | None, datetime | None], str] = {}


def _entry(one: Entry) -> str:
    """An entry's object, left open."""
    # Of the same path and bytes it is the same, but for the zone in which its times were read.
    key = one.path, one.version, one.created, one.updated, one.expires
    found = _kept.get(key)
    if found is None:
        if len(_kept) >= _MOST_KEPT:
            _kept.clear()
        found = _kept[key] = _encode(wire.entry(one))[:-1]
    return found


def _list(objects: Iterable[str]) -> str:
    return f"[{','.join(objects)}]"
