"""Proposals: branches on which an agent's memories wait for a person's review, and what became of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from vault_memory.errors import UnsafePathError, UsageError
from vault_memory.model.branches import Apart
from vault_memory.model.namespace import VaultPath, parse_agent
from vault_memory.model.naming import slug

PREFIX = "memory/"
"""What the names of the branches begin with: `memory/<agent>/<name>`."""
FOLDER = ".vmem/local/worktrees"
"""Where their worktrees lie, below the vault; all of it may be deleted."""
_REF = "refs/heads/"
LEAST, SHOWN = 7, 16
"""Digits of a hash that must be given, and that are printed: too many for anybody to make a second one."""
_HASH = re.compile(rf"[0-9a-fA-F]{{{LEAST},64}}")
_NO_LETTER = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class ProposalName:
    """Whose proposal, and which: two parts of a branch's name that are safe in paths and for git."""

    agent: str
    name: str

    @property
    def branch(self) -> str:
        """Without `refs/heads/`."""
        return f"{PREFIX}{self.agent}/{self.name}"

    @property
    def short(self) -> str:
        """Without what all of their branches begin with: `akashi/nvda-rsi`."""
        return f"{self.agent}/{self.name}"

    @property
    def folder(self) -> str:
        """Where its worktree lies, below the vault."""
        return f"{FOLDER}/{self.agent}/{self.name}"


@dataclass(frozen=True, slots=True)
class Proposal:
    """One open proposal. `base` is the commit that it has in common with the branch it is for."""

    agent: str
    name: str
    branch: str
    tip: str
    base: str | None
    about: str
    when: datetime
    """When its last commit was made."""
    paths: tuple[VaultPath, ...]
    """The memories that it would change, and the asker may read."""
    others: tuple[str, ...] = ()
    """Further files that it would change, as the repository names them."""
    remote: str | None = None
    """The remote that has it, where there is no branch of that name here."""

    def is_at(self, commit: str) -> bool:
        """Whether its last commit is the one of this hash, or of the hash that begins so.

        Raises `UsageError` for what is no hash, or too little of one to tell commits apart."""
        if not _HASH.fullmatch(commit):
            raise UsageError(
                f"{commit!r:.200} is no commit of a proposal",
                hint=f"give the one that the review showed, with {LEAST} digits or more: "
                f"vmem review {self.branch}",
            )
        return self.tip.startswith(commit.lower())

    @property
    def named(self) -> ProposalName:
        """Whose it is, and which."""
        return ProposalName(self.agent, self.name)


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What a review did with a proposal."""

    branch: str
    accepted: tuple[VaultPath, ...] = ()
    rejected: tuple[VaultPath, ...] = ()
    left: tuple[VaultPath, ...] = ()
    """What stays open on the branch."""
    commit: str | None = None
    """The commit that brought the accepted ones in."""
    closed: str | None = None
    """The last commit of a branch that was taken away."""
    apart: tuple[Apart, ...] = ()
    """Memories that got another name, since both sides had made one of that name; `ours` are the person's."""
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SentProposal:
    """A proposal that a remote has now."""

    branch: str
    remote: str
    new: bool
    """Whether something had to be sent."""
    link: str | None
    """The page of the forge that compares it, where that is known."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A proposal that can be written to."""

    branch: str
    new: bool
    about: str = ""


def proposal_name(agent: str, text: str) -> ProposalName:
    """The name for a proposal by what an agent calls it: letters, digits and `-` stay of it.

    Raises `UsageError` where none of these is in it, `UnsafePathError` for an agent that git can't name."""
    name = slug(text, "")
    if not _NO_LETTER.sub("", text) or name in ("", "memory-"):
        raise UsageError(
            "a proposal's name holds a letter or a digit",
            hint="vmem propose nvda-rsi   (vmem propose --help)",
        )
    if agent.endswith(".lock"):
        raise UnsafePathError(
            agent,
            "git's branches don't take the ending .lock",
            what="the name of an agent that proposes",
            hint="give the agent another name",
        )
    return ProposalName(agent, name)


def parse_branch(branch: str) -> ProposalName | None:
    """Whose proposal a branch is, `None` for any other branch."""
    agent, _, name = branch.removeprefix(PREFIX).partition("/")
    if not branch.startswith(PREFIX) or not name:
        return None
    try:
        parse_agent(agent)
    except UnsafePathError:
        return None
    return ProposalName(agent, name) if slug(name, "") == name else None


def meant(text: str, known: Sequence[ProposalName]) -> list[ProposalName]:
    """Those of the proposals that a text names: by branch, by `agent/name`, or by name alone."""
    asked = text.strip().removeprefix(_REF)
    exact = [one for one in known if asked in (one.branch, one.short)]
    return exact or [one for one in known if asked == one.name]
