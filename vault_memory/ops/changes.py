"""What changed in a caller's memories since they last looked: told by the index, or else by commits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from vault_memory.config.settings import Settings
from vault_memory.errors import GitError, RevisionNotFoundError, SidecarError, TokenUnknownError
from vault_memory.model.changes import (
    LAST,
    Basis,
    Changes,
    Event,
    Since,
    by_whom,
    events,
    first_events,
    without_own,
)
from vault_memory.model.filters.chosen import Filter
from vault_memory.model.filters.when import read_when
from vault_memory.model.looked import Looked
from vault_memory.model.looktoken import LOOK_FORM, LookToken, parse_token, read_token, token_of
from vault_memory.model.namespace import Scope
from vault_memory.ops.asof import as_of
from vault_memory.ops.sincecommit import since_commit
from vault_memory.ports import Ports

COMMITS_READ = 500
"""Of so many commits at most it is read who made them."""
MADE_ANEW = "the search index was made anew since then"
FORGOTTEN = "more memories were removed since then than the search index remembers"
BY_COMMITS = "so commits tell it: what was not committed then may be told twice, or not if it was taken back"


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked: `since` is a token, a commit, a date, or `last`. With `others` what only the caller
    changed is left out. `session` is one of the caller's that begins: for it `last` is what it, or one that
    goes on beside it, was not told before."""

    since: str = LAST
    chosen: Filter = Filter.none
    others: bool = False
    limit: int | None = None
    session: str | None = None


class _Told(NamedTuple):
    """What came and left since `shown`; `commits` are those since then, as `History.log` takes them."""

    since: Since
    shown: str
    basis: Basis
    commits: str | None
    notices: tuple[str, ...] = ()


def changes(
    ports: Ports,
    settings: Settings,
    scope: Scope,
    asked: Asked,
    *,
    head: str | None,
    notices: Sequence[str] = (),
) -> Changes:
    """All that the scope may read, changed since then, and the token from which the next look goes on.

    `head` is where HEAD stood before the index was brought up to the files, so that the new token's commit
    is never ahead of what is told. Raises `TokenUnknownError`, `RevisionNotFoundError`, `GitError`,
    `UsageError`.
    """
    since = _last(ports, scope, asked.session) if asked.since == LAST else asked.since
    token = read_token(since) if since is not None else None
    lost: tuple[str, ...] = ()
    with ports.index.reading():
        new = token_of(ports.index.instance, ports.index.generation, head)
        known = None
        if token is not None and token.instance == new.instance:
            known = ports.index.since(scope, token.generation)
    told = None
    if token is not None and known is not None:
        told = _Told(known, str(token), Basis.INDEX, _commits_since(ports, token, head))
    elif token is not None:
        is_past = token.instance == new.instance and token.generation <= new.generation
        why = FORGOTTEN if is_past else MADE_ANEW
        try:
            told = _by_token(ports, settings, scope, token, head, why)
        except TokenUnknownError as error:
            if asked.since != LAST:
                raise
            lost = (error.message,)
    elif since is not None and asked.since != LAST:
        told = _by_name(ports, settings, scope, since, head)
    if told is None:
        first = first_events(filter(asked.chosen.matches, ports.index.entries(scope)), scope.agent)
        return _limited(
            Changes(
                tuple(first), str(new), str(token) if lost else None, Basis.NOTHING, notices=(*notices, *lost)
            ),
            asked,
        )
    found, more = _named(ports, scope, events(told.since, scope.agent, asked.chosen), told.commits, asked)
    words = (*notices, *told.notices, *more)
    return _limited(Changes(tuple(found), str(new), told.shown, told.basis, notices=words), asked)


def note_seen(ports: Ports, scope: Scope, token: str) -> None:
    """Note that the caller, whichever of its sessions, has seen all up to a token, for `last`. Raises
    `UsageError`, `StorageError`."""
    ports.looks.note(scope.agent, Looked(str(parse_token(token))))


def note_begun(ports: Ports, scope: Scope, session: str, token: str) -> None:
    """Note that a session of the caller's began and was told all up to a token. Raises `StorageError`."""
    looked, now = ports.looks.of(scope.agent), ports.clock.now()
    ports.looks.note(
        scope.agent, looked.with_begun(session, now, _last(ports, scope, session), str(parse_token(token)))
    )


def note_ended(ports: Ports, scope: Scope, session: str) -> None:
    """Note that a session of the caller's has ended: the next one is not told again what it was told. Raises
    `StorageError`."""
    looked = ports.looks.of(scope.agent)
    left = looked.without(session)
    if left != looked:
        ports.looks.note(scope.agent, left)


def _last(ports: Ports, scope: Scope, session: str | None) -> str | None:
    looked = ports.looks.of(scope.agent)
    return looked.token if session is None else looked.since(session, ports.clock.now())


def _by_token(
    ports: Ports, settings: Settings, scope: Scope, token: LookToken, head: str | None, why: str
) -> _Told:
    """By the commit of a token whose index can't tell any more. Raises `TokenUnknownError`."""
    if not ports.history.state().exists:
        raise TokenUnknownError(str(token), f"{why}, and there is no git repository")
    older = None
    if token.commit is not None:
        try:
            # In full first: digits alone could be read as a date.
            older = ports.points.resolve(token.commit).commit
            as_of(ports, settings, scope, older)
        except RevisionNotFoundError as error:
            reason = f"{why}, and commit {token.commit} did not lead to what is there now"
            raise TokenUnknownError(str(token), reason) from error
    found = since_commit(ports, settings.zone, scope, older, head)
    return _Told(found, str(token), Basis.COMMITS, _range(older, head), (f"{why}, {BY_COMMITS}",))


def _by_name(ports: Ports, settings: Settings, scope: Scope, since: str, head: str | None) -> _Told:
    """By a revision or a date. A day counts from its beginning."""
    span = read_when(since, ports.clock.now(), settings.zone)
    if span is None:
        try:
            older: str | None = as_of(ports, settings, scope, since).point.commit
        except RevisionNotFoundError as error:
            raise RevisionNotFoundError(since, hint=f"{error.hint}; or {LOOK_FORM}") from error
        shown = since.strip()
    else:
        shown = f"{span.start.astimezone(settings.zone):%Y-%m-%d %H:%M}"
        try:
            older = ports.points.at(span.start).commit
        except RevisionNotFoundError:  # there was no commit yet
            older = None
    found = since_commit(ports, settings.zone, scope, older, head)
    return _Told(found, shown, Basis.COMMITS, _range(older, head))


def _commits_since(ports: Ports, token: LookToken, head: str | None) -> str | None:
    if head is None or (token.commit is not None and head.startswith(token.commit)):
        return None
    try:
        return _range(ports.points.resolve(token.commit).commit if token.commit else None, head)
    except (RevisionNotFoundError, GitError):  # it only tells who; what changed the index knows
        return None


def _range(older: str | None, head: str | None) -> str | None:
    if head is None or head == older:
        return None
    return head if older is None else f"{older}..{head}"


def _named(
    ports: Ports, scope: Scope, found: list[Event], commits: str | None, asked: Asked
) -> tuple[list[Event], tuple[str, ...]]:
    """The events with who committed the changes; and what to say where git can't tell."""
    if not found:
        return found, ()
    authors, notices = _authors(ports, found, commits)
    named = by_whom(found, authors)
    return without_own(named, [_own_name(ports, scope)]) if asked.others else named, notices


def _authors(
    ports: Ports, found: Sequence[Event], commits: str | None
) -> tuple[Mapping[str, Sequence[str]], tuple[str, ...]]:
    paths = {path for one in found for path in (one.entry.path, one.came_from) if path is not None}
    authors: dict[str, list[str]] = {}
    try:
        for intent in reversed(ports.journal.pending()):
            if intent.operation.path in paths and intent.operation.author is not None:
                authors.setdefault(intent.operation.path, []).append(intent.operation.author.name)
        if commits is None:
            return authors, ()
        for revision in ports.history.log(None, limit=COMMITS_READ, start=commits):
            for path in paths.intersection(revision.paths):
                authors.setdefault(path, []).append(revision.agent or revision.author)
    except (GitError, SidecarError) as error:
        return authors, (f"can't tell who made all of the changes: {error.message}",)
    return authors, ()


def _own_name(ports: Ports, scope: Scope) -> str:
    """What the caller is called in commits."""
    if scope.agent is not None:
        return scope.agent
    person = ports.history.facts().person
    return person.name if person is not None else ""


def _limited(found: Changes, asked: Asked) -> Changes:
    if asked.limit is None or len(found.events) <= asked.limit:
        return found
    return replace(found, events=found.events[: asked.limit], omitted=len(found.events) - asked.limit)
