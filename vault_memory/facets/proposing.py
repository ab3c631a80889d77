"""A proposal that is written to: the verbs of an agent, on a branch beside the vault."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from vault_memory import compose
from vault_memory.agent import Agent
from vault_memory.compose import Opened
from vault_memory.config.load import VAULT_FILE
from vault_memory.errors import (
    GitError,
    MemoryNotFoundError,
    ProposalGoneError,
    StorageError,
    UsageError,
    VmemError,
)
from vault_memory.model.namespace import PERSON, Scope
from vault_memory.model.outcome import NOT_WRITTEN, Written
from vault_memory.model.proposals import Begun
from vault_memory.ops.propose import begin, brought_up, caught_up
from vault_memory.ports import Progress
from vault_memory.vault import Vault
from vault_memory.viewing import seed_index

T = TypeVar("T")

TRIES = 5
"""So often it is begun anew because a review has just taken it away."""


@dataclass(frozen=True, kw_only=True)
class Proposing(Agent):
    """An agent whose reads and writes are those of a proposal. Made by `Agent.propose`.

    Use it as a context manager, or call `close()`. What is written is answered once it is committed on the
    branch; the vault's own files stay as they are until a person has reviewed it.
    """

    begun: Begun
    vault: Vault
    """The vault as the branch has it."""
    catch_up: Callable[[], bool]
    """Takes in what the vault has got since the proposal began, and says whether there was anything."""

    @property
    def branch(self) -> str:
        """The branch, without `refs/heads/`."""
        return self.begun.branch

    def _mended(self, read: Callable[[tuple[str, ...]], T]) -> T:
        try:
            try:
                return super()._mended(read)
            except MemoryNotFoundError:
                # It may have been merged after the proposal began.
                if not self.catch_up():
                    raise
                return super()._mended(read)
        except VmemError as error:
            if is_there(self.vault.root):
                raise
            raise ProposalGoneError(self.branch) from error

    def propose(self, name: str | None = None, about: str | None = None) -> Proposing:  # noqa: ARG002 - as of any agent
        """Refuse: this is a proposal already. Raises `UsageError`."""
        raise UsageError(
            f"this writes to the proposal {self.branch} already",
            hint="begin another one from the agent that vault.agent(name) gives",
        )

    def close(self) -> None:
        """Let go of it; the proposal stays open for a review."""
        self.vault.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def propose(
    opened: Opened, scope: Scope, name: str | None, about: str | None, progress: Progress
) -> Proposing:
    """Begin a proposal, or go on with one. Raises `GitError`, `UsageError`, `PersonOnlyError`."""
    for tries in range(TRIES):
        begun, root = begin(opened.ports, opened.settings, scope, name, about)
        try:
            return _opened(opened, scope, begun, root, progress)
        except VmemError:
            # A review may take it away in this moment; then it begins anew.
            if tries == TRIES - 1 or is_there(root):
                raise
    raise AssertionError("unreachable: the last try returns or raises")


def _opened(opened: Opened, scope: Scope, begun: Begun, root: Path, progress: Progress) -> Proposing:
    with ExitStack() as stack:
        vault = stack.enter_context(beside(opened, root, progress))
        caller = vault.person if scope.agent is None else vault.agent(scope.agent)
        brought_up(opened.ports, caller.opened.ports)
        vault.index.refresh()
        proposal = Proposing(
            caller.opened,
            replace(scope, proposing=True),
            caller.freshen,
            progress,
            _kept(vault, begun.branch),
            begun=begun,
            vault=vault,
            catch_up=lambda: _caught_up(opened, scope, vault, caller.opened),
        )
        stack.pop_all()  # whoever has the proposal closes it
    return proposal


def _caught_up(opened: Opened, scope: Scope, vault: Vault, inner: Opened) -> bool:
    wait = opened.settings["lock_seconds"]
    done = caught_up(opened.ports, inner.ports, scope, wait=wait)
    if done:
        vault.index.refresh()
    return done


def is_there(root: Path) -> bool:
    """Whether the vault of a worktree is still there."""
    return os.path.lexists(root / VAULT_FILE)


def beside(opened: Opened, root: Path, progress: Progress) -> Vault:
    """The vault in a worktree, by the settings of the vault that it belongs to and nothing else: those of the
    branch have not been reviewed."""
    seed_index(opened, root)
    inner = compose.open_vault(root, settings=opened.settings, clock=opened.held.clock, ids=opened.held.ids)
    inner.held = replace(inner.held, denials=opened.held.denials)
    return Vault(inner.unnoted(), progress=progress)


def _kept(vault: Vault, branch: str) -> Callable[[Written], Written]:
    """What to answer of a write: only what is in a commit outlives its worktree."""

    def kept(one: Written) -> Written:
        if one.reason != NOT_WRITTEN and (one.commit is None or one.known):
            try:
                waiting = vault.upkeep.flush(PERSON).waiting
            except StorageError as error:
                if is_there(vault.root):
                    raise
                raise ProposalGoneError(branch) from error
            reason = next((each.reason for each in waiting if each.path == one.path), None)
            if reason is not None or (one.commit is None and not one.known):
                raise GitError(
                    f"nothing is proposed: git can't commit it on {branch}: {reason or one.reason}",
                    hint="mend that and write it again; the vault itself is as it was",
                )
        return replace(one, proposed=branch)

    return kept
