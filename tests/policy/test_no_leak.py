"""Ten thousand random calls by every door, and not one word of what the caller may not read."""

from __future__ import annotations

import json
import os
import random
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.forked import run_vmem
from tests.policy.planted import CALLER, MINE, Planted, planted
from vault_memory import __version__
from vault_memory.errors import VmemError
from vault_memory.facets.hooks import Unasked
from vault_memory.live.handle import LiveVault
from vault_memory.surfaces.cli.elsewhere import carry_out
from vault_memory.surfaces.mcp import resources
from vault_memory.surfaces.mcp.reach import ByItself, Said
from vault_memory.surfaces.mcp.tools import TOOLS
from vault_memory.surfaces.resident import door
from vault_memory.surfaces.resident.answers import Answers
from vault_memory.surfaces.resident.log import Log
from vault_memory.vault import Vault, system_clock

CALLS = 10_000
BY_COMMAND = 50
"""Of them as processes, which cost a hundred times as much."""
FOLDERS = (
    "vault", "shared/vault", "vault/deep", "Shared/vault", "private/mira", "private", "Private",
    "private/aka",
    "private/Akashi", "private/akashi", "ops", "ops/keys", "board", "shared", "plans", "notes", "../x",
)  # fmt: skip
Args = dict[str, Any]


class Drawn:
    """Arguments by chance: words of what may be read, and of what may not."""

    def __init__(self, scene: Planted, seed: int) -> None:
        self.scene, self.chance = scene, random.Random(seed)

    def word(self) -> str:
        return self.chance.choice((*MINE, *self.scene.markers, "decision", "quay"))

    def query(self) -> str:
        return " ".join(self.word() for _ in range(self.chance.randint(1, 4)))

    def ref(self) -> str:
        path = self.chance.choice(self.scene.hidden)
        id_part = self.chance.choice(["01JQZ", "01JQZ00000000000000000000", "01JQ"])
        return self.chance.choice(
            [
                path,
                path.rpartition("/")[2],
                path.upper(),
                f"./{path}",
                path[:-3],
                id_part,
                self.word(),
                "own-tide.md",
            ]
        )

    def folder(self) -> str:
        return self.chance.choice(FOLDERS)

    def choice(self) -> Args:
        """Filters, most often none."""
        some: list[Args] = [
            {},
            {},
            {"namespace": self.folder()},
            {"tag": self.word()},
            {"kind": "decision"},
            {"source_agent": self.chance.choice(["mira", "aka", self.word()])},
            {"since": "2020-01-01"},
            {"path": self.chance.choice(["private/**", "**/*qz*", "shared/vault/*"])},
            {"where": self.chance.choice(["owner~qz", "title~qz", f"owner={self.word()}", "importance>0.8"])},
        ]
        return self.chance.choice(some)

    def since(self) -> str:
        return self.chance.choice(["last", "2020-01-01", "HEAD~3", *self.scene.commits])

    def at(self) -> str:
        return self.chance.choice(
            ["HEAD", "HEAD~2", "2020-01-01", "memory/mira/proposalaaqz", *self.scene.commits]
        )


def verbs(drawn: Drawn) -> tuple[str, Args]:
    """A call of the resident's protocol; those that write, or ask git for much, come seldom."""
    ref, query, choice = drawn.ref(), drawn.query(), drawn.choice()
    text = drawn.chance.choice([f"word {query}", "The bodyaqz of the harbour and the ferry"])
    rows: list[tuple[int, str, Args]] = [
        (30, "recall", {"query": query, "max_tokens": drawn.chance.choice([50, 400, 4000]), **choice}),
        (30, "search", {"query": query, "limit": 20, **choice}),
        (30, "show", {"ref": ref}),
        (12, "list", {"expired": True, **choice}),
        (1, "log", {"limit": 5, **drawn.chance.choice([{}, {"ref": ref}, {"source_agent": "mira"}])}),
        (1, "changes", {"since": drawn.since()}),
        (1, "status", {}),
        (6, "edit", {"ref": ref, "importance": 0.2}),
        (6, "forget", {"ref": ref}),
        (8, "link", {"ref": drawn.chance.choice([ref, "Own tide"]), "to": ref}),
        (8, "remember", {"text": text, "namespace": drawn.folder(), "dry_run": True}),
        (1, "remember", {"text": f"A {drawn.chance.choice(MINE)} of number {drawn.chance.random()}"}),
        (
            3,
            "remember_many",
            {"memories": [text, {"text": query, "namespace": drawn.folder()}], "dry_run": True},
        ),
        (1, "restore", {"ref": ref}),
        (1, drawn.chance.choice(["recall", "search"]), {"query": query, "at": drawn.at()}),
        (1, "show", {"ref": ref, "at": drawn.at()}),
    ]
    [row] = drawn.chance.choices(rows, [weight for weight, _, _ in rows])
    return row[1], row[2]


def facade(vault: Vault, drawn: Drawn) -> tuple[str, Callable[[], object]]:
    """A call of the Python handles beside the verbs: what is asked of it, and the call."""
    agent = vault.agent(CALLER)
    scope, ref, choice = agent.scope, drawn.ref(), drawn.choice()
    rows: list[tuple[int, str, Callable[[], object]]] = [
        (9, f"links {ref}", lambda: vault.overview.links(scope, ref)),
        (4, "broken", lambda: vault.overview.broken_links(scope)),
        (2, "agents", lambda: vault.overview.agents(scope)),
        (4, f"tags {choice}", lambda: vault.overview.tags(scope, **choice)),
        (4, f"topics {choice}", lambda: vault.overview.topics(scope, **choice)),
        (4, f"timeline {choice}", lambda: vault.overview.timeline(scope, **choice)),
        (4, f"stats {choice}", lambda: vault.overview.stats(scope, **choice)),
        (2, "entries", lambda: vault.index.entries(scope)),
        (3, f"lint {ref}", lambda: vault.upkeep.lint(scope)),
        (1, "doctor", lambda: vault.upkeep.doctor(scope)),
        (1, "secrets", lambda: vault.upkeep.secrets.look(scope)),
        (1, "diff", lambda: vault.files.diff(scope)),
        (2, f"diff {ref}", lambda: vault.files.diff(scope, ref)),
        (2, f"blame {ref}", lambda: vault.history.blame(scope, ref)),
        (6, f"move {ref}", lambda: vault.files.move(scope, ref, drawn.folder() + "/")),
        (1, "expired", lambda: vault.upkeep.expired(scope)),
        (1, "duplicates", lambda: vault.upkeep.duplicates.find(scope)),
        (1, "proposals", lambda: (vault.review.proposals(scope), vault.review.names(scope))),
        (2, "find", lambda: vault.review.find(scope, "proposal")),
        (1, "denied", lambda: vault.overview.denied(scope)),
        (2, "waiting", lambda: vault.capture.waiting(agent, drawn.chance.choice(["mira", "aka", None]))),
        (1, "proposed", lambda: vault.capture.proposed(scope)),
        (4, f"keep {ref}", lambda: vault.capture.keep(scope, ref, drawn.folder())),
        (2, "session", lambda: Unasked.of(agent).session_start("one")),
        (2, "prompt", lambda: Unasked.of(agent).prompt("two", drawn.query())),
    ]
    [row] = drawn.chance.choices(rows, [weight for weight, _, _ in rows])
    return row[1], row[2]


class Reached:
    """What a tool of MCP asks: the same road as the server's, without its threads."""

    def __init__(self, way: ByItself) -> None:
        self.way = way

    def ask(self, verb: str, **args: Any) -> Said:
        return self.way.ask(verb, args)


def tool(reach: Any, drawn: Drawn) -> tuple[str, Callable[[], object]]:
    """A call of a tool, or a resource that is read."""
    if drawn.chance.random() < 0.1:
        uri = drawn.chance.choice(
            [
                "vmem://working-set",
                "vmem://changes",
                f"vmem://memory/{drawn.ref()}",
                f"vmem://changes/{drawn.since()}",
            ]
        )
        return uri, lambda: resources.read(reach, uri) + repr(resources.listed(reach))
    while True:
        name, args = verbs(drawn)
        if name in TOOLS and not {"dry_run", "at"} & args.keys() and name not in ("remember", "log"):
            break
    args = {key: value for key, value in args.items() if key in TOOLS[name].takes}
    return f"{name} {args}", lambda: TOOLS[name].act(reach, args)


@pytest.fixture
def scene(tmp_path: Path) -> Planted:
    return planted(tmp_path / "memory")


def told(call: Callable[[], object]) -> str:
    """What a call answers, or the error that it ends with, all that hangs on it included."""
    try:
        return repr(call())
    except VmemError as error:
        return repr((error.message, error.hint, vars(error)))


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_no_door_tells_an_agent_a_word_of_what_it_may_not_read(scene: Planted) -> None:
    drawn, counted = Drawn(scene, 20261130), Counter[str]()
    found: list[tuple[str, str, list[str]]] = []
    heard_own = 0

    def look(kind: str, asked: str, answer: str) -> None:
        nonlocal heard_own
        counted[kind] += 1
        heard_own += any(word in answer.casefold() for word in MINE)
        leaked = scene.told_in(answer, asked)
        if leaked:
            found.append((kind, asked, leaked))

    for words in commands(drawn, BY_COMMAND):
        ran = run_vmem(["--agent", CALLER, *words], stdin=b"", environment=os.environ, cwd=scene.root)
        look("cli", repr(words), (ran.stdout + ran.stderr).decode("utf-8", "replace"))
    with LiveVault(scene.root) as live:
        log = Log(scene.root, system_clock())
        answers = Answers.of(live, partial(carry_out, clock=system_clock()), log, system_clock().now())
        reach = Reached(ByItself(live, CALLER))
        while sum(counted.values()) < CALLS:
            door_drawn = drawn.chance.random()
            if door_drawn < 0.5:
                name, args = verbs(drawn)
                request = {"vmem": __version__, "protocol": door.PROTOCOL, "do": "call", "agent": CALLER}
                asked = f"{name} {args}"
                answer = answers.answer({**request, "verb": name, "args": args}, None)  # type: ignore[arg-type]  # it asks nothing back
                look("resident", asked, written(answer))
            elif door_drawn < 0.8:
                asked, act = tool(reach, drawn)
                look("mcp", asked, told(act))
            else:
                with live.writing() as vault:
                    asked, act = facade(vault, drawn)
                    look("python", asked, told(act))
    kinds = Counter((kind, asked.split(" ")[0], tuple(leaked)) for kind, asked, leaked in found)
    assert not kinds, (kinds.most_common(12), found[:5])
    assert sum(counted.values()) == CALLS
    assert min(counted.values()) >= BY_COMMAND
    assert heard_own > CALLS / 5, "there was something to be told"
    assert "private/mira" not in {one.rpartition("/")[0] for one in _written(scene.root)}


def written(answer: object) -> str:
    """An answer of the resident as it goes over the wire."""
    return json.dumps(answer, default=lambda one: getattr(one, "text", repr(one)), ensure_ascii=False)


def commands(drawn: Drawn, count: int) -> Iterator[list[str]]:
    rows: list[Callable[[], list[str]]] = [
        lambda: ["recall", drawn.query()],
        lambda: ["search", drawn.query(), "--json"],
        lambda: ["show", drawn.ref()],
        lambda: ["list", "--namespace", drawn.folder()],
        lambda: ["log", drawn.ref()],
        lambda: ["log", "--json"],
        lambda: ["status"],
        lambda: ["lint"],
        lambda: ["lint", drawn.chance.choice(drawn.scene.hidden)],
        lambda: ["doctor"],
        lambda: ["agents", "--json"],
        lambda: ["changes", "--since", drawn.since()],
        lambda: ["forget", drawn.ref()],
        lambda: ["diff", drawn.chance.choice(drawn.scene.commits)],
        lambda: ["review"],
        lambda: ["blame", drawn.ref()],
        lambda: ["links", drawn.ref()],
        lambda: ["recall", drawn.query(), "--proposals"],
        lambda: ["show", drawn.ref(), "--json"],
        lambda: ["dedupe"],
        lambda: ["stats"],
        lambda: ["gc", "--check"],
        lambda: ["undo"],
        lambda: ["restore", drawn.ref()],
        lambda: ["config", "agents"],
    ]
    for number in range(count):
        yield rows[number % len(rows)]()


def _written(root: Path) -> list[str]:
    """What the caller's own commits touched."""
    log = ["git", "log", "--author=akashi@agents.invalid", "--name-only", "--format=", "HEAD"]
    return subprocess.run(log, cwd=root, check=True, capture_output=True, text=True).stdout.split("\n")
