"""A vault with a person's notes and an agent's proposal, and what can be seen of both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.gitrun import run_git
from tests.stand import CountedIds, ToldClock
from vault_memory.facets.proposing import Proposing
from vault_memory.model.proposals import Proposal
from vault_memory.vault import Vault

PLAIN: Mapping[str, object] = {"embedder": "none"}
REVIEWED: Mapping[str, object] = {"embedder": "none", "review": ["market"]}

HERON, OWL = (f"shared/market/{name}.md" for name in ("heron", "owl"))
"""The person's two notes."""
RSI, RUMOUR, LATER = (f"shared/market/{name}.md" for name in ("rsi", "rumour", "later"))
"""What an agent proposes beside them."""


class Killed(BaseException):
    """In place of a kill: nothing of ours catches it."""


class Stopping:
    """A port that kills before one of the calls that are counted over all of these."""

    def __init__(self, port: object, calls: list[str], at: int) -> None:
        self._port, self._calls, self._at = port, calls, at

    def __getattr__(self, name: str) -> object:
        self._calls.append(name)
        if len(self._calls) == self._at:
            raise Killed(name)
        return getattr(self._port, name)


@dataclass
class Scene:
    """One vault's folder; handles on it are opened and closed as processes are."""

    root: Path
    clock: ToldClock = field(default_factory=ToldClock)
    ids: CountedIds = field(default_factory=CountedIds)
    settings: Mapping[str, object] = field(default_factory=lambda: PLAIN)

    @contextmanager
    def vault(self, **settings: object) -> Iterator[Vault]:
        """The vault as a process has it."""
        self.clock.move(minutes=1)
        with Vault.open(
            self.root, settings={**self.settings, **settings}, clock=self.clock, ids=self.ids
        ) as vault:
            yield vault

    @contextmanager
    def proposal(self, name: str = "rsi", agent: str = "akashi") -> Iterator[Proposing]:
        """A proposal as an agent's process has it."""
        with self.vault() as vault, vault.agent(agent).propose(name) as proposal:
            yield proposal

    def git(self, *arguments: str) -> str:
        return run_git(self.root, *arguments)

    def files(self, commit: str = "HEAD") -> dict[str, str]:
        """Every note of a commit with its text."""
        names = self.git("ls-tree", "-r", "--name-only", commit).split("\n")
        return {
            name: self.git("show", f"{commit}:{name}").rpartition("---\n")[2]
            for name in names
            if name.endswith(".md")
        }

    def open_ones(self) -> list[Proposal]:
        with self.vault() as vault:
            return vault.review.proposals(vault.person.scope)

    def the_one(self, vault: Vault, name: str = "rsi") -> Proposal:
        return vault.review.find(vault.person.scope, name)

    def is_sound(self) -> bool:
        """Whether git's store is whole, and nothing of the checkout differs from HEAD."""
        self.git("fsck", "--strict", "--no-dangling", "--no-progress")
        return self.git("status", "--porcelain", "--untracked-files=no") == ""


def begun(root: Path, settings: Mapping[str, object] = PLAIN) -> Scene:
    """A vault with two notes of a person's in `shared/market`."""
    Vault.create(root)
    scene = Scene(root, settings=settings)
    with scene.vault() as vault:
        vault.person.remember("The heron stands", title="Heron", namespace="market")
        vault.person.remember("The owl sits", title="Owl", namespace="market")
    return scene


def propose_three(scene: Scene) -> None:
    """Let akashi propose three memories in one."""
    with scene.proposal() as proposal:
        for title in ("Rsi", "Rumour", "Later"):
            proposal.remember(f"{title} it is", title=title, namespace="market")


def stop(vault: Vault, at: int) -> None:
    """Let the vault's process be killed before its so many-th call about branches."""
    opened = vault.person.opened
    calls: list[str] = []
    ports = {name: Stopping(getattr(opened.held, name), calls, at) for name in ("worktrees", "merges")}
    opened.held = replace(opened.held, **ports)  # type: ignore[arg-type]  # they stand in for any port
