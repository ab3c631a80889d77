"""The whole filter: each part of it counts, times are the vault's, and patterns are `.gitignore`'s."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model.filters.entries import NOW, entry
from vault_memory.errors import UsageError
from vault_memory.model.filters.choice import filter_from
from vault_memory.model.filters.chosen import Filter, Look
from vault_memory.model.filters.pattern import parse_pattern
from vault_memory.model.filters.unmet import unmet
from vault_memory.model.filters.when import read_when
from vault_memory.model.namespace import Namespace

BERLIN = ZoneInfo("Europe/Berlin")


def chosen(*, inline_tags: bool = True, folder: str | None = None, **given: object) -> Filter:
    place = Namespace(folder) if folder else None
    return filter_from(given, folder=place, now=NOW, zone=BERLIN, inline_tags=inline_tags)


AT_ONE = datetime(2026, 3, 10, 13)  # noqa: DTZ001 - without a zone, it is in the vault's
ONE = entry(
    {"status": "open"}, path="shared/lab/standup-0412.md", tags=("a",), inline_tags=("b",), kind="Decision",
    source_agent="akashi", created=datetime(2026, 3, 10, 12, tzinfo=UTC),
)  # fmt: skip


@pytest.mark.parametrize(
    ("given", "fits"),
    [
        ({}, True), ({"tag": "a and b"}, True), ({"tag": ["a", "b"]}, True), ({"tag": ["a", "c"]}, False),
        ({"tag": "b", "inline_tags": False}, False), ({"kind": "decision"}, True),
        ({"kind": "evidence, DECISION"}, True), ({"kind": ["evidence"]}, False),
        ({"source_agent": ["mira", "Akashi"]}, True), ({"source_agent": "mira"}, False),
        ({"folder": "shared/lab"}, True), ({"folder": "shared/la"}, False),
        ({"path": "standup-*"}, True), ({"path": ["x", "lab/"]}, True), ({"path": "x"}, False),
        ({"where": "status=open"}, True), ({"where": ["status=open", "status=done"]}, False),
        ({"since": "2026-03-10"}, True), ({"since": "2026-03-11"}, False), ({"until": "2026-03-10"}, True),
        ({"until": "2026-03-09"}, False), ({"since": "4d"}, True), ({"since": "3d"}, False),
        ({"since": date(2026, 3, 10)}, True), ({"since": AT_ONE}, True),
        ({"since": AT_ONE + timedelta(minutes=1)}, False), ({"until": ONE.created}, True),
        ({"tag": None, "kind": [], "path": (), "where": None, "since": None}, True),
    ],
)  # fmt: skip
def test_every_part_of_a_filter_counts(given: dict[str, object], fits: bool) -> None:
    assert chosen(**given).matches(ONE) is fits  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong",
    [
        {"tag": 5}, {"tag": [None]}, {"tag": {"a": 1}}, {"tag": b"a"}, {"tag": ""}, {"kind": " , "},
        {"kind": 1}, {"source_agent": [[]]}, {"since": "tomorow"}, {"since": 5}, {"until": ""},
        {"path": "../x"}, {"path": ""},
        {"path": "x" * 1_001}, {"where": 1.5}, {"since": "2026-04", "until": "2026-03"},
        {"since": "-7d"}, {"since": "999999999d"}, {"since": "99999999999999999999"},
    ],
    ids=repr,
)  # fmt: skip
def test_what_is_no_filter_is_a_usage_error(wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        chosen(**wrong)  # type: ignore[arg-type]


def test_a_memory_without_a_date_is_told_apart_only_where_a_time_is_asked_for() -> None:
    undated = entry(tags=("a",))
    assert chosen(tag="a").look(undated) is Look.FITS
    assert chosen(tag="a", since="2020").look(undated) is Look.UNDATED
    assert chosen(tag="a", until="2030").look(undated) is Look.UNDATED
    assert chosen(tag="b", since="2020").look(undated) is Look.OUT


def test_a_filter_that_asks_nothing_is_none() -> None:
    assert not Filter.none
    assert Filter.none.matches(entry())
    assert chosen(inline_tags=False) == Filter(inline_tags=False)


SPANS = {
    "2026-03-14": ("2026-03-13T23:00", "2026-03-14T23:00"),
    "2026-03": ("2026-02-28T23:00", "2026-03-31T22:00"),  # summer begins on the 29th
    "2026": ("2025-12-31T23:00", "2026-12-31T23:00"),
    "today": ("2026-03-13T23:00", "2026-03-14T23:00"),
    "Yesterday": ("2026-03-12T23:00", "2026-03-13T23:00"),
    "7d": ("2026-03-06T23:00", "2026-03-07T23:00"),
    "2 weeks ago": ("2026-02-27T23:00", "2026-02-28T23:00"),
    "1 month": ("2026-02-13T23:00", "2026-02-14T23:00"),
    "P1Y": ("2025-03-13T23:00", "2025-03-14T23:00"),
    "12h": ("2026-03-14T00:00", "2026-03-14T00:00"),
    "PT30M": ("2026-03-14T11:30", "2026-03-14T11:30"),
    "2026-03-14T10:15": ("2026-03-14T09:15", "2026-03-14T09:15"),
    "2026-03-14T10:15Z": ("2026-03-14T10:15", "2026-03-14T10:15"),
    "now": ("2026-03-14T12:00", "2026-03-14T12:00"),
}


@pytest.mark.parametrize(("text", "ends"), SPANS.items())
def test_a_time_names_a_stretch_in_the_vaults_zone(text: str, ends: tuple[str, str]) -> None:
    span = read_when(text, NOW, BERLIN)
    assert span is not None
    assert (f"{span.start:%Y-%m-%dT%H:%M}", f"{span.end:%Y-%m-%dT%H:%M}") == ends
    assert span.start < span.end


@pytest.mark.parametrize(
    "text", ["", "90", "0d", "-7d", "soon", "last", "14:30", "2026-02-30", "9" * 40, "d"]
)
def test_what_names_no_time_is_none(text: str) -> None:
    assert read_when(text, NOW, BERLIN) is None


@given(st.text(max_size=30), st.datetimes(timezones=st.just(UTC)))
def test_any_text_names_a_stretch_or_none_at_any_time(text: str, now: datetime) -> None:
    span = read_when(text, now, BERLIN)
    assert span is None or span.start < span.end


@given(st.integers(0, 5_000), st.sampled_from("dw"), st.integers(0, 3_000_000_000))
def test_so_many_days_ago_is_that_whole_day(count: int, unit: str, at: int) -> None:
    now = datetime.fromtimestamp(at, UTC)
    span = read_when(f"{count}{unit}", now, UTC)
    if count == 0:
        assert span is None
        return
    days = count * (7 if unit == "w" else 1)
    assert span is not None
    assert span.start.date() == now.date() - timedelta(days)
    assert span.end - span.start == timedelta(1)


PATTERNS = [
    ("notes", "notes/a.md", True), ("notes/", "notes/a.md", True), ("notes", "x/notes/a.md", True),
    ("/notes", "x/notes/a.md", False), ("notes/", "notes", False), ("a.md", "x/y/a.md", True),
    ("*.md", "x/y/a.md", True), ("x/*.md", "x/y/a.md", False), ("x/*", "x/y/a.md", True),
    ("x/**/a.md", "x/a.md", True), ("x/**/a.md", "x/y/z/a.md", True), ("**/z/**", "x/y/z/a.md", True),
    ("x/**", "x/y/a.md", True), ("x/**", "x", False), ("**", "a.md", True), ("./x/a.md", "x/a.md", True),
    ("standup-????.md", "p/standup-0412.md", True), ("standup-[01]*", "standup-0412.md", True),
    ("standup-[!0]*", "standup-0412.md", False), ("[a", "[a", True), ("A.md", "a.md", False),
    ("caf\u00e9/", "cafe\u0301/a.md", True), ("x y/*.md", "x y/a.md", True), ("shared/**/2026-*.md",
     "shared/lab/2026-03/2026-03-14.md", True),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "path", "fits"), PATTERNS)
def test_a_pattern_matches_paths_as_gitignore_does(pattern: str, path: str, fits: bool) -> None:
    assert parse_pattern(pattern).matches(path) is fits


SEGMENTS = st.text("ab", min_size=1, max_size=3)


@given(
    st.lists(st.one_of(st.text("ab*?", min_size=1, max_size=4), st.just("**")), min_size=1, max_size=5),
    st.lists(SEGMENTS, min_size=1, max_size=5),
)
def test_a_pattern_from_the_top_equals_its_regular_expression(parts: list[str], segments: list[str]) -> None:
    pieces = []
    for part in parts:
        if part == "**":
            pieces.append("(?:[ab]+/)*")
        else:
            star = re.sub(r"\*+", "*", part)
            pieces.append(star.replace("*", "[ab]*").replace("?", "[ab]") + "/")
    expected = "".join(pieces) + ("[ab]+/" if parts[-1] == "**" else "") + ".*"
    path = "/".join(segments)
    assert parse_pattern("/" + "/".join(parts)).matches(path) is bool(re.fullmatch(expected, f"{path}/"))


def test_a_hostile_pattern_takes_no_time() -> None:
    pattern = parse_pattern("**/" * 300 + "a*" * 40 + "b")
    assert not pattern.matches("/".join(["a" * 255] * 16))


def test_names_that_no_memory_has_are_told_with_those_that_there_are() -> None:
    entries = [
        entry({"bandgap": "1"}, tags=("trading",), kind="Decision", source_agent="akashi"),
        entry({}, inline_tags=("ops",), kind="evidence"),
    ]
    asked = chosen(tag="tradng or ops", kind="decison", source_agent="akasi", where="bandgp>1 and title~x")
    assert unmet(asked, entries) == (
        "no memory is of kind 'decison'; kinds met: decision, evidence",
        "no memory is by 'akasi'; agents met: akashi",
        "no memory has the tag 'tradng'; did you mean 'trading'?",
        "no memory has the key 'bandgp'; did you mean 'bandgap'?",
    )
    assert unmet(chosen(tag="trading", kind="evidence", where="bandgap=1"), entries) == ()
    assert unmet(chosen(tag="x", kind="y"), []) == ("no memory is of kind 'y'", "no memory has the tag 'x'")
