"""What every implementation of the `Journal` port promises."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vault_memory.model.namespace import VaultPath
from vault_memory.model.revision import Author, Op, Operation
from vault_memory.ports import Journal

AT = datetime(2026, 3, 1, 10, 15, 0, 123456, tzinfo=UTC)

_TEXT = st.text(st.characters(codec="utf-8"), max_size=40)
_NAMES = st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=40).filter(
    lambda name: not name.startswith(".") and name[1:2] != ":"
)
OPERATIONS = st.builds(
    Operation,
    op=st.sampled_from(Op),
    path=_NAMES.map(lambda name: VaultPath(f"{name}.md")),
    version=st.none() | _TEXT,
    before=st.none() | _TEXT,
    message=_TEXT,
    author=st.none() | st.builds(Author, _TEXT, _TEXT),
    batch=st.none() | _TEXT,
)


def operation(path: str = "notes/a.md") -> Operation:
    """An agent's new memory."""
    author = Author("akashi", "akashi@agents.invalid")
    return Operation(
        Op.REMEMBER, VaultPath(path), "f" * 64, None, "remember: a\n\nVmem-Op: remember\n", author
    )


class JournalContract:
    """Inherit, and give a fixture `journal`: an empty one."""

    def test_what_is_opened_is_pending_until_closed(self, journal: Journal) -> None:
        assert journal.pending() == ()
        one, two = journal.open([operation("a.md"), operation("b.md")], branch="refs/heads/main", at=AT)
        assert one.operation == operation("a.md")
        assert (one.branch, one.at) == ("refs/heads/main", AT)
        assert one.number < two.number
        assert journal.pending() == (one, two)
        journal.close([one.number])
        assert journal.pending() == (two,)
        journal.close([two.number])
        assert journal.pending() == ()

    def test_a_number_never_comes_twice(self, journal: Journal) -> None:
        (first,) = journal.open([operation()], branch=None, at=AT)
        journal.close([first.number])
        (second,) = journal.open([operation()], branch=None, at=AT)
        assert second.number > first.number

    def test_closing_what_is_not_open_is_no_fault(self, journal: Journal) -> None:
        (intent,) = journal.open([operation()], branch=None, at=AT)
        journal.close([])
        journal.close([intent.number + 1000])
        assert journal.pending() == (intent,)
        journal.close(iter([intent.number, intent.number]))
        assert journal.pending() == ()

    def test_nothing_to_open_opens_nothing(self, journal: Journal) -> None:
        assert journal.open([], branch=None, at=AT) == ()
        assert journal.pending() == ()

    def test_a_time_of_any_zone_comes_back_as_the_same_moment(self, journal: Journal) -> None:
        there = AT.astimezone(timezone(timedelta(hours=9, minutes=30)))
        journal.open([operation()], branch=None, at=there)
        (intent,) = journal.pending()
        assert intent.at == there

    # A contract is for many classes, and the journal may well stay the same from example to example.
    @settings(
        max_examples=60,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.differing_executors],
    )
    @given(operations=st.lists(OPERATIONS, max_size=4), branch=st.none() | _TEXT)
    def test_every_operation_comes_back_as_it_was(
        self, journal: Journal, operations: list[Operation], branch: str | None
    ) -> None:
        opened = journal.open(operations, branch=branch, at=AT)
        assert journal.pending() == opened
        assert [intent.operation for intent in opened] == operations
        journal.close(intent.number for intent in opened)

    def test_bytes_are_kept_with_an_intent_until_it_is_closed(self, journal: Journal) -> None:
        first, second = journal.open([operation("a.md"), operation("b.md")], branch=None, at=AT)
        journal.keep({first.number: b"\x00bytes\xff"})
        assert journal.kept(first.number) == b"\x00bytes\xff"
        assert journal.kept(second.number) is None
        journal.keep({second.number: b""})
        assert journal.kept(second.number) == b""
        journal.keep({second.number: None})
        assert journal.kept(second.number) is None
        journal.close([first.number])
        assert journal.kept(first.number) is None

    def test_a_message_in_common_outlives_those_that_are_closed(self, journal: Journal) -> None:
        """As that of a batch of thousands, which names each of its files."""
        message = "gc: many\n\n" + "".join(f"  notes/{number}.md\n" for number in range(1000))
        batch = [replace(operation(f"{name}.md"), message=message, batch="one") for name in "abc"]
        first, second, third = journal.open([*batch], branch=None, at=AT)
        (alone,) = journal.open([operation("d.md")], branch=None, at=AT)
        journal.close([first.number])
        assert journal.pending() == (second, third, alone)
        journal.close([third.number])
        assert [one.operation.message for one in journal.pending()] == [message, alone.operation.message]
        journal.close([second.number])
        assert journal.pending() == (alone,)

    def test_why_an_intent_waits_is_remembered(self, journal: Journal) -> None:
        first, second = journal.open([operation("a.md"), operation("b.md")], branch=None, at=AT)
        journal.tell({first.number: "the hook said no"})
        assert [one.reason for one in journal.pending()] == ["the hook said no", None]
        assert second.reason is None
