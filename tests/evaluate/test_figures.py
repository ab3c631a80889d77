"""Medians are medians, bars are held to them, and nothing is rounded before it is compared."""

from __future__ import annotations

import pytest

from vault_memory.evaluate import figures
from vault_memory.evaluate.bar import Bar
from vault_memory.evaluate.figures import (
    BARS,
    COLD_CPU,
    EMBED,
    FIRST_INDEX,
    FIRST_INDEX_VECTORS,
    GC,
    LINT,
    LIST,
    LIST_WHERE,
    MEANING_RECALL,
    REMEMBER,
    SEARCH,
    SEARCH_TAG,
    TAGS,
    Figure,
    as_json,
    growth,
    growth_from,
    many,
)
from vault_memory.evaluate.live import rows


def figure(*samples: float, what: str = SEARCH, memories: int = 10_000) -> Figure:
    return Figure(what, memories, "ms", samples)


def test_median_and_p95_are_of_the_samples() -> None:
    samples = figure(*range(1, 101))
    assert (samples.median, samples.p95) == (50.5, 96)
    assert (figure(3.0).median, figure(3.0).p95) == (3.0, 3.0)


@pytest.mark.parametrize(("median", "missed"), [(2.9, 0), (3.0, 0), (3.25, 0.25)])
def test_a_bar_is_kept_up_to_itself_and_missed_by_the_rest(median: float, missed: float) -> None:
    assert figure(median).bar == Bar(3)
    assert figure(median).missed_by == missed


def test_no_bar_stands_for_another_size() -> None:
    assert figure(99.0, memories=500).bar is None
    assert figure(99.0, memories=500).missed_by is None


def test_the_ratio_is_to_the_median_floor() -> None:
    one = Figure(REMEMBER, 1_000, "ms", (8.0, 10.0, 30.0), floors=(1.0, 2.0, 50.0))
    assert (one.floor, one.ratio) == (2.0, 5.0)
    assert (figure(1.0).floor, figure(1.0).ratio) == (None, None)


def test_growth_is_held_to_its_bar_from_a_thousand_to_ten_thousand_only() -> None:
    small, middle, large = (
        figure(ms, what=REMEMBER, memories=size) for ms, size in ((5.0, 100), (10.0, 1_000), (50.0, 10_000))
    )
    assert growth(middle, large).median == 5
    assert growth(middle, large).missed_by == 1
    assert growth(small, large).bar is None


def test_every_promise_has_its_bar() -> None:
    assert BARS[REMEMBER, 1_000] == Bar(12)
    assert BARS[REMEMBER, 10_000] == Bar(40)
    assert BARS[growth_from(1_000), 10_000] == Bar(4)
    assert BARS[many(1_000), 10_000] == Bar(5)
    beyond_start = [LIST, LIST_WHERE, SEARCH_TAG, TAGS, GC]
    assert [BARS[what, 10_000] for what in beyond_start] == [Bar(300)] * 5
    assert BARS[LINT, 10_000] == Bar(8)
    assert BARS[MEANING_RECALL, 10_000] == Bar(4)
    assert BARS[EMBED, 10_000] == Bar(20)
    assert BARS[FIRST_INDEX, 10_000] == Bar(10)
    assert (FIRST_INDEX_VECTORS, 10_000) not in BARS
    assert figure(650.0, what=COLD_CPU, memories=25).missed_by == 50
    assert len(BARS) - len(rows.BARS) == 21


def test_json_rounds_to_a_thousandth() -> None:
    [value] = as_json([figure(1.23456, 1.23456)])
    assert (value["median"], value["samples"], value["bar"], value["missed_by"]) == (1.235, 2, 3, 0)
    assert (value["bar_of"], value["bar_is"]) == ("median", "at most")


def test_a_bar_of_the_slowest_is_held_by_them_and_not_by_the_median() -> None:
    [pattern, *_] = rows.SAVED.values()
    quick, slow = [20.0] * 94, [20.0] * 90 + [400.0] * 10
    assert figures.of(pattern, 100, quick).missed_by == 0
    assert figures.of(pattern, 100, slow).median == 20
    assert figures.of(pattern, 100, slow).missed_by == 100
    assert figures.of(rows.IN_ROW_LAG, 10_000, [*quick, *[501.0] * 6]).missed_by == 1


def test_a_rate_is_missed_from_below() -> None:
    assert figures.of(rows.RATE, 100, [250.0]).missed_by == 0
    assert figures.of(rows.RATE, 100, [150.0]).missed_by == 50


def test_a_bar_in_floors_is_held_by_the_ratio_and_by_nothing_without_a_floor() -> None:
    assert figures.of(rows.CALL_WALL, 100, [30.0], [10.0]).missed_by == 1
    assert figures.of(rows.CALL_WALL, 100, [19.0], [10.0]).missed_by == 0
    assert figures.of(rows.CALL_WALL, 100, [19.0]).missed_by is None


def test_what_could_not_be_measured_is_neither_kept_nor_missed() -> None:
    missing = figures.unmeasured(rows.REST_CPU, 100, "this system does not tell")
    assert missing.missed_by is None
    [value] = as_json([missing])
    assert (value["samples"], value["median"], value["p99"], value["missed_by"]) == (0, None, None, None)
    assert value["not_measured"] == "this system does not tell"
    assert value["bar"] == 1


def test_growth_is_told_from_the_next_smaller_vault_that_was_measured() -> None:
    small, middle, large = (
        figure(ms, memories=size) for ms, size in ((2.0, 100), (4.0, 1_000), (20.0, 10_000))
    )
    every = [large, small, middle, figure(9.0, what=REMEMBER, memories=5_000)]
    assert figures.grown(large, every) == (5.0, 1_000)
    assert figures.grown(middle, every) == (2.0, 100)
    assert figures.grown(small, every) is None
