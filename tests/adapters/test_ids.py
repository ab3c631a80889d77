"""New ids."""

from __future__ import annotations

import threading

import pytest

from tests.contracts.ids_contract import AT, IdsContract
from vault_memory.adapters.ids import UlidIds
from vault_memory.model.ids import RANDOM_BYTES, ulid


class TestUlidIds(IdsContract):
    @pytest.fixture
    def ids(self) -> UlidIds:
        return UlidIds()


def test_the_time_and_the_randomness_given_are_what_an_id_holds() -> None:
    ids = UlidIds(lambda count: bytes(range(count)))
    at_ms = 1_772_360_100_123
    first, second = ids.new(AT), ids.new(AT)
    assert first == ulid(at_ms, bytes(range(RANDOM_BYTES)))
    assert second == ulid(at_ms, bytes([*range(RANDOM_BYTES - 1), RANDOM_BYTES]))


def test_counting_up_never_overflows() -> None:
    ids = UlidIds(lambda count: b"\xff" * count)
    assert ids.new(AT) < ids.new(AT)


def test_threads_share_no_id() -> None:
    ids = UlidIds()
    made: list[str] = []

    def make() -> None:
        made.extend(ids.new(AT) for _ in range(500))

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(made)) == 2000
