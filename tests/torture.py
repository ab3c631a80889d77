"""Kills writers again and again beside a person's git, then looks for what was lost: `make torture`.

Four processes remember, edit and forget, one memory or many, and tell of each operation once it is
acknowledged. Each is killed at a random moment and another takes its place. In the end the vault is opened
once more and everything that was acknowledged must be there, and nothing else.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import random
import re
import select
import shutil
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.crash.children import Child, begin, in_child, processes_in, wait_for_orphans
from tests.crash.crowd import be_a_person, write_on
from tests.crash.ledger import Ledger
from tests.crash.sabotage import SABOTAGE
from tests.crash.vaults import PERSONS
from tests.crash.witness import broken_objects, files_of, look, pending, strays, unlike_a_rebuild
from tests.gitrun import run_git
from tests.machine import furnish, move_in
from vault_memory.model.revision import Op
from vault_memory.vault import Vault

AGENTS = ("akashi", "mira", "nils", "oda")
SHORTEST, LONGEST = 0.02, 3.0
"""Seconds for which a writer lives; short lives are as many as long ones."""

LOOKED_UP = 40
"""So many memories are asked for by their word at the end."""


@dataclass(slots=True)
class Torture:
    """One run on the vault below `home`; the same seed draws the same numbers, if not the same moments."""

    home: Path
    seed: int
    chance: random.Random = field(init=False)
    ledgers: dict[str, Ledger] = field(default_factory=lambda: {agent: Ledger() for agent in AGENTS})
    writers: dict[str, Child] = field(default_factory=dict)
    ends: dict[str, float] = field(default_factory=dict)
    """When each writer is to die, by the monotonic clock."""
    kills: int = 0
    faults: list[str] = field(default_factory=list)
    dirty: list[str] = field(default_factory=list)
    """What the person has edited and not staged in the end."""
    told: dict[str, object] = field(default_factory=dict)

    def run(self, kills: int, seconds: float) -> None:
        """Kill so often and for so long, then look."""
        self.chance = random.Random(self.seed)
        in_child(lambda _: self._furnish())
        stop = self.home / "stop"
        person = begin(lambda tell: be_a_person(self.root, self.seed, stop, tell))
        begun = time.monotonic()
        for agent in AGENTS:
            self._start(agent)
        while self.kills < kills or time.monotonic() - begun < seconds:
            self._kill_next()
        for agent, writer in self.writers.items():
            self._hear(agent, writer.kill())
            self.ledgers[agent].died()
        # A writer that died may have left git locked, which only the next one puts right.
        in_child(lambda _: self._settle())
        stop.touch()
        self._hear_person(person.join())
        self.told["seconds"] = round(time.monotonic() - begun, 1)
        wait_for_orphans(self.root)
        self.faults += json.loads(in_child(lambda tell: tell(json.dumps(self._go_on()))).out)
        self._compare()

    @property
    def root(self) -> Path:
        return self.home / "vault"

    def _furnish(self) -> None:
        Vault.create(self.root)
        (self.root / PERSONS).mkdir()
        (self.root / PERSONS / "half.txt").write_text("one\n")
        run_git(self.root, "add", ".")
        run_git(self.root, "commit", "-qm", "first")

    def _start(self, agent: str) -> None:
        seed, paths = self.chance.getrandbits(64), self.ledgers[agent].choices()
        self.writers[agent] = begin(lambda tell: write_on(self.root, agent, seed, paths, tell))
        life = SHORTEST * (LONGEST / SHORTEST) ** self.chance.random()
        self.ends[agent] = time.monotonic() + life

    def _kill_next(self) -> None:
        """Listen to all until the next one's time has come."""
        agent = min(AGENTS, key=lambda name: self.ends[name])
        while (left := self.ends[agent] - time.monotonic()) > 0:
            for pipe in select.select([writer.pipe for writer in self.writers.values()], [], [], left)[0]:
                [(name, writer)] = [one for one in self.writers.items() if one[1].pipe == pipe]
                before = len(writer.out)
                self._hear(name, writer.lines())
                if len(writer.out) == before:
                    writer.join()
                    raise ChildProcessError(f"{name} ended by itself")
        self._hear(agent, self.writers[agent].kill())
        self.ledgers[agent].died()
        self.kills += 1
        self._start(agent)

    def _hear(self, agent: str, lines: list[str]) -> None:
        for line in lines:
            self.ledgers[agent].hear(line)

    def _hear_person(self, lines: list[str]) -> None:
        told = json.loads("".join(lines))
        self.faults += told.pop("faults")
        self.dirty = told.pop("dirty")
        self.told["person"] = told

    def _settle(self) -> None:
        with Vault.open(self.root) as vault:
            vault.upkeep.settle()

    def _go_on(self) -> list[str]:
        """What one more process finds, and whether it can write."""
        faults = []
        with Vault.open(self.root) as vault:
            good = vault.agent("akashi").remember("the last good write", title="Last", namespace="ops")
            if good.commit is None:
                faults.append(f"the last write is not committed: {good.reason}")
            held = [path for ledger in self.ledgers.values() for path in ledger.certain()]
            for path in self.chance.sample(held, min(LOOKED_UP, len(held))):
                word = next(
                    word for word in vault.person.show(path).memory.body.split() if word.startswith("t")
                )
                if path not in {hit.entry.path for hit in vault.person.search(word).hits}:
                    faults.append(f"{path} is not recalled")
            faults += [f"index: {table}" for table in unlike_a_rebuild(vault, self.home / "copy")]
        return faults

    def _compare(self) -> None:
        """Everything acknowledged is there, committed, and nothing else is."""
        files = files_of(self.root)
        files.pop("shared/ops/last.md", None)
        for agent, ledger in self.ledgers.items():
            self.faults += ledger.check(
                {path: content for path, content in files.items() if _writer_of(content) == agent}
            )
        self._check_history()
        sight = look(self.root)
        dirty = {path: state[:4] for path, state in sight.status.items()}
        if dirty != dict.fromkeys(self.dirty, "1 .M"):
            self.faults.append(f"git status: {dirty}, and the person left {self.dirty}")
        self.faults += [f"left behind: {name}" for name in strays(self.root)]
        self.faults += [f"git fsck: {said}" for said in broken_objects(self.root).splitlines()]
        self.faults += [f"still running: {pid}" for pid in processes_in(self.root)]
        if count := pending(self.root):
            self.faults.append(f"{count} intents are still open")
        self.told["memories"] = len(files)
        self.told["writers"] = dict(sum((ledger.counts for ledger in self.ledgers.values()), Counter()))

    def _check_history(self) -> None:
        """Each commit of ours changes one memory, or those that it removed together; none that was
        acknowledged is gone from history."""
        form = "--format=%x01%H%x02%(trailers:key=Vmem-Op,valueonly,separator=%x2C)%x02"
        out = run_git(self.root, "log", "--name-only", "--no-renames", form)
        commits: set[str] = set()
        made: Counter[str] = Counter()
        for part in out.split("\x01")[1:]:
            commit, op, names = part.split("\x02")
            paths = names.split("\n")[1:]
            paths = [path for path in paths if path]
            commits.add(commit)
            ours = [path for path in paths if path.startswith(("shared/", "private/"))]
            if op and (ours != paths or (len(paths) != 1 and op != Op.GC) or not ours):
                self.faults.append(f"commit {commit} ({op}) holds {paths}")
            made["of ours"] += bool(op)
            made["of the person"] += not op
            made["of the person, with a file of ours"] += bool(ours and not op)
        told = [commit for ledger in self.ledgers.values() for commit in ledger.commits]
        self.faults += [f"commit {one} was acknowledged and is gone" for one in set(told) - commits]
        self.told["commits"] = dict(made)
        self.told["commits acknowledged"] = len(set(told))


def _writer_of(content: bytes) -> str | None:
    found = re.search(rb"^source_agent: (.+)$", content, re.MULTILINE)
    return found[1].decode() if found else None


def main() -> int:
    """Torture one vault; 1 where anything was wrong, and then the vault is kept."""
    options = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    options.add_argument("--kills", type=int, default=200, help="how often a writer is killed (200)")
    options.add_argument("--seconds", type=float, default=0.0, help="and for how long at least")
    options.add_argument("--seed", type=int, help="draw as in that run")
    options.add_argument("--sabotage", choices=SABOTAGE, help="put that fault in, to see that it is found")
    given = options.parse_args()
    seed = given.seed if given.seed is not None else random.SystemRandom().getrandbits(32)
    home = Path(tempfile.mkdtemp(prefix="vmem-torture-"))
    print(f"seed {seed}, in {home}", flush=True)
    move_in(furnish(home / "home"))
    # Before the first fork, or each writer would import it anew; without threads, which forks don't copy.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    importlib.import_module("numpy")
    if given.sabotage:
        SABOTAGE[given.sabotage]()
    torture = Torture(home, seed)
    torture.run(given.kills, given.seconds)
    print(f"{torture.kills} kills")
    for what, told in torture.told.items():
        print(f"{what}: {told}")
    for fault in torture.faults:
        print(f"FAULT: {fault}")
    if torture.faults:
        print(f"{len(torture.faults)} faults; the vault is kept in {home}")
        return 1
    shutil.rmtree(home)
    print("nothing was lost")
    return 0


if __name__ == "__main__":
    sys.exit(main())
