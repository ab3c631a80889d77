"""What every implementation of the `Uses` port promises."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from vault_memory.model.uses import Use, UsedMemory
from vault_memory.ports import Uses

AT = datetime(2026, 3, 1, 10, 15, 0, 123456, tzinfo=UTC)
RULE = UsedMemory("shared/market/rule.md", "01K8ZQ4T7R3M5N9V2XW6Y0ABCD", "a" * 64)
PLAN = UsedMemory("notes/plan.md", None, "b" * 64)


def use(*memories: UsedMemory, minutes: int = 0, agent: str | None = "akashi", **more: object) -> Use:
    """An answer that long after `AT`."""
    fields: dict[str, object] = {"door": "recall", "session": None, "tokens": 120, "whole": 4_000} | more
    return Use(AT + timedelta(minutes=minutes), agent, memories=memories, **fields)  # type: ignore[arg-type]


class UsesContract:
    """Inherit, and give a fixture `uses`: one that holds nothing."""

    def test_what_is_noted_is_there_in_order_of_time(self, uses: Uses) -> None:
        assert list(uses.since(None)) == []
        late, early = use(RULE, PLAN, minutes=5), use(agent=None, minutes=1)
        uses.note(late)
        uses.note(early)
        assert list(uses.since(None)) == [early, late]
        assert list(uses.since(AT + timedelta(minutes=5))) == [late]
        assert list(uses.since(AT + timedelta(minutes=6))) == []

    def test_a_time_of_any_zone_comes_back_as_the_same_moment(self, uses: Uses) -> None:
        there = AT.astimezone(timezone(timedelta(hours=9, minutes=30)))
        uses.note(Use(there, None, "recall", None, 1, 2))
        [found] = uses.since(there)
        assert found.at == there

    def test_the_same_memory_may_be_given_twice_and_its_order_is_kept(self, uses: Uses) -> None:
        one, other = use(PLAN, RULE), use(RULE, PLAN, minutes=1)
        uses.note(one)
        uses.note(other)
        assert list(uses.since(None)) == [one, other]

    def test_a_session_was_given_the_last_version_of_each_at_once(self, uses: Uses) -> None:
        newer = UsedMemory(RULE.path, RULE.id, "c" * 64)
        uses.note(use(RULE, PLAN, session="s1", door="session-start"))
        assert dict(uses.given("akashi", "s1")) == {RULE.id: RULE.version, PLAN.path: PLAN.version}
        uses.note(use(newer, session="s1", minutes=1))
        assert dict(uses.given("akashi", "s1")) == {RULE.id: newer.version, PLAN.path: PLAN.version}
        uses.since(None)  # written or not, it is the same
        assert dict(uses.given("akashi", "s1")) == {RULE.id: newer.version, PLAN.path: PLAN.version}

    def test_a_session_that_begins_anew_was_given_nothing_before(self, uses: Uses) -> None:
        uses.note(use(RULE, session="s"))
        uses.since(None)
        uses.note(use(PLAN, session="s", door="session-start", minutes=1))
        assert dict(uses.given("akashi", "s")) == {PLAN.path: PLAN.version}
        uses.since(None)
        assert dict(uses.given("akashi", "s")) == {PLAN.path: PLAN.version}
        uses.note(use(session="s", door="session-start", minutes=2))
        assert dict(uses.given("akashi", "s")) == {}
        uses.note(use(RULE, session="s", minutes=3))
        assert dict(uses.given("akashi", "s")) == {RULE.id: RULE.version}

    def test_a_session_of_another_agent_or_another_name_was_given_nothing(self, uses: Uses) -> None:
        uses.note(use(RULE, session="s1"))
        assert dict(uses.given("aka", "s1")) == {}
        assert dict(uses.given(None, "s1")) == {}
        assert dict(uses.given("akashi", "s2")) == {}
        uses.note(use(PLAN, agent=None, session="s1"))
        assert dict(uses.given(None, "s1")) == {PLAN.path: PLAN.version}

    def test_of_a_forgotten_memory_nothing_is_left(self, uses: Uses) -> None:
        both, alone, none = use(RULE, PLAN, session="s"), use(RULE, minutes=1), use(minutes=2)
        for one in (both, alone, none):
            uses.note(one)
        uses.forget([UsedMemory("moved/since.md", RULE.id, "d" * 64)])
        assert list(uses.since(None)) == [use(PLAN, session="s"), none]
        assert dict(uses.given("akashi", "s")) == {PLAN.path: PLAN.version}
        uses.forget([PLAN])
        assert list(uses.since(None)) == [none]

    def test_all_can_be_forgotten_and_more_be_noted_after(self, uses: Uses) -> None:
        uses.forget()
        uses.note(use(RULE, session="s"))
        uses.forget()
        assert list(uses.since(None)) == []
        assert dict(uses.given("akashi", "s")) == {}
        uses.note(use(PLAN))
        assert list(uses.since(None)) == [use(PLAN)]

    def test_names_that_nobody_can_write_down_are_no_fault(self, uses: Uses) -> None:
        odd = use(UsedMemory("no\udce4tes.md", None, "e"), door="d" * 10_000, session="\ud800", tokens=-1)
        uses.note(odd)
        uses.note(use(RULE, tokens=1 << 80, minutes=1))
        found = uses.since(None)
        assert [len(one.memories) for one in found] == [1, 1]
        assert len(found[0].door) < 1_000
        assert found[1].tokens > 1 << 40

    def test_a_wordy_session_name_is_known_again(self, uses: Uses) -> None:
        uses.note(use(RULE, session="s" * 5_000))
        uses.since(None)
        assert dict(uses.given("akashi", "s" * 5_000)) == {RULE.id: RULE.version}
