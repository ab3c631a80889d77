"""What local traces say: how often memories were given, which ones most, and which never."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo

from vault_memory.model.memory import Entry
from vault_memory.model.uses import DAYS, MOST, Use, UsedMemory


@dataclass(frozen=True, slots=True)
class DoorUse:
    """The answers by one door: a command, or a hook's event."""

    door: str
    answers: int
    hits: int
    """Those that gave at least one memory."""
    given: int
    """Memories, each as often as it was given."""
    tokens: int


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """How often one memory was given."""

    memory: Entry
    answers: int
    last: datetime


@dataclass(frozen=True, slots=True)
class DayUse:
    """The answers of one day, by door."""

    day: date
    doors: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Usage:
    """What was given to a caller (to everybody, for the person) in a stretch of time."""

    traced: bool
    """Whether answers are noted at present: the setting `traces`."""
    since: datetime | None
    """`None` for as far back as there are traces."""
    until: datetime | None
    first: datetime | None
    """The oldest answer."""
    doors: tuple[DoorUse, ...]
    """By the most answers."""
    days: tuple[DayUse, ...]
    """From the first day with an answer to the last, those without one left out."""
    recalled: int
    """How many memories of now were given at least once."""
    most: tuple[MemoryUse, ...]
    """The first of them, by how often."""
    never: int
    """How many that could have been were not."""
    idle: tuple[Entry, ...]
    """The first of these, the most important and then the oldest ones first."""
    removed: int
    """How many that were given are no memory of the caller's any more."""
    whole: int
    """About how many tokens all that the caller may read have together now."""
    everything: int
    """How many the answers would have had, if each had been all that there was."""
    notices: tuple[str, ...] = ()

    @property
    def answers(self) -> int:
        """All of them."""
        return sum(one.answers for one in self.doors)

    @property
    def hits(self) -> int:
        """Those that gave at least one memory."""
        return sum(one.hits for one in self.doors)

    @property
    def tokens(self) -> int:
        """What the answers had together."""
        return sum(one.tokens for one in self.doors)

    @property
    def saved(self) -> int:
        """Tokens less than with everything in each answer; 0 where that is less."""
        return max(self.everything - self.tokens, 0)


def usage(
    uses: Sequence[Use],
    entries: Sequence[Entry],
    *,
    chosen: Sequence[Entry] | None = None,
    now: datetime,
    zone: tzinfo,
    whole: int,
    limit: int,
    traced: bool = True,
    since: datetime | None = None,
    until: datetime | None = None,
) -> Usage:
    """Add up `uses` (the oldest first), of the memories that there are now (`entries`).

    Of `chosen` alone it is told which were given and which never; at most `limit` of each."""
    counts, last, removed = _by_memory(uses, entries)
    among = {one.path for one in (entries if chosen is None else chosen)}
    by_path: dict[str, Entry] = {one.path: one for one in entries if one.path in among}
    given = [MemoryUse(by_path[path], times, last[path]) for path, times in counts.items() if path in by_path]
    given.sort(key=lambda one: (-one.answers, -one.last.timestamp(), one.memory.path))
    idle = [one for path, one in by_path.items() if path not in counts and _counts(one, now)]
    idle.sort(key=lambda one: (-one.importance, *_age(one), one.path))
    return Usage(
        traced=traced,
        since=since,
        until=until,
        first=uses[0].at if uses else None,
        doors=_doors(uses),
        days=_days(uses, zone),
        recalled=len(given),
        most=tuple(given[:limit]),
        never=len(idle),
        idle=tuple(idle[:limit]),
        removed=removed,
        whole=whole,
        everything=sum(use.whole or whole for use in uses),
    )


def visible(uses: Iterable[Use], agent: str | None) -> list[Use]:
    """Those that a caller is told of: an agent its own, the person (`None`) all."""
    return [use for use in uses if agent is None or use.agent == agent]


def remembered(uses: Iterable[Use], now: datetime) -> list[Use]:
    """Those that are still kept at that time: of the last `DAYS` days, and `MOST` at most."""
    ordered = sorted(uses, key=lambda one: one.at)
    return [one for one in ordered if one.at >= now - timedelta(days=DAYS)][-MOST:]


def now_called(
    used: UsedMemory, by_id: Mapping[str, Sequence[Entry]], paths: Mapping[str, Entry]
) -> str | None:
    """The path that a memory has now; `None` where it is gone. An id follows it wherever it is moved."""
    there = paths.get(used.path)
    if used.id is None:
        return there.path if there is not None else None
    same = by_id.get(used.id, ())
    if there is not None and (there in same or (not same and there.id is None)):
        return there.path
    return same[0].path if same else None


def _by_memory(
    uses: Iterable[Use], entries: Sequence[Entry]
) -> tuple[dict[str, int], dict[str, datetime], int]:
    """In how many answers each memory was by the path it has now, when the last time; how many are gone."""
    paths: dict[str, Entry] = {one.path: one for one in entries}
    by_id: dict[str, list[Entry]] = {}
    for one in entries:
        if one.id is not None:
            by_id.setdefault(one.id, []).append(one)
    known: dict[tuple[str, str | None], str | None] = {}
    counts: dict[str, int] = {}
    last: dict[str, datetime] = {}
    gone: set[str] = set()
    for use in uses:
        seen = set()
        for used in use.memories:
            key = used.path, used.id
            if key not in known:
                known[key] = now_called(used, by_id, paths)
            path = known[key]
            if path is None:
                gone.add(used.id or used.path)
            else:
                seen.add(path)
        for path in seen:
            counts[path] = counts.get(path, 0) + 1
            last[path] = use.at
    return counts, last, len(gone)


def _doors(uses: Iterable[Use]) -> tuple[DoorUse, ...]:
    by_door: dict[str, list[Use]] = {}
    for use in uses:
        by_door.setdefault(use.door, []).append(use)
    rows = [
        DoorUse(
            door,
            len(of),
            sum(bool(one.memories) for one in of),
            sum(len(one.memories) for one in of),
            sum(one.tokens for one in of),
        )
        for door, of in by_door.items()
    ]
    return tuple(sorted(rows, key=lambda one: (-one.answers, one.door)))


def _days(uses: Iterable[Use], zone: tzinfo) -> tuple[DayUse, ...]:
    days: dict[date, Counter[str]] = {}
    for use in uses:
        days.setdefault(use.at.astimezone(zone).date(), Counter())[use.door] += 1
    return tuple(DayUse(day, dict(sorted(doors.items()))) for day, doors in sorted(days.items()))


def _counts(entry: Entry, now: datetime) -> bool:
    """Whether it could be given at all."""
    return not entry.conflicted and (entry.expires is None or entry.expires > now)


def _age(entry: Entry) -> tuple[bool, float]:
    return entry.dated is None, entry.dated.timestamp() if entry.dated else 0.0
