"""What ends a memory, whether the clock is to be believed, and what a commit says of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from vault_memory.errors import ClockError
from vault_memory.model.expiry import (
    QUIET,
    SKEW,
    Expired,
    check_clock,
    expired_from,
    has_expired,
    message_lines,
)
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.memory import Memory
from vault_memory.model.namespace import VaultPath

NOW = datetime(2026, 3, 14, 12, 0, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")


def memory(front: str, body: str = "text\n", zone: ZoneInfo = BERLIN) -> Memory:
    return parse_memory(VaultPath("notes/a.md"), f"---\n{front}\n---\n{body}".encode(), zone=zone)


def some(path: str = "notes/a.md", title: str = "A", id_: str | None = None) -> Expired:
    return Expired(VaultPath(path), id_, title, "v", "ttl", "7d", NOW)


@pytest.mark.parametrize(
    ("front", "cause"),
    [
        ("expires: 2026-03-01", ("expires", "2026-03-01")),
        ("Expires: 2026-03-01", ("expires", "2026-03-01")),
        ("created: 2026-01-01\nttl: 7d", ("ttl", "7d")),
        ("created: 2026-01-01\nTTL: ' 7 days '", ("ttl", "7 days")),
        ("created: 2026-01-01\nttl: 99y\nexpires: 2026-03-01", ("expires", "2026-03-01")),
        ("created: 2026-01-01\nttl: 7d\nexpires:", ("ttl", "7d")),
        ("EXPIRES: 2030-01-01\nexpires: 2026-03-01", ("expires", "2026-03-01")),
    ],
)
def test_the_key_that_counts_is_named_as_it_is_written(front: str, cause: tuple[str, str]) -> None:
    found = memory(front)
    assert has_expired(found, NOW)
    assert (expired_from(found).key, expired_from(found).value) == cause


@pytest.mark.parametrize(
    "front",
    [
        "title: no end at all",
        "expires: never",
        "expires: 2026-02-30",
        "expires: soon\ncreated: 2020-01-01\nttl: 1d",
        "ttl: 1d",
        "ttl: soon\ncreated: 2020-01-01",
        "ttl: -1d\ncreated: 2020-01-01",
        "created: 2020-01-01\nttl: never",
        "created: yesterday or so\nttl: 1d",
        "expires: 2020-01-01\npinned: true",
        "created: 2020-01-01\nttl: 1d\npinned: yes",
        "expires: 2026-03-14",
        "expires: [2020-01-01]",
        "expires: 2020-01-01: and more",
    ],
)
def test_what_is_pinned_unreadable_or_endless_never_expires(front: str) -> None:
    assert not has_expired(memory(front), NOW)


def test_a_file_that_has_to_be_merged_first_does_not_expire() -> None:
    torn = memory("expires: 2020-01-01", "<<<<<<< ours\none\n=======\ntwo\n>>>>>>> theirs\n")
    assert torn.expires is not None
    assert not has_expired(torn, NOW)


def test_a_day_without_a_time_is_lived_to_its_end_in_the_zone_of_the_vault() -> None:
    one = memory("expires: 2026-03-13")
    midnight = datetime(2026, 3, 14, tzinfo=BERLIN)
    assert not has_expired(one, midnight - timedelta(microseconds=1))
    assert has_expired(one, midnight)


def test_a_days_time_to_live_is_24_hours_when_the_clocks_go_back_that_night() -> None:
    one = memory("created: 2026-10-24T12:00:00+02:00\nttl: 1d")
    assert one.expires == datetime(2026, 10, 25, 11, 0, tzinfo=BERLIN)
    assert not has_expired(one, datetime(2026, 10, 25, 9, 59, 59, tzinfo=UTC))
    assert has_expired(one, datetime(2026, 10, 25, 10, 0, tzinfo=UTC))


def test_the_clock_is_believed_from_the_last_commit_to_a_year_after_it() -> None:
    for now in (NOW - SKEW, NOW, NOW + timedelta(days=365), NOW + QUIET):
        check_clock(now, NOW)
    check_clock(NOW, None)
    check_clock(NOW.astimezone(ZoneInfo("Pacific/Auckland")), NOW)


@pytest.mark.parametrize("off", [-timedelta(days=365), -timedelta(hours=1), QUIET + timedelta(seconds=1)])
def test_a_clock_that_can_not_be_right_is_told_with_both_times_and_the_way_out(off: timedelta) -> None:
    now = NOW + off
    with pytest.raises(ClockError) as refused:
        check_clock(now, NOW)
    assert refused.value.exit_code == 75
    assert f"{now:%Y-%m-%d %H:%M} UTC" in refused.value.message
    assert f"{NOW:%Y-%m-%d %H:%M} UTC" in refused.value.message
    assert refused.value.hint == f"if the clock is right, say so: --now {now:%Y-%m-%dT%H:%M:%SZ}"


def test_a_commit_names_title_path_id_and_why() -> None:
    assert message_lines([some(title="Earnings", id_="01KK"), some("shared/b.md", "B")]) == [
        "Earnings (notes/a.md, 01KK): ttl 7d, expired 2026-03-14 12:00 UTC",
        "B (shared/b.md): ttl 7d, expired 2026-03-14 12:00 UTC",
    ]
