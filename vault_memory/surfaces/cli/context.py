"""What a command knows of its call: which vault, who asks, in what form to answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory.config import environ
from vault_memory.errors import FormatError, UsageError
from vault_memory.model import wire
from vault_memory.model.hit import Strategy, parse_strategy
from vault_memory.model.namespace import PERSON, Namespace, Scope
from vault_memory.model.outcome import FOLLOWS, NOT_WRITTEN, Written, check_committed
from vault_memory.render.written import render_written
from vault_memory.surfaces.cli.output import Output
from vault_memory.surfaces.cli.streams import Streams, Unfit

if TYPE_CHECKING:
    from vault_memory.agent import Agent
    from vault_memory.vault import Clock, Ids, Progress, Vault

    Opening = Callable[[Path | None, Progress], AbstractContextManager[Vault]]


@dataclass(frozen=True, slots=True)
class World:
    """What stands in place of the system's own, in tests and where a command is carried out for somebody
    else; `None` means the system's.

    `opening` gives the vault for the path that the call names (`None` where it names none) with one that
    is open already, in place of `Vault.open`. `again`: a resident that died may have begun this very call.
    """

    clock: Clock | None = None
    ids: Ids | None = None
    streams: Streams | None = None
    opening: Opening | None = None
    again: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """One call of `vmem`."""

    world: World
    out: Output
    vault: Path | None = None
    agent: str | None = None

    def narrowed(self, *, vault: Path | None, agent: str | None, json: bool) -> Call:
        """The call with the options that were given behind the command's name."""
        return replace(
            self, vault=vault or self.vault, agent=self.agent if agent is None else agent,
            out=replace(self.out, json=self.out.json or json),
        )  # fmt: skip

    @contextmanager
    def open(self) -> Iterator[Vault]:
        """The vault, closed at the end. A command looks at the files once, whatever it asks."""
        with self.out.progress() as progress, self._opening(self.vault, progress) as vault:
            yield vault

    @property
    def _opening(self) -> Opening:
        if self.world.opening is not None:
            return self.world.opening
        from vault_memory.vault import Vault

        return lambda path, progress: Vault.open(
            path, clock=self.world.clock, ids=self.world.ids, progress=progress
        )

    def asks(self) -> Scope:
        """Who asks: `--agent`, else `VMEM_AGENT`, else the person; of an open vault `caller` says it."""
        name = environ.agent() if self.agent is None else self.agent
        if name is None:
            return PERSON
        from vault_memory.facets.asking import asks_of

        return asks_of(self.vault, name)

    def caller(self, vault: Vault) -> Agent:
        """Who asks, standing where they stand.

        An empty `--agent` is refused like any name that is none: it comes of a variable that was
        to be set, and the person may read and write more than any agent.
        """
        scope = self.asks()
        caller = vault.person if scope.agent is None else vault.agent(scope.agent)
        return replace(caller, scope=replace(caller.scope, here=_folder_within(vault.root)))

    @contextmanager
    def looking(
        self, vault: Vault, *, at: str | None = None, reviewed: bool = False, proposals: bool = False
    ) -> Iterator[Vault]:
        """The vault itself, or another view of it that an option asks for, closed at the end."""
        if (at is not None) + reviewed + proposals > 1:
            raise UsageError(
                "--at, --reviewed and --proposals are each another view of the vault",
                hint="give one of them; --at BRANCH shows what a branch holds",
            )
        if at is None and not reviewed and not proposals:
            yield vault
            return
        asks = self.asks()
        if proposals and asks.agent is None:
            raise UsageError(
                "--proposals shows an agent its own proposals, and nobody else's",
                hint="name the agent with --agent; --at memory/AGENT/NAME shows you one of them",
            )
        if at is not None:
            view = vault.history.at(at, scope=self.caller(vault).scope)
        else:
            view = vault.history.reviewed() if reviewed else vault.history.proposed(self.caller(vault).scope)
        with view:
            yield view

    def warn_of_index(self, vault: Vault) -> None:
        """Say why the answer may be out of date, where the answer itself has no room for it."""
        for notice in vault.index.notices:
            self.out.warn(notice)

    def is_terminal(self) -> bool:
        """Whether a person sits at both ends. Raises `Unfit` where one does, and not at ours."""
        streams = self.out.streams
        at_both = streams.terminal.stdin and streams.terminal.stdout
        if at_both and not streams.own:
            raise Unfit("it asks the person, or opens an editor")
        return at_both

    def now(self) -> datetime:
        """The present, for ages."""
        from vault_memory.vault import system_clock

        return (self.world.clock or system_clock()).now()

    def strategy(self, text: str | None) -> Strategy | None:
        """The strategy that an option names; a usage error for none."""
        return None if text is None else parse_strategy(text)

    def stdin_text(self) -> str:
        """All of stdin as text, without a byte order mark; a format error where it is not UTF-8."""
        try:
            return self.out.streams.stdin().read().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise FormatError("stdin is not UTF-8 text", hint="convert it first: iconv -t UTF-8") from error

    def wrote(self, written: Sequence[Written], *, require_commit: bool, many: bool = False) -> None:
        """Print what a write did. What waits for its commit is a warning, or exit 70 if so asked."""
        if self.out.json:
            values = [wire.written(one) for one in written]
            self.out.value(values if many else values[0])
        else:
            self.out.result(render_written(written, colour=self.out.colour))
            for one in written:
                self.out.warn_all(one.notices)
        if require_commit:
            check_committed(written)
        elif not self.out.json:
            told = (
                ("removed" if one.version is None else "saved and searchable")
                + f", but not committed: {one.reason}"
                for one in written
                if one.reason and not one.known and one.reason not in (NOT_WRITTEN, FOLLOWS)
            )
            for words in dict.fromkeys(told):
                self.out.warn(words)


def _folder_within(root: Path) -> Namespace:
    """The working folder as a folder of the vault; the vault's own where it lies elsewhere."""
    try:
        folder = environ.working_folder().resolve().relative_to(root).as_posix()
    except (OSError, ValueError):  # there is none any more, or it lies elsewhere
        return Namespace("")
    return Namespace("" if folder == "." else folder)
