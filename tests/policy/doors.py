"""Doors to a vault: each takes a verb with its arguments and gives what is said, answer or error."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.forked import run_vmem
from tests.mcp.talking import served
from vault_memory import __version__
from vault_memory.errors import VmemError
from vault_memory.live.handle import LiveVault
from vault_memory.surfaces.cli.elsewhere import carry_out
from vault_memory.surfaces.resident import door as protocol
from vault_memory.surfaces.resident.answers import Answers
from vault_memory.surfaces.resident.log import Log
from vault_memory.vault import Vault, system_clock

POLICY = """format = 1
embedder = "none"
[agents.akashi]
quota_files = 2
[agents.reader]
readonly = true
[namespaces.vault]
readers = ["mira"]
[namespaces.board]
readonly = true
[namespaces.plans]
review = "required"
"""


@dataclass(frozen=True, slots=True)
class Door:
    """`name` is what the list of refusals calls it."""

    name: str | None
    act: Callable[[str, dict[str, object]], str]

    def said(self, verb: str, **args: object) -> str:
        """All that is said to a call."""
        return self.act(verb, args)


@contextmanager
def _python(root: Path, agent: str) -> Iterator[Door]:
    def act(verb: str, args: dict[str, object]) -> str:
        with Vault.open(root) as vault:
            try:
                return repr(getattr(vault.agent(agent), verb)(**args))
            except VmemError as error:
                return f"{error.message}\n{error.hint}"

    yield Door(None, act)


@contextmanager
def _commands(root: Path, agent: str) -> Iterator[Door]:
    def act(verb: str, args: dict[str, object]) -> str:
        words = [str(args.pop(name)) for name in ("text", "query", "ref") if name in args]
        words += [word for name, value in args.items() for word in (f"--{name}", str(value))]
        ran = run_vmem(["--agent", agent, verb, *words], stdin=b"", environment=os.environ, cwd=root)
        return (ran.stdout + ran.stderr).decode("utf-8")

    yield Door("cli", act)


@contextmanager
def _resident(root: Path, agent: str) -> Iterator[Door]:
    with LiveVault(root) as live:
        log = Log(root, system_clock())
        answers = Answers.of(live, partial(carry_out, clock=system_clock()), log, system_clock().now())
        own = {"vmem": __version__, "protocol": protocol.PROTOCOL, "do": "call", "agent": agent}

        def act(verb: str, args: dict[str, object]) -> str:
            answer = answers.answer({**own, "verb": verb, "args": args}, None)  # type: ignore[arg-type]  # nothing is asked back
            return json.dumps(answer, default=lambda one: getattr(one, "text", repr(one)))

        yield Door("resident", act)


@contextmanager
def _mcp(root: Path, agent: str) -> Iterator[Door]:
    with served(root, agent) as talk:
        yield Door("mcp", lambda verb, args: talk.text(verb, **args))


doors: dict[str, Callable[[Path, str], AbstractContextManager[Door]]] = {
    "python": _python,
    "cli": _commands,
    "resident": _resident,
    "mcp": _mcp,
}
