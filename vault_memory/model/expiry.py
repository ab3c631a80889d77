"""What has expired and why, and whether the clock that says so can be trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from vault_memory.errors import ClockError
from vault_memory.model.memory import Entry, Memory
from vault_memory.model.namespace import VaultPath
from vault_memory.model.revision import FileState

SKEW = timedelta(minutes=10)
"""Two machines' clocks may differ by that much without either being wrong."""
QUIET = timedelta(days=366)
"""No commit for longer than that, and the clock is doubted."""

STAYS = {
    FileState.UNTRACKED: "it is not in git, so history could not bring it back",
    FileState.MODIFIED: "it holds a change that is not committed",
    FileState.PARTLY_STAGED: "part of a change to it is staged",
    FileState.MISSING: "it is gone already",
    FileState.UNKNOWN: "git can't tell whether history holds it",
}
"""Why a file in that state is not collected; only a clean one is."""
IGNORED = "git ignores it, so history could not bring it back"
CHANGED = "it was changed since it was listed"
ALIVE = "it no longer has expired"


@dataclass(frozen=True, slots=True)
class Expired:
    """A memory past its end. `key` and `value` are what its front matter says of it, as written.

    `since` is the first instant at which it no longer counts. `stays` says why it can't be
    collected now, `None` where it can or, with `removed`, was.
    """

    path: VaultPath
    id: str | None
    title: str
    version: str
    key: str
    value: str
    since: datetime
    stays: str | None = None
    removed: bool = False


@dataclass(frozen=True, slots=True)
class Collected:
    """What a collection found, removed and left, as of `now`.

    `commit` is the full hash, `None` where nothing was removed or, with the `reason`, where what was
    removed is not committed.
    """

    now: datetime
    expired: tuple[Expired, ...] = ()
    commit: str | None = None
    reason: str | None = None
    notices: tuple[str, ...] = ()

    @property
    def removed(self) -> tuple[Expired, ...]:
        """Those that went."""
        return tuple(one for one in self.expired if one.removed)

    @property
    def left(self) -> tuple[Expired, ...]:
        """Those that have expired and are still there."""
        return tuple(one for one in self.expired if not one.removed)


def has_expired(memory: Entry | Memory, now: datetime) -> bool:
    """Whether it is past its end. What nobody can read, or has to be merged first, is not."""
    return memory.expires is not None and memory.expires <= now and not memory.conflicted


def expired_from(memory: Entry | Memory, *, stays: str | None = None) -> Expired:
    """The word on a memory that has expired."""
    assert memory.expires is not None, "it has an end"
    key, value = cause_of(memory.front)
    return Expired(memory.path, memory.id, memory.title, memory.version, key, value, memory.expires, stays)


def cause_of(front: Mapping[str, object]) -> tuple[str, str]:
    """The key that ends a memory's life, with its value as written: `expires` wins over `ttl`."""
    for key in ("expires", "ttl"):
        spelled = [name for name in front if name.casefold() == key]
        value = front[key if key in front else spelled[0]] if spelled else None
        if isinstance(value, str) and value.strip():
            return key, value.strip()
    return "expires", ""


def check_clock(now: datetime, head: datetime | None) -> None:
    """Raise `ClockError` where the last commit makes it doubtful that it is `now`."""
    if head is not None and not head - SKEW <= now <= head + QUIET:
        raise ClockError(now, head)


def message_lines(expired: Sequence[Expired]) -> list[str]:
    """A line for each memory that a commit collects: title, path, id and why."""
    return [
        f"{one.title} ({one.path}{f', {one.id}' if one.id else ''}): {one.key} {one.value},"
        f" expired {one.since.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
        for one in expired
    ]
