"""What an agent's session is given without asking: when it begins, and with each of its prompts."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Self, TypeVar

from vault_memory.agent import Agent
from vault_memory.compose import Opened
from vault_memory.errors import GitError, StorageError
from vault_memory.model.agenthook import Event
from vault_memory.model.ask import ask, whole
from vault_memory.model.filters.chosen import Filter
from vault_memory.model.injected import framed, stripped
from vault_memory.model.namespace import Scope
from vault_memory.model.uses import Use, UsedMemory
from vault_memory.model.workingset import WorkingSet
from vault_memory.ops.changes import note_ended
from vault_memory.ops.mended import mended
from vault_memory.ops.promptnotes import PromptNotes, prompt_notes
from vault_memory.ops.workingset import working_set
from vault_memory.ports import no_progress

T = TypeVar("T")
TOKENS = 500
"""The working set's where nothing else is asked for."""


@dataclass(frozen=True, slots=True)
class Unasked:
    """What one caller's sessions are given."""

    opened: Opened
    scope: Scope
    freshen: Callable[[], tuple[str, ...]]

    @classmethod
    def of(cls, agent: Agent) -> Self:
        """For that caller."""
        return cls(agent.opened, agent.scope, agent.freshen)

    def working_set(self, max_tokens: int = TOKENS) -> WorkingSet:
        """What is pinned, decided, intended and new, and what changed since the caller's mark; nothing is
        noted of it. Raises `UsageError`."""
        return self._set(whole("max_tokens", max_tokens))

    def session_start(self, session: str) -> str:
        """The text for the begin of a session, empty where there is nothing to tell. From here on the session
        is taken to have these memories and no others; the caller's mark of changes is moved on. One that
        begins while others go on is told what was new to the first of them, too."""
        made = self._set(self.opened.settings["hook_start_tokens"], session=session, frame=framed)
        self._note(Event.SESSION_START, session, made.tokens, made.memories)
        return made.text

    def session_end(self, session: str) -> None:
        """A session is over: what it was told as changed is not told to the next one again."""
        with suppress(StorageError):  # then it is told once more
            note_ended(self.opened.ports, self.scope, session)

    def prompt(self, session: str, prompt: str) -> str:
        """The text that goes with a prompt: memories that bear on it and that the session does not have in
        this version; empty where there are none."""
        settings, text = self.opened.settings, stripped(prompt)
        if not text.strip():
            return ""
        asked = ask(
            text,
            strategy=settings["strategy"],
            min_score=0.0,
            chosen=Filter.none,
            weights=self.opened.weights,
        )

        def read() -> PromptNotes:
            self.freshen()
            return prompt_notes(
                self.opened.ports,
                settings,
                self.scope,
                asked,
                session=session,
                budget=settings["hook_prompt_tokens"],
                frame=framed,
            )

        found = self._mended(read)
        if found.memories:
            self._note(Event.USER_PROMPT_SUBMIT, session, found.tokens, found.memories)
        return found.text

    def _set(
        self, budget: int, *, session: str | None = None, frame: Callable[[str], str] = str
    ) -> WorkingSet:
        ports = self.opened.ports

        def read() -> WorkingSet:
            head = self._head()
            self.freshen()
            return working_set(
                ports,
                self.opened.settings,
                self.scope,
                budget=budget,
                head=head,
                session=session,
                frame=frame,
            )

        return self._mended(read)

    def _mended(self, read: Callable[[], T]) -> T:
        settings = self.opened.settings
        return mended(
            self.opened.ports,
            settings.zone,
            lambda _: read(),
            wait=settings["lock_seconds"],
            progress=no_progress,
        )

    def _head(self) -> str | None:
        """Where HEAD stands before the files are looked at."""
        try:
            return self.opened.ports.history.state().head
        except GitError:
            return None

    def _note(self, door: Event, session: str, tokens: int, memories: tuple[UsedMemory, ...]) -> None:
        ports = self.opened.ports
        use = Use(ports.clock.now(), self.scope.agent, door.value, session or None, tokens, 0, memories)
        ports.uses.note(use)
