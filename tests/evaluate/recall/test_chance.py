"""Intervals and p values come again the same, hold what they must, and tell change from chance."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vault_memory.evaluate.recall.chance import FLIPS, Interval, differences, intervals

values = st.one_of(st.none(), st.floats(0, 1))
rows = st.lists(st.tuples(values, values), min_size=1, max_size=12)


def one(found: list[Interval | None]) -> Interval:
    [interval] = found
    assert interval is not None
    return interval


def test_the_mean_is_of_the_questions_that_have_a_value() -> None:
    first, second = intervals([(1.0, None), (0.0, 0.25), (None, 0.75)])
    assert first is not None
    assert first.mean == 0.5
    assert second is not None
    assert second.mean == 0.5


def test_a_metric_without_any_value_has_no_interval() -> None:
    assert intervals([(None, 1.0)])[0] is None
    assert differences([(None, 1.0)], [(1.0, 1.0)])[0] is None


def test_the_interval_of_halves_is_that_of_a_fair_coin() -> None:
    found = one(intervals([(float(number % 2),) for number in range(400)]))
    # 1.96 standard errors of a mean of 400 fair coins are .049.
    assert found.mean == 0.5
    assert found.low == pytest.approx(0.451, abs=0.006)
    assert found.high == pytest.approx(0.549, abs=0.006)


def test_questions_that_are_all_alike_leave_nothing_to_chance() -> None:
    assert one(intervals([(0.25,)] * 9)) == Interval(0.25, 0.25, 0.25)


@settings(max_examples=20)
@given(rows)
def test_the_same_values_give_the_same_intervals_around_their_mean(
    found: list[tuple[float | None, float | None]],
) -> None:
    first = intervals(found)
    assert first == intervals(found)
    for interval in first:
        if interval is not None:
            assert 0 <= interval.low <= interval.mean + 1e-9
            assert interval.mean - 1e-9 <= interval.high <= 1 + 1e-9


@settings(max_examples=10)
@given(rows)
def test_what_is_compared_with_itself_differs_in_nothing(
    found: list[tuple[float | None, float | None]],
) -> None:
    for difference in differences(found, found):
        if difference is not None:
            assert difference.difference == Interval(0, 0, 0)
            assert (difference.better, difference.worse, difference.p) == (0, 0, 1)


def test_a_difference_is_b_less_a_and_counts_what_rose_and_fell() -> None:
    [found] = differences([(0.0,), (0.5,), (1.0,), (None,)], [(1.0,), (0.5,), (0.75,), (1.0,)])
    assert found is not None
    assert (found.a, found.b) == (0.5, 0.75)
    assert found.difference.mean == 0.25
    assert (found.better, found.worse) == (1, 1)


def test_what_rises_everywhere_is_not_by_chance_and_what_rises_once_may_be() -> None:
    [sure] = differences([(0.0,)] * 30, [(1.0,)] * 30)
    [single] = differences([(0.0,)] * 30, [(1.0,)] + [(0.0,)] * 29)
    assert sure is not None
    assert sure.p == pytest.approx(1 / (FLIPS + 1), abs=1e-3)
    assert single is not None
    assert single.p == 1


def test_the_p_value_of_five_rises_out_of_five_is_that_of_coins() -> None:
    [found] = differences([(0.0,)] * 5, [(1.0,)] * 5)
    assert found is not None
    assert found.p == pytest.approx(2 / 2**5, abs=0.01)
