"""What every implementation of the `Lock` port promises between threads of a process."""

from __future__ import annotations

import threading
import time

import pytest

from vault_memory.errors import LockedError
from vault_memory.ports import Lock


class LockContract:
    """Inherit, and give fixtures `lock` and `other`: two locks of one vault, as two openers have."""

    def test_a_thread_may_take_what_it_holds(self, lock: Lock) -> None:
        with lock.held(wait=0), lock.held(wait=0):
            pass
        with lock.held(wait=0):
            pass

    def test_another_opener_waits_and_then_gives_up(self, lock: Lock, other: Lock) -> None:
        began = time.monotonic()
        with lock.held(wait=0), pytest.raises(LockedError, match=r"0\.2"), other.held(wait=0.2):
            pytest.fail("both hold it")
        assert time.monotonic() - began >= 0.2
        with other.held(wait=0):
            pass

    def test_another_thread_waits_too(self, lock: Lock) -> None:
        refused: list[LockedError] = []

        def try_it() -> None:
            try:
                with lock.held(wait=0.05):
                    pass
            except LockedError as error:
                refused.append(error)

        with lock.held(wait=0):
            thread = threading.Thread(target=try_it)
            thread.start()
            thread.join()
        assert len(refused) == 1

    def test_an_inner_release_does_not_free_it(self, lock: Lock, other: Lock) -> None:
        with lock.held(wait=0):
            with lock.held(wait=0):
                pass
            with pytest.raises(LockedError), other.held(wait=0):
                pytest.fail("freed too early")

    def test_an_error_inside_frees_it(self, lock: Lock, other: Lock) -> None:
        with pytest.raises(KeyError), lock.held(wait=0):
            raise KeyError
        with other.held(wait=0):
            pass

    def test_no_two_threads_are_ever_inside(self, lock: Lock, other: Lock) -> None:
        inside = 0
        most = 0

        def work(mine: Lock) -> None:
            nonlocal inside, most
            for _ in range(20):
                with mine.held(wait=20):
                    inside += 1
                    most = max(most, inside)
                    time.sleep(0.0005)
                    inside -= 1

        threads = [threading.Thread(target=work, args=(mine,)) for mine in (lock, other, lock, other)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert most == 1
