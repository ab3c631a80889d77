"""Can commits be made, and what waits for one?"""

from __future__ import annotations

from contextlib import suppress

from vault_memory.errors import LockedError
from vault_memory.model.revision import branch_name
from vault_memory.ops.checks.sight import FIX, Sight, Told, counted, in_words
from vault_memory.ops.settle import waiting

NAMED = 3
"""So many memories that wait are named."""
STILL = 10.0
"""Seconds after which a lock of git's is likely one that a killed git left."""


def git(sight: Sight) -> Told:
    """The git program."""
    if sight.git.version is None:
        return "git is not on PATH", "install git: history, and some commits, need it"
    return f"version {sight.git.version}", None


def repository(sight: Sight) -> Told:
    """Whether it can take a commit now, and how far it is from what it follows."""
    state = sight.repo
    if not state.exists:
        return "no git repository: memories are saved without history", "run: git init   in the vault"
    if state.blocked:
        return state.blocked, "memories are saved and wait until git is ready"
    found = f"branch {branch_name(state.branch)}"
    upstream = sight.ports.history.upstream()
    if upstream is not None:
        found += f", {counted(upstream.ahead, 'commit')} ahead of {upstream.name}, {upstream.behind:,} behind"
    return found, None


def identity(sight: Sight) -> Told:
    """Who commits: the person of git's own configuration."""
    person = sight.git.person
    if person is not None:
        return f"{person.name} <{person.email}>", None
    if not sight.repo.exists and sight.git.version is None:
        return "there is no git to ask", None
    return (
        "git does not know who you are: memories are saved and wait for their commit",
        'git config --global user.name "Your Name"; git config --global user.email you@example.com',
    )


def hooks(sight: Sight) -> Told:
    """No fault, but good to know: what of the person's runs with each commit."""
    said = [f"each commit runs {', '.join(sight.git.hooks)}"] if sight.git.hooks else []
    if sight.git.signs:
        said.append("each commit is signed")
    if not said:
        return "no hooks, no signing", None
    return f"{'; '.join(said)}; up to {sight.settings['git_seconds']:g} s (setting git_seconds)", None


def journal(sight: Sight) -> Told:
    """What is saved and not committed: how much, since when, and why."""
    pending = [one for one in waiting(sight.ports) if sight.scope.may_read(one.operation.path)]
    if not pending:
        return "nothing waits", None
    now = sight.ports.clock.now()
    named = "; ".join(
        f"{one.operation.path} ({one.operation.op.value}, for {in_words((now - one.at).total_seconds())}:"
        f" {sight.repo.blocked or one.reason or 'not tried yet'})"
        for one in pending[:NAMED]
    )
    rest = f"; and {len(pending) - NAMED} more" if len(pending) > NAMED else ""
    one = len(pending) == 1
    found = f"{'1 memory waits for its commit' if one else f'{len(pending)} memories wait for their commit'}"
    advice = "the next write commits it, once that is mended" if sight.repo.blocked else FIX
    return f"{found}: {named}{rest}", advice


def locks(sight: Sight) -> Told:
    """Who writes now, and what a killed writer left locked."""
    with suppress(LockedError), sight.ports.lock.held(wait=0):
        pass  # where the lock can't be taken at all, nothing can be written either
    holder = sight.ports.lock.holder()
    lock = sight.git.lock
    if lock is not None and lock.ours:
        return f"a vmem that was killed left {lock.path} ({sight.age(lock.since_ns)} ago)", FIX
    if lock is not None and (sight.ports.clock.now_ns() - lock.since_ns) / 1e9 >= STILL:
        return (
            f"{lock.path} stands for {sight.age(lock.since_ns)}: a git is at work, or one was killed",
            f"if no git runs: rm {lock.path}",
        )
    if holder is not None:
        return f"process {holder[0]} ({holder[1]}) writes to the vault now", None
    return "none is held", None


def clock(sight: Sight) -> Told:
    """Whether it goes on from the newest commit."""
    head = sight.ports.history.head_time()
    now = sight.ports.clock.now()
    if head is not None and now < head:
        return f"the clock says {now:%Y-%m-%d}, before the newest commit ({head:%Y-%m-%d})", "set it"
    return f"{now:%Y-%m-%d %H:%M} UTC", None
