"""Proposals on their way to a review: beginning one, listing them, and what they would change."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from zoneinfo import ZoneInfo

from vault_memory.config.settings import Settings
from vault_memory.errors import (
    AmbiguousRefError,
    ConflictError,
    GitError,
    NotFoundError,
    PersonOnlyError,
    UsageError,
)
from vault_memory.model.branches import Branch
from vault_memory.model.clip import clip_words, one_line
from vault_memory.model.namespace import Scope, VaultPath
from vault_memory.model.proposals import (
    PREFIX,
    Begun,
    Proposal,
    ProposalName,
    meant,
    parse_branch,
    proposal_name,
)
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
    Raises `GitError` where nothing can be committed.
    """
    # A branch's name is pushed, and stands in every log of the forge.
    check_texts(ports, settings, scope, [("proposal's name", name or ""), ("description", about or "")])
    Turn(ports, settings["lock_seconds"]).settle()  # what waits for its commit belongs to the start
    head = head_of(ports)
    if scope.agent is None:
        return _named_by_the_person(ports, scope, name, head)
    named = proposal_name(scope.agent, today(ports, settings.zone) if name is None else _own(scope, name))
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
    with suppress(ConflictError, GitError):
        inner.merges.forward(head)


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
    branch = todays(ports, settings, scope)
    return any(one.name == branch for one in ports.worktrees.branches(branch))


def _own(scope: Scope, name: str) -> str:
    """The name, where it may be the whole branch of one's own. Raises `PersonOnlyError` for another's."""
    known = parse_branch(name)
    if known is None:
        return name
    if known.agent != scope.agent:
        assert scope.agent is not None
        raise PersonOnlyError(
            scope.agent,
            f"write to a proposal of {known.agent}",
            hint="an agent writes to its own: --propose=NAME",
        )
    return known.name


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
    state = ports.history.state()
    if state.head is None:
        return []
    prefix = PREFIX if scope.agent is None else f"{PREFIX}{scope.agent}/"
    branches = list(ports.worktrees.branches(prefix))
    if scope.agent is None:
        branches += _only_fetched(ports, state.head, {one.name for one in branches})
    found = []
    for branch in sorted(branches, key=lambda one: one.name):
        named = parse_branch(branch.name)
        if named is not None and (scope.agent is None or named.agent == scope.agent):
            found.append(_looked_at(ports, scope, named, branch, state.head))
    return found


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


def _looked_at(ports: Ports, scope: Scope, named: ProposalName, branch: Branch, head: str) -> Proposal:
    tip = branch.tip
    base = ports.merges.base(head, tip)
    paths: Sequence[VaultPath] = ()
    others: Sequence[str] = ()
    if base is not None and base != tip:
        paths = ports.history.changed_between(base, tip)
        others = ports.worktrees.others(base, tip)
    when = ports.points.resolve(tip).when
    mine = tuple(path for path in paths if scope.may_read(path))
    about, remote = branch.about, branch.remote
    return Proposal(
        named.agent, named.name, named.branch, tip, base, about, when, mine, tuple(others), remote
    )


def find(ports: Ports, scope: Scope, text: str) -> Proposal:
    """The open proposal that a text names. Raises `NotFoundError`, `AmbiguousRefError`."""
    known = proposals(ports, scope)
    found = meant(text, known)
    if len(found) > 1:
        raise AmbiguousRefError(text, [("", one.about or one.name, one.branch) for one in found])
    if not found:
        there = ", ".join(one.branch for one in known[:5])
        raise NotFoundError(
            f"no open proposal is called {text!r:.200}",
            hint=f"{f'there are: {there}' if there else 'there is none'}; {BEGINS}",
        )
    return found[0]


def changes(ports: Ports, scope: Scope) -> list[tuple[VaultPath, bytes | None]]:
    """What an agent's own open proposals make of files that it may read, in path order; `None` where one
    is to go. Of two that change the same file the one that was changed last counts. Nothing for the person,
    who has none."""
    if scope.agent is None:
        return []
    plain = replace(scope, reviewed=())
    found: dict[VaultPath, bytes | None] = {}
    for one in sorted(proposals(ports, plain), key=lambda one: (one.when, one.branch)):
        for path in one.paths:
            if plain.may_write(path):
                found[path] = ports.history.bytes_at(one.tip, path)
    return sorted(found.items())
