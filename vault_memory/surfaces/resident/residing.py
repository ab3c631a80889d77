"""From a vault's folder to its resident: only one a vault, opened, listening, and cleanly closed."""

from __future__ import annotations

import gc
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from vault_memory import __version__
from vault_memory.errors import VmemError
from vault_memory.live.alone import alone
from vault_memory.live.handle import LiveVault
from vault_memory.surfaces.resident.answers import Answers
from vault_memory.surfaces.resident.commands import CarryOut
from vault_memory.surfaces.resident.listening import BY_PORT, Listening
from vault_memory.surfaces.resident.log import Log
from vault_memory.surfaces.resident.server import Server
from vault_memory.surfaces.resident.starting import began
from vault_memory.vault import Clock, system_clock

SWITCH = 0.0005
"""Seconds for which a thread may keep others from running: one that answers must not wait for one that
indexes."""
_FIRST = (["recall", "warm up"], ["search", "warm up"], ["list", "--limit", "1"], ["remember"])
"""Command lines that load what others need and change nothing: the last is refused for want of a text."""
_ENDING = ("SIGTERM", "SIGINT", "SIGHUP")


def reside(root: Path, carry_out: CarryOut, *, clock: Clock | None = None, by_port: bool = BY_PORT) -> bool:
    """Be the resident of the vault at `root` until it is not needed; `False` where there is one already.

    To be called in the main thread of a process of its own. Raises `VmemError` where this vault can have
    none.
    """
    log = Log(root, clock or system_clock())
    with alone(root) as first:
        if not first:
            return False
        try:
            _live(Listening(root, by_port), carry_out, log, clock or system_clock())
        except VmemError as error:
            log.failed("could not begin", error)
            raise
    return True


def _live(listening: Listening, carry_out: CarryOut, log: Log, clock: Clock) -> None:
    sys.setswitchinterval(SWITCH)
    with log.of_faults(), _threads_told(log), LiveVault(listening.root, clock=clock) as live:
        answers = Answers.of(live, carry_out, log, clock.now())
        server = Server(answers, listening, log)
        listening.open()
        warming = threading.Thread(target=_warm_up, args=(live, carry_out), name="vmem-warming")
        with _signals(server):
            began(listening.root)
            log.note(f"began: vmem {__version__}, listening at {', '.join(listening.files)}")
            warming.start()
            reason = server.serve()
        warming.join()
    log.note(f"ended: {reason}, after {answers.requests} requests")


def _warm_up(live: LiveVault, carry_out: CarryOut) -> None:
    """Load what the first question would have to wait for: code, the model, the vectors."""
    for argv in _FIRST:
        carry_out(argv, lambda _: live.warming(), bytes, {})
    gc.collect()
    gc.freeze()  # what is there now stays, and need not be looked at for cycles again


@contextmanager
def _threads_told(log: Log) -> Iterator[None]:
    """What a thread fails of goes into the log, without the words of its error."""

    def tell(args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            log.bug(args.thread.name if args.thread is not None else "a thread", args.exc_value)

    before, threading.excepthook = threading.excepthook, tell
    try:
        yield
    finally:
        threading.excepthook = before


@contextmanager
def _signals(server: Server) -> Iterator[None]:
    """End cleanly when asked by a signal."""

    def end(number: int, _: FrameType | None) -> None:
        server.end(signal.Signals(number).name)

    numbers = [getattr(signal, name) for name in _ENDING if hasattr(signal, name)]
    before = {number: signal.signal(number, end) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
