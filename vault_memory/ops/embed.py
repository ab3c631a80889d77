"""Giving texts their vectors: as many as a read has time for, or all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from time import monotonic

from vault_memory.errors import (
    EmbedderUnavailableError,
    LockedError,
    MissingExtraError,
    SidecarError,
    StorageError,
)
from vault_memory.model.advice import advised
from vault_memory.ports import Ports, Progress, no_progress

WITHOUT = "not all texts have vectors"

_TEXTS_A_LOOK = 4096
"""So many texts are read of the index at a time: bounded memory."""

_STORE_SECONDS = 1.0
"""What was made in this time is stored in one transaction: a kill costs no more."""

_BATCH_SECONDS = 0.25
_LARGEST_BATCH = 512
_FEW = 64
"""For so few texts a read waits until another vmem has made them."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long to go on: for `seconds` beyond the loading of the model, and to the end where that is
    no more than `finish` seconds off."""

    seconds: float
    finish: float


NOT_NOW = Pace(0.0, 0.0)
"""No vectors at all: they are made later, or apart."""

READING = Pace(2.0, 20.0)
"""That of a command which was asked something else. Up to 20 s of work are done at once, since ten
thousand memories are that by the bundled embedder, and once for ever."""


def always() -> bool:
    """For work that nobody calls off."""
    return True


@dataclass(frozen=True, slots=True)
class Embedded:
    """How many texts got a vector, and why others did not, `None` where it is a matter of time."""

    made: int = 0
    reason: str | None = None


def embed(ports: Ports, *, pace: Pace | None, wait: float, progress: Progress = no_progress) -> Embedded:
    """Give texts without a vector theirs. Keyword search works before this and without it.

    Without a pace all of them, unless another vmem is at it. Never raises for what a model, a disk or
    a lock says no to: the reason tells.
    """
    index = ports.index
    if ports.embedder.reason is not None or pace == NOT_NOW:
        return Embedded()
    if index.shelf.complete():
        if index.rebuilt is not None and index.writable:  # all are there, and the index names another's
            _settle(ports)
        return Embedded()
    if not index.writable:
        return Embedded(0, f"{WITHOUT}: {index.notice}")
    some = len(index.shelf.missing(_FEW + 1))
    few = some <= _FEW
    try:
        with _alone(ports, wait if few else 0.0):
            made = _make(ports, pace, progress, always, some if few else None)
    except LockedError:
        return Embedded()
    except (EmbedderUnavailableError, MissingExtraError) as error:
        return Embedded(0, f"{WITHOUT}: {advised(error)}")
    except StorageError as error:
        return Embedded(0, f"{WITHOUT}: {error.message}")
    _settle(ports)
    return Embedded(made)


def build(
    ports: Ports, *, wait: float, progress: Progress = no_progress, wanted: Callable[[], bool] = always
) -> int:
    """Give all texts their vectors; how many were made. It may be killed at any time and goes on from there.

    Stops where `wanted`, asked before each batch, says no. Raises `EmbedderUnavailableError`,
    `MissingExtraError`, `StorageError`, and `SidecarError` where another is at it for longer than `wait`.
    """
    if ports.embedder.id == "none":
        raise EmbedderUnavailableError("no embedder is set", hint="vmem embedder use bundled")
    ports.embedder.passages([])  # raises where there is no model
    if not ports.index.writable:
        raise SidecarError(
            f"{WITHOUT}: {ports.index.notice}", hint="mend the permissions of .vmem/local, or delete it"
        )
    try:
        with _alone(ports, wait):
            made = _make(ports, None, progress, wanted)
    except LockedError as error:
        who = ports.embedding.holder()
        number = f" (process {who[0]})" if who and who[0] else ""
        raise SidecarError(
            f"another vmem{number} is making the vectors", hint="vmem embedder status shows how far it is"
        ) from error
    _settle(ports)
    return made


def _settle(ports: Ports) -> None:
    """Once no text lacks a vector, let the index know whose they are, and let go of older ones."""
    if ports.index.shelf.complete():
        with suppress(StorageError):
            ports.index.shelf.settle()


@contextmanager
def _alone(ports: Ports, wait: float) -> Iterator[None]:
    """Hold the lock of those who make vectors, or go without where no lock file can be made.

    It is not the vault's: memories are written meanwhile.
    """
    with ExitStack() as holding:
        with suppress(StorageError):
            holding.enter_context(ports.embedding.held(wait=wait))
        yield


def _make(
    ports: Ports,
    pace: Pace | None,
    progress: Progress,
    wanted: Callable[[], bool],
    count: int | None = None,
) -> int:
    """Make what is missing; `count` is how much that is, where it is known: to count texts takes long."""
    shelf = ports.index.shelf
    if count is None:
        have, texts = shelf.share()
        count = texts - have
    rhythm = _Rhythm(pace, count)
    while left := shelf.missing(_TEXTS_A_LOOK):
        hashes = list(left)
        ready: dict[str, bytes] = {}
        while hashes and wanted():
            batch, hashes = hashes[: rhythm.size], hashes[rhythm.size :]
            with rhythm.measured(len(batch)):
                made = ports.embedder.passages([left[one] for one in batch])
            ready.update((one, row.tobytes()) for one, row in zip(batch, made, strict=True))
            progress("embedding passages", rhythm.done, rhythm.count)
            if rhythm.stores():
                ports.index.apply([], vectors=ready)
                ready = {}
            if rhythm.over:
                break
        ports.index.apply([], vectors=ready)
        if rhythm.over or not wanted():
            break
    return rhythm.done


class _Rhythm:
    """How many texts to take at a time, when to store, and when to stop."""

    def __init__(self, pace: Pace | None, count: int) -> None:
        self._pace = pace
        self.count = count
        self.done = 0
        self.size = 1  # the first text loads the model, which says nothing of how long the others take
        self.over = False
        self._began = self._stored = monotonic()

    @contextmanager
    def measured(self, texts: int) -> Iterator[None]:
        """Around the making of so many vectors."""
        before = monotonic()
        yield
        now = monotonic()
        if not self.done:
            self._began, self.size = now, 16
        else:
            each = max((now - before) / texts, 1e-6)
            self.size = min(max(int(_BATCH_SECONDS / each), 1), _LARGEST_BATCH)
            rest = each * (self.count - self.done - texts)
            pace = self._pace
            self.over = pace is not None and now - self._began >= pace.seconds and rest > pace.finish
        self.done += texts
        self.count = max(self.count, self.done)

    def stores(self) -> bool:
        """Whether what is ready is to be stored now."""
        due = monotonic() - self._stored >= _STORE_SECONDS
        if due:
            self._stored = monotonic()
        return due
