"""Exchanging the branch with a remote: fetch, merge without touching the checkout, go forward, push."""

from __future__ import annotations

from dataclasses import dataclass, replace

from vault_memory.config.settings import Settings
from vault_memory.errors import ConflictError, GitError, RemoteError, UsageError, VmemError
from vault_memory.model.branches import Followed, Merged, Pushed
from vault_memory.model.namespace import Scope
from vault_memory.model.parse import parse_memory
from vault_memory.model.revision import branch_name
from vault_memory.model.synced import Disputed, Synced, Way
from vault_memory.ops.flush import flush
from vault_memory.ports import Ports, Progress, no_progress

ROUNDS = 8
"""So often it is begun anew because another clone, or another writer here, was faster."""


@dataclass(frozen=True, slots=True)
class _Asked:
    followed: Followed
    way: Way
    begun: str | None
    """Our last commit when it began."""


class _StoppedError(Exception):
    """It can't go on; the state says why, and what has been done."""

    def __init__(self, state: Synced) -> None:
        super().__init__()
        self.state = state


def sync(
    ports: Ports,
    settings: Settings,
    scope: Scope,
    *,
    remote: str | None = None,
    way: Way = Way.MERGE,
    push: bool = True,
    progress: Progress = no_progress,
) -> Synced:
    """Bring what a remote has here and what is here there, as far as that can be.

    What waits for a commit is committed first. Files that the person has changed stay as they are, and are
    not sent. Where lines have parted they are merged by key; where a memory is in conflict nothing is merged,
    and `Synced` lists it. Whatever stops it is in `Synced.error`, and holds what was done until then. Raises
    `PersonOnlyError`, `GitError` where no branch could be exchanged, `UsageError` where none is named.
    """
    scope.check_person("exchange the vault", hint="ask the person to run: vmem sync")
    branch = _branch(ports)
    followed, follows_now = _followed(ports, branch, remote)
    waiting = len(flush(ports, settings, scope, progress=progress).waiting)
    head = ports.history.state().head
    asked = _Asked(followed, way, head)
    state = Synced(branch, followed, head, follows_now=follows_now, waiting=waiting)
    try:
        state = _exchange(ports, settings, scope, asked, state, push=push)
    except _StoppedError as stopped:
        state = stopped.state
    return _counted(ports, asked, state)


def _exchange(
    ports: Ports, settings: Settings, scope: Scope, asked: _Asked, state: Synced, *, push: bool
) -> Synced:
    there = _fetch(ports, asked, state)
    for _ in range(ROUNDS):
        theirs = ports.remote.tip(asked.followed) if there else None
        moved = _bring(ports, settings, asked, state, theirs)
        if moved is None:  # somebody has written here meanwhile
            flush(ports, settings, scope)
            continue
        state = moved
        if not push or state.head is None:
            return state
        ahead = ports.merges.count(theirs, state.head)
        if ahead == 0 and theirs is not None:
            return state
        pushed = _push(ports, asked, state)
        if pushed:
            if state.follows_now:
                ports.remote.follow(state.branch, asked.followed)
            return replace(state, commits_sent=state.commits_sent + ahead)
        there = _fetch(ports, asked, state)
    words = f"others were faster {ROUNDS} times in a row; what is here is whole, and not sent"
    raise _stop(state, RemoteError(asked.followed.remote, words, hint="try again: vmem sync"))


def _branch(ports: Ports) -> str:
    state = ports.history.state()
    if state.blocked is not None or state.branch is None:
        raise GitError(
            f"nothing can be exchanged now: {state.blocked or 'HEAD names no branch'}",
            hint="nothing was changed; git status says how to finish that, or to give it up",
        )
    return branch_name(state.branch)


def _followed(ports: Ports, branch: str, remote: str | None) -> tuple[Followed, bool]:
    """With what the branch is exchanged, and whether it is to follow that from now on."""
    known = ports.remote.follows(branch)
    if remote is None and known is not None:
        return known, False
    names = ports.remote.names()
    if remote is not None:
        if remote not in names:
            hint = f"known here: {', '.join(names)}" if names else "name one: git remote add origin URL"
            raise UsageError(f"no remote is called {remote!r}", hint=hint)
        if known is not None and known.remote == remote:
            return known, False
        return Followed(remote, branch), known is None
    if not names:
        raise GitError(
            "there is no remote to exchange the vault with",
            hint="name one: git remote add origin URL   then: vmem sync",
        )
    if len(names) > 1 and "origin" not in names:
        raise UsageError(
            f"{branch} follows none of the remotes {', '.join(names)}",
            hint=f"say which: vmem sync --remote {names[0]}",
        )
    return Followed("origin" if "origin" in names else names[0], branch), True


def _fetch(ports: Ports, asked: _Asked, state: Synced) -> bool:
    known = ports.remote.tip(asked.followed)
    try:
        there = ports.remote.fetch(asked.followed.remote, asked.followed.branch)
    except (RemoteError, GitError) as error:
        raise _stop(state, error) from error
    if not there and known is not None and not state.follows_now:
        raise _stop(
            state,
            RemoteError(
                asked.followed.remote,
                f"its branch {asked.followed.branch} is gone; nothing was changed here",
                hint=f"to send it again: git push {asked.followed.remote} {state.branch}:"
                f"{asked.followed.branch}   to follow another: git branch --set-upstream-to",
            ),
        )
    return there


def _bring(
    ports: Ports, settings: Settings, asked: _Asked, state: Synced, theirs: str | None
) -> Synced | None:
    """What they have comes here. `None` where our branch has moved on meanwhile."""
    head = ports.history.state().head
    if theirs is None or theirs == head:
        return replace(state, head=head)
    try:
        if head is None or ports.points.leads_to(theirs, head):
            return _forward(ports, settings, _had(ports, state, head, theirs), head, theirs)
        rewritten = _rewritten(ports, asked, head, theirs)
        if rewritten is None and ports.points.leads_to(head, theirs):
            return replace(state, head=head)
        if rewritten is not None and asked.way is Way.MERGE:
            raise _stop(state, _said_rewritten(ports, asked, rewritten, head))
        return _join(ports, settings, asked, state, (head, theirs, rewritten))
    except GitError as error:
        raise _stop(state, error) from error


def _rewritten(ports: Ports, asked: _Asked, head: str, theirs: str) -> str | None:
    """Where ours parted from a line that they have taken back; `None` where they have not."""
    parted = ports.remote.parted(asked.followed, head)
    return None if parted is None or ports.points.leads_to(theirs, parted) else parted


def _said_rewritten(ports: Ports, asked: _Asked, rewritten: str, head: str) -> RemoteError:
    gone = ports.merges.count(ports.remote.tip(asked.followed), rewritten)
    own = ports.merges.count(rewritten, head)
    commits = "1 commit that you have is" if gone == 1 else f"{gone:,} commits that you have are"
    keep = f"keeps your {own:,} own on top of what is there now" if own else "takes what is there now"
    return RemoteError(
        asked.followed.remote,
        f"its branch {asked.followed.branch} was rewritten: {commits} not there any more;"
        " nothing was changed here",
        hint=f"vmem sync --rebase {keep}; git merge {asked.followed} && vmem sync brings them all back",
    )


def _join(
    ports: Ports, settings: Settings, asked: _Asked, state: Synced, lines: tuple[str, str, str | None]
) -> Synced | None:
    """Two lines that have parted become one."""
    head, theirs, rewritten = lines
    base = rewritten or ports.merges.base(head, theirs)
    if base is None:
        raise _stop(state, _two_histories(asked))
    if asked.way is Way.REBASE:
        merged = ports.merges.replanted(theirs, base, head)
    else:
        merged = ports.merges.merged(head, theirs, message=f"Merge {asked.followed}")
    if merged.commit is None:
        disputed = _disputed(ports, settings, state, merged, lines)
        raise _stop(disputed, _said_conflicts(asked, merged, rewritten))
    joined = replace(state, way=asked.way, apart=(*state.apart, *merged.apart))
    return _forward(ports, settings, _had(ports, joined, head, theirs), head, merged.commit)


def _had(ports: Ports, state: Synced, head: str | None, theirs: str) -> Synced:
    """The state with the commits that they have and we don't."""
    return replace(state, commits_received=state.commits_received + ports.merges.count(head, theirs))


def _forward(ports: Ports, settings: Settings, state: Synced, head: str | None, commit: str) -> Synced | None:
    """The checkout goes to a commit, while no vmem writes there. `None` where the branch has moved on."""
    wait = settings["lock_seconds"]
    try:
        with ports.committing.held(wait=wait), ports.lock.held(wait=wait):
            if head is not None and not ports.points.leads_to(commit, head):
                ports.merges.moved(commit, head)
            else:
                ports.merges.forward(commit)
    except ConflictError as error:
        if ports.history.state().head != head:
            return None
        raise _stop(state, error) from error
    return replace(state, head=commit)


def _push(ports: Ports, asked: _Asked, state: Synced) -> bool:
    """Whether it was taken; not so where another was faster."""
    try:
        done = ports.remote.push(asked.followed.remote, state.branch, to=asked.followed.branch)
    except (RemoteError, GitError) as error:
        raise _stop(state, error) from error
    if done.outcome is Pushed.REFUSED:
        raise _stop(
            state,
            RemoteError(
                asked.followed.remote,
                f"it does not take what is here: {done.words}",
                hint="all of it is committed here; put that right, or send it to another branch: "
                f"git push {asked.followed.remote} {state.branch}:NAME",
            ),
        )
    return done.outcome is not Pushed.BEHIND


def _disputed(
    ports: Ports,
    settings: Settings,
    state: Synced,
    merged: Merged,
    lines: tuple[str, str, str | None],
) -> Synced:
    """The state with the memories in conflict, by the titles that they have on one of the sides."""
    told = []
    for one in merged.conflicts:
        found = (ports.history.bytes_at(commit, one.path) for commit in lines[:2])
        content = next((each for each in found if each is not None), b"")
        told.append(Disputed(parse_memory(one.path, content, zone=settings.zone).title, one))
    return replace(state, conflicts=tuple(told), conflicts_outside=merged.outside)


def _said_conflicts(asked: _Asked, merged: Merged, rewritten: str | None) -> ConflictError:
    count = len(merged.conflicts) + len(merged.outside)
    what = "1 file" if count == 1 else f"{count:,} files"
    command, then = f"merge {asked.followed}", "git commit"
    if asked.way is Way.REBASE:
        onto = f"--onto {asked.followed} {rewritten[:10]}" if rewritten else str(asked.followed)
        command, then = f"rebase {onto}", "git rebase --continue"
    return ConflictError(
        str(asked.followed),
        f"both sides changed {what}; nothing was merged, and nothing here was changed",
        hint=f"git {command} puts both into your files, between markers: decide there, "
        f"git add, {then}, then: vmem sync   (git {command.split()[0]} --abort gives it up)",
    )


def _two_histories(asked: _Asked) -> GitError:
    return GitError(
        f"{asked.followed} and this branch have no commit in common: they are two histories",
        hint=f"git merge --allow-unrelated-histories {asked.followed} brings them together, if that is meant",
    )


def _counted(ports: Ports, asked: _Asked, state: Synced) -> Synced:
    """The state with what came, and what was not sent."""
    uncommitted = max(0, len(ports.history.uncommitted()) - state.waiting)
    unsent = ports.merges.count(ports.remote.tip(asked.followed), state.head) if state.head else 0
    state = replace(state, uncommitted=uncommitted, commits_unsent=unsent)
    if state.head is None or state.head == asked.begun or not state.commits_received:
        return state
    return replace(state, received=ports.merges.received(asked.begun, state.head))


def _stop(state: Synced, error: VmemError) -> _StoppedError:
    return _StoppedError(replace(state, error=error))
