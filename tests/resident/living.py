"""Residents in threads of the test's own process: the real server, with a clock and ids that are told."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tests.stand import CountedIds, ToldClock
from vault_memory.errors import VmemError
from vault_memory.live.alone import alone
from vault_memory.live.handle import LiveVault
from vault_memory.surfaces.cli.elsewhere import carry_out
from vault_memory.surfaces.resident.answers import Answers
from vault_memory.surfaces.resident.listening import Listening
from vault_memory.surfaces.resident.log import Log
from vault_memory.surfaces.resident.server import Server

SECONDS = 60.0


@dataclass(slots=True)
class Living:
    """One resident. `answers` counts its requests."""

    server: Server
    answers: Answers
    thread: threading.Thread

    @classmethod
    def of(cls, root: Path, clock: ToldClock, ids: CountedIds) -> Living:
        """Begun, and listening. Raises the `VmemError` for which this vault can have none."""
        begun: list[Living | VmemError] = []
        listens = threading.Event()

        def live() -> None:
            try:
                with alone(root) as first, LiveVault(root, clock=clock, ids=ids) as vault:
                    assert first
                    log = Log(root, clock)
                    answers = Answers.of(vault, partial(carry_out, clock=clock), log, clock.now())
                    listening = Listening(root)
                    server = Server(answers, listening, log)
                    listening.open()
                    begun.append(cls(server, answers, threading.current_thread()))
                    listens.set()
                    server.serve()
            except VmemError as error:
                if begun:
                    raise
                begun.append(error)
            finally:
                listens.set()

        threading.Thread(target=live, name=f"resident of {root}").start()
        assert listens.wait(SECONDS)
        [first] = begun
        if isinstance(first, VmemError):
            raise first
        return first

    def end(self) -> None:
        """End it, and wait for that."""
        self.server.end("the test is over")
        self.thread.join(SECONDS)
        assert not self.thread.is_alive()


@dataclass(slots=True)
class Residents:
    """One a vault, begun when it is first asked for."""

    clock: ToldClock = field(default_factory=ToldClock)
    ids: CountedIds = field(default_factory=CountedIds)
    living: dict[str, Living] = field(default_factory=dict)

    def begin(self, root: str) -> bool:
        """Let there be a resident of the vault at `root`; whether it can have one."""
        if root in self.living and self.living[root].thread.is_alive():
            return True
        try:
            self.living[root] = Living.of(Path(root), self.clock, self.ids)
        except VmemError:  # its settings are faulty, say: `vmem` tells of it by itself
            return False
        return True

    def end(self) -> None:
        """As by `vmem daemon stop` in each vault."""
        while self.living:
            self.living.popitem()[1].end()

    @contextmanager
    def until_the_end(self) -> Iterator[Residents]:
        """Inside, those who are begun live."""
        try:
            yield self
        finally:
            self.end()
