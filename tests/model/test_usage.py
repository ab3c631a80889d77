"""What is told of uses is what a count by hand gives, whatever became of the memories since."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model.candidates import entry
from tests.stand import NOON
from vault_memory.model.memory import Entry
from vault_memory.model.namespace import VaultPath
from vault_memory.model.usage import Usage, now_called, remembered, usage, visible
from vault_memory.model.uses import DAYS, MOST, Use, UsedMemory, bounded, harmless, latest_of

PATHS = [f"notes/{name}.md" for name in "abcdef"]


def note(path: str, *, id: str | None = None, importance: float = 0.5, days: int = 0) -> Entry:  # noqa: A002 - as the field
    made = entry(path, path=path, dated=NOON - timedelta(days=days))
    return replace(made, id=id, importance=importance)


def gave(
    *paths: str, hours: float = 0, agent: str | None = "akashi", door: str = "recall", whole: int = 0
) -> Use:
    memories = tuple(UsedMemory(path, None, "v") for path in paths)
    return Use(NOON + timedelta(hours=hours), agent, door, None, 100, whole, memories)


def counted(uses: list[Use], entries: list[Entry], **more: object) -> Usage:
    fields = {"now": NOON, "zone": UTC, "whole": 1_000, "limit": 100} | more
    return usage(uses, entries, **fields)  # type: ignore[arg-type]


USES = st.lists(
    st.builds(
        gave,
        st.sampled_from(PATHS),
        st.sampled_from(PATHS),
        hours=st.integers(0, 100),
        agent=st.sampled_from([None, "akashi", "aka"]),
        door=st.sampled_from(["recall", "session-start"]),
    )
    | st.builds(gave, hours=st.integers(0, 100)),
    max_size=20,
).map(lambda uses: sorted(uses, key=lambda one: one.at))


@given(USES, st.lists(st.sampled_from(PATHS), unique=True))
def test_each_memory_counts_once_an_answer_and_those_given_never_are_the_rest(
    uses: list[Use], there: list[str]
) -> None:
    found = counted(uses, [note(path) for path in there])
    by_hand = Counter(path for use in uses for path in {one.path for one in use.memories})
    assert {one.memory.path: one.answers for one in found.most} == {
        path: times for path, times in by_hand.items() if path in there
    }
    assert found.recalled == len(found.most)
    assert {one.path for one in found.idle} == set(there) - set(by_hand)
    assert found.never == len(found.idle)
    assert found.removed == len(set(by_hand) - set(there))
    assert [one.answers for one in found.most] == sorted((one.answers for one in found.most), reverse=True)


@given(USES)
def test_doors_and_days_add_up_to_all_answers(uses: list[Use]) -> None:
    found = counted(uses, [])
    assert found.answers == len(uses) == sum(sum(one.doors.values()) for one in found.days)
    assert found.hits == sum(bool(use.memories) for use in uses)
    assert found.tokens == 100 * len(uses)
    assert found.saved == 900 * len(uses)
    assert [one.day for one in found.days] == sorted({one.day for one in found.days})


@given(USES)
def test_an_agent_is_told_of_itself_alone_and_the_person_of_all(uses: list[Use]) -> None:
    assert visible(uses, None) == uses
    assert all(use.agent == "aka" for use in visible(uses, "aka"))
    assert len(visible(uses, "aka")) == sum(use.agent == "aka" for use in uses)


def test_an_answer_that_counted_all_there_was_then_counts_with_that() -> None:
    found = counted([gave("x.md", whole=5_000), gave("x.md")], [note("x.md")])
    assert (found.everything, found.saved) == (6_000, 5_800)


def test_answers_larger_than_all_there_is_save_nothing() -> None:
    assert counted([gave("x.md")], [note("x.md")], whole=20).saved == 0


def test_with_an_id_the_count_follows_a_memory_that_is_moved_and_else_its_path() -> None:
    used = [
        replace(gave(), memories=(UsedMemory("old/a.md", "A", "v"), UsedMemory("old/b.md", None, "v"))),
    ]
    found = counted(used, [note("new/a.md", id="A"), note("new/b.md")])
    assert [one.memory.path for one in found.most] == ["new/a.md"]
    assert (found.removed, [one.path for one in found.idle]) == (1, ["new/b.md"])


@pytest.mark.parametrize(
    ("used", "entries", "path"),
    [
        (UsedMemory("a.md", "A", "v"), [note("a.md", id="B")], None),  # another one lies there now
        (UsedMemory("a.md", "A", "v"), [note("a.md")], "a.md"),  # its id was taken out
        (UsedMemory("a.md", "A", "v"), [note("b.md", id="A"), note("a.md")], "b.md"),
        (UsedMemory("a.md", "A", "v"), [note("0.md", id="A"), note("a.md", id="A")], "a.md"),  # a copy
        (UsedMemory("a.md", None, "v"), [note("a.md", id="A")], "a.md"),  # it was stamped since
        (UsedMemory("a.md", "A", "v"), [], None),
    ],
)
def test_which_memory_of_now_it_was(used: UsedMemory, entries: list[Entry], path: str | None) -> None:
    by_id: dict[str, list[Entry]] = {}
    for one in entries:
        if one.id is not None:
            by_id.setdefault(one.id, []).append(one)
    assert now_called(used, by_id, {one.path: one for one in entries}) == path


def test_of_those_never_given_the_most_important_and_then_the_oldest_come_first_and_no_expired_one() -> None:
    gone = replace(note("gone.md", importance=1.0), expires=NOON)
    entries = [note("a.md"), note("b.md", days=9), note("c.md", importance=0.9), gone]
    found = counted([], entries, limit=2)
    assert [one.path for one in found.idle] == ["c.md", "b.md"]
    assert found.never == 3


def test_a_filter_narrows_which_memories_are_named_and_not_what_is_gone() -> None:
    entries = [note("a.md"), note("b.md"), note("c.md")]
    found = counted([gave("a.md", "b.md", "z.md")], entries, chosen=[entries[1], entries[2]])
    assert [one.memory.path for one in found.most] == ["b.md"]
    assert [one.path for one in found.idle] == ["c.md"]
    assert (found.answers, found.removed) == (1, 1)


def test_what_is_remembered_is_young_and_the_last() -> None:
    old, young = gave(hours=-24 * DAYS - 1), gave(hours=-1)
    assert remembered([young, old], NOON) == [young]
    many = [gave(hours=-number / 1000) for number in range(MOST + 5)]
    assert len(remembered(many, NOON)) == MOST


@given(st.text(max_size=600), st.text(max_size=600))
def test_bounded_names_stay_apart_and_can_be_written(one: str, other: str) -> None:
    assert len(bounded(one)) <= 200
    bounded(one).encode("utf-8")
    assert bounded(bounded(one)) == bounded(one)
    if one.isprintable() and other.isprintable() and one != other:
        assert bounded(one) != bounded(other)


def test_a_harmless_use_is_the_same() -> None:
    use = gave("a.md", "b.md")
    assert harmless(use) == use


def test_a_session_knows_what_it_was_given_since_it_last_began() -> None:
    start = gave("b.md", door="session-start")
    assert latest_of([gave("a.md"), start, gave("c.md")], {"x": "1"}) == {"b.md": "v", "c.md": "v"}
    assert latest_of([gave("a.md")], {"x": "1"}) == {"x": "1", "a.md": "v"}
    assert VaultPath("a.md") in latest_of([gave("a.md")], {})
