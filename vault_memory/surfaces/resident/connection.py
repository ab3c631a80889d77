"""A Python program's line to a vault's resident: the verbs of memory, answered in a millisecond."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from enum import Enum
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from vault_memory.config import environ
from vault_memory.errors import UsageError, VmemError
from vault_memory.live.alone import is_taken, located
from vault_memory.model import wireerror
from vault_memory.surfaces.resident import door
from vault_memory.surfaces.resident.asking import CONNECTING, heard_from, said
from vault_memory.surfaces.resident.starting import START_SECONDS, command

if TYPE_CHECKING:
    from _socket import socket as Socket  # noqa: N812 - a class, whatever it is called there

ANSWER_SECONDS = 180.0
"""So long an answer may take: a write may have to wait for another one, and for git's hooks."""
_LEAVING = 10.0
"""Seconds that a resident of another version is given to end."""
_TRIES, _PAUSE = 4, 0.1
_SAFE_AGAIN = frozenset({"recall", "search", "list", "show", "remember", "remember_many"})
"""Verbs that may be asked once more where the first answer was lost: the same text is found, not doubled."""


def connect(path: str | Path | None = None, *, agent: str | None = None, start: bool = True) -> Connection:
    """A connection to the resident of the vault that `path` lies in; without one `VMEM_VAULT`, else the
    working folder.

    `agent` asks, or without one the person. A resident that does not run is started, or with
    `start=False` asking raises `VmemError`. Raises `VaultNotFoundError`.
    """
    return Connection(located(None if path is None else Path(path)), agent, start=start)


class Connection:
    """Asks one vault's resident. It may be shared by threads, which then wait for each other.

    Answers are plain values, of the form that `--json` has. What goes wrong there is raised here, as the
    same error. A connection that was lost is made anew.
    """

    def __init__(self, root: Path, agent: str | None, *, start: bool) -> None:
        self.root = root
        self.agent = agent
        self.notices: tuple[str, ...] = ()
        """What the last answer had to tell besides its value."""
        self._start = start
        self._mutex = threading.Lock()
        self._peer: Socket | None = None
        self._process = os.getpid()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def recall(self, query: str, **options: Any) -> dict[str, Any]:
        """The best memories within a budget; `options` as for `Agent.recall`. `["text"]` is for a prompt.

        Like `search`, `list` and `show` it may be asked of another view of the vault, by one of `at` (a
        commit or a date), `reviewed=True` and `proposals=True`."""
        return self._object("recall", {"query": query, **options})

    def search(self, query: str, **options: Any) -> dict[str, Any]:
        """Ranked hits; `options` as for `Agent.search`."""
        return self._object("search", {"query": query, **options})

    def list(self, **options: Any) -> Sequence[Any]:
        """All memories that may be read; `options` as for `Agent.list`."""
        return self._several("list", options)

    def show(self, ref: str, **options: Any) -> dict[str, Any]:
        """One memory with its text."""
        return self._object("show", {"ref": ref, **options})

    def remember(self, text: str, *, wait: str | None = None, **fields: Any) -> dict[str, Any]:
        """Write a memory; `fields` as for `Agent.remember`.

        It is on disk and found when this returns; its commit follows at once, or with `wait="commit"` is
        waited for."""
        return self._object("remember", {"text": text, **_waiting(wait), **fields})

    def remember_many(
        self, memories: Iterable[str | Mapping[str, Any]], *, wait: str | None = None, **options: Any
    ) -> Sequence[Any]:
        """Write many; all are checked before the first is written."""
        given = [one if isinstance(one, str) else dict(one) for one in memories]
        return self._several("remember_many", {"memories": given, **_waiting(wait), **options})

    def edit(self, ref: str, **changes: Any) -> dict[str, Any]:
        """Change a memory; `changes` as for `Agent.edit`."""
        return self._object("edit", {"ref": ref, **changes})

    def forget(self, ref: str, *, if_match: str | None = None) -> dict[str, Any]:
        """Remove a memory; history keeps it."""
        return self._object("forget", {"ref": ref, "if_match": if_match})

    def call(self, verb: str, **args: Any) -> Any:
        """The answer to any verb of the resident's protocol, by its name (docs/resident.md)."""
        return self._call(verb, args)

    def flush(self) -> dict[str, Any]:
        """Wait until all that is saved is committed: the commits, and how many still wait and why."""
        return _as_object(self._ask({"do": "flush"}, again=True))

    def state(self) -> dict[str, Any]:
        """What the resident says of itself."""
        return _as_object(self._ask({"do": "state"}, again=True))

    def close(self) -> None:
        """Hang up; the next question would connect anew. Twice is no fault."""
        with self._mutex:
            self._hang_up()

    def _object(self, verb: str, args: dict[str, Any]) -> dict[str, Any]:
        return _as_object(self._call(verb, args))

    def _several(self, verb: str, args: dict[str, Any]) -> Sequence[Any]:
        value = self._call(verb, args)
        assert isinstance(value, Sequence)
        return value

    def _call(self, verb: str, args: dict[str, Any]) -> object:
        request = {"do": "call", "verb": verb, "agent": self.agent, "args": _plain(args)}
        is_known_again = args.get("on_duplicate") in (None, "keep")
        return self._ask(request, again=verb in _SAFE_AGAIN and is_known_again)

    def _ask(self, request: dict[str, Any], *, again: bool) -> object:
        """The value of the answer. `again`: a request whose answer is lost may be made once more."""
        with self._mutex:
            answer = self._answer(request, again=again)
            if "unfit" in answer and self._start and self._leaves():
                answer = self._answer(request, again=again)
        if "unfit" in answer:
            raise VmemError(
                f"the resident can't be asked: {answer['unfit']}",
                hint="vmem daemon stop ends it; one vmem, installed once, is of one version",
            )
        error = answer.get("error")
        if isinstance(error, dict):
            raise wireerror.raised(error)
        told = answer.get("notices", ())
        self.notices = tuple(map(str, told)) if isinstance(told, list) else ()
        return answer.get("value")

    def _answer(self, request: dict[str, Any], *, again: bool) -> dict[str, Any]:
        for rest in range(_TRIES - 1, -1, -1):
            peer = self._connected()
            heard = False
            try:
                said(peer, request)
                heard = True
                return heard_from(peer)
            except TimeoutError as error:
                self._hang_up()
                raise VmemError(
                    f"the resident did not answer within {ANSWER_SECONDS:g} seconds",
                    hint="vmem daemon status shows whether it lives",
                ) from error
            except (OSError, ValueError, door.ClosedError) as error:
                self._hang_up()
                if not rest or (heard and not again):
                    raise VmemError(
                        "the resident went away before it answered",
                        hint="it may have done what was asked: look (vmem log) before you ask again",
                    ) from error
            time.sleep(_PAUSE)  # one that was killed takes a moment to be gone
        raise AssertionError("unreachable")

    def _connected(self) -> Socket:
        """A connection that the other side has not given up."""
        if self._peer is not None and (self._process != os.getpid() or _is_closed(self._peer)):
            self._hang_up()
        if self._peer is None:
            self._peer = door.connect(str(self.root), CONNECTING) or self._started()
            self._process = os.getpid()
            self._peer.settimeout(ANSWER_SECONDS)
        return self._peer

    def _started(self) -> Socket:
        """A connection to a resident that is started for it."""
        if not self._start:
            raise VmemError(f"no resident keeps {self.root} open", hint="start one: vmem daemon start")
        # By a command, which ends at once: a child of ours would be ours to wait for.
        done = subprocess.run(
            command(self.root, "daemon", "start", "--json"),
            capture_output=True,
            stdin=subprocess.DEVNULL,
            env=environ.of_a_resident(),
            timeout=2 * START_SECONDS,
            check=False,
        )
        peer = door.connect(str(self.root), CONNECTING) if done.returncode == 0 else None
        if peer is None:
            raise _why_not(done.stderr)
        return peer

    def _leaves(self) -> bool:
        """Whether a resident of another version makes room for one of ours, as it does for a newer one."""
        self._hang_up()
        until = time.monotonic() + _LEAVING
        while is_taken(self.root):
            if time.monotonic() > until:
                return False
            time.sleep(0.05)
        return True

    def _hang_up(self) -> None:
        peer, self._peer = self._peer, None
        if peer is not None:
            peer.close()


def _waiting(wait: str | None) -> dict[str, Any]:
    return {} if wait is None else {"wait": wait}


def _as_object(value: object) -> dict[str, Any]:
    assert isinstance(value, dict)
    return value


def _is_closed(peer: Socket) -> bool:
    """Whether the other side has hung up; it never says anything by itself."""
    peer.setblocking(False)
    try:
        peer.recv(1)
    except BlockingIOError:
        return False
    except OSError:
        return True
    else:
        return True
    finally:
        peer.settimeout(ANSWER_SECONDS)


def _plain(args: dict[str, Any]) -> Any:
    """The arguments as JSON has them. Raises `UsageError` for what has no form there."""
    try:
        return json.loads(json.dumps(args, default=_as_json))
    except (TypeError, ValueError) as error:
        raise UsageError(f"an argument can't be sent: {error}", hint="give texts, numbers, lists") from error


def _as_json(value: object) -> object:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Iterable):
        return list(value)
    raise TypeError(f"{type(value).__name__} is no value of JSON")


def _why_not(said: bytes) -> VmemError:
    """The error of a `vmem --json` that failed."""
    try:
        return wireerror.raised(json.loads(said)["error"])
    except (ValueError, KeyError, TypeError):
        words = said.decode("utf-8", "replace").strip()[:200] or "it ended as soon as it had begun"
        return VmemError(f"no resident could be started: {words}", hint="vmem daemon logs may say more")
