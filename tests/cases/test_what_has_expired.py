"""A memory ends at the instant that its file says, wherever the machine stands; and is then collected."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime, timedelta

import pytest

from tests.cases.doors import Case
from tests.gitrun import run_git
from tests.stand import NOON

ZONES = ("UTC", "Asia/Shanghai", "America/Los_Angeles", "Pacific/Auckland", "Europe/Berlin")
TICK = timedelta(seconds=1)


@pytest.fixture(autouse=True)
def committed_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commits by hand are of the same time as the tests' clock."""
    monkeypatch.setenv("GIT_COMMITTER_DATE", NOON.isoformat())


@pytest.fixture(params=ZONES)
def machine_zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The zone that the machine is set to, which must have no say."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    return str(request.param)


def put(case: Case, name: str, front: str) -> None:
    case.write(name, f"---\n{front}\n---\ntext\n")


def commit_all(case: Case) -> None:
    run_git(case.root, "add", "--", ".")
    run_git(case.root, "commit", "--quiet", "-m", "by hand")


def expired_at(case: Case, at: datetime) -> list[str]:
    """The files that have expired at that time, without their folder."""
    ran = case.vmem("gc", "--dry-run", "--json", "--now", at.isoformat())
    assert ran.code == 0, ran
    return [one["path"].removeprefix("notes/") for one in ran.value["expired"]]


def zone_of_the_vault(case: Case, zone: str) -> None:
    (case.root / ".vmem/config.toml").write_text(f'format = 1\ntimezone = "{zone}"\n', encoding="utf-8")


@pytest.mark.parametrize(
    ("zone", "end"),
    [
        ("UTC", datetime(2026, 5, 20, tzinfo=UTC)),
        ("Europe/Berlin", datetime(2026, 5, 19, 22, tzinfo=UTC)),
        ("Pacific/Auckland", datetime(2026, 5, 19, 12, tzinfo=UTC)),
        ("America/Los_Angeles", datetime(2026, 5, 20, 7, tzinfo=UTC)),
    ],
)
def test_a_plain_date_lives_through_that_day_in_the_zone_of_the_vault(
    case: Case, machine_zone: str, zone: str, end: datetime
) -> None:
    zone_of_the_vault(case, zone)
    put(case, "notes/day.md", "expires: 2026-05-19")
    put(case, "notes/offset.md", "expires: 2026-05-19T00:00:00+08:00")
    put(case, "notes/local.md", "expires: 2026-05-19T00:00")
    assert "day.md" not in expired_at(case, end - TICK)
    assert "day.md" in expired_at(case, end)
    local = end - timedelta(days=1)
    assert "local.md" not in expired_at(case, local - TICK)
    assert "local.md" in expired_at(case, local)
    offset = datetime(2026, 5, 18, 16, tzinfo=UTC)
    assert "offset.md" not in expired_at(case, offset - TICK)
    assert "offset.md" in expired_at(case, offset)


@pytest.mark.parametrize(
    ("ttl", "end"),
    [
        ("30d", datetime(2026, 2, 9, 10, tzinfo=UTC)),
        ("P30D", datetime(2026, 2, 9, 10, tzinfo=UTC)),
        ("30 days", datetime(2026, 2, 9, 10, tzinfo=UTC)),
        ("30", datetime(2026, 2, 9, 10, tzinfo=UTC)),
        ("1w", datetime(2026, 1, 17, 10, tzinfo=UTC)),
        ("P1M", datetime(2026, 2, 10, 10, tzinfo=UTC)),
        ("12h", datetime(2026, 1, 10, 22, tzinfo=UTC)),
    ],
)
def test_each_form_of_a_time_to_live_has_its_one_end(
    case: Case, machine_zone: str, ttl: str, end: datetime
) -> None:
    put(case, "notes/a.md", f"created: 2026-01-10T10:00:00Z\nttl: {ttl}")
    assert expired_at(case, end - TICK) == []
    assert expired_at(case, end) == ["a.md"]


def test_a_hook_and_the_command_agree_on_every_form(case: Case, machine_zone: str) -> None:
    zone_of_the_vault(case, "Europe/Berlin")
    forms = (
        "30d", "P30D", "P1M", "1w", "30", "30 days", "0", "-1d", "never", '""', "2026-05-19", "12h",
    )  # fmt: skip
    for number, form in enumerate(forms):
        put(case, f"notes/ttl-{number}.md", f"created: 2026-04-19T10:00:00Z\nttl: {form}")
        put(case, f"notes/no-created-{number}.md", f"ttl: {form}")
    ends = ("2026-05-19", "2026-05-19T00:00", "2026-05-19T00:00:00+08:00", "13.08.2026", "2026-02-30")
    for number, form in enumerate(ends):
        put(case, f"notes/expires-{number}.md", f"expires: {form}")
        put(case, f"notes/pinned-{number}.md", f"expires: {form}\npinned: true")
    commit_all(case)
    by_command: list[str] = []
    for at in (datetime(2026, 5, 18, 15, 59, 59, tzinfo=UTC), datetime(2026, 5, 19, 22, tzinfo=UTC)):
        by_command = expired_at(case, at)
        ran = case.vmem("gc", "--staged", "--json", "--now", at.isoformat())
        assert [one["path"].removeprefix("notes/") for one in ran.value["expired"]] == by_command
        run_git(case.root, "reset", "--quiet", "--hard")
    assert {"ttl-0.md", "ttl-3.md", "expires-0.md", "expires-1.md", "expires-2.md"} <= set(by_command)
    assert not any(name.startswith(("pinned", "no-created", "expires-4")) for name in by_command)


@pytest.mark.parametrize("ttl", ["0", "-1d", "soon", "never", '""', "1x", "d", "[1d]"])
def test_what_is_no_time_to_live_ends_nothing(case: Case, ttl: str) -> None:
    put(case, "notes/a.md", f"created: 2020-01-10T10:00:00Z\nttl: {ttl}")
    assert expired_at(case, NOON) == []


@pytest.mark.parametrize("front", ["expires: 2026-02-30", "ttl: 1d", "expires: 2001-01-01\npinned: true"])
def test_unreadable_undated_and_pinned_memories_are_never_purged(case: Case, front: str) -> None:
    put(case, "notes/a.md", front)
    os.utime(case.root / "notes/a.md", (0, 0))
    commit_all(case)
    assert case.vmem("gc", "--yes", "--json", "--now", "2999-01-01").value["expired"] == []
    assert (case.root / "notes/a.md").exists()


def test_a_day_has_24_hours_when_the_clocks_go_back_that_night(case: Case, machine_zone: str) -> None:
    zone_of_the_vault(case, "Europe/Berlin")
    put(case, "notes/a.md", "created: 2026-10-24T12:00\nttl: 1d")
    end = datetime(2026, 10, 25, 10, tzinfo=UTC)
    assert expired_at(case, end - TICK) == []
    assert expired_at(case, end) == ["a.md"]


def test_expired_is_hidden_at_once_and_purged_only_by_a_commit_that_can_be_undone(case: Case) -> None:
    put(case, "notes/a.md", "expires: 2026-03-01")
    commit_all(case)
    assert case.vmem("search", "text", "--json").value["hits"] == []
    assert (case.root / "notes/a.md").exists()
    ran = case.vmem("gc", "--yes", "--json")
    assert (ran.code, ran.value["committed"]) == (0, run_git(case.root, "rev-parse", "HEAD"))
    assert not (case.root / "notes/a.md").exists()
    assert case.vmem("undo").code == 0
    assert (case.root / "notes/a.md").read_text(encoding="utf-8") == "---\nexpires: 2026-03-01\n---\ntext\n"


def test_a_clock_set_back_a_year_and_then_forward_purges_nothing_by_itself(case: Case) -> None:
    put(case, "notes/a.md", "created: 2026-03-14T10:00:00Z\nttl: 90d")
    commit_all(case)
    for year in (2025, 2036):
        case.clock.at = datetime(year, 3, 14, 12, tzinfo=UTC)
        for way in ([], ["--yes"], ["--check"], ["--dry-run"]):
            ran = case.vmem("gc", *way)
            assert ran.code == 75, ran
            assert f"{year}-03-14 12:00 UTC" in ran.err
            assert "2026-03-14 12:00 UTC" in ran.err
            assert "--now" in ran.err
    assert (case.root / "notes/a.md").exists()
    ran = case.vmem("gc", "--yes", "--now", "2026-07-01")
    assert ran.code == 0
    assert not (case.root / "notes/a.md").exists()


def test_ways_that_contradict_each_other_are_a_usage_error(case: Case) -> None:
    ways = ("--yes", "--dry-run", "--check", "--staged")
    for number, one in enumerate(ways):
        for other in ways[number + 1 :]:
            ran = case.vmem("gc", one, other)
            assert ran.code == 2
            assert one in ran.err
            assert other in ran.err
    assert case.vmem("gc", "--now", "soon").code == 65
    assert case.vmem("gc", "--now", "").code == 65


def test_check_answers_with_its_exit_code_and_the_list(case: Case) -> None:
    assert case.vmem("gc", "--check").code == 0
    put(case, "notes/a.md", "expires: 2026-03-01")
    ran = case.vmem("gc", "--check", "--json")
    assert ran.code == 1
    assert [one["path"] for one in ran.value["expired"]] == ["notes/a.md"]
    assert (case.root / "notes/a.md").exists()
