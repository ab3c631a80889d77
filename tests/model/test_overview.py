"""Tags, topics, timelines and counts are what a count by hand gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model.candidates import entry
from tests.stand import NOON
from vault_memory.errors import UsageError
from vault_memory.model.filters.tagged import tag_key
from vault_memory.model.memory import Entry
from vault_memory.model.stats import A_PERSON, NO_KIND, TOP, stats
from vault_memory.model.tagcount import count_tags
from vault_memory.model.timeline import Span, parse_span, timeline
from vault_memory.model.topics import FEWEST, topics

TAGS = st.lists(st.sampled_from(["alpha", "Alpha", "#alpha", "beta", "beta/one", "設定", "c++"]), max_size=4)


def note(
    title: str, *, tags: Sequence[str] = (), inline: Sequence[str] = (), path: str | None = None,
    dated: datetime | None = NOON, importance: float = 0.5,
) -> Entry:  # fmt: skip
    return replace(
        entry(title, path=path or f"notes/{title}.md", dated=dated),
        tags=tuple(tags), inline_tags=tuple(inline), importance=importance,
    )  # fmt: skip


@given(st.lists(TAGS, max_size=12))
def test_each_memory_counts_once_for_each_of_its_tags(tags: list[list[str]]) -> None:
    entries = [note(f"n{number}", tags=some) for number, some in enumerate(tags)]
    by_hand = Counter(key for some in tags for key in {tag_key(tag) for tag in some})
    found = count_tags(entries, inline=True).tags
    assert {tag_key(one.tag): one.memories for one in found} == by_hand
    assert [one.memories for one in found] == sorted(by_hand.values(), reverse=True)


def test_a_tag_is_named_as_most_spell_it_with_all_its_spellings() -> None:
    entries = [note("a", tags=["RSI"]), note("b", tags=["rsi"]), note("c", tags=["rsi"])]
    [found] = count_tags(entries, inline=True).tags
    assert (found.tag, found.memories, found.spellings) == ("rsi", 3, ("rsi", "RSI"))


def test_tags_in_the_text_count_only_where_the_setting_says_so() -> None:
    entries = [note("a", tags=["x"], inline=["y"])]
    assert [one.tag for one in count_tags(entries, inline=True).tags] == ["x", "y"]
    assert [one.tag for one in count_tags(entries, inline=False).tags] == ["x"]


def test_the_newest_use_of_a_tag_is_the_latest_date_of_its_memories() -> None:
    later = NOON + timedelta(days=3)
    entries = [note("a", tags=["x"]), note("b", tags=["x"], dated=later), note("c", tags=["x"], dated=None)]
    assert count_tags(entries, inline=True).tags[0].newest == later


@given(
    st.lists(st.one_of(st.none(), st.datetimes(timezones=st.just(UTC))), max_size=12), st.sampled_from(Span)
)
def test_a_timeline_holds_every_dated_memory_once_newest_first(
    dates: list[datetime | None], by: Span
) -> None:
    entries = [note(f"n{number}", dated=when) for number, when in enumerate(dates)]
    found = timeline(entries, UTC, by=by)
    shown = [one for period in found.periods for one in period.entries]
    assert sorted(one.path for one in shown) == sorted(one.path for one in entries if one.dated)
    moments = [one.dated for one in shown if one.dated]
    assert moments == sorted(moments, reverse=True)
    assert found.undated == dates.count(None)
    assert len({period.name for period in found.periods}) == len(found.periods)


def test_a_day_is_a_day_of_the_vaults_zone() -> None:
    late = datetime(2026, 3, 14, 23, 30, tzinfo=UTC)
    for zone, day in (("UTC", "2026-03-14"), ("Asia/Tokyo", "2026-03-15")):
        [period] = timeline([note("a", dated=late)], ZoneInfo(zone)).periods
        assert (period.name, period.start) == (day, date.fromisoformat(day))


@pytest.mark.parametrize(
    ("by", "name", "start"),
    [
        (Span.DAY, "2027-01-01", date(2027, 1, 1)),
        (Span.WEEK, "2026-W53", date(2026, 12, 28)),
        (Span.MONTH, "2027-01", date(2027, 1, 1)),
        (Span.YEAR, "2027", date(2027, 1, 1)),
    ],
)
def test_a_period_is_named_and_begins_as_calendars_say(by: Span, name: str, start: date) -> None:
    [period] = timeline([note("a", dated=datetime(2027, 1, 1, 9, tzinfo=UTC))], UTC, by=by).periods
    assert (period.name, period.start) == (name, start)


def test_a_limit_keeps_the_newest_and_the_total_of_all() -> None:
    entries = [note(f"n{day}", dated=NOON + timedelta(days=day)) for day in range(5)]
    found = timeline(entries, UTC, limit=2)
    assert [one.title for period in found.periods for one in period.entries] == ["n4", "n3"]
    assert found.total == 5


def test_a_span_that_is_none_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageError) as refused:
        parse_span("hour")
    assert refused.value.hint == "available: day, week, month, year"


def test_a_topic_is_what_several_share_as_most_of_them_write_it() -> None:
    entries = [
        note("Stop loss rules"), note("When a stop loss fails"), note("Stop losses"), note("Stop loss size"),
        note("Lunch"),
    ]  # fmt: skip
    found = topics(entries, inline=True, limit=5)
    assert [(one.name, one.memories) for one in found.topics] == [("Stop loss", 4)]
    assert found.rest == 1


def test_a_tag_goes_before_words_that_name_as_many() -> None:
    entries = [note("Nvidia rally", tags=["nvda"]), note("Nvidia slump", tags=["nvda"])]
    assert topics(entries, inline=True, limit=1).topics[0].name == "#nvda"


def test_chinese_titles_share_the_piece_that_they_have_in_common() -> None:
    entries = [note("英伟达供应链风险"), note("台积电供应链"), note("黄金")]
    assert [one.name for one in topics(entries, inline=True, limit=3).topics] == ["供应链"]


def test_what_nearly_all_have_in_common_is_no_topic_of_a_larger_vault() -> None:
    entries = [note(f"note number{number}", tags=["all"]) for number in range(30)]
    entries += [note("special one", tags=["few"]), note("special two", tags=["few"])]
    assert [one.name for one in topics(entries, inline=True, limit=5).topics] == ["#few"]


@given(st.lists(st.tuples(st.text("ab 設定", max_size=8), TAGS), max_size=14), st.integers(1, 6))
def test_topics_never_shrink_and_the_rest_is_what_none_names(
    notes: list[tuple[str, list[str]]], limit: int
) -> None:
    entries = [note(f"{title} {n}", tags=some, path=f"{n}.md") for n, (title, some) in enumerate(notes)]
    found = topics(entries, inline=True, limit=limit)
    assert len(found.topics) <= limit
    assert all(one.memories >= FEWEST and 1 <= len(one.examples) <= 3 for one in found.topics)
    shown = {each.path for one in found.topics for each in one.examples}
    assert found.rest <= len(entries) - len(shown)
    assert found == topics(list(entries), inline=True, limit=limit)


def test_numbers_add_up() -> None:
    entries = [
        note("a", path="a.md", tags=["X", "x"], importance=1.0),
        note("b", path="shared/market/b.md", dated=None, importance=0.0),
        replace(note("c", path="private/mira/deep/c.md"), expires=NOON, pinned=True, id=None, kind="fact"),
    ]
    found = stats(entries, now=NOON, inline=True, links=7)
    assert (found.memories, found.expired, found.pinned, found.undated, found.without_id) == (3, 1, 1, 1, 1)
    assert (found.tags, found.untagged, found.links) == (1, 2, 7)
    assert dict(found.namespaces) == {TOP: 1, "shared/market": 1, "private/mira": 1}
    assert dict(found.kinds) == {NO_KIND: 2, "fact": 1}
    assert dict(found.agents) == {"akashi": 3}
    assert [number for _, number in found.importance] == [1, 0, 1, 0, 1]
    assert found.years == (("2026", 2),)
    person = stats([replace(entries[0], source_agent=None)], now=NOON, inline=True, links=0)
    assert person.agents == ((A_PERSON, 1),)


def test_an_empty_vault_has_no_numbers_to_divide_by() -> None:
    found = stats([], now=NOON, inline=True, links=0)
    assert (found.memories, found.oldest, found.namespaces, found.years) == (0, None, (), ())
    assert topics([], inline=True, limit=3).topics == ()
    assert timeline([], UTC).periods == ()
