"""Proposals on their way to a review: beginning one, listing them, and what they would change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from zoneinfo import ZoneInfo

from vault_memory.config.settings import Settings
from vault_memory.errors import (
    AmbiguousRefError,
    ConflictError,
    GitError,
    LockedError,
    NotFoundError,
    UsageError,
)
from vault_memory.model.branches import Branch
from vault_memory.model.clip import clip_words, one_line
from vault_memory.model.message import batch_message
from vault_memory.model.namespace import PRIVATE, Scope, VaultPath
from vault_memory.model.proposals import (
    PREFIX,
    Begun,
    Proposal,
    ProposalName,
    meant,
    parse_branch,
    proposal_name,
)
from vault_memory.model.revision import Op, author_of
from vault_memory.ops.rules import check_texts
from vault_memory.ops.turn import Turn
from vault_memory.ports import Ports

MAX_ABOUT = 500
BEGINS = "vmem --agent NAME propose begins one"


def begin(
    ports: Ports, settings: Settings, scope: Scope, name: str | None, about: str | None
) -> tuple[Begun, Path]:
    """Make a proposal ready to be written to, and the vault's folder in its worktree.

    Without a name it is the agent's of today. One that is open goes on. The person names one that is there.
    Raises `GitError` where nothing can be committed, `ScopeError` for an agent that writes nothing at all.
    """
    # A branch's name is pushed, and stands in every log of the forge.
    check_texts(ports, settings, scope, [("proposal's name", name or ""), ("description", about or "")])
    Turn(ports, settings["lock_seconds"]).settle()  # what waits for its commit belongs to the start
    head = head_of(ports)
    if scope.agent is None:
        return _named_by_the_person(ports, scope, name, head)
    asked = today(ports, settings.zone) if name is None else _own(ports, scope, name)
    if scope.rights.readonly:
        scope.check_write(f"{PRIVATE}/{scope.agent}/new.md")
    named = proposal_name(scope.agent, asked)
    found = next((one for one in ports.worktrees.branches(named.branch) if one.name == named.branch), None)
    root = ports.worktrees.open(named.branch, folder_of(ports, named), start=head)
    text = clip_words(one_line(about or ""), MAX_ABOUT, ellipsis="…")
    if text:
        ports.worktrees.describe(named.branch, text)
    elif found is not None:
        text = found.about
    return Begun(named.branch, found is None, text), root


def brought_up(ports: Ports, inner: Ports) -> None:
    """Let a proposal that holds nothing of its own begin at HEAD again, where that can be now; `inner` are
    the ports of its worktree."""
    head = ports.history.state().head
    tip = inner.history.state().head
    if head is None or tip is None or tip == head or not ports.points.leads_to(head, tip):
        return
    with (
        suppress(ConflictError, GitError, LockedError),  # who writes there now has something of its own soon
        inner.committing.held(wait=0),
        inner.lock.held(wait=0),
    ):
        inner.merges.forward(head)


def caught_up(ports: Ports, inner: Ports, scope: Scope, *, wait: float) -> bool:
    """Merge into a proposal what HEAD holds by now, and whether that is another for it; not where both have
    changed the same. `inner` are the ports of its worktree."""
    head = ports.history.state().head
    tip = inner.history.state().head
    if head is None or tip is None or ports.points.leads_to(tip, head):
        return False
    message = batch_message(Op.REVIEW, "catch up with what was merged", [])
    merged = inner.merges.merged(tip, head, message=message, author=author_of(scope))
    if merged.commit is None:
        return False
    with inner.committing.held(wait=wait), inner.lock.held(wait=wait):
        inner.merges.forward(merged.commit)
    return True


def today(ports: Ports, zone: ZoneInfo) -> str:
    """What a proposal without a name is called."""
    return f"{ports.clock.now().astimezone(zone):%Y-%m-%d}"


def todays(ports: Ports, settings: Settings, scope: Scope) -> str:
    """The branch to which what an agent may only propose goes today."""
    assert scope.agent is not None
    return proposal_name(scope.agent, today(ports, settings.zone)).branch


def has_todays(ports: Ports, settings: Settings, scope: Scope) -> bool:
    """Whether that is there."""
    if scope.agent is None:
        return False
    return _is_there(ports, proposal_name(scope.agent, today(ports, settings.zone)))


def _own(ports: Ports, scope: Scope, name: str) -> str:
    """The name, where it may be the whole branch of one's own, or `agent/name` as `vmem review` takes it.
    Raises `PersonOnlyError` for another's."""
    known = parse_branch(name)
    shorter = parse_branch(f"{PREFIX}{name}")
    if shorter is not None and (shorter.agent == scope.agent or _is_there(ports, shorter)):
        known = shorter
    if known is None:
        return name
    if known.agent != scope.agent:
        hint = "an agent writes to its own: --propose=NAME"
        scope.check_person(f"write to a proposal of {known.agent}", hint=hint)
    return known.name


def _is_there(ports: Ports, named: ProposalName) -> bool:
    return any(one.name == named.branch for one in ports.worktrees.branches(named.branch))


def _named_by_the_person(ports: Ports, scope: Scope, name: str | None, head: str) -> tuple[Begun, Path]:
    if not name:
        raise UsageError(
            "the person writes directly, and needs no proposal",
            hint="name an agent: vmem --agent akashi propose …   or an open proposal: --propose=akashi/NAME",
        )
    named = local(ports, find(ports, scope, name)).named
    root = ports.worktrees.open(named.branch, folder_of(ports, named), start=head)
    return Begun(named.branch, False), root


def folder_of(ports: Ports, named: ProposalName) -> Path:
    """Where the worktree of a proposal lies."""
    return ports.files.root / named.folder


def head_of(ports: Ports) -> str:
    """The commit that a proposal starts from. Raises `GitError` where there is none."""
    state = ports.history.state()
    if state.head is None:
        reason = state.blocked if not state.exists else "there is no commit yet"
        raise GitError(
            f"a proposal starts from a commit: {reason or state.blocked}",
            hint="remember something as the person, or git add and commit what is there",
        )
    return state.head


def proposals(ports: Ports, scope: Scope) -> list[Proposal]:
    """The open ones, in the order of their names: an agent's own, the person's all.

    One without a commit of its own is open too: it only waits to be written to. The person's are also those
    that were fetched and are in no branch here.
    """
    head = ports.history.state().head
    if head is None:
        return []
    return _looked_at(ports, scope, list(_branches(ports, scope, head)), head)


def names(ports: Ports, scope: Scope) -> list[tuple[ProposalName, str]]:
    """The same with what they are about, and without a look at what they would change: quick."""
    head = ports.history.state().head
    return [] if head is None else [(named, one.about) for named, one in _branches(ports, scope, head)]


def _branches(ports: Ports, scope: Scope, head: str) -> Iterator[tuple[ProposalName, Branch]]:
    branches = list(ports.worktrees.branches(_prefix(scope)))
    if scope.agent is None:
        branches += _only_fetched(ports, head, {one.name for one in branches})
    for branch in sorted(branches, key=lambda one: one.name):
        named = parse_branch(branch.name)
        if named is not None and (scope.agent is None or named.agent == scope.agent):
            yield named, branch


def _prefix(scope: Scope) -> str:
    return PREFIX if scope.agent is None else f"{PREFIX}{scope.agent}/"


def waiting_for_review(ports: Ports, scope: Scope) -> int:
    """How many proposals hold something that was not merged: an agent's own, the person's all. Cheap: nothing
    is compared. Raises `GitError`."""
    found = ports.history.unmerged(_prefix(scope))
    here = {one.name for one in found if one.remote is None or scope.agent is None}
    return sum(parse_branch(name) is not None for name in here)


def _only_fetched(ports: Ports, head: str, here: set[str]) -> list[Branch]:
    """Proposals of other clones that nobody here has begun to review; of two remotes' the first one's."""
    found: dict[str, Branch] = {}
    for one in ports.worktrees.fetched(PREFIX):
        if one.name not in here and not ports.points.leads_to(head, one.tip):
            found.setdefault(one.name, one)
    return list(found.values())


def local(ports: Ports, proposal: Proposal) -> Proposal:
    """The same proposal with a branch here, which one that was fetched has not yet."""
    if proposal.remote is None:
        return proposal
    ports.worktrees.take_over(proposal.branch, proposal.tip)
    return replace(proposal, remote=None)


def _looked_at(
    ports: Ports, scope: Scope, branches: Sequence[tuple[ProposalName, Branch]], head: str
) -> list[Proposal]:
    parted = ports.merges.parted(head, [branch.tip for _, branch in branches])
    return [
        Proposal(
            agent=named.agent,
            name=named.name,
            branch=named.branch,
            tip=branch.tip,
            base=parted[branch.tip].base,
            about=branch.about,
            when=parted[branch.tip].when,
            paths=tuple(path for path in parted[branch.tip].paths if scope.may_read(path)),
            others=parted[branch.tip].others,
            remote=branch.remote,
        )
        for named, branch in branches
    ]


def find(ports: Ports, scope: Scope, text: str) -> Proposal:
    """The open proposal that a text names. Raises `NotFoundError`, `AmbiguousRefError`."""
    head = ports.history.state().head
    known = dict(_branches(ports, scope, head)) if head is not None else {}
    found = meant(text, list(known))
    if len(found) > 1:
        raise AmbiguousRefError(text, [("", known[one].about or one.name, one.branch) for one in found])
    if head is None or not found:
        first = [one.branch for one in list(known)[:5]]
        there = ", ".join(first + [f"{len(known) - 5} more"] * (len(known) > 5))
        raise NotFoundError(
            f"no open proposal is called {text!r:.200}",
            hint=f"{f'there are: {there}' if there else 'there is none'}; {BEGINS}",
        )
    [proposal] = _looked_at(ports, scope, [(found[0], known[found[0]])], head)
    return proposal


def changes(ports: Ports, scope: Scope) -> list[tuple[VaultPath, bytes | None]]:
    """What an agent's own open proposals make of files that it may read, in path order; `None` where one
    is to go. Of two that change the same file the one that was changed last counts. Nothing for the person,
    who has none."""
    if scope.agent is None:
        return []
    plain = replace(scope, proposing=True)
    found: dict[VaultPath, bytes | None] = {}
    for one in sorted(proposals(ports, plain), key=lambda one: (one.when, one.branch)):
        for path in one.paths:
            if plain.may_write(path):
                found[path] = ports.history.bytes_at(one.tip, path)
    return sorted(found.items())
