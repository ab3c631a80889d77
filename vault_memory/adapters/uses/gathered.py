"""The `Uses` port: notes are gathered in memory, and written a moment later by a thread of their own.

No answer waits for a disk or for another process that writes: a note is one more in a list. What a kill
takes of it, a second's worth, is lost; so is what can't be written for long.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import count
from pathlib import Path

from vault_memory.adapters.uses.tracefile import TraceFile
from vault_memory.errors import StorageError
from vault_memory.model.uses import Use, UsedMemory, bounded, harmless, latest_of

LATER = 1.0
"""Seconds after a note at which it is written."""
MOST_GATHERED = 1_000
"""So many wait at most; the oldest go where they can't be written. Half of it is written at once."""
SAYS_NO = 30.0
"""Seconds until the next attempt where the last one failed."""


class GatheredUses:
    """The traces of one vault, in the file at `path`.

    Where they are not `kept`, nothing is written: what this process was asked by a session is known to it
    all the same, as long as it lives."""

    def __init__(self, path: Path, *, kept: bool = True) -> None:
        self._file = TraceFile(path)
        self._kept = kept
        self._numbers = count()
        self._mutex = threading.Lock()
        """Held for moments: no disk is waited for under it."""
        self._gathered: dict[int, Use] = {}
        self._closing = threading.Event()
        self._soon = threading.Event()
        self._writer: threading.Thread | None = None

    @property
    def kept(self) -> bool:
        """Whether notes are written down at all."""
        return self._kept

    def note(self, use: Use) -> None:
        """Note one answer, to be written in a moment. Never raises."""
        with self._mutex:
            if len(self._gathered) >= MOST_GATHERED:
                self._gathered.pop(next(iter(self._gathered)))
            self._gathered[next(self._numbers)] = harmless(use)
            if 2 * len(self._gathered) >= MOST_GATHERED:
                self._soon.set()
            if self._kept and self._writer is None and not self._closing.is_set():
                self._writer = self._begun()

    def given(self, agent: str | None, session: str) -> Mapping[str, str]:
        """The version of each memory, by its id or else its path, that a session was given last."""
        session = bounded(session)
        gathered = self._waiting()  # first: what is written meanwhile is then in both, which is no harm
        known = dict(self._file.given(agent, session)) if self._kept else {}
        asked = (one for one in gathered.values() if (one.agent, one.session) == (agent, session))
        return latest_of(asked, known)

    def since(self, when: datetime | None) -> Sequence[Use]:
        """The answers of that moment and later, the oldest first; all for `None`."""
        self._write()
        waiting = self._waiting().values() if self._kept else ()
        gathered = [one for one in waiting if when is None or one.at >= when]
        return sorted([*self._file.since(when), *gathered], key=lambda one: one.at)

    def forget(self, memories: Iterable[UsedMemory] | None = None) -> None:
        """Forget all, or all that was noted of some memories. Raises `StorageError`."""
        doomed = None if memories is None else tuple(memories)
        self._write()
        self._file.forget(doomed)
        if doomed is None:
            with self._mutex:
                self._gathered.clear()

    def close(self) -> None:
        """Write what is gathered, and close the file; what comes after that is not written."""
        self._closing.set()
        self._soon.set()
        writer = self._writer
        if writer is not None:
            writer.join()
        self._write()
        self._file.close()

    def _begun(self) -> threading.Thread | None:
        writer = threading.Thread(target=self._write_later, name="vmem-uses", daemon=True)
        try:
            writer.start()
        except RuntimeError:  # the process ends, or may have no more threads: it is written at the close
            return None
        return writer

    def _write_later(self) -> None:
        """Write until nothing is gathered any more, then end: most processes ask once."""
        self._soon.wait(LATER)
        while not self._closing.is_set():
            self._soon.clear()
            written = self._write()
            with self._mutex:
                if not self._gathered:
                    self._writer = None
                    return
            # Where the disk says no, more notes are no reason to ask it again.
            if written:
                self._soon.wait(LATER)
            else:
                self._closing.wait(SAYS_NO)

    def _write(self) -> bool:
        """Write what is gathered; whether that was done. What can't be written stays."""
        gathered = self._waiting() if self._kept else {}
        if not gathered:
            return True
        try:
            self._file.add(list(gathered.values()))
        except StorageError:
            return False
        with self._mutex:
            for number in gathered:
                self._gathered.pop(number, None)
        return True

    def _waiting(self) -> dict[int, Use]:
        with self._mutex:
            return dict(self._gathered)
