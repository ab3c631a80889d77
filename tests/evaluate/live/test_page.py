"""A run's figures go into the page as they are, with the machine and the load they come from."""

from __future__ import annotations

import json

import pytest

from tools import bench_page
from vault_memory.evaluate import figures
from vault_memory.evaluate.bench import Report
from vault_memory.evaluate.live import rows
from vault_memory.evaluate.plan import Plan
from vault_memory.evaluate.report import report_json

MACHINE: dict[str, object] = {
    "system": "Linux 6", "file_system": "ext4", "cores": 2, "python": "3.11", "git": "2.39", "vmem": "0.1.0",
}  # fmt: skip


@pytest.fixture
def run() -> bench_page.Json:
    [vim] = [row for name, row in rows.SAVED.items() if "vim" in name]
    found = (
        figures.of(rows.RECALL, 1_000, [1.5, 1.5, 9.0], [0.5]),
        figures.of(rows.RECALL, 10_000, [2.0], [0.5]),
        figures.of(vim, 1_000, [20.0] * 19 + [123.4]),
        figures.unmeasured(rows.REST_CPU, 1_000, "nobody tells"),
    )
    report = Report(MACHINE, Plan((1_000, 10_000)), found, (0.25, 1.5))
    value: bench_page.Json = json.loads(json.dumps(report_json(report)))
    return value


def test_each_figure_has_a_line_and_each_size_a_column(run: bench_page.Json) -> None:
    head, _, columns, _, *lines = bench_page.block(run).splitlines()
    assert "load 0.2 to 1.5 while it ran" in head
    assert columns == "| figure | 1,000 | 10,000 |"
    assert len(lines) == len(rows.ROWS)
    assert (
        lines[0] == f"| {rows.RECALL.what} | 1.50 ms (3.00 × floor) (bar missed) | 2.00 ms (4.00 × floor) |"
    )
    assert "| saved as vim does → recalled | p95 123 ms | – |" in lines
    assert f"| {rows.REST_CPU.what} | not measured: nobody tells | – |" in lines


def test_the_page_has_a_place_for_it() -> None:
    text = bench_page.PAGE.read_text(encoding="utf-8")
    assert text.count(bench_page.BEGIN) == text.count(bench_page.END) == 1
    assert text.index(bench_page.BEGIN) < text.index(bench_page.END)
