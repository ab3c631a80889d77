"""Taking back older commits in one new one: what others have done to the same memories since stays."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from shlex import quote
from typing import NamedTuple

from vault_memory.config.settings import Settings
from vault_memory.errors import (
    ConflictError,
    GitError,
    MemoryNotFoundError,
    NotFoundError,
    RevisionNotFoundError,
    StorageError,
    UsageError,
)
from vault_memory.model.caseless import caseless
from vault_memory.model.filters.chosen import Filter
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.message import batch_message, commit_message
from vault_memory.model.namespace import Scope, VaultPath
from vault_memory.model.outcome import Written
from vault_memory.model.reverted import Became, Reverted, TakenBack
from vault_memory.model.revision import FileState, Op, Operation, Revision, short, version_of
from vault_memory.model.takeback import Change, State, Version, without
from vault_memory.ops.filehistory import GONE, Story, Touch, stories, touches
from vault_memory.ops.removed import find_removed
from vault_memory.ops.resolve import resolve
from vault_memory.ops.settle import waiting
from vault_memory.ops.turn import Turn
from vault_memory.ops.write import Step, bring_back, keep_persons_versions, one_commit
from vault_memory.ports import Ports, Progress, no_progress

UNCOMMITTED = "you (not committed yet)"
CUT = "what was there before is not in this shallow clone: git fetch --unshallow"
_HASH = re.compile(r"[0-9a-fA-F]{7,64}")


@dataclass(frozen=True, slots=True)
class _Plan:
    """What becomes of one file: as it is now, as it will be, and what is told of it."""

    now: State
    then: State
    told: TakenBack
    commits: frozenset[str] = frozenset()
    """Those of which something is to be taken out of it."""

    @property
    def changes(self) -> bool:
        """Whether anything becomes of it."""
        return self.now != self.then


def revert(
    ports: Ports,
    settings: Settings,
    scope: Scope,
    what: str | None,
    chosen: Filter,
    *,
    dry_run: bool = False,
    progress: Progress = no_progress,
) -> Reverted:
    """Take back a commit, the last change of a memory, or all that the agents of `chosen` did in its time and
    folder (with a memory, of that one alone), in one commit.

    Lines and keys that others have changed since stay as these left them, and are named; so does a new
    memory that somebody else has edited since. Only the person may. Raises `NotFoundError`,
    `PersonOnlyError`, `GitError` where no commit can be made now.
    """
    scope.check_person("take back commits", hint="vmem undo takes back your own last one")
    _check(what, chosen)
    if dry_run:
        revisions, plans = _planned(ports, settings, scope, what, chosen, progress)
        return replace(_reverted(revisions, plans), dry_run=True, notices=_not_looked_at(ports))
    turn = Turn(ports, settings["lock_seconds"], progress)

    def act() -> tuple[Reverted, list[Written]]:
        turn.need_committed(waiting(ports))
        state = ports.history.state()
        if state.blocked:
            raise GitError(
                f"no commit can be made now: {state.blocked}", hint="vmem status shows how git stands"
            )
        revisions, plans = _planned(ports, settings, scope, what, chosen, progress)
        while True:
            try:
                done = _reverted(revisions, plans)
                written = _carry_out(turn, settings, done.revisions, [one for one in plans if one.changes])
            except (ConflictError, StorageError) as error:
                # Nothing was changed. All but this one may still be, under a message without it.
                if not any(error.path in _places(one) and one.changes for one in plans):
                    raise
                plans = [_left(one, error.message) if error.path in _places(one) else one for one in plans]
                continue
            return done, written

    turn.settle()
    done, written = turn.take(act)
    return _with_commit(done, turn.committed(written)) if written else done


def _check(what: str | None, chosen: Filter) -> None:
    if what is None and not chosen.agents:
        raise UsageError(
            "revert takes back a commit, a memory's last change, or what an agent did",
            hint="vmem revert COMMIT   vmem revert MEMORY   vmem revert --source-agent NAME --since DAY",
        )
    if what is not None and not chosen.agents and (chosen.timed or chosen.folder):
        raise UsageError(
            "a time or a namespace chooses among the commits of an agent",
            hint="name the agent too: --source-agent NAME",
        )


def _planned(
    ports: Ports, settings: Settings, scope: Scope, what: str | None, chosen: Filter, progress: Progress
) -> tuple[tuple[Revision, ...], list[_Plan]]:
    """The commits to take back, and what becomes of each file that they touched, in path order."""
    named = _named(ports, scope, what) if what is not None else None
    if named is not None and named.commit is not None and chosen.agents:
        raise UsageError(f"{what!r} is a commit, and has its agent", hint="leave --source-agent out")
    found = touches(_looked_through(ports, named))
    taken = list(_selected(named, chosen, found))
    if not taken:
        raise NotFoundError(_nothing(what, chosen), hint="vmem log shows what was done, and by whom")
    keys = {(one.file, one.revision.commit) for one in taken}
    told = stories(ports, found, lambda one: (one.file, one.revision.commit) in keys, progress=progress)
    plans = [plan for file, story in told.items() if (plan := _plan(ports, settings, file, story))]
    plans.sort(key=lambda one: one.told.path)
    return tuple({one.revision.commit: one.revision for one in taken}.values()), _no_two(plans)


def _looked_through(ports: Ports, named: _Named | None) -> Iterator[Revision]:
    """The commits of the branch, newest first. Of a merge: what came after it, and itself as the one change
    that it was to the line of its first parent, whatever commits that came from."""
    merge = ports.history.merge(named.commit) if named is not None and named.commit is not None else None
    head = ports.history.state().head
    if merge is None or head is None or not ports.points.leads_to(head, merge.commit):
        yield from ports.history.log(None, limit=None, moves=True)
        return
    yield from ports.history.log(None, limit=None, start=f"{merge.commit}..{head}", moves=True)
    yield merge


def _selected(named: _Named | None, chosen: Filter, found: Sequence[Touch]) -> Iterator[Touch]:
    if named is None:
        yield from (one for one in found if _is_chosen(one, chosen))
        return
    of_it = [one for one in found if one.revision.commit == named.commit or one.file == named.path]
    if chosen.agents:
        yield from (one for one in of_it if _is_chosen(one, chosen))
    else:
        yield from of_it if named.commit is not None else of_it[:1]


class _Named(NamedTuple):
    """A commit, or the file that it is about."""

    commit: str | None
    path: VaultPath | None = None


def _named(ports: Ports, scope: Scope, what: str) -> _Named:
    """The commit or the file that a person means. A hash is a commit. Raises `UsageError` for another name
    of both: a memory called `HEAD` must not be what they take back in place of the last commit."""
    if _HASH.fullmatch(what):
        with suppress(RevisionNotFoundError):
            return _Named(ports.points.resolve(what).commit)
    try:
        path = resolve(ports, scope, what).path
        if path != what:
            with suppress(RevisionNotFoundError):
                commit = ports.points.resolve(what).commit
                raise UsageError(
                    f"{what!r} is a memory and a commit",
                    hint=f"the commit: vmem revert {short(commit)}   the memory: vmem revert {quote(path)}",
                )
        return _Named(None, path)
    except MemoryNotFoundError as error:
        with suppress(RevisionNotFoundError):
            return _Named(ports.points.resolve(what).commit)
        with suppress(MemoryNotFoundError):
            return _Named(None, find_removed(ports, scope, what).path)
        raise MemoryNotFoundError(
            what, hint="it names no commit either; vmem list and vmem log show what there is"
        ) from error


def _is_chosen(one: Touch, chosen: Filter) -> bool:
    revision = one.revision
    return (
        revision.agent is not None
        and revision.op is not Op.GC  # what has expired is nothing that it said
        and caseless(revision.agent) in chosen.agents
        and (chosen.since is None or revision.when >= chosen.since)
        and (chosen.until is None or revision.when < chosen.until)
        and (not chosen.folder or one.new.startswith(f"{chosen.folder}/"))
    )


def _nothing(what: str | None, chosen: Filter) -> str:
    if what is None:
        return f"no commit of {' or '.join(chosen.agents)} is there to take back"
    if chosen.agents:
        return f"no commit of {' or '.join(chosen.agents)} to {what!r} is there to take back"
    return f"no commit of this branch changed memories and is, or touched, {what!r}"


def _plan(ports: Ports, settings: Settings, file: str, story: Story) -> _Plan | None:
    """What becomes of a file, `None` where nothing of all that is left in it."""
    path = VaultPath(file) if not file.startswith(GONE) else None
    try:
        now = _now(ports, path)
    except StorageError as error:
        assert path is not None
        told = TakenBack(Became.LEFT, path, None, None, path, error.message)
        return _Plan(None, None, told)
    commits = frozenset(one.commit for one in story.changes if one.taken)
    changes = _with_uncommitted(ports, story.changes, now)
    state, by = without(changes, now) if not story.cut else (now, ())
    kept = CUT if story.cut else _kept(by, whole=state is not None and changes[0].before is None)
    if state is not None and _comes(now, state) and ports.files.stat(state.path) is not None:
        kept = f"something else lies at {state.path} now"
        state = state._replace(path=now.path) if now is not None else None
    if state == now and not kept:
        return None
    seen = state or now or next(one.before or one.after for one in changes if one.before or one.after)
    assert seen is not None
    memory = parse_memory(seen.path, seen.content, zone=settings.zone)
    came_from = now.path if now is not None and state is not None and _comes(now, state) else None
    told = TakenBack(_became(now, state), seen.path, came_from, memory.id, memory.title, kept)
    return _Plan(now, state, told, commits)


def _comes(now: State, then: Version) -> bool:
    """Whether it will lie where it does not lie now."""
    return now is None or now.path != then.path


def _now(ports: Ports, path: VaultPath | None) -> State:
    found = ports.files.read(path) if path is not None else None
    return Version(found.stamp.path, found.content) if found is not None else None


def _with_uncommitted(ports: Ports, changes: Sequence[Change], now: State) -> list[Change]:
    """With what a person has changed in it since the last commit."""
    last = changes[-1].after
    places = {state.path for state in (last, now) if state is not None}
    if last == now or len(places) != 1:
        return list(changes)
    if ports.history.bytes_at("HEAD", *places) != (last.content if last is not None else None):
        return list(changes)
    return [*changes, Change(last, now, False, UNCOMMITTED)]


def _kept(by: Sequence[str], *, whole: bool) -> str | None:
    if not by:
        return None
    who = " and ".join([", ".join(by[:-1]), by[-1]] if len(by) > 1 else by)
    return f"it is new, and was edited since by {who}" if whole else f"the same was changed since by {who}"


def _became(now: State, then: State) -> Became:
    if now == then:
        return Became.LEFT
    if then is None:
        return Became.REMOVED
    if now is None:
        return Became.RESTORED
    return Became.CHANGED if now.path == then.path else Became.MOVED


def _no_two(plans: Sequence[_Plan]) -> list[_Plan]:
    """Without a second file for one path."""
    taken: set[VaultPath] = set()
    checked = []
    for plan in plans:
        if plan.then is not None and _comes(plan.now, plan.then) and plan.told.path in taken:
            checked.append(_left(plan, f"another one goes back to {plan.told.path}"))
        else:
            checked.append(plan)
        taken.add(plan.told.path)
    return checked


def _left(plan: _Plan, why: str) -> _Plan:
    path = plan.now.path if plan.now is not None else plan.told.path
    told = replace(plan.told, became=Became.LEFT, path=path, came_from=None, kept=why)
    return _Plan(plan.now, plan.now, told, plan.commits)


def _places(plan: _Plan) -> set[str]:
    return {state.path for state in (plan.now, plan.then) if state is not None}


def _reverted(revisions: Sequence[Revision], plans: Sequence[_Plan]) -> Reverted:
    """The plans as they are told: with the commits of which they take something back, if they do of any."""
    commits = frozenset[str]().union(*(one.commits for one in plans if one.changes))
    taken = [one for one in revisions if one.commit in commits]
    return Reverted(tuple(taken or revisions), tuple(one.told for one in plans), dry_run=False)


def _not_looked_at(ports: Ports) -> tuple[str, ...]:
    waits = len(waiting(ports))
    return (f"what waits for its commit was not looked at ({waits:,})",) if waits else ()


def _carry_out(
    turn: Turn, settings: Settings, revisions: Sequence[Revision], plans: Sequence[_Plan]
) -> list[Written]:
    ports = turn.ports
    if not plans:
        return []
    there = [(one.now, one.told.title) for one in plans if one.now is not None]
    states = ports.history.file_states([version.path for version, _ in there])
    for version, _ in there:
        if states[version.path] is FileState.PARTLY_STAGED:
            raise ConflictError(version.path, "part of a change to it is staged", hint="commit it first")
    keep_persons_versions(turn, [(version.path, version.content, title) for version, title in there])
    message = _message(revisions, plans)
    steps = one_commit(ports, [step for plan in plans for step in _steps(plan, message)])
    return bring_back(turn, settings.zone, steps, whole=True)


def _steps(plan: _Plan, message: str) -> Iterator[Step]:
    now, then, told = plan.now, plan.then, plan.told
    moves = now is not None and then is not None and now.path != then.path
    if then is not None:
        before = None if moves or now is None else version_of(now.content)
        operation = Operation(Op.REVERT, then.path, version_of(then.content), before, message, None)
        like = now.path if moves and now is not None else None
        yield Step(operation, then.content, told.id, told.title, like=like)
    if now is not None and (then is None or moves):
        operation = Operation(Op.REVERT, now.path, None, version_of(now.content), message, None)
        yield Step(operation, None, told.id, told.title)


def _message(revisions: Sequence[Revision], plans: Sequence[_Plan]) -> str:
    if len(revisions) == 1:
        [one] = revisions
        memory_id = plans[0].told.id if len(plans) == 1 else one.memory_id
        return commit_message(Op.REVERT, one.subject, memory_id=memory_id, undoes=one.commit)
    agents = sorted({one.agent or one.author for one in revisions})
    what = f"{len(revisions):,} commits of {', '.join(agents)}"
    return batch_message(Op.REVERT, what, [f"{one.commit[:12]} {one.subject}" for one in revisions])


def _with_commit(done: Reverted, written: Sequence[Written]) -> Reverted:
    return replace(
        done,
        commit=next((one.commit for one in written if one.commit), None),
        reason=next((one.reason for one in written if one.reason), None),
        notices=tuple(dict.fromkeys(notice for one in written for notice in one.notices)),
    )
