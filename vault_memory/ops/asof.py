"""Which commit a person means by a revision or a date, and the time that it is there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from vault_memory.config.settings import Settings
from vault_memory.errors import RevisionNotFoundError, UsageError
from vault_memory.model.branches import AsOf, Point
from vault_memory.model.filters.when import Span, read_when
from vault_memory.model.namespace import Scope
from vault_memory.model.proposals import PREFIX
from vault_memory.ports import Ports

HEAD = "HEAD"
_NAMED = ("refs/heads/", "refs/tags/", "refs/remotes/")
_FORMS = "give a commit (vmem log lists them), a branch, a tag, or a date (2026-11-01, yesterday, 7d)"
_AGENTS = "an agent looks back along the history of HEAD, of the reviewed branch and of its own proposals"


def as_of(ports: Ports, settings: Settings, scope: Scope, when: str | datetime) -> AsOf:
    """The commit that a revision names, at the time of that commit; or the last one (on the first-parent line
    of HEAD) by a date or time, at the end of that.

    A branch or tag that is called like a date is meant before the date. An agent is shown only what led to
    HEAD or to the reviewed branch, and its own proposals.

    Raises `RevisionNotFoundError`, `GitError`, `UsageError`.
    """
    if isinstance(when, datetime):
        if when.tzinfo is None:
            raise UsageError("a time without its offset from UTC", hint="give an aware datetime")
        return _by(ports, when)
    text = when.strip()
    if not text:
        raise UsageError("that names no commit and no date", hint=_FORMS)
    span = read_when(text, ports.clock.now(), settings.zone)
    if span is not None and not _is_name(ports, text):
        return _by(ports, _last_of(span, settings.zone, ports.clock.now()))
    point = shown(ports, settings, scope, text)
    return AsOf(point, point.when)


def shown(ports: Ports, settings: Settings, scope: Scope, text: str) -> Point:
    """The commit that a revision names, where the caller may look at it. Raises `RevisionNotFoundError`."""
    if scope.agent is not None and (":" in text or "{" in text):  # git finds commits by their messages, too
        raise RevisionNotFoundError(text, hint=_AGENTS)
    try:
        point = ports.points.resolve(text)
    except RevisionNotFoundError as error:
        raise RevisionNotFoundError(text, hint=_FORMS) from error
    if scope.agent is not None and not _is_shown(ports, settings, scope.agent, point):
        raise RevisionNotFoundError(text, hint=_AGENTS)
    return point


def reviewed(ports: Ports, settings: Settings) -> Point:
    """The tip of the reviewed branch: that of the setting, else the one that the remote's HEAD names, else
    main or master. Raises `RevisionNotFoundError` where there is none."""
    named = settings["reviewed_branch"]
    if not named:
        trunk = ports.points.trunk()
        if trunk is None:
            raise RevisionNotFoundError(
                "main", hint="name the reviewed branch: vmem config reviewed_branch NAME"
            )
        return ports.points.resolve(trunk)
    for prefix in ("refs/heads/", "refs/remotes/"):
        try:
            return ports.points.resolve(f"{prefix}{named}")
        except RevisionNotFoundError:
            continue
    raise RevisionNotFoundError(named, hint="the setting reviewed_branch names it; git branch lists them")


def _by(ports: Ports, moment: datetime) -> AsOf:
    return AsOf(ports.points.at(moment), moment)


def _last_of(span: Span, zone: ZoneInfo, now: datetime) -> datetime:
    """The last instant of a day or a longer time; nobody looks further than now."""
    return min((span.end - timedelta(microseconds=1)).astimezone(zone), now)


def _is_name(ports: Ports, text: str) -> bool:
    for prefix in _NAMED:
        try:
            ports.points.resolve(f"{prefix}{text}")
        except RevisionNotFoundError:
            continue
        return True
    return False


def _is_shown(ports: Ports, settings: Settings, agent: str, point: Point) -> bool:
    """Whether an agent may look at a commit: what has been merged, and its own proposals."""
    return any(ports.points.leads_to(tip, point.commit) for tip in _tips(ports, settings, agent))


def _tips(ports: Ports, settings: Settings, agent: str) -> Iterator[str]:
    with suppress(RevisionNotFoundError):
        yield ports.points.resolve(HEAD).commit
    with suppress(RevisionNotFoundError):
        yield reviewed(ports, settings).commit
    yield from (one.tip for one in ports.worktrees.branches(f"{PREFIX}{agent}/"))
