"""Work shared out to processes: each gets its share when it starts, and sends back what it has done."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from vault_memory.errors import VmemError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

T = TypeVar("T")
R = TypeVar("R")

Tick = Callable[[], None]
"""Called for each step of a piece of work, so that someone can watch."""


def spread(
    act: Callable[[T, Tick], R],
    work: Sequence[T],
    sizes: Sequence[int],
    workers: int,
    tick: Tick,
) -> Generator[tuple[int, R], None, None]:
    """(number, what `act` made of it) of each piece of work, as it comes; `act` is a module's function.

    `tick` is called here for each call that `act` makes of the one that it is given. `sizes` say how
    long each piece takes beside the others. Close the iterator, and the processes end with
    it. Raises `VmemError` where one of them died.
    """
    import multiprocessing

    # Fresh processes: SQLite and threads do not live through a fork.
    context = multiprocessing.get_context("spawn")
    running: dict[Connection, BaseProcess] = {}
    try:
        with _interrupts_held_back():
            for share in _shares(sizes, workers):
                ours, theirs = context.Pipe(duplex=False)
                process: BaseProcess = context.Process(
                    target=_work, args=(act, [(at, work[at]) for at in share], theirs), daemon=True
                )
                running[ours] = process
                process.start()
                theirs.close()
        yield from _received(running, tick)
    finally:
        for ours, process in running.items():
            if process.pid is not None:
                process.terminate()
                process.join()
            ours.close()


def _received(running: Mapping[Connection, BaseProcess], tick: Tick) -> Iterator[tuple[int, R]]:
    from multiprocessing.connection import wait

    talking = list(running)
    while talking:
        ready = wait(talking)
        for ours in [one for one in talking if one in ready]:
            try:
                said = ours.recv()
            except EOFError:
                talking.remove(ours)
                _check_ended(running[ours])
                continue
            if said is None:
                tick()
            else:
                yield said


def _check_ended(process: BaseProcess) -> None:
    process.join()
    if process.exitcode:
        raise VmemError(
            f"a worker process died (exit code {process.exitcode})",
            hint="perhaps there was not enough memory: try --workers 1",
        )


def _work(act: Callable[[T, Tick], R], share: Sequence[tuple[int, T]], theirs: Connection) -> None:
    """What a worker does, as long as anyone listens."""
    with suppress(BrokenPipeError), theirs:
        for number, piece in share:
            theirs.send((number, act(piece, partial(theirs.send, None))))


def _shares(sizes: Sequence[int], workers: int) -> list[list[int]]:
    """The numbers of the pieces for each worker: the largest first, each to whom has least."""
    shares: list[list[int]] = [[] for _ in range(min(workers, len(sizes)))]
    for number in sorted(range(len(sizes)), key=lambda one: (-sizes[one], one)):
        min(shares, key=lambda share: sum(sizes[at] for at in share)).append(number)
    return shares


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach: who started them ends them, without a word of theirs."""
    if sys.platform == "win32":
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # which lets interrupts through again when it starts
    # What is held back here comes at the end; the processes hold it back for ever.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
