"""A program of somebody's: opens the vault once, and does what its standard input asks, line by line.

`python -m tests.soak.program ROOT open|connect`; answers: `{"value": …}`, `{"error": [kind, message]}`, and
`{"lost": message}` where the resident was killed over it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import vault_memory
from vault_memory.agent import Agent
from vault_memory.errors import VmemError
from vault_memory.model import wire
from vault_memory.vault import Vault

LOST = "the resident went away before it answered"
Ask = Callable[[str, str | None, dict[str, Any]], Any]
"""(verb, agent or the person, arguments) → the JSON of the answer."""

OPENED: Mapping[str, Callable[[Agent, dict[str, Any]], Any]] = {
    "remember": lambda agent, a: wire.written(agent.remember(a.pop("text"), **a)),
    "edit": lambda agent, a: wire.written(agent.edit(a["ref"], text=a["text"])),
    "forget": lambda agent, a: wire.written(agent.forget(a["ref"])),
    "search": lambda agent, a: wire.search(agent.search(a["query"], limit=20)),
    "recall": lambda agent, a: wire.recall(agent.recall(a["query"], max_tokens=4000)),
    "list": lambda agent, _: [wire.entry(one) for one in agent.list()],
}
"""The verbs on a vault that this program has opened itself."""


def opened(root: Path, stack: ExitStack) -> Ask:
    """Ask the vault by itself."""
    vault = stack.enter_context(Vault.open(root))
    return lambda verb, name, args: OPENED[verb](vault.person if name is None else vault.agent(name), args)


def connected(root: Path, stack: ExitStack) -> Ask:
    """Ask the vault's resident, which is started where there is none."""
    lines: dict[str | None, vault_memory.Connection] = {}

    def ask(verb: str, name: str | None, args: dict[str, Any]) -> Any:
        if name not in lines:
            lines[name] = stack.enter_context(vault_memory.connect(root, agent=name))
        answer = getattr(lines[name], verb)(**args)
        return list(answer) if verb == "list" else answer

    return ask


WAYS: Mapping[str, Callable[[Path, ExitStack], Ask]] = {"open": opened, "connect": connected}


def answer(ask: Ask, line: str) -> dict[str, Any]:
    """What is to be said to one line."""
    verb, name, args = json.loads(line)
    try:
        return {"value": ask(verb, name, args)}
    except VmemError as error:
        if error.message == LOST:
            return {"lost": error.message}
        return {"error": [type(error).__name__, error.message]}


def main(root: str, how: str) -> None:
    """Answer until the input ends."""
    with ExitStack() as stack:
        ask = WAYS[how](Path(root), stack)
        for line in sys.stdin:
            sys.stdout.write(json.dumps(answer(ask, line)) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
