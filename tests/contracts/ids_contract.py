"""What every implementation of the `Ids` port promises."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from vault_memory.model.ids import is_ulid
from vault_memory.ports import Ids

AT = datetime(2026, 3, 1, 10, 15, 0, 123456, tzinfo=UTC)


class IdsContract:
    """Inherit, and give a fixture `ids`."""

    def test_an_id_is_a_ulid(self, ids: Ids) -> None:
        assert is_ulid(ids.new(AT))

    def test_ids_of_one_millisecond_differ_and_sort_as_they_were_made(self, ids: Ids) -> None:
        made = [ids.new(AT) for _ in range(1000)]
        assert len(set(made)) == 1000
        assert made == sorted(made)

    def test_ids_sort_by_their_moment(self, ids: Ids) -> None:
        later = ids.new(AT + timedelta(milliseconds=1))
        assert ids.new(AT) < later < ids.new(AT + timedelta(days=365))

    def test_the_same_moment_in_another_order_gives_no_id_twice(self, ids: Ids) -> None:
        moments = [AT, AT + timedelta(seconds=1), AT, AT + timedelta(seconds=1)]
        assert len({ids.new(at) for at in moments}) == 4
