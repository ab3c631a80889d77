"""Scores: each part can only help, relevance rules, and time is reckoned from what was written."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model.candidates import entry
from vault_memory.model.fusion import Fused
from vault_memory.model.hit import Parts, Strategy
from vault_memory.model.kinds import half_life_days
from vault_memory.model.scoring import EXPONENTS, UNDATED, order, recency, score, scorer

NOW = datetime(2031, 5, 20, 12, 0, tzinfo=UTC)
share = st.floats(0, 1)
strategies = st.sampled_from(Strategy)
every_parts = st.builds(Parts, share, share, share, share, st.none() | share)


def test_every_strategy_has_its_exponents() -> None:
    assert set(EXPONENTS) == set(Strategy)


@given(every_parts, strategies)
def test_a_score_is_between_nothing_and_one(of: Parts, strategy: Strategy) -> None:
    assert 0 < score(of, strategy) <= 1


@given(every_parts, strategies, st.sampled_from(["relevance", "importance", "recency"]), share)
def test_more_of_any_part_never_lowers_the_score(
    of: Parts, strategy: Strategy, part: str, value: float
) -> None:
    other = of._replace(**{part: value})
    low, high = sorted((of, other), key=lambda one: float(getattr(one, part)))
    assert score(low, strategy) <= score(high, strategy)


@given(every_parts, strategies, st.sampled_from(["relevance", "importance", "recency"]))
def test_clearly_more_of_a_part_raises_the_score(of: Parts, strategy: Strategy, part: str) -> None:
    assert score(of._replace(**{part: 0.4}), strategy) < score(of._replace(**{part: 0.6}), strategy)


@given(st.floats(0.5, 1), share, share, st.floats(0, 0.25), share, share)
def test_balanced_never_puts_an_unfitting_memory_before_a_clearly_fitting_one(
    fits: float, low_importance: float, age: float, misfits: float, importance: float, fresh: float
) -> None:
    fitting = Parts(fits, low_importance, age, fits)
    unfitting = Parts(misfits, importance, fresh, misfits)
    assert score(fitting, Strategy.BALANCED) > score(unfitting, Strategy.BALANCED)


def test_each_strategy_favours_what_it_is_named_after() -> None:
    fresh, weighty = Parts(0.6, 0.2, 1.0, 0.6), Parts(0.6, 1.0, 0.1, 0.6)
    assert score(fresh, Strategy.RECENCY) > score(weighty, Strategy.RECENCY)
    assert score(weighty, Strategy.IMPORTANCE) > score(fresh, Strategy.IMPORTANCE)


def test_the_best_of_all_parts_scores_one() -> None:
    assert score(Parts(1, 1, 1, 1), Strategy.BALANCED) == 1


@pytest.mark.parametrize(
    ("age", "expected"),
    [(timedelta(0), 1.0), (timedelta(days=30), 0.5), (timedelta(days=60), 0.25), (timedelta(days=-400), 1.0)],
)
def test_recency_halves_with_each_half_life_and_the_future_is_now(age: timedelta, expected: float) -> None:
    assert recency(NOW - age, NOW, 30) == pytest.approx(expected)


def test_an_unknown_age_is_neutral_and_a_pinned_memory_is_always_fresh() -> None:
    assert recency(None, NOW, 30) == UNDATED
    assert recency(NOW - timedelta(days=9_000), NOW, 30, pinned=True) == 1.0
    assert recency(None, NOW, 30, pinned=True) == 1.0


def test_recency_compares_instants_not_clock_faces() -> None:
    there = (NOW - timedelta(days=30)).astimezone(timezone(timedelta(hours=9)))
    assert recency(there, NOW, 30) == pytest.approx(0.5)


@pytest.mark.parametrize(("half_life", "expected"), [(0, 0.0), (math.inf, 1.0), (1e-300, 0.0), (-5, 0.0)])
def test_an_odd_half_life_gives_a_number_all_the_same(half_life: float, expected: float) -> None:
    assert recency(NOW - timedelta(days=1), NOW, half_life) == expected


@given(st.datetimes(timezones=st.just(UTC)), st.floats(0.01, 1e6))
def test_recency_is_a_share_for_every_date(dated: datetime, half_life: float) -> None:
    assert 0 <= recency(dated, NOW, half_life) <= 1


def test_equal_scores_end_in_path_order() -> None:
    rows = [(0.5, "b.md"), (0.9, "z.md"), (0.5, "a.md")]
    assert [path for _, path in sorted(rows, key=lambda row: order(*row))] == ["z.md", "a.md", "b.md"]


@given(
    st.lists(st.tuples(share, share, st.none() | share), min_size=1, max_size=5),
    share,
    st.none() | st.datetimes(timezones=st.just(UTC)),
    st.booleans(),
    st.sampled_from([None, "episodic", "Constraint", "odd"]),
    strategies,
)
def test_passages_score_as_their_parts_say(
    found: list[tuple[float, float, float | None]],
    importance: float,
    dated: datetime | None,
    pinned: bool,
    kind: str | None,
    strategy: Strategy,
) -> None:
    memory = replace(entry(dated=dated), importance=importance, pinned=pinned, kind=kind)
    passages = [Fused(at, *one, 3) for at, one in enumerate(found)]
    scored = scorer(NOW, strategy)
    assert scored(memory, passages) == scored(memory, passages)
    parts, matched = scored(memory, passages)
    fresh = recency(dated, NOW, half_life_days(kind), pinned=pinned)
    relevance, keyword, meaning = found[0]
    assert parts == Parts(relevance, importance, fresh, keyword, meaning)
    assert [one.number for one in matched] == list(range(len(found)))
    assert [one.score for one in matched] == [
        score(parts._replace(relevance=one.relevance), strategy) for one in passages
    ]
