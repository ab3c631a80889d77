"""The table of live figures: every promise stands in it, and the page shows it as it is."""

from __future__ import annotations

from pathlib import Path

from vault_memory.evaluate import bench
from vault_memory.evaluate.bar import MEDIAN, P95, P99, RATIO, Bar
from vault_memory.evaluate.live import rows

PAGE = Path(__file__).parents[3] / "docs" / "benchmarks.md"


def test_every_promise_has_its_bar() -> None:
    assert rows.RECALL.bars == {1_000: Bar(1), 10_000: Bar(3), 100_000: Bar(8)}
    assert rows.AGAIN.bars == {rows.ANY: Bar(0.2)}
    assert rows.ACKNOWLEDGED.bars == {rows.ANY: Bar(2)}
    assert rows.RATE.bars == {rows.ANY: Bar(200, least=True)}
    assert rows.IN_ROW_LAG.bars == {10_000: Bar(500, P99)}
    assert rows.CALL_WALL.bars == rows.CALL_CPU.bars == {rows.ANY: Bar(2, RATIO)}
    assert rows.CALL_HOOK.bars == {rows.ANY: Bar(60)}
    assert rows.FIRST_CALL.bars == {rows.ANY: Bar(1500)}
    assert {bar for row in rows.SAVED.values() for bar in row.bars.values()} == {Bar(300, P95)}
    assert rows.CHECKOUT.bars == {10_000: Bar(3)}
    assert rows.RECONCILED.bars == {10_000: Bar(150), 100_000: Bar(1500)}
    assert rows.REST_CPU.bars == {rows.ANY: Bar(1)}
    assert rows.REST_MEMORY.bars == {10_000: Bar(250)}


def test_no_two_figures_have_the_same_name() -> None:
    assert len({row.what for row in rows.ROWS}) == len(rows.ROWS)


def test_each_probe_has_its_figures() -> None:
    assert list(rows.PARTS) == [*bench.GROUPS["live"]]


def test_the_page_shows_the_table_as_it_is() -> None:
    assert rows.bars_markdown() in PAGE.read_text(encoding="utf-8"), "make docs-write writes it anew"


def test_a_bar_is_kept_up_to_itself_on_either_side() -> None:
    assert [Bar(3).missed_by(value) for value in (2.0, 3.0, 3.5)] == [0, 0, 0.5]
    assert [Bar(200, least=True).missed_by(value) for value in (250.0, 200.0, 150.0)] == [0, 0, 50]


def test_a_bar_says_what_it_holds() -> None:
    assert [bar.text("ms") for bar in (Bar(3), Bar(300, P95), Bar(2, RATIO), Bar(1500, MEDIAN))] == [
        "≤ 3 ms",
        "p95 ≤ 300 ms",
        "≤ 2 × floor",
        "≤ 1,500 ms",
    ]
    assert Bar(200, least=True).text("/s") == "≥ 200 /s"
