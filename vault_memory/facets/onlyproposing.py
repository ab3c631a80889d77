"""Where an agent may only propose: what it writes there goes to its proposal of the day, and says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from vault_memory.errors import MemoryNotFoundError, ProposalGoneError, ReviewRequiredError, VmemError
from vault_memory.model.memory import Draft
from vault_memory.model.namespace import namespace_asked
from vault_memory.model.outcome import Written
from vault_memory.ops.propose import has_todays, todays

if TYPE_CHECKING:
    from vault_memory.agent import Agent, How

T = TypeVar("T")
Remember = Callable[["Agent", Sequence[Draft], "How"], Sequence[Written]]
"""One outcome for each draft."""

TRIES = 5
"""So often a write is proposed anew where a review has just taken the proposal away."""


def or_proposed(agent: Agent, act: Callable[[Agent], Written]) -> Written:
    """What `act` does to one memory; in a proposal where the agent may only propose."""
    try:
        return agent.kept(act(agent))
    except ReviewRequiredError:
        missing = None
    except MemoryNotFoundError as error:
        # It may be one that only a proposal has.
        opened, scope = agent.opened, agent.scope
        if not scope.proposes or not has_todays(opened.ports, opened.settings, scope):
            raise
        missing = error
    return _told(_in_todays(agent, lambda proposal: proposal.kept(act(proposal)), missing))


def must_propose(agent: Agent, draft: Draft) -> bool:
    """Whether a memory would go where the agent may only propose."""
    if not agent.scope.proposes:
        return False
    try:
        folder = namespace_asked(agent.scope, draft.namespace, agent.opened.settings["inbox"])
    except VmemError:  # the ordinary road says what is wrong with it
        return False
    new = f"{folder}/new.md"
    return agent.scope.may_propose(new) and agent.scope.must_propose(new)


def remember_proposed(
    agent: Agent, drafts: Sequence[Draft], how: How, remember: Remember
) -> Sequence[Written]:
    """Some of these in a proposal, once all of them are checked; what the vault knows is in none."""
    plain = replace(agent, scope=replace(agent.scope, proposing=True))
    written = [*remember(plain, drafts, replace(how, dry_run=True))]
    new = [at for at, one in enumerate(written) if not one.known]
    proposed = [at for at in new if must_propose(agent, drafts[at])]
    if how.dry_run:
        branch = todays(agent.opened.ports, agent.opened.settings, agent.scope)
        for at in proposed:
            written[at] = replace(written[at], proposed=branch)
        return written
    if proposed:  # first: a quota counts what waits in the proposal too, and all of it is written or none
        rest = [drafts[at] for at in proposed]
        made = _in_todays(agent, lambda proposal: remember(proposal, rest, how))
        for at, one in zip(proposed, made, strict=True):
            written[at] = _told(one)
    there = [at for at in new if at not in proposed]
    some = [drafts[at] for at in there]
    for at, one in zip(there, remember(agent, some, how), strict=True):
        written[at] = one
    return written


def _in_todays(agent: Agent, act: Callable[[Agent], T], missing: MemoryNotFoundError | None = None) -> T:
    """What `act` does in today's proposal, once more where a review takes it away just then. `missing` is
    raised where that does not have a memory either."""
    for tries in range(TRIES):
        with agent.propose() as proposal:
            try:
                return act(proposal)
            except ProposalGoneError:
                if tries == TRIES - 1:
                    raise
            except MemoryNotFoundError as error:
                if missing is not None:
                    raise missing from None
                where = f"{proposal.branch}, where it would be changed, does not have it"
                other = "another one begins with what is there now: --propose=NAME"
                raise MemoryNotFoundError(error.ref, hint=f"{where}; {other}") from error
    raise AssertionError("unreachable: the last try returns or raises")


def _told(one: Written) -> Written:
    """The outcome of a write that became a proposal without being asked to, with a word on that."""
    where = one.path.rpartition("/")[0]
    word = f"what agents write to {where} is reviewed first: vmem review {one.proposed}"
    return replace(one, notices=(*one.notices, word))
