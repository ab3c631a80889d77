"""`vault.capture`: what is to be kept of a conversation, found in its transcript."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory import compose
from vault_memory.compose import Opened
from vault_memory.config import environ
from vault_memory.errors import GitError, UsageError
from vault_memory.model.capture.captured import INBOX, Captured
from vault_memory.model.capture.formats import AUTO, parse_format
from vault_memory.model.inventory import Listing
from vault_memory.model.memory import Entry
from vault_memory.model.namespace import PRIVATE, Scope, namespace_asked, owner_of, parse_agent
from vault_memory.model.outcome import Moved, Written
from vault_memory.model.policy import Capture
from vault_memory.ops.capture import Memories, Sources, Wish, capture, captured_up_to
from vault_memory.ops.move import move
from vault_memory.ops.propose import names
from vault_memory.ops.resolve import resolve
from vault_memory.ports.transcripts import no_transcript

if TYPE_CHECKING:
    from vault_memory.agent import Agent

PROPOSAL = "captured"
"""The proposal, and the shared namespace in it, where captured memories wait for a review."""
_ABOUT = "Lessons captured from transcripts"


@dataclass(frozen=True, slots=True)
class CapturingFacet:
    """Lessons go where the settings say of the agent: to its `private/<agent>/inbox/`, or to a proposal."""

    opened: Opened
    freshen: Callable[[], tuple[str, ...]]
    agent: Callable[[str], Agent]

    def transcript(
        self,
        place: str | Path,
        agent: str,
        *,
        form: str = AUTO,
        session: str | None = None,
        propose: str | None = None,
        dry_run: bool = False,
    ) -> Captured:
        """Capture what a transcript has got since the last time, for that agent.

        `form`: claude-code, codex, gemini or text. With `propose` it becomes the proposal of that name (`""`:
        captured) whatever the settings say. Raises `UsageError`, `NotFoundError`, `StorageError`,
        `FormatError`, `LockedError`.
        """
        caller = self.agent(agent)
        wish = Wish(_whole(place), parse_format(form), session, dry_run)
        self._check_readable(wish.place, caller.scope)
        policy = Capture.PROPOSE if propose is not None else self.opened.policy.capture(agent)
        if policy is Capture.OFF:
            return Captured(str(wish.place), form, session, agent, dry_run=dry_run, off=True)
        self.freshen()

        def save(memories: Memories) -> Sequence[Written]:
            if policy is Capture.INBOX:
                own = [{**one, "namespace": f"private/{agent}/{INBOX}"} for one in memories]
                return caller.remember_many(own, dry_run=dry_run)
            shared = [{**one, "namespace": PROPOSAL} for one in memories]
            if dry_run:
                return caller.remember_many(shared, dry_run=True)
            with caller.propose(propose or PROPOSAL, _ABOUT) as proposal:
                return proposal.remember_many(shared)

        sources = Sources(*compose.capturing(self.opened))
        return capture(self.opened.ports, self.opened.settings, caller.scope, sources, wish, save)

    def reached(self, place: str | Path, agent: str, *, form: str = AUTO) -> int:
        """Up to which byte of it the transcript was captured for that agent, 0 for not at all.

        Raises as `transcript`."""
        whole = _whole(place)
        self._check_readable(whole, self.agent(agent).scope)
        sources = Sources(*compose.capturing(self.opened))
        with sources.transcripts.reading(whole, parse_format(form)) as reading:
            cursor = captured_up_to(sources, reading, agent)
            return 0 if cursor is None else cursor.offset

    def _check_readable(self, place: Path, scope: Scope) -> None:
        """Raise `NotFoundError` for a file of the vault that the agent may not read, as for one that is not
        there: lessons of it would be no secret any more."""
        root = self.opened.ports.files.root.resolve()
        try:
            parts = place.resolve().relative_to(root).parts
        except (ValueError, OSError, RuntimeError):  # elsewhere; or no path at all, as reading it will say
            return
        path = "/".join(parts)
        if any(part.startswith(".") for part in parts) or not scope.may_read(path):
            scope.refuse_read(path)
            raise no_transcript(place)

    def waiting(self, caller: Agent, of: str | None = None) -> Listing:
        """What waits for a look in the inbox of that agent, or in all that the caller may read.

        Raises `UnsafePathError` for a name that no agent has."""
        whose = parse_agent(of) if of is not None else "*"
        found = caller.list(path=f"{PRIVATE}/{whose}/{INBOX}/**")
        return found or Listing((), total=0)  # that no memory lies there is no news

    def proposed(self, scope: Scope, of: str | None = None) -> list[str]:
        """The open proposals to which captured memories of that agent, or of all, go where none is named.

        Without a repository that can be read there are none."""
        try:
            found = [name for name, _ in names(self.opened.ports, scope) if name.name == PROPOSAL]
        except GitError:
            return []
        return [name.branch for name in found if of in (None, name.agent)]

    def waiting_one(self, scope: Scope, ref: str) -> Entry:
        """That one, if it waits in an inbox.

        Raises `UsageError`, `MemoryNotFoundError`, `AmbiguousRefError`."""
        self.freshen()
        entry = resolve(self.opened.ports, scope, ref)
        if owner_of(entry.path) is None or entry.path.split("/")[2:3] != [INBOX]:
            raise UsageError(
                f"{entry.path} is in no inbox", hint="vmem capture --review shows what waits for a look"
            )
        return entry

    def keep(self, scope: Scope, ref: str, to: str | None = None) -> Moved:
        """Take it out of its inbox: to its agent's own folder, or to a namespace, as `remember` has it.

        Raises as `waiting_one`, and `ScopeError`, `ConflictError`, `UnsafePathError`."""
        entry = self.waiting_one(scope, ref)
        if to is None:
            folder = f"{PRIVATE}/{owner_of(entry.path)}"
        else:
            folder = namespace_asked(scope, to, self.opened.settings["inbox"])
        return move(self.opened.ports, self.opened.settings, scope, entry.path, f"{folder}/")


def _whole(place: str | Path) -> Path:
    return environ.working_folder() / environ.expanded(Path(place))
