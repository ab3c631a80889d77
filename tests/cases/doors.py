"""The doors that a case is tried through: the command line, a real process of it, and Python.

Both answer in the same JSON form and with the same exit code, so that one test asks both.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from tests.forked import run_vmem
from tests.stand import CountedIds, ToldClock
from vault_memory.agent import Agent
from vault_memory.errors import VmemError
from vault_memory.model import wire
from vault_memory.model.namespace import PERSON, Scope
from vault_memory.surfaces.cli.app import main
from vault_memory.surfaces.cli.context import World
from vault_memory.vault import Vault

REPOSITORY = Path(__file__).parents[2]
_LISTS = {"tags": "--tag", "add_tags": "--add-tag", "remove_tags": "--remove-tag"}


@dataclass(frozen=True, slots=True)
class Ran:
    """What one call of `vmem` left: exit code, what it wrote."""

    code: int
    out: str
    err: str

    @property
    def value(self) -> Any:
        """The JSON on stdout."""
        return json.loads(self.out)

    @property
    def error(self) -> str:
        """The message of the JSON error, or the plain text of a usage error."""
        try:
            return str(json.loads(self.err)["error"]["message"])
        except ValueError:
            return self.err


@dataclass(frozen=True, slots=True)
class Said:
    """What a door answered: the exit code (of the exception, in Python), the value, the message."""

    code: int
    value: Any = None
    error: str = ""


@dataclass(slots=True)
class Case:
    """A vault in the middle of things that must stay as they are, its clock and its ids."""

    root: Path
    clock: ToldClock = field(default_factory=ToldClock)
    ids: CountedIds = field(default_factory=CountedIds)

    def write(self, name: str, content: bytes | str) -> Path:
        """Put a file into the vault, as an editor would."""
        place = self.root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return place

    def vmem(self, *argv: str, stdin: bytes = b"") -> Ran:
        """One command line in this process; never a traceback, never a bug."""
        streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2)]
        before = (sys.stdin, sys.stdout, sys.stderr)
        sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
        sys.stdout, sys.stderr = streams
        try:
            code = main(["--vault", str(self.root), *argv], world=World(self.clock, self.ids))
        finally:
            sys.stdin, sys.stdout, sys.stderr = before
        texts: list[str] = []
        for stream in streams:
            stream.flush()
            buffer = stream.buffer
            assert isinstance(buffer, io.BytesIO)
            texts.append(buffer.getvalue().decode("utf-8", "surrogateescape"))
        return sound(Ran(code, *texts))

    def process(
        self,
        *argv: str | bytes,
        stdin: bytes = b"",
        environment: Mapping[str, str] | None = None,
        vault: str | None = None,
        cwd: Path | None = None,
    ) -> Ran:
        """The same as a real process, which has its own clock and ids."""
        return run_process(
            ["--vault", vault or str(self.root), *argv],
            stdin=stdin,
            environment=environment or {},
            cwd=cwd or self.root.parent,
        )

    def files(self) -> dict[str, bytes]:
        """Every Markdown file of the vault that is one."""
        return {
            str(place.relative_to(self.root)): place.read_bytes()
            for place in sorted(self.root.rglob("*.md"))
            if place.is_file()
        }


def run_process(
    argv: Sequence[str | bytes], *, stdin: bytes = b"", environment: Mapping[str, str], cwd: Path
) -> Ran:
    """`vmem` as a process of its own."""
    done = run_vmem(argv, stdin=stdin, environment={**os.environ, **environment}, cwd=cwd)
    texts = (text.decode("utf-8", "surrogateescape") for text in (done.stdout, done.stderr))
    return sound(Ran(done.returncode, *texts))


def sound(ran: Ran) -> Ran:
    """The same, once it is sure that it is no accident."""
    assert "Traceback" not in ran.err, ran.err
    assert "this is a bug" not in ran.err, ran.err
    assert ran.code in {0, 1, 2, 3, 4, 65, 69, 70, 74, 75, 77, 78}, ran
    if ran.code:
        assert ran.err, "a failure says why"
    return ran


class Door(Protocol):
    """The verbs of a case, the same through both doors."""

    name: str
    case: Case

    def remember(self, text: str, *, agent: str | None = None, **fields: Any) -> Said: ...

    def edit(self, ref: str, *, agent: str | None = None, **fields: Any) -> Said: ...

    def forget(self, ref: str, *, agent: str | None = None) -> Said: ...

    def restore(self, ref: str, *, agent: str | None = None) -> Said: ...

    def show(self, ref: str, *, agent: str | None = None) -> Said: ...

    def list(self, *, agent: str | None = None, **options: Any) -> Said: ...

    def search(self, query: str, *, agent: str | None = None, **options: Any) -> Said: ...

    def recall(self, query: str, *, agent: str | None = None, **options: Any) -> Said: ...

    def log(self, ref: str | None = None, *, agent: str | None = None) -> Said: ...

    def status(self) -> Said: ...


@dataclass(slots=True)
class CommandLine:
    """`vmem … --json` in this process."""

    case: Case
    name: str = "cli"

    def remember(self, text: str, *, agent: str | None = None, **fields: Any) -> Said:
        return self._said("remember", agent, [*_options(fields), "--", text])

    def edit(self, ref: str, *, agent: str | None = None, **fields: Any) -> Said:
        return self._said("edit", agent, [*_options(fields), "--", ref])

    def forget(self, ref: str, *, agent: str | None = None) -> Said:
        return self._said("forget", agent, ["--", ref])

    def restore(self, ref: str, *, agent: str | None = None) -> Said:
        return self._said("restore", agent, ["--", ref])

    def show(self, ref: str, *, agent: str | None = None) -> Said:
        return self._said("show", agent, ["--", ref])

    def list(self, *, agent: str | None = None, **options: Any) -> Said:
        return self._said("list", agent, _options(options))

    def search(self, query: str, *, agent: str | None = None, **options: Any) -> Said:
        return self._said("search", agent, [*_options(options), "--", query])

    def recall(self, query: str, *, agent: str | None = None, **options: Any) -> Said:
        return self._said("recall", agent, [*_options(options), "--", query])

    def log(self, ref: str | None = None, *, agent: str | None = None) -> Said:
        return self._said("log", agent, [] if ref is None else ["--", ref])

    def status(self) -> Said:
        return self._said("status", None, [])

    def _said(self, command: str, agent: str | None, argv: Sequence[str]) -> Said:
        who = [] if agent is None else [f"--agent={agent}"]
        ran = self.case.vmem(command, *who, "--json", *argv)
        if ran.code:
            assert ran.out == "", "a failure is no result"
            return Said(ran.code, error=ran.error)
        return Said(0, ran.value)


def _options(fields: Mapping[str, Any]) -> list[str]:
    """Keyword arguments of the Python door as options of the command line."""
    argv: list[str] = []
    for name, value in fields.items():
        if name in _LISTS:
            argv += [f"{_LISTS[name]}={one}" for one in value]
        elif name == "extra":
            argv += [f"--set={key}={text}" for key, text in value.items()]
        elif value is True:
            argv.append(f"--{name.replace('_', '-')}")
        elif name in _OPTIONS:
            argv.append(f"--{name.replace('_', '-')}={value}")
        else:
            argv.append(f"--set={name}={value}")
    return argv


_OPTIONS = frozenset(
    {
        "title", "importance", "ttl", "expires", "kind", "namespace", "text", "if_match", "max_tokens",
        "limit", "strategy", "min_score", "tag", "since", "until", "path", "where", "sort",
    }
)  # fmt: skip


@dataclass(slots=True)
class Python:
    """`Vault.open(…)`, its answers in the form that the command line prints."""

    case: Case
    name: str = "python"

    def remember(self, text: str, *, agent: str | None = None, **fields: Any) -> Said:
        return self._said(agent, lambda caller: wire.written(caller.remember(text, **fields)))

    def edit(self, ref: str, *, agent: str | None = None, **fields: Any) -> Said:
        return self._said(agent, lambda caller: wire.written(caller.edit(ref, **fields)))

    def forget(self, ref: str, *, agent: str | None = None) -> Said:
        return self._said(agent, lambda caller: wire.written(caller.forget(ref)))

    def restore(self, ref: str, *, agent: str | None = None) -> Said:
        return self._said(agent, lambda caller: wire.written(caller.restore(ref)))

    def show(self, ref: str, *, agent: str | None = None) -> Said:
        def show(caller: Agent) -> object:
            shown = caller.show(ref)
            return wire.memory(shown.memory, shown.version)

        return self._said(agent, show)

    def list(self, *, agent: str | None = None, **options: Any) -> Said:
        return self._said(agent, lambda caller: [wire.entry(entry) for entry in caller.list(**options)])

    def search(self, query: str, *, agent: str | None = None, **options: Any) -> Said:
        return self._said(agent, lambda caller: wire.search(caller.search(query, **options)))

    def recall(self, query: str, *, agent: str | None = None, **options: Any) -> Said:
        return self._said(agent, lambda caller: wire.recall(caller.recall(query, **options)))

    def log(self, ref: str | None = None, *, agent: str | None = None) -> Said:
        scope = PERSON if agent is None else Scope(agent)
        try:
            with self._open() as vault:
                return Said(0, [wire.revision(one) for one in vault.history.log(scope, ref)])
        except VmemError as error:
            return Said(error.exit_code, error=error.message)

    def status(self) -> Said:
        try:
            with self._open() as vault:
                return Said(0, wire.status(vault.upkeep.status(PERSON)))
        except VmemError as error:
            return Said(error.exit_code, error=error.message)

    def _said(self, agent: str | None, ask: Any) -> Said:
        try:
            with self._open() as vault:
                return Said(0, ask(vault.person if agent is None else vault.agent(agent)))
        except VmemError as error:
            return Said(error.exit_code, error=error.message)

    @contextmanager
    def _open(self) -> Iterator[Vault]:
        with Vault.open(self.case.root, clock=self.case.clock, ids=self.case.ids) as vault:
            yield vault
