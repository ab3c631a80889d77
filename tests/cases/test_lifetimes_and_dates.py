"""A lifetime means one thing wherever it is read, what can't be read ends nothing, and the past is told."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.cases.doors import Case, Door

CREATED = "created: 2026-03-01T10:00:00Z"

ENDS: dict[str, tuple[str, str | None, list[str]]] = {
    "30d": ("ttl: 30d", "2026-03-31T10:00:00Z", []),
    "P30D": ("ttl: P30D", "2026-03-31T10:00:00Z", []),
    "P1M": ("ttl: P1M", "2026-04-01T09:00:00Z", []),
    "1w": ("ttl: 1w", "2026-03-08T10:00:00Z", []),
    "30": ("ttl: 30", "2026-03-31T10:00:00Z", []),
    "30 days": ("ttl: 30 days", "2026-03-31T10:00:00Z", []),
    "quoted": ('ttl: "30 days"', "2026-03-31T10:00:00Z", []),
    "0": ("ttl: 0", None, ["VM023"]),
    "negative": ("ttl: -1d", None, ["VM023"]),
    "never": ("ttl: never", None, []),
    "empty": ('ttl: ""', None, []),
    "missing": ("ttl:", None, []),
    "a date as ttl": ("ttl: 2026-05-19", None, ["VM023"]),
    "a time as ttl": ("ttl: 2026-05-19T00:00", None, ["VM023"]),
    "1:00:00": ("ttl: 1:00:00", None, ["VM023"]),
    "soon": ("ttl: soon", None, ["VM023"]),
    "a date": ("expires: 2026-05-19", "2026-05-19T22:00:00Z", []),
    "a time": ("expires: 2026-05-19T00:00", "2026-05-18T22:00:00Z", []),
    "with offset": ("expires: 2026-05-19T00:00+08:00", "2026-05-18T16:00:00Z", []),
    "with dots": ("expires: 13.08.2026", "2026-08-13T22:00:00Z", []),
    "in words": ("expires: 14 March 2027", "2027-03-14T23:00:00Z", []),
    "a month": ("expires: 2026-08", "2026-08-31T22:00:00Z", []),
    "epoch": ("expires: 1800000000", "2027-01-15T08:00:00Z", []),
    "no such day": ("expires: 2026-02-30", None, ["VM025"]),
    "either way": ("expires: 03/04/2026", None, ["VM025"]),
    "both": ("expires: 2026-05-19\nttl: 1d", "2026-05-19T22:00:00Z", []),
    "pinned": ("ttl: 1d\npinned: true", None, []),
}
"""Lines below `created`, the end that they mean in Berlin, and the faults."""


def note(lines: str, created: str = CREATED) -> str:
    return f"---\n{created}\n{lines}\n---\nThe capstan is oiled.\n"


@pytest.fixture
def berlin(case: Case) -> Case:
    settings = case.root / ".vmem" / "config.toml"
    settings.write_text(f'{settings.read_text()}timezone = "Europe/Berlin"\n')
    return case


@pytest.mark.parametrize(("lines", "end", "codes"), ENDS.values(), ids=ENDS)
def test_each_way_to_say_it_has_one_meaning(
    door: Door, berlin: Case, lines: str, end: str | None, codes: list[str]
) -> None:
    place = berlin.write("t.md", note(lines))
    berlin.clock.at = datetime(2026, 3, 1, 12, tzinfo=UTC)
    shown = door.show("t.md").value
    assert (shown["expires"], [one["code"] for one in shown["findings"]]) == (end, codes)
    if end is not None:
        last = datetime.fromisoformat(end)
        berlin.clock.at = last.replace(second=0) if last.second else last
        assert door.search("capstan").value["hits"] == []
        berlin.clock.move(seconds=-1)
    assert [hit["path"] for hit in door.search("capstan").value["hits"]] == ["t.md"]
    assert place.read_text() == note(lines)


@pytest.mark.parametrize("machine", ["Asia/Shanghai", "America/Los_Angeles", "Pacific/Auckland"])
@pytest.mark.parametrize(
    ("zone", "end"),
    [
        ("Asia/Shanghai", "2026-05-19T16:00:00Z"),
        ("America/Los_Angeles", "2026-05-20T07:00:00Z"),
        ("Pacific/Auckland", "2026-05-19T12:00:00Z"),
    ],
)
def test_a_day_is_the_vaults_and_never_the_machines(case: Case, machine: str, zone: str, end: str) -> None:
    case.write("day.md", note("expires: 2026-05-19"))
    case.write("offset.md", note("expires: 2026-05-19T00:00+08:00"))
    case.write("ttl.md", note("ttl: 30d"))
    for name, expected in (
        ("day.md", end),
        ("offset.md", "2026-05-18T16:00:00Z"),
        ("ttl.md", "2026-03-31T10:00:00Z"),
    ):
        ran = case.process("show", name, "--json", environment={"TZ": machine, "VMEM_TIMEZONE": zone})
        assert ran.value["expires"] == expected


def test_a_day_has_24_hours_in_the_night_in_which_clocks_go_back(door: Door, berlin: Case) -> None:
    berlin.write("t.md", note("ttl: 1d", created="created: 2026-10-24 12:00"))
    assert door.show("t.md").value["expires"] == "2026-10-25T10:00:00Z"


def test_a_file_without_created_never_ends_however_old_it_is(door: Door, case: Case) -> None:
    import os

    place = case.write("t.md", "---\nttl: 1d\n---\nThe capstan.\n")
    os.utime(place, (0, 0))
    shown = door.show("t.md").value
    assert (shown["expires"], [one["code"] for one in shown["findings"]]) == (None, ["VM024"])
    assert len(door.search("capstan").value["hits"]) == 1


def test_a_clock_that_jumps_hides_and_shows_and_changes_no_file(door: Door, case: Case) -> None:
    place = case.write("t.md", note("ttl: 30d"))
    before = place.read_bytes()
    for days, found in ((0, 1), (400, 0), (-800, 1), (400, 1)):
        case.clock.move(days=days)
        assert len(door.search("capstan").value["hits"]) == found
    assert place.read_bytes() == before


PAST: tuple[dict[str, Any], ...] = (
    {"expires": "2020-01-01"},
    {"expires": "1 January 2020"},
    {"expires": "2026-03-14T11:59:59Z"},
)


@pytest.mark.parametrize("fields", PAST, ids=str)
def test_a_memory_that_is_over_at_once_is_written_and_told(
    door: Door, case: Case, fields: dict[str, Any]
) -> None:
    written = door.remember("The capstan.", **fields).value
    assert (case.root / written["path"]).is_file()
    assert any("expired already" in notice for notice in written["notices"])
    assert door.search("capstan").value["hits"] == []
    edited = door.edit(written["id"], expires="2030-01-01").value
    assert edited["notices"] == []
    assert len(door.search("capstan").value["hits"]) == 1
    again = door.edit(written["id"], **fields).value
    assert any("expired already" in notice for notice in again["notices"])
    still = door.edit(written["id"], importance=0.9).value
    assert still["notices"] == []


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"ttl": "0"}, "the moment it begins"),
        ({"ttl": "-1d"}, "negative"),
        ({"ttl": "1.5d"}, "smaller unit"),
        ({"ttl": "2026-05-19"}, "expires: 2026-05-19"),
        ({"ttl": "1d 2h"}, "P1DT12H"),
        ({"ttl": "1:00:00"}, "PT1H30M"),
        ({"ttl": "soon"}, "ttl can't be 'soon'"),
        ({"expires": "03/04/2027"}, "either way"),
        ({"expires": "2027-02-30"}, "no such day"),
        ({"expires": "14.3.27"}, "four digits"),
        ({"expires": "soon"}, "expires can't be 'soon'"),
    ],
    ids=str,
)
def test_what_can_not_be_read_is_refused_with_the_reason(
    door: Door, case: Case, fields: dict[str, Any], reason: str
) -> None:
    place = case.write("t.md", note("ttl: 30d"))
    for answered in (door.remember("The capstan.", **fields), door.edit("t.md", **fields)):
        assert answered.code == 65
        assert reason in answered.error
    assert list(case.files()) == ["t.md"]
    assert place.read_text() == note("ttl: 30d")


@pytest.mark.parametrize("text", ["", "never", "Never"])
def test_never_is_no_lifetime(door: Door, case: Case, text: str) -> None:
    case.write("t.md", note("ttl: 30d"))
    assert door.edit("t.md", ttl=text).code == 0
    assert (case.root / "t.md").read_text() == note("ttl: 30d").replace("ttl: 30d\n", "")
    written = door.remember("The capstan turns.", ttl=text).value
    assert "ttl" not in (case.root / written["path"]).read_text()
