"""Questions about another view of the vault: as of a commit, as reviewed, or with what the agent proposes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from vault_memory.errors import UsageError

if TYPE_CHECKING:
    from vault_memory.agent import Agent
    from vault_memory.vault import Vault

T = TypeVar("T")
NAMES = ("at", "reviewed", "proposals")
"""The arguments that ask for one; `at` names a commit or a date, the others are true or false."""


def viewed(
    act: Callable[[Vault, Agent, dict[str, Any]], T],
) -> Callable[[Vault, Agent, dict[str, Any]], T]:
    """The same, asked of the view that the arguments name, and of the vault itself where they name none."""

    def asked(vault: Vault, agent: Agent, args: dict[str, Any]) -> T:
        wanted = {name: args.pop(name) for name in NAMES if name in args}
        wanted = {name: value for name, value in wanted.items() if value not in (None, False)}
        if not wanted:
            return act(vault, agent, args)
        with _looking(vault, agent, wanted) as (view, asker):
            return act(view, asker, args)

    return asked


@contextmanager
def _looking(vault: Vault, agent: Agent, wanted: dict[str, Any]) -> Iterator[tuple[Vault, Agent]]:
    scope = agent.scope
    if len(wanted) > 1:
        names = " and ".join(wanted)
        raise UsageError(f"{names} are each another view of the vault", hint="give one of them")
    if "proposals" in wanted and scope.agent is None:
        raise UsageError(
            "proposals shows an agent its own proposals, and nobody else's", hint="ask as that agent"
        )
    if "at" in wanted:
        view = vault.history.at(wanted["at"], scope=scope)
    else:
        view = vault.history.reviewed() if "reviewed" in wanted else vault.history.proposed(scope)
    with view:
        yield view, view.person if scope.agent is None else view.agent(scope.agent)
