"""Expressions over front matter: numbers as numbers, dates as dates, lists by any of their items."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model.filters.entries import NOW, entry, holds
from vault_memory.errors import ExpressionError
from vault_memory.model.filters.compare import literal
from vault_memory.model.filters.condition import AllOf, AnyOf, Condition, Not
from vault_memory.model.filters.known import KNOWN
from vault_memory.model.filters.where import COMPARISONS, Compared, Has, OneOf, parse_where

FRONT: dict[str, object] = {
    "bandgap": "1.50",
    "count": "10",
    "huge": "12345678901234567890",
    "status": "Open",
    "due": "2026-04-01",
    "at": "2026-04-01 09:30",
    "epoch": "1775001600",
    "owners": ["Ann", "Bo"],
    "empty": "",
    "nothing": "~",
    "none": [],
    "meta": {"source": {"name": "lab"}, "score": "3"},
    "people": [{"name": "Cy"}, {"name": "Di"}],
    "a.b": "literal",
    "my-key": "x",
    "größe": "XL",
    "two words": "yes",
    "when:now": "k",
    "version": "v1",
}  # fmt: skip


def where(expression: str) -> Condition:
    return parse_where(expression, NOW, ZoneInfo("Europe/Berlin"))


@pytest.mark.parametrize(
    ("expression", "fits"),
    [
        ("bandgap=1.5", True), ("bandgap>1.5", False), ("bandgap>=1.5", True), ("bandgap < 1.51", True),
        ("bandgap!=1.5", False), ("count>9", True), ("count<9", False), ("count=1e1", True),
        ("huge=12345678901234567891", False), ("bandgap=open", False), ("bandgap<open", False),
        ("status=open", True), ("STATUS=OPEN", True), ("status!=done", True), ("status=opened", False),
        ("status~PE", True), ("status<p", True), ("status>5", False), ("status<2026-01-01", False),
        ("missing=1", False), ("missing!=1", True), ("not missing=1", True), ("missing<1", False),
        ("missing~a", False), ("missing", False), ("not missing", True), ("status", True),
        ("empty", False), ("nothing", False), ("none", False), ("empty=''", True),
        ("due<2026-04-02", True), ("due=2026-04-01", True), ("due=2026-04", True), ("due>2026-03", True),
        ("due=2026", True), ("due>2026", False), ("due>today", True), ("due<20260402", True),
        ("at=2026-04-01", True), ("at>2026-04-01", False), ("at>'2026-04-01 09:00'", True),
        ("at<2026-04-01T07:31:00Z", True), ("at<2026-04-01T07:30:00Z", False),
        ("epoch=2026-04-01", True), ("epoch>1775001599", True),
        ("owners=bo", True), ("owners!=bo", False), ("owners=cy", False), ("owners~nn", True),
        ("owners", True),
        ("owners in (cy, BO)", True), ("owners not in (cy, bo)", False), ("status in (open)", True),
        ("not status in (done, closed)", True), ("status in ('open', \"done\")", True),
        ("meta.source.name=lab", True), ("Meta.Score>2", True), ("meta", True), ("meta=lab", False),
        ("meta.source.other", False), ("people.name=di", True), ("people", True), ("a.b=literal", True),
        ("my-key=x", True), ("größe=xl", True), ("GRÖSSE=xl", True), ('"two words"=yes', True),
        ("'when:now'=k", True),
        ("bandgap>1 and status=open", True), ("bandgap>2 or (status=open and count=10)", True),
        ("not (bandgap>1 and status=open)", False), ("bandgap>1 and not due", False),
        ("version=V1", True), ("status = open", True),
    ],
)  # fmt: skip
def test_a_where_expression_means_what_it_says(expression: str, fits: bool) -> None:
    assert holds(where(expression), entry(FRONT)) is fits


TYPED = entry(
    {"importance": "junk", "tags": "x", "created": "long ago"},
    path="shared/lab/2026-03/gap.md",
    title="Band gap",
    tags=("physics/semi", "Ops"),
    inline_tags=("draft",),
    kind="Evidence",
    source_agent="akashi",
    importance=0.5,
    pinned=True,
    created=datetime(2026, 3, 13, 23, 30, tzinfo=UTC),
    aliases=("The gap",),
)


@pytest.mark.parametrize(
    ("expression", "fits"),
    [
        ("importance=0.5", True), ("importance>0.4", True), ("importance", True),
        ("tags=physics", True), ("tags!=physics", False), ("tag=draft", True), ("tags~semi", True),
        ("tags=semi", False), ("tags in (x, ops)", True), ("tags", True), ("tags=x", False),
        ("kind=evidence", True), ("kind in (decision, evidence)", True),
        ("source_agent=akashi", True), ("pinned", True), ("pinned=yes", True), ("pinned=false", False),
        ("pinned!=false", True),
        ("created=2026-03-14", True), ("created=today", True), ("created>2026-03-13", True),
        ("created<2026-03-14", False), ("updated", False), ("updated!=2026", True), ("expires", False),
        ("not expires", True), ("expires<2030", False),
        ("title=band", False), ("title~BAND", True), ("title='band gap'", True), ("aliases='the gap'", True),
        ("path=shared/lab/2026-03/gap.md", True), ("path~lab/", True),
        ("namespace=lab", True), ("namespace=shared/lab", True), ("namespace=shared", True),
        ("namespace=la", False), ("namespace~lab", True), ("id", False),
    ],
)  # fmt: skip
def test_known_keys_compare_by_their_meaning(expression: str, fits: bool) -> None:
    assert holds(where(expression), TYPED) is fits


@pytest.mark.parametrize(
    ("expression", "at", "reason", "hint"),
    [
        ("", 0, "it is empty", None),
        ("bandgap>", 8, "a value to compare bandgap with", None),
        ("bandgap> and x", 9, "a value to compare bandgap with", "in quotes"),
        (">1", 0, "a key", None),
        ("!pinned", 0, "a key", "did you mean 'not'?"),
        ("a==1", 1, "no comparison '=='", "did you mean '='?"),
        ("a=>1", 1, "no comparison '=>'", "did you mean '>='?"),
        ("a<>1", 1, "no comparison '<>'", "did you mean '!='?"),
        ("a≥1", 1, "no comparison '≥'", "did you mean '>='?"),
        ("a!~b", 1, "no comparison '!~'", "not"),
        ("a=~>b", 1, "no comparison '=~>'", "comparisons are"),
        ("status: open", 6, "a key ends before ':'", "did you mean '='?"),
        ("status is open", 7, "'is' says nothing here", "did you mean '='?"),
        ("title contains gap", 6, "'contains' says nothing here", "did you mean '~'?"),
        ("title=foreign islands", 14, "'and', 'or' or the end", "quotes"),
        ("a=1, b=2", 3, "',' says nothing here", "did you mean 'and'?"),
        ("a=1 && b=2", 4, "'&&' says nothing here", "did you mean 'and'?"),
        ("a in open", 5, "'(' and values are expected", "a in (open, waiting)"),
        ("a in (open", 5, "this '(' is not closed", None),
        ("a in ()", 6, "a value", None),
        ("a in (b c)", 8, "',' or ')' is expected here", "quotes"),
        ("(a=1", 0, "this '(' is not closed", None),
        ("a=foo(bar)", 5, "'and', 'or' or the end", "quotes"),
        ("importance>high", 11, "importance can't be 'high'", "a number from 0 to 1"),
        ("created>soon", 8, "created can't be 'soon'", "2026-03-14"),
        ("pinned=maybe", 7, "pinned can't be 'maybe'", "true or false"),
        ("importance~5", 0, "importance can't be compared by '~'", "< <= > >="),
        ("tags<b", 0, "tags can't be compared by '<'", "= != ~"),
        (f"{'k' * 201}=1", 0, "longer than 200", None),
        ("(" * 1_000, 51, "more than 50", None),
    ],
)
def test_what_cannot_be_read_is_pointed_at(expression: str, at: int, reason: str, hint: str | None) -> None:
    with pytest.raises(ExpressionError) as caught:
        where(expression)
    assert caught.value.at == at, caught.value.message
    assert reason in caught.value.message
    assert hint is None or hint in (caught.value.hint or "")


PARTS = [
    "a",
    "bandgap",
    "and",
    "or",
    "not",
    "in",
    "(",
    ")",
    ",",
    "=",
    "!=",
    ">",
    "~",
    "1",
    "'x y'",
    '"',
    "2026-03",
]


@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PARTS), max_size=14).map(" ".join)))
def test_any_text_is_a_condition_or_an_error_with_its_place(text: str) -> None:
    place = len(text)
    try:
        condition = where(text)
    except ExpressionError as error:
        place = error.at
    else:
        assert where(str(condition)) == condition
        assert isinstance(holds(condition, entry(FRONT)), bool)
    assert 0 <= place <= len(text)


KEYS = st.text(min_size=1, max_size=10).filter(
    lambda key: key == key.strip() and key != "" and key.casefold() not in KNOWN
)
VALUES = st.text(max_size=10).map(lambda text: literal(text, NOW, ZoneInfo("Europe/Berlin")))
TERMS: st.SearchStrategy[Condition] = st.one_of(
    st.builds(Has, KEYS),
    st.builds(Compared, KEYS, st.sampled_from(COMPARISONS), VALUES),
    st.builds(OneOf, KEYS, st.lists(VALUES, min_size=1, max_size=3).map(tuple)),
)


@given(
    st.recursive(
        TERMS,
        lambda inner: st.one_of(
            st.builds(Not, inner),
            st.builds(AllOf, st.lists(inner, min_size=2, max_size=3).map(tuple)),
            st.builds(AnyOf, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        ),
        max_leaves=6,
    )
)
def test_a_condition_reads_back_from_what_it_prints(condition: Condition) -> None:
    assert where(str(condition)) == condition


NUMBERS = st.one_of(st.integers(-(10**20), 10**20), st.floats(-1e6, 1e6, allow_nan=False))


@given(NUMBERS, NUMBERS)
def test_numbers_compare_as_numbers(value: float, other: float) -> None:
    one = entry({"n": repr(value)})
    fits = {sign: holds(where(f"n{sign}{other!r}"), one) for sign in ("=", "!=", "<", "<=", ">", ">=")}
    assert fits == {
        "=": value == other, "!=": value != other, "<": value < other, "<=": value <= other,
        ">": value > other, ">=": value >= other,
    }  # fmt: skip


@given(st.dates(date(1990, 1, 1), date(2090, 1, 1)), st.times(), st.dates(date(1990, 1, 1), date(2090, 1, 1)))
def test_a_date_is_a_whole_day_in_the_vaults_zone(on: date, clock: time, day: date) -> None:
    at = datetime.combine(on, clock)
    one = entry({"at": f"{at:%Y-%m-%dT%H:%M:%S}"})
    assert holds(where(f"at={day}"), one) == (f"{at:%Y-%m-%d}" == str(day))
    assert holds(where(f"at<{day}"), one) == (f"{at:%Y-%m-%d}" < str(day))
    assert holds(where(f"at>={day}"), one) == (f"{at:%Y-%m-%d}" >= str(day))
