"""How the server reaches its vault: by the vault's resident, or by keeping it open itself."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from vault_memory.config import environ
from vault_memory.config.door import door
from vault_memory.errors import SidecarError, VmemError
from vault_memory.live.alone import located
from vault_memory.live.handle import LiveVault
from vault_memory.model.watching import Watching
from vault_memory.vault import Vault

READS = frozenset({"recall", "search", "show", "list", "log", "changes", "working_set"})
"""Verbs that may be asked once more, of another, where the first one was lost."""


FIRST_SECONDS = 20.0
"""So long a question waits for a vault that was just opened; then it is answered from what is known so far,
and says so."""
GLANCE = 0.03


@dataclass(frozen=True, slots=True)
class Said:
    """The answer to a verb, as `--json` has it, and what is to be told besides."""

    value: Any
    notices: tuple[str, ...] = ()


class Way(Protocol):
    """One way to a vault. Threads ask it at once."""

    def ask(self, verb: str, args: dict[str, Any]) -> Said: ...

    def is_read(self) -> bool:
        """Whether all files have been looked at since it was opened."""

    def close(self) -> None: ...


class Reach:
    """The vault as one caller asks it. It is looked for at the first question, and again after a loss."""

    def __init__(self, path: Path | None, agent: str | None) -> None:
        self._path, self._agent = path, agent
        self._mutex = threading.Lock()
        self._way: Way | None = None
        self._read: Way | None = None
        """The way whose files have been looked at, or long been waited for."""
        self._closed = False

    def begin(self) -> None:
        """Open it ahead of the first question. Raises what that one would raise."""
        self._found()

    def ask(self, verb: str, **args: Any) -> Said:
        """The answer to a verb of the resident's protocol. Raises whatever the verb raises."""
        way = self._found()
        try:
            if verb in READS:
                self._await_files(way)
            return way.ask(verb, args)
        except VmemError as error:
            # An error of no kind is the resident's: it has gone, or is not ours to ask.
            if type(error) is not VmemError or not isinstance(way, ByResident):
                raise
            self._lose(way)
            if verb not in READS:
                raise
        return self._found().ask(verb, args)

    def close(self) -> None:
        """Let go of it; what waits for a commit is committed, by us or by those whose it is."""
        with self._mutex:
            self._closed = True
            way, self._way = self._way, None
        if way is not None:
            way.close()

    def _await_files(self, way: Way) -> None:
        """The first question comes at once: an answer from an index that is still empty would mislead."""
        until = time.monotonic() + FIRST_SECONDS
        while self._read is not way and not self._closed:
            if way.is_read() or time.monotonic() > until:
                self._read = way
            else:
                time.sleep(GLANCE)

    def _found(self) -> Way:
        with self._mutex:
            if self._way is None:
                if self._closed:
                    raise VmemError("the server is ending", hint="start it again")
                self._way = way_to(located(self._path), self._agent)
            return self._way

    def _lose(self, way: Way) -> None:
        with self._mutex:
            if self._way is way:
                self._way = None
        way.close()


def way_to(root: Path, agent: str | None) -> Way:
    """The best way to the vault at `root`. Raises `ConfigError`, `SidecarError`."""
    return _by_resident(root, agent) or _kept_open(root, agent)


def _by_resident(root: Path, agent: str | None) -> ByResident | None:
    """By its resident, which is begun where the settings allow it; `None` where there can be none."""
    with Vault.open(root) as vault:
        if vault.settings["resident"] != "auto" or vault.index.unkept is not None:
            return None
    way = ByResident(root, agent, start=not environ.is_unattended())
    try:
        way.greet()
    except VmemError:
        way.close()
        return None
    return way


def _kept_open(root: Path, agent: str | None) -> Way:
    try:
        return ByItself(LiveVault(root), agent)
    except SidecarError:  # a network disk, an index that can't be written: each question opens it
        return ByItself(_Opened(root), agent)


@dataclass(slots=True)
class ByResident:
    """Asks the resident, by as many connections as there are questions at one time."""

    root: Path
    agent: str | None
    start: bool
    _idle: list[Any] = field(default_factory=list)
    _mutex: threading.Lock = field(default_factory=threading.Lock)
    _closed: bool = False

    def greet(self) -> None:
        """Make sure that it answers. Raises `VmemError`."""
        with self._connection() as connection:
            connection.state()

    def ask(self, verb: str, args: dict[str, Any]) -> Said:
        with self._connection() as connection:
            value = connection.call(verb, **args)
            return Said(value, connection.notices)

    def is_read(self) -> bool:
        with self._connection() as connection:
            return connection.state()["first_seconds"] is not None

    def close(self) -> None:
        """Hang up; it commits what waits."""
        self._closed = True
        with self._mutex:
            idle, self._idle = self._idle, []
        for one in idle:
            one.close()

    @contextmanager
    def _connection(self) -> Iterator[Any]:
        from vault_memory import connect

        with self._mutex:
            one = self._idle.pop() if self._idle else connect(self.root, agent=self.agent, start=self.start)
        try:
            yield one
        finally:  # one that broke is made anew by itself
            with self._mutex:
                self._idle.append(one)
            if self._closed:
                self.close()


class _Keeps(Protocol):
    def reading(self) -> AbstractContextManager[Vault]: ...

    def writing(self) -> AbstractContextManager[Vault]: ...

    def watching(self) -> Watching | None: ...

    def close(self) -> None: ...


@dataclass(slots=True)
class ByItself:
    """Asks a vault that this process keeps open."""

    live: _Keeps
    agent: str | None

    def ask(self, verb: str, args: dict[str, Any]) -> Said:
        from vault_memory.surfaces.resident.calls import checked

        row, given = checked(verb, args)
        with door("mcp"), self.live.writing() if row.writes else self.live.reading() as vault:
            caller = vault.person if self.agent is None else vault.agent(self.agent)
            answer = row.act(vault, caller, dict(given))
        text = getattr(answer.value, "text", None)  # encoded for a socket already
        return Said(answer.value if text is None else json.loads(text), answer.notices)

    def is_read(self) -> bool:
        watching = self.live.watching()
        return watching is None or watching.first_seconds is not None

    def close(self) -> None:
        self.live.close()


class _Opened:
    """A vault that can't be kept open: it is opened for each question, one at a time."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._mutex = threading.Lock()

    @contextmanager
    def reading(self) -> Iterator[Vault]:
        with ExitStack() as stack:
            stack.enter_context(self._mutex)
            yield stack.enter_context(Vault.open(self._root))

    writing = reading

    def watching(self) -> None:
        """Nobody watches: each question looks at the files itself."""

    def close(self) -> None:
        """Nothing is open between two questions."""
