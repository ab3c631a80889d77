"""Work that is shared out comes back whole, and no process is left behind."""

from __future__ import annotations

import multiprocessing
import os
import time
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.errors import VmemError
from vault_memory.evaluate.recall.pool import Tick, _shares, spread


def squared(number: int, tick: Tick) -> tuple[int, int]:
    tick()
    return number * number, os.getpid()


def first_at_once(seconds: int, tick: Tick) -> int:
    time.sleep(seconds)
    return seconds


def unheard() -> None:
    """For who does not watch."""


def dying(number: int, tick: Tick) -> int:
    os._exit(9)


def test_every_piece_comes_back_with_its_number_from_another_process() -> None:
    ticks: list[None] = []
    found = dict(spread(squared, [3, 1, 2], [1, 1, 1], 2, lambda: ticks.append(None)))
    assert len(ticks) == 3
    assert {number: value for number, (value, _) in found.items()} == {0: 9, 1: 1, 2: 4}
    processes = {process for _, process in found.values()}
    assert len(processes) == 2
    assert os.getpid() not in processes
    assert multiprocessing.active_children() == []


def test_whoever_stops_listening_ends_the_processes() -> None:
    began = time.monotonic()
    with closing(spread(first_at_once, [0, 60, 60], [9, 1, 9], 2, unheard)) as found:
        assert next(found) == (0, 0)
    assert multiprocessing.active_children() == []
    assert time.monotonic() - began < 30


def test_a_process_that_dies_is_told() -> None:
    with pytest.raises(VmemError, match=r"a worker process died \(exit code 9\)") as caught:
        list(spread(dying, [1, 2], [1, 1], 2, unheard))
    assert "--workers 1" in str(caught.value.hint)
    assert multiprocessing.active_children() == []


@given(st.lists(st.integers(0, 100), min_size=1, max_size=12), st.integers(1, 5))
def test_shares_hold_every_piece_once_and_weigh_about_the_same(sizes: list[int], workers: int) -> None:
    shares = _shares(sizes, workers)
    assert sorted(number for share in shares for number in share) == list(range(len(sizes)))
    assert len(shares) == min(workers, len(sizes))
    weights = [sum(sizes[number] for number in share) for share in shares]
    assert max(weights) - min(weights) <= max(sizes)
