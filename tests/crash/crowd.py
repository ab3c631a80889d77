"""Who is at work in a tortured vault: writers that get killed, and a person with git who does not."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.crash.children import Tell
from tests.crash.ledger import text_for
from tests.crash.patient import PatientGit
from tests.crash.vaults import PERSONS
from tests.grouped import change_all
from vault_memory.agent import Agent
from vault_memory.errors import MemoryNotFoundError, VmemError
from vault_memory.model.outcome import Written
from vault_memory.model.revision import Op
from vault_memory.vault import Vault

AS_MANY = 60
"""Memories written at once, now and then: enough for git's own import."""


def write_on(root: Path, agent: str, seed: int, paths: Sequence[str], tell: Tell) -> None:
    """Remember, edit and forget, one or many, until killed, telling of each operation before and after."""
    chance = random.Random(seed)
    mine = list(paths)
    with Vault.open(root) as vault:
        while True:
            _one(vault, vault.agent(agent), chance, mine, lambda *said: tell(json.dumps(said) + "\n"))


def _one(
    vault: Vault, agent: Agent, chance: random.Random, mine: list[str], say: Callable[..., object]
) -> None:
    token = f"t{chance.getrandbits(60):015x}"
    draw = chance.random()
    path = chance.choice(mine) if mine and draw < 0.45 else None
    namespace = chance.choice([None, "market", "ops"])
    try:
        if path is not None and draw < 0.02:
            some = {one for one in chance.choices(mine, k=5) if (vault.root / one).exists()}
            say("begin", "forget many", [], sorted(some))
            written = change_all(
                vault, Op.GC, dict.fromkeys(sorted(some)), whole=True, agent=agent.scope.agent
            )
            mine[:] = [one for one in mine if one not in some]
        elif path is not None and draw < 0.15:
            say("begin", "forget", [], path)
            written = [agent.forget(path)]
            mine.remove(path)
        elif path is not None:
            say("begin", "edit", [token], path)
            written = [agent.edit(path, text=text_for(token))]
        elif draw < 0.98:
            say("begin", "remember", [token], None)
            written = [agent.remember(text_for(token), title=token, namespace=namespace)]
        else:
            tokens = [f"{token}n{number}n" for number in range(AS_MANY if draw > 0.995 else 5)]
            say("begin", "remember many", tokens, None)
            many = [{"text": text_for(one), "title": one, "namespace": namespace or "ops"} for one in tokens]
            written = list(agent.remember_many(many))
    except MemoryNotFoundError:
        mine.remove(str(path))
        say("absent", path)
    except VmemError as error:
        say("refused", type(error).__name__)
    else:
        mine += [one.path for one in written if path is None]
        _say_done(written, say)


def _say_done(written: Sequence[Written], say: Callable[..., object]) -> None:
    # In pieces that a pipe takes whole, so that the reader never sees half a line.
    told = [[one.path, one.version, one.commit] for one in written]
    for start in range(0, len(told) - 10, 10):
        say("also", told[start : start + 10])
    say("done", told[(len(told) - 1) // 10 * 10 :])


def be_a_person(root: Path, seed: int, stop: Path, tell: Tell) -> None:
    """Edit own notes and commit them with git until `stop` is there; tell how it went."""
    chance = random.Random(seed)
    git = PatientGit(root)
    number = 0
    unstaged: dict[str, bool] = {}
    while not stop.exists():
        number += 1
        name = f"{PERSONS}/note{chance.randrange(6)}.txt"
        file = root / name
        file.write_text(f"edition {number}\n" * 20)
        git("add", name)
        unstaged[name] = chance.random() < 0.3
        if unstaged[name]:
            with file.open("a") as more:
                more.write("not staged yet\n")
        if chance.random() < 0.5:
            git("status", "--short")
        git("commit", "-qm", f"edition {number}")
        found = git("show", f"HEAD:{name}")
        if found != f"edition {number}\n" * 20:
            git.faults.append(f"{name} is not what was staged for edition {number}: {found[:40]!r}")
        time.sleep(chance.uniform(0.0, 0.1))
    dirty = sorted(name for name, is_so in unstaged.items() if is_so)
    told = {"commits": number, "tried again": git.again, "faults": git.faults, "dirty": dirty}
    tell(json.dumps(told) + "\n")
