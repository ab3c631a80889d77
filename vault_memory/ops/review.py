"""A person's word on a proposal: what of it becomes memory, what is taken back, what stays open."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace

from vault_memory.config.settings import Settings
from vault_memory.errors import (
    ConflictError,
    GitError,
    RefusedError,
    SidecarError,
    UsageError,
)
from vault_memory.model.branches import Apart, Conflict, Merged
from vault_memory.model.message import batch_message
from vault_memory.model.namespace import Scope, VaultPath
from vault_memory.model.proposals import Proposal, Reviewed
from vault_memory.model.revision import Op, agent_author
from vault_memory.model.verdict import Parts, Verdict
from vault_memory.ops.propose import folder_of
from vault_memory.ops.refresh import refresh_paths
from vault_memory.ops.turn import Turn
from vault_memory.ports import Ports

ROUNDS = 10
"""So often a merge is made anew because somebody else's commit came first."""
TOLD = 5
"""So many conflicts are named."""


def check_person(scope: Scope, wanted: str) -> None:
    """Raise `PersonOnlyError` for an agent."""
    scope.check_person(wanted, hint="ask the person to run: vmem review")


@dataclass(frozen=True, slots=True)
class _Plan:
    """`kept` is the commit to be merged, `after` what the branch is to name then."""

    kept: str
    after: str
    left: tuple[VaultPath, ...]


def decide(
    ports: Ports,
    settings: Settings,
    scope: Scope,
    proposal: Proposal,
    parts: Parts,
    verdict: Verdict,
    still: Callable[[], AbstractContextManager[None]],
) -> Reviewed:
    """Carry a verdict out. `still` keeps others from writing to the proposal meanwhile.

    A kill between two of its steps leaves a proposal that can be reviewed on, or one that has become a part
    of the vault and has nothing more to show. Raises `ConflictError` where both sides changed a memory, the
    checkout holds a change that is in the way, or the proposal has changed; nothing is merged then.
    """
    check_person(scope, "review")
    _check(proposal, parts, verdict)
    with still():
        plan = _plan(ports, proposal, parts, verdict)
        folder = folder_of(ports, proposal.named)
        done = Reviewed(proposal.branch, verdict.accept, verdict.reject, plan.left)
        if not verdict.accept:
            if plan.left:
                ports.worktrees.leave(folder)
                ports.worktrees.advance(proposal.branch, proposal.tip, plan.after)
                return done
            ports.worktrees.drop(proposal.branch, folder, tip=proposal.tip)
            return replace(done, closed=proposal.tip)
        message = _merge_message(proposal, verdict)
        # Can it be merged? Told before anything is changed.
        _merged(ports, settings, proposal, plan.kept, message)
        if plan.left:
            # First, since after the merge the branch as it is would have nothing more to show.
            ports.worktrees.leave(folder)
            ports.worktrees.advance(proposal.branch, proposal.tip, plan.after)
        commit, apart = _bring_in(ports, settings, proposal, plan.kept, message)
        _index(ports, settings, proposal, commit)
        done = replace(done, commit=commit, apart=apart)
        if plan.left:
            return done
        try:
            ports.worktrees.drop(proposal.branch, folder, tip=proposal.tip)
        except (ConflictError, GitError) as error:
            return replace(done, notices=(f"the branch {proposal.branch} stays: {error.message}",))
        return replace(done, closed=plan.kept)


def close(
    ports: Ports, scope: Scope, proposal: Proposal, still: Callable[[], AbstractContextManager[None]]
) -> Reviewed:
    """Take a proposal away without taking anything of it in; an agent its own. Its commits stay in git for
    a while, and `Reviewed.closed` names the last one."""
    if scope.agent is not None and scope.agent != proposal.agent:
        scope.check_person(f"close a proposal of {proposal.agent}", hint="an agent closes its own")
    with still():
        ports.worktrees.drop(proposal.branch, folder_of(ports, proposal.named), tip=proposal.tip)
    return Reviewed(proposal.branch, rejected=proposal.paths, closed=proposal.tip)


def _check(proposal: Proposal, parts: Parts, verdict: Verdict) -> None:
    if proposal.base is None:
        raise GitError(
            f"{proposal.branch} has no commit in common with this branch",
            hint=f"look at it with: git log {proposal.branch}",
        )
    both = sorted(set(verdict.accept) & set(verdict.reject))
    if both:
        raise UsageError(f"{both[0]} can't be both accepted and rejected", hint="vmem review --help")
    unknown = [path for path in (*verdict.accept, *verdict.reject) if path not in parts]
    if unknown:
        raise UsageError(
            f"{unknown[0]} is no memory of {proposal.branch}",
            hint=f"vmem review {proposal.branch} lists them",
        )
    if proposal.others and verdict.accept and not verdict.others:
        count = len(proposal.others)
        more = f" and {count - 1} more" if count > 1 else ""
        raise RefusedError(
            "other-files",
            f"the branch also changes what is no memory: {proposal.others[0]}{more}",
            hint=f"git diff {proposal.base[:12]} {proposal.tip[:12]} shows it; --with-others takes it in",
        )


def _plan(ports: Ports, proposal: Proposal, parts: Parts, verdict: Verdict) -> _Plan:
    """The commits that the verdict makes of the branch; none of them is named by it yet."""
    base, tip = proposal.base, proposal.tip
    assert base is not None
    left = tuple(path for path in parts if path not in {*verdict.accept, *verdict.reject})
    trees = ports.worktrees
    if not verdict.accept:
        if not verdict.reject or not left:
            return _Plan(tip, tip, left)
        after = trees.as_in(tip, base, _files(parts, verdict.reject), message=_taken_back(verdict, ()))
        return _Plan(tip, after, left)
    kept = after = tip
    if verdict.reject or left:
        out = _files(parts, (*verdict.reject, *left))
        kept = after = trees.as_in(tip, base, out, message=_taken_back(verdict, left))
    if left:
        after = trees.as_in(
            kept,
            tip,
            _files(parts, left),
            # In the agent's name: they are its memories that come back.
            message=batch_message(Op.REVIEW, f"{len(left)} stay open", left, agent=proposal.agent),
            author=agent_author(proposal.agent),
        )
    return _Plan(kept, after, left)


def _files(parts: Parts, paths: Collection[VaultPath]) -> list[VaultPath]:
    return sorted({file for path in paths for file in parts[path]})


def _taken_back(verdict: Verdict, left: Sequence[VaultPath]) -> str:
    said = [f"{len(verdict.reject)} taken back"] if verdict.reject else []
    said += [f"{len(left)} set aside"] if left else []
    lines = [*(f"taken back: {path}" for path in verdict.reject), *(f"set aside: {path}" for path in left)]
    return batch_message(Op.REVIEW, ", ".join(said), lines)


def _merge_message(proposal: Proposal, verdict: Verdict) -> str:
    what = f"{proposal.agent}/{proposal.name}"
    if proposal.about:
        what += f": {proposal.about}"
    return batch_message(Op.REVIEW, what, verdict.accept)


def _merged(
    ports: Ports, settings: Settings, proposal: Proposal, kept: str, message: str
) -> tuple[str, str, tuple[Apart, ...]]:
    """(HEAD, the commit that holds both, what got another name in it). Raises `ConflictError`."""
    Turn(ports, settings["lock_seconds"]).settle()
    state = ports.history.state()
    if state.head is None or state.blocked is not None or state.branch is None:
        raise GitError(
            f"nothing can be merged now: {state.blocked or 'there is no commit yet'}",
            hint="the proposal is as it was; mend that and review it again",
        )
    head = state.head
    if ports.points.leads_to(head, kept):
        return head, head, ()
    if ports.points.leads_to(kept, head):
        # A merge commit all the same: the first parents of a branch are then what has been reviewed.
        return head, ports.worktrees.sealed(head, kept, message=message), ()
    merged = ports.merges.merged(head, kept, message=message)
    if merged.commit is None:
        raise _conflict(proposal, merged)
    return head, merged.commit, merged.apart


def _bring_in(
    ports: Ports, settings: Settings, proposal: Proposal, kept: str, message: str
) -> tuple[str, tuple[Apart, ...]]:
    """Merge it into the person's branch, and again where another commit came first. With the memories that
    got another name by it."""
    wait = settings["lock_seconds"]
    for tries in range(ROUNDS):
        head, commit, apart = _merged(ports, settings, proposal, kept, message)
        if commit == head:
            return head, ()
        try:
            # What a vmem writes meanwhile would be overwritten: git looks at a file, and then replaces it.
            with ports.committing.held(wait=wait), ports.lock.held(wait=wait):
                ports.merges.forward(commit)
        except (ConflictError, GitError):
            if tries == ROUNDS - 1 or ports.history.state().head == head:
                raise
            continue
        return commit, apart
    raise AssertionError("unreachable: the last try returns or raises")


def _index(ports: Ports, settings: Settings, proposal: Proposal, commit: str) -> None:
    """Take what came in into the index at once. A refresh would catch up with it."""
    if proposal.base is None or not ports.index.writable:
        return
    with suppress(SidecarError, GitError), ports.lock.held(wait=settings["lock_seconds"]):
        refresh_paths(ports, settings.zone, ports.history.changed_between(proposal.base, commit))


def _why(one: Conflict) -> str:
    keys = ", ".join(one.keys) + (" and lines of the text" if one.lines else "")
    return f"both sides changed {keys}" if one.keys else one.why


def _conflict(proposal: Proposal, merged: Merged) -> ConflictError:
    found = [*(f"{one.path} ({_why(one)})" for one in merged.conflicts), *merged.outside]
    more = f" and {len(found) - TOLD} more" if len(found) > TOLD else ""
    return ConflictError(
        proposal.branch,
        f"nothing was merged: changed in your branch too since it began: {', '.join(found[:TOLD])}{more}",
        hint=f"leave it out with --reject, or decide by hand: git merge {proposal.branch}",
    )
