"""`vault.review`: the proposals of agents, and a person's word on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from vault_memory.compose import Opened
from vault_memory.errors import ConflictError, StorageError, UsageError
from vault_memory.facets.files import FilesFacet
from vault_memory.model.comparison import Comparison
from vault_memory.model.namespace import PERSON, Scope, VaultPath
from vault_memory.model.outcome import Written
from vault_memory.model.proposals import Proposal, ProposalName, Reviewed, SentProposal
from vault_memory.model.revision import short
from vault_memory.model.verdict import parts_of, verdict_on
from vault_memory.ops import propose, review
from vault_memory.ops.push import push
from vault_memory.ports import Progress, no_progress

ROUNDS = 10
"""So often an agent's write to a proposal is let come to its commit."""


@dataclass(frozen=True, slots=True)
class ReviewFacet:
    """Proposals: an agent sees and closes its own, the person decides on all."""

    opened: Opened
    freshen: Callable[[], tuple[str, ...]]
    progress: Progress = no_progress

    def proposals(self, scope: Scope) -> list[Proposal]:
        """The open ones, in the order of their branches' names. Raises `GitError`."""
        return propose.proposals(self.opened.ports, scope)

    def names(self, scope: Scope) -> list[tuple[ProposalName, str]]:
        """The same by name alone, each with what it is about: quick, since none is looked into."""
        return propose.names(self.opened.ports, scope)

    def find(self, scope: Scope, name: str, at: str | None = None) -> Proposal:
        """The open proposal of that name: its branch, `agent/name`, or the name alone where one has it; with
        `at`, only while that is its last commit.

        Raises `NotFoundError`, `AmbiguousRefError`, and `ConflictError` where it has another last commit."""
        found = propose.find(self.opened.ports, scope, name)
        if at is not None and not found.is_at(at):
            raise _moved_on(found.branch, at, found.tip)
        return found

    def compare(self, scope: Scope, proposal: Proposal) -> Comparison:
        """What it would change, since it began. Raises `GitError`."""
        if proposal.base is None or proposal.base == proposal.tip:
            return Comparison(proposal.base or "", proposal.tip, ())
        return FilesFacet(self.opened, tuple).diff(scope, proposal.base, proposal.tip)

    def changes(self, scope: Scope) -> list[tuple[VaultPath, bytes | None]]:
        """The files that the agent's own open proposals change, with what they make of them; `None` for one
        that is to go. Nothing for the person."""
        return propose.changes(self.opened.ports, scope)

    def decide(
        self,
        scope: Scope,
        proposal: Proposal,
        *,
        accept: Sequence[str] | None = None,
        reject: Sequence[str] = (),
        others: bool = False,
    ) -> Reviewed:
        """Take memories of it in, by a merge into the person's branch, and take others back on the branch.

        Memories are named by path, id or title; `accept=None` means all that are not rejected, and those
        in neither stay open. With `others` files that are no memories come in too. Only the person may.
        Raises `ConflictError` where a memory was changed on both sides, the proposal is not as `proposal`
        says any more, or the checkout holds work in the way; nothing is merged then.
        """
        review.check_person(scope, "review a proposal")
        found = self.compare(scope, proposal)
        verdict = verdict_on(proposal.branch, found.differences, accept, reject, others=others)
        proposal = propose.local(self.opened.ports, proposal)
        still = partial(self._still, proposal)
        ports, settings = self.opened.ports, self.opened.settings
        parts = parts_of(found.differences)
        return review.decide(ports, settings, scope, proposal, parts, verdict, still)

    def edit(self, scope: Scope, proposal: Proposal, path: str, change: Callable[[Path], None]) -> Written:
        """Let `change` (an editor, say) do with a memory as the proposal has it, and commit that there."""
        from vault_memory.facets.proposing import propose as opened_as

        review.check_person(scope, "edit in a review")
        with opened_as(self.opened, scope, proposal.branch, None, self.progress) as one:
            return one.kept(one.vault.files.edit(one.scope, path, change))

    def close(self, scope: Scope, proposal: Proposal) -> Reviewed:
        """Take it away without taking anything in; an agent its own. `Reviewed.closed` is its last commit.

        Raises `UsageError` for one that only a remote has."""
        if proposal.remote is not None:
            raise UsageError(
                f"{proposal.branch} is on {proposal.remote}, and not here",
                hint=f"close it there: git push {proposal.remote} --delete {proposal.branch}",
            )
        return review.close(self.opened.ports, scope, proposal, partial(self._still, proposal))

    def push(self, scope: Scope, proposal: Proposal, remote: str | None = None) -> SentProposal:
        """Give a remote the branch, and say where its forge compares it; the person alone. Without a name it
        is the one that this branch follows, else `origin`, else the only one.

        Raises `UsageError` where there is none, `RemoteError` where it can't be reached or says no."""
        review.check_person(scope, "push")
        return push(self.opened.ports, propose.local(self.opened.ports, proposal), remote)

    @contextmanager
    def _still(self, proposal: Proposal) -> Iterator[None]:
        """Keep others from writing to a proposal; its worktree holds nothing then that is in no commit.

        Raises `ConflictError` where it does, or where the proposal has changed."""
        from vault_memory.facets.proposing import is_there

        ports = self.opened.ports
        with ExitStack() as stack:
            root = ports.worktrees.whole(proposal.branch, propose.folder_of(ports, proposal.named))
            if root is not None:
                try:
                    self._hold(stack, proposal, root)
                except StorageError:
                    if is_there(root):
                        raise  # else another review has just taken it away, and what is left of it is told
            tips = {one.name: one.tip for one in ports.worktrees.branches(proposal.branch)}
            if tips.get(proposal.branch) != proposal.tip:
                raise _moved_on(proposal.branch, proposal.tip, tips.get(proposal.branch))
            yield

    def _hold(self, stack: ExitStack, proposal: Proposal, root: Path) -> None:
        """The same for its worktree at `root`, as long as the stack is open."""
        from vault_memory.facets.proposing import beside

        wait = self.opened.settings["lock_seconds"]
        vault = stack.enter_context(beside(self.opened, root, self.progress))
        inner = vault.person.opened.ports
        found = inner.history.uncommitted()
        for _ in range(ROUNDS):
            vault.upkeep.flush(PERSON)
            held = stack.enter_context(ExitStack())
            held.enter_context(inner.committing.held(wait=wait))
            held.enter_context(inner.lock.held(wait=wait))
            found = inner.history.uncommitted()
            if not (found and inner.journal.pending()):
                break
            held.close()  # somebody wrote in between, and is about to commit it
        _refuse_uncommitted(proposal, root, found)


def _moved_on(branch: str, seen: str, now: str | None) -> ConflictError:
    """Of a proposal that is not as it was looked at; `now` is its last commit, `None` where it is gone."""
    more = f"; what came since: vmem diff {short(seen)} {short(now)}" if now is not None else ""
    return ConflictError(
        branch,
        "it has changed since you looked at it, and nothing was done",
        expected=seen,
        found=now,
        hint=f"look at it again: vmem review {branch}{more}",
    )


def _refuse_uncommitted(proposal: Proposal, root: Path, found: Sequence[tuple[str, object]]) -> None:
    if found:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        raise ConflictError(
            found[0][0],
            f"the worktree of {proposal.branch} holds a change of it that is in no commit{more}",
            hint=f"commit it there, or delete {root} where nothing else of it is kept",
        )
