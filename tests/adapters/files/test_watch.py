"""Each way of watching keeps the promises of the port."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from time import time_ns

import pytest
from watchdog.observers.polling import PollingObserver

from tests.contracts.watch_contract import Listener, WatchContract
from vault_memory.adapters.files.skipping import Skipping, skipping
from vault_memory.adapters.files.tree import VaultFiles
from vault_memory.adapters.files.watch.observer import ObserverWatch
from vault_memory.adapters.files.watch.polling import PollingWatch
from vault_memory.adapters.files.watch.vault import watch_vault
from vault_memory.model.change import RACY_NS
from vault_memory.ports import Watch


def rules_of(root: Path) -> Callable[[], Skipping]:
    return lambda: skipping(os.fsencode(root), (), "notes")


class TestByTheKernel(WatchContract):
    @pytest.fixture
    def make(self) -> Callable[[Path], Watch]:
        def watch(root: Path) -> Watch:
            return watch_vault(root, exclude=(), inbox="notes", scan=VaultFiles(root).scan, now_ns=time_ns)

        return watch


def later_ns() -> int:
    """A clock that is ahead, so that every stamp has settled when it is looked at."""
    return time_ns() + 10 * RACY_NS


def polling(root: Path, now_ns: Callable[[], int]) -> PollingWatch:
    return PollingWatch(VaultFiles(root).scan, because="a test", now_ns=now_ns, shortest=0.02, share=1.0)


class TestByPolling(WatchContract):
    @pytest.fixture
    def make(self) -> Callable[[Path], Watch]:
        return lambda root: polling(root, later_ns)

    def test_a_file_that_may_change_within_its_stamp_is_told_again(self, root: Path) -> None:
        watch = polling(root, time_ns)
        listener = Listener(watch, settled=False)
        try:
            assert listener.heard("notes/old.md")
            listener.reasons.clear()
            assert listener.heard("notes/old.md")
            assert not listener.reasons
            listener.settle()  # once the stamp has settled there is silence
        finally:
            watch.close()


class TestByAnObserver(WatchContract):
    @pytest.fixture
    def make(self) -> Callable[[Path], Watch]:
        def watch(root: Path) -> Watch:
            return ObserverWatch(os.fsencode(root), rules_of(root), lambda: PollingObserver(timeout=0.05))

        return watch
