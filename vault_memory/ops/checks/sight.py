"""What the doctor's checks look at together, each thing looked up once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from vault_memory.config.settings import Settings
from vault_memory.model.facts import PlaceFacts, RepositoryFacts
from vault_memory.model.namespace import Scope
from vault_memory.model.revision import RepoState
from vault_memory.ops.unread import readable_scan, unreadable
from vault_memory.ports import Ports, Scan

Told = tuple[str, str | None]
"""What was found, and what to do about it; `None` where all is well."""

FIX = "run: vmem doctor --fix"


@dataclass(eq=False)
class Sight:
    """One vault under examination; files as far as the scope may read them."""

    ports: Ports
    settings: Settings
    scope: Scope

    @cached_property
    def scan(self) -> Scan:
        """What lies in the vault."""
        return readable_scan(self.ports, self.scope)

    @cached_property
    def unreadable(self) -> list[tuple[str, str]]:
        """(path, reason) of files that can't be read."""
        return unreadable(self.ports, self.scan)

    @cached_property
    def repo(self) -> RepoState:
        """The repository as far as a commit cares."""
        return self.ports.history.state()

    @cached_property
    def git(self) -> RepositoryFacts:
        """Git as the vault finds it."""
        return self.ports.history.facts()

    @cached_property
    def place(self) -> PlaceFacts:
        """Disk and local folder."""
        return self.ports.files.facts()

    def age(self, since_ns: int) -> str:
        """How long ago a file was written, in words."""
        return in_words((self.ports.clock.now_ns() - since_ns) / 1e9)


def in_words(seconds: float) -> str:
    """A time as people say it: `3 days`."""
    for size, name in ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")):
        number = int(seconds // size)
        if number >= 1:
            return f"{number:,} {name}{'' if number == 1 else 's'}"
    return "a moment"


def counted(number: int, one: str, many: str | None = None) -> str:
    """`1 file`, `2 files`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
