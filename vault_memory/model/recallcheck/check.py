"""A recall check: one question, what must come back for it, and what must not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from vault_memory.model.clip import clip
from vault_memory.model.hit import Strategy

FILE = ".vmem/checks.yaml"
"""Where a vault keeps its checks; it is no memory, and travels with the vault."""
MOST_SHOWN = 160
"""Characters of a question or a text that a message repeats."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """One line under `must` or `must_not`: the name of a memory, or a text. `line` is the file's."""

    line: int
    name: str
    is_text: bool = False

    @property
    def shown(self) -> str:
        """As a message names it."""
        name = clip(self.name, MOST_SHOWN, ellipsis="…")
        return f'"{name}"' if self.is_text else name


@dataclass(frozen=True, slots=True)
class RecallCheck:
    """A question as an agent (or the person, without `agent`) asks it, and what is said of the answer.

    `max_tokens` and `strategy` are the settings' where they are `None`. With `first`, what must come back
    must be among so many memories.
    """

    line: int
    ask: str
    must: tuple[Wanted, ...] = ()
    must_not: tuple[Wanted, ...] = ()
    agent: str | None = None
    max_tokens: int | None = None
    first: int | None = None
    strategy: Strategy | None = None
    min_score: float = 0.0
    filter: Mapping[str, str | list[str]] = field(default_factory=dict)
    """The filter of a recall, by its names."""
    filter_line: int = 0

    @property
    def title(self) -> str:
        """The question, as a message names it."""
        return clip(self.ask, MOST_SHOWN, ellipsis="…")

    def asks_like(self, other: RecallCheck) -> bool:
        """Whether both ask the same in the same way."""
        return self._asked == other._asked

    @property
    def _asked(self) -> tuple[object, ...]:
        ways = (self.agent, self.max_tokens, self.first, self.strategy, self.min_score)
        return (self.ask.casefold(), *ways, dict(self.filter))
