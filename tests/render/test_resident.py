"""How a resident is told: in a line for the vault's status, and in a line a fact."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from pathlib import Path

from tests.stand import NOON
from vault_memory.model.resident import Resident, Silent, resident, resident_from
from vault_memory.render.resident import render_resident, resident_line

ONE = Resident(
    pid=4711, version="0.1.0", since=NOON, folders=12, polled=None, behind=None, first_seconds=0.1, waiting=0,
    generation=41, requests=3, memory=123_400_000, idle_seconds=1800.0,
)  # fmt: skip


def test_in_a_line() -> None:
    assert resident_line(None) == "not running"
    assert resident_line(ONE) == "running: process 4711, since 2026-03-14 12:00 UTC, watching 12 folders"
    busy = replace(ONE, waiting=2, behind="the index is being brought up to the files", folders=1)
    assert resident_line(busy).endswith("watching 1 folder, 2 commits waiting, not up to the files yet")
    assert "looked over every few seconds (no watches left)" in resident_line(
        replace(ONE, polled="no watches left")
    )
    assert resident_line(Silent(12)) == "does not answer (process 12)"
    assert resident_line(Silent(None)) == "does not answer"


def test_in_a_line_a_fact() -> None:
    assert render_resident(None) == "resident   not running"
    assert render_resident(ONE).splitlines() == [
        "resident   running: process 4711, vmem 0.1.0",
        "since      2026-03-14 12:00 UTC, 3 requests answered",
        "files      watching 12 folders",
        "index      generation 41, up to the files",
        "commits    none waiting",
        "memory     123 MB",
        "ends       after 30 minutes without a question",
    ]
    odd = render_resident(replace(ONE, memory=None, idle_seconds=0, waiting=1_000, behind="x"))
    assert "memory     unknown" in odd
    assert "ends       never by itself" in odd
    assert "commits    1,000 waiting" in odd
    assert "index      generation 41, not up to the files yet" in odd
    assert "after 90 seconds" in render_resident(replace(ONE, idle_seconds=90))
    assert "after 1.5 seconds" in render_resident(replace(ONE, idle_seconds=1.5))
    assert "after 2 hours" in render_resident(replace(ONE, idle_seconds=7200))


def test_it_goes_through_json_unchanged() -> None:
    assert resident_from(resident(ONE)) == ONE
    assert resident(None) is None
    assert resident(Silent(7)) == {"answers": False, "pid": 7}


def test_nothing_of_it_steers_a_terminal() -> None:
    assert "\x1b" not in render_resident(replace(ONE, polled="\x1b[2J")) + resident_line(
        replace(ONE, polled="\x1b[2J")
    )


def test_the_page_names_every_key() -> None:
    page = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
    table = page[page.index("One that runs has these keys") :]
    named = re.findall(r"^\| `(\w+)` \|", table[: table.index("\n## ")], re.MULTILINE)
    assert named == ["answers", *(field.name for field in fields(Resident))]
