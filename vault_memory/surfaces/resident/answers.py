"""What a resident answers to each request: one JSON object, whatever was asked."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime

from vault_memory import __version__
from vault_memory.config.door import door as asked_by
from vault_memory.errors import UsageError, VmemError
from vault_memory.live.handle import LiveVault
from vault_memory.model import wireerror
from vault_memory.model.resident import Resident, resident
from vault_memory.model.revision import CommitReport
from vault_memory.model.wire import Json
from vault_memory.plugins import without_secrets
from vault_memory.surfaces.resident import calls, door
from vault_memory.surfaces.resident.commands import CarryOut, Commands
from vault_memory.surfaces.resident.facts import bytes_in_memory
from vault_memory.surfaces.resident.lines import EndedError, Peer
from vault_memory.surfaces.resident.log import Log
from vault_memory.vault import Vault

FLUSH_SECONDS = 60.0
"""So long `flush` waits for commits."""
ASKED = "it was asked to stop"
NEWER = "a newer vmem asked"


@dataclass(slots=True)
class Answers:
    """The answers of one resident. `answer` may be called by many threads at once."""

    live: LiveVault
    commands: Commands
    log: Log
    since: datetime
    requests: int = 0
    ending: str | None = None
    """Why the resident is to end once the answer is said."""
    _mutex: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def of(cls, live: LiveVault, carry_out: CarryOut, log: Log, since: datetime) -> Answers:
        """For a vault kept open; `carry_out` carries out command lines."""
        return cls(live, Commands(live, carry_out), log, since)

    def answer(self, request: Json, peer: Peer) -> Json:
        """What to say. Raises `EndedError` where the peer goes away; even a bug is an answer."""
        with self._mutex:
            self.requests += 1
        foreign = self._foreign(request)
        if foreign is not None:
            return {"unfit": foreign}
        try:
            return _act(request.get("do"))(self, request, peer)
        except VmemError as error:
            return {"error": _error(error)}
        except EndedError:
            raise
        except Exception as error:  # noqa: BLE001 - nobody may wait for ever, nor lose their resident
            self.log.bug(f"{request.get('do')} {request.get('verb', '')}", error)
            return {"error": _bug(error)}

    def state(self) -> Resident:
        """What the resident says of itself."""
        watching = self.live.watching()
        return Resident(
            pid=os.getpid(),
            version=__version__,
            since=self.since,
            folders=watching.folders,
            polled=watching.polled,
            behind=watching.behind,
            first_seconds=watching.first_seconds,
            waiting=self.live.waiting(),
            generation=self.live.generation(),
            requests=self.requests,
            memory=bytes_in_memory(),
            idle_seconds=self.live.settings["resident_idle_seconds"],
        )

    def _foreign(self, request: Json) -> str | None:
        """Why a request of another version is not for us. A newer one wants a newer resident."""
        version, protocol = request.get("vmem"), request.get("protocol")
        if version == __version__ and protocol == door.PROTOCOL:
            return None
        if _numbers(version) > _numbers(__version__) or _number(protocol) > door.PROTOCOL:
            self.ending = NEWER
        return f"this resident is of vmem {__version__}, protocol {door.PROTOCOL}"

    def _run(self, request: Json, peer: Peer) -> Json:
        return self.commands.run(request, peer)

    def _call(self, request: Json, _: Peer) -> Json:
        verb, args = calls.checked(request.get("verb"), request.get("args", {}))
        name = request.get("agent")
        if name is not None and not isinstance(name, str):
            raise UsageError(f"the agent can't be {name!r:.100}", hint="it is a name, or null for the person")
        handle: Callable[[], AbstractContextManager[Vault]] = (
            self.live.writing if verb.writes else self.live.reading
        )
        with asked_by("resident"), handle() as vault:
            given = verb.act(vault, vault.person if name is None else vault.agent(name), args)
        if request["verb"] == "status" and isinstance(given.value, dict):
            given.value["resident"] = resident(self.state())
        return {"value": given.value} | ({"notices": list(given.notices)} if given.notices else {})

    def _state(self, _: Json, __: Peer) -> Json:
        return {"value": resident(self.state())}

    def _flush(self, _: Json, __: Peer) -> Json:
        return {"value": _flushed(self.live.flush(FLUSH_SECONDS))}

    def _stop(self, _: Json, __: Peer) -> Json:
        self.ending = ASKED
        return {"value": resident(self.state())}


_ACTS: dict[str, Callable[[Answers, Json, Peer], Json]] = {
    "run": Answers._run,
    "call": Answers._call,
    "state": Answers._state,
    "flush": Answers._flush,
    "stop": Answers._stop,
}


def _act(do: object) -> Callable[[Answers, Json, Peer], Json]:
    act = _ACTS.get(do) if isinstance(do, str) else None
    if act is None:
        raise UsageError(f"{do!r:.100} can't be asked", hint=f"there are: {', '.join(_ACTS)}")
    return act


def _flushed(report: CommitReport) -> Json:
    return {
        "commits": list(dict.fromkeys(report.commits.values())),
        "waiting": len(report.waiting),
        "reasons": sorted(set(report.waiting.values())),
    }


def _error(error: VmemError) -> Json:
    """An error as JSON. A message may repeat what was given, and what is given by mistake can be a secret."""
    value = wireerror.error(error) | {"message": without_secrets(error.message)}
    if error.hint is not None:
        value["hint"] = without_secrets(error.hint)
    return value if error.item is None else value | {"item": error.item}


def _bug(error: Exception) -> Json:
    return {
        "kind": "bug",
        "message": f"this is a bug in vmem: {type(error).__name__}",
        "hint": "vmem daemon logs says where; your files and their history are not affected",
        "exit_code": 1,
    }


def _numbers(version: object) -> tuple[int, ...]:
    """`1.2.3` as numbers, to compare; what is no version is older than any."""
    parts = version.split(".") if isinstance(version, str) else []
    return tuple(int(part) for part in parts) if all(part.isdecimal() for part in parts) else ()


def _number(protocol: object) -> int:
    return protocol if isinstance(protocol, int) else 0
