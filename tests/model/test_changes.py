"""What became of memories since a look, and the token by which the next one goes on."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.contracts.index_values import entry_of, upsert
from vault_memory.errors import UsageError
from vault_memory.model.changes import (
    Event,
    Since,
    Trace,
    What,
    by_whom,
    events,
    first_events,
    names,
    without_own,
)
from vault_memory.model.filters.chosen import Filter
from vault_memory.model.looktoken import LookToken, parse_token, read_token, token_of
from vault_memory.model.memory import Entry
from vault_memory.model.namespace import Namespace


def entry(path: str, **fields: Any) -> Entry:
    return entry_of(upsert(path, "x", **fields))


def said(found: list[Event]) -> list[tuple[str, str | None, str]]:
    return [(one.what.value, one.came_from, one.entry.path) for one in found]


def test_what_has_its_id_elsewhere_has_moved_and_what_has_its_bytes_too() -> None:
    since = Since(
        [
            Trace(entry("new/a.md", id="01A"), 9),
            Trace(entry("new/b.md", version="b"), 9),
            Trace(entry("new/c.md", id="01C", version="c"), 9),
        ],
        [
            Trace(entry("old/a.md", id="01a"), 9),
            Trace(entry("old/b.md", version="b"), 9),
            Trace(entry("old/c.md", id="01D", version="c"), 9),
        ],
    )
    assert said(events(since, None)) == [
        ("moved", "old/a.md", "new/a.md"),
        ("moved", "old/b.md", "new/b.md"),
        ("added", None, "new/c.md"),
        ("removed", None, "old/c.md"),
    ]


def test_a_copy_is_new_and_the_original_has_moved_once() -> None:
    came = [Trace(entry(path, id="01A"), 9) for path in ("x/one.md", "x/two.md")]
    found = events(Since(came, [Trace(entry("a.md", id="01A"), 9)]), None)
    assert said(found) == [("moved", "a.md", "x/one.md"), ("added", None, "x/two.md")]


def test_who_looks_at_one_folder_sees_what_leaves_it_go_and_what_enters_it_come() -> None:
    since = Since([Trace(entry("b/x.md", id="01A"), 9)], [Trace(entry("a/x.md", id="01A"), 9)])
    assert said(events(since, None, Filter(folder=Namespace("a")))) == [("removed", None, "a/x.md")]
    assert said(events(since, None, Filter(folder=Namespace("b")))) == [("added", None, "b/x.md")]


def test_what_left_and_came_again_as_it_was_is_no_event() -> None:
    one, other = entry("a.md", version="1"), entry("a.md", version="2")
    assert events(Since([Trace(one, 9)], [Trace(one, 8)]), None) == []
    for since in (
        Since([Trace(other, 9)], [Trace(one, 8)]),
        Since([Trace(one, 9)], [Trace(one, 8, as_then=False)]),  # it had been another one before it left
    ):
        [changed] = events(since, None)
        assert changed.what is What.CHANGED


@pytest.mark.parametrize(
    ("front", "told"),
    [
        ({"notify": ["bo", "akashi"]}, True),
        ({"Notify": "bo, @Akashi"}, True),
        ({"notify": "akashi"}, True),
        ({"notify": ["aka", "akashi2", "\u0430kashi"]}, False),  # the last one's first letter is Cyrillic
        ({"notify": [["akashi"]]}, False),
        ({"notify": {"akashi": "yes"}}, False),
        ({"notify": None}, False),
        ({"tags": ["akashi"]}, False),
    ],
)
def test_a_memory_names_whom_its_notify_lists_and_no_look_alike(front: dict[str, object], told: bool) -> None:
    assert names(entry("a.md", front=front), "akashi") is told
    assert not names(entry("a.md", front=front), None)


def test_of_a_first_look_only_what_names_the_agent_is_told_the_newest_first() -> None:
    days = [None, datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC), None]
    known = [
        entry(f"{at}.md", dated=day, front={"notify": ["akashi"]} if at else {})
        for at, day in enumerate(days)
    ]
    assert [one.entry.path for one in first_events(known, "akashi")] == ["2.md", "1.md", "3.md"]
    assert first_events(known, None) == []


def test_what_only_the_caller_made_can_be_left_out() -> None:
    plain = [Event(What.CHANGED, entry(f"{name}.md")) for name in "abc"]
    moved = Event(What.MOVED, entry("d.md"), came_from="was.md")
    authors = {"a.md": ["akashi", "akashi"], "b.md": ["akashi", "Ada"], "was.md": ["bo"], "d.md": ["akashi"]}
    found = by_whom([*plain, moved], authors)
    assert [one.by for one in found] == [("akashi",), ("akashi", "Ada"), (), ("akashi", "bo")]
    assert [one.entry.path for one in without_own(found, ["akashi"])] == ["b.md", "c.md", "d.md"]


HEX = st.text("0123456789abcdef", min_size=40, max_size=64)


@given(st.text("0123456789abcdef", min_size=1, max_size=16), st.integers(0, 10**15), st.none() | HEX)
def test_a_token_is_read_as_it_was_written(instance: str, generation: int, head: str | None) -> None:
    token = token_of(instance, generation, head)
    assert parse_token(f" {token}\n") == token
    assert head is None or (token.commit is not None and head.startswith(token.commit))


@given(st.text(max_size=40))
def test_any_other_text_is_none(text: str) -> None:
    token = read_token(text)
    assert token is None or read_token(str(token)) == token
    if token is None:
        with pytest.raises(UsageError, match="is no token"):
            parse_token(text)


@pytest.mark.parametrize(
    "text", ["", "last", "7d", "HEAD~3", "a.1", "a.1.xyz", "a.-1.-", "a.1.-.b", "A.1.-", "é.1.-"]
)
def test_names_of_commits_and_dates_are_no_tokens(text: str) -> None:
    assert read_token(text) is None
    assert read_token("ab12.7.-") == LookToken("ab12", 7, None)
