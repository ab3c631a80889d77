"""What the process that keeps a vault open says of itself."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from datetime import datetime

from vault_memory.errors import FormatError
from vault_memory.model.wire import Json, moment


@dataclass(frozen=True, slots=True)
class Resident:
    """A resident that answers."""

    pid: int
    version: str
    since: datetime
    folders: int
    """So many are watched."""
    polled: str | None
    """Why the vault is looked over every few seconds instead of being watched, `None` where it is watched."""
    behind: str | None
    """Why its index is not up to the files yet, `None` where it is."""
    first_seconds: float | None
    """How long its first comparison of all files with the index took; `None` until that is over."""
    waiting: int
    """Writes that wait for their commit."""
    generation: int
    requests: int
    memory: int | None
    """Bytes in memory, `None` where the system does not tell."""
    idle_seconds: float
    """After so long without a question it ends; 0 for never."""


@dataclass(frozen=True, slots=True)
class Silent:
    """Something listens in a resident's place and does not answer: it is stopped, or another program."""

    pid: int | None
    """Its number, where the system tells."""


def resident(one: Resident | Silent | None) -> Json | None:
    """As JSON; `None` where none is running."""
    if one is None:
        return None
    if isinstance(one, Silent):
        return {"answers": False, "pid": one.pid}
    return {"answers": True, **asdict(one), "since": moment(one.since)}


def resident_from(value: object) -> Resident:
    """A resident from its JSON. Raises `FormatError` for anything else."""
    try:
        assert isinstance(value, dict)
        found = {field.name: value[field.name] for field in fields(Resident)}
        return Resident(**{**found, "since": datetime.fromisoformat(found["since"])})
    except (AssertionError, KeyError, TypeError, ValueError) as error:
        raise FormatError("that is not what a resident says of itself") from error
