"""One soak: everyone at work at once, killed at random, and a look at what is left."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.crash.vaults import PERSONS
from tests.gitrun import run_git
from tests.soak import editor, readers, writers
from tests.soak.end import faults_at_the_end
from tests.soak.known import Known
from tests.soak.person import Person
from tests.soak.resident import Resident
from tests.soak.ways import PACKAGE, Command, Lives, Program, Socket, Way, environment

FEW = 5
"""Questions that may find a killed resident, for each kill."""
LONGER = 5
"""A soak may take so many times longer than it was told to, until a person has done each of their acts."""
START = 12
"""Memories that the vault has before."""


@dataclass(slots=True)
class Soak:
    """One run on the vault below `home`; the same seed draws the same numbers, if not the same moments."""

    home: Path
    seed: int
    with_resident: bool = True
    pace: float = 0.25
    """Seconds that each pauses after an act, at most."""
    known: Known = field(default_factory=Known)
    lives: Lives = field(default_factory=Lives)
    over: threading.Event = field(default_factory=threading.Event)
    killed: dict[str, int] = field(default_factory=dict)
    resident: Resident = field(init=False)
    person: Person = field(init=False)
    programs: list[Program] = field(default_factory=list)

    @property
    def root(self) -> Path:
        return self.home / "vault"

    def run(self, seconds: float, kills: int) -> None:
        """Let all work for so long, kill so often, then look. What happened stands in `home/events`."""
        with (self.home / "events").open("w", buffering=1) as events:
            self.known.told = lambda what: events.write(what + "\n")
            self._run(seconds, kills)

    def _run(self, seconds: float, kills: int) -> None:
        self._furnish()
        self.resident = Resident(self.root)
        self.person = Person(self.root, self.known, random.Random(f"{self.seed} person"))
        actors = [
            threading.Thread(target=self._go_on, args=(name, act), name=name) for name, act in self._actors()
        ]
        for one in actors:
            one.start()
        try:
            self._kill(random.Random(f"{self.seed} kills"), seconds, kills)
            self._let_the_person_finish(LONGER * seconds)
        finally:
            self.over.set()
            for one in actors:
                one.join()
            for program in self.programs:
                program.close()
        self.known.faults += self.person.git.faults
        if self.known.counts[readers.NOBODY] > FEW * self.resident.killed:
            self.known.blame("residents do not start though nobody kills them")
        try:
            self.known.faults += faults_at_the_end(self)
        except Exception:  # noqa: BLE001 - what was found before must be told as well
            self.known.blame(f"the look at the end broke off: {traceback.format_exc()}")

    def _furnish(self) -> None:
        command = [sys.executable, "-m", "vault_memory", "init", str(self.root)]
        subprocess.run(command, cwd=PACKAGE, env=environment(), check=True, capture_output=True)
        (self.home / "outside").mkdir()
        (self.root / PERSONS).mkdir()
        (self.root / PERSONS / "half.txt").write_text("one\n")
        run_git(self.root, "add", ".")
        run_git(self.root, "commit", "-qm", "first")
        first = Program(self.root, self.known, self.lives, "open")
        chance = random.Random(f"{self.seed} first")
        for number in range(START):
            writers.remember(self.known, first, ("akashi", "mira")[number % 2], chance)
        first.close()

    def _actors(self) -> list[tuple[str, Callable[[random.Random], None]]]:
        known = self.known
        writing: dict[str, Way] = {
            "mira": Command(self.root, known, self.lives, self._resident, killable=True),
            "nils": Command(self.root, known, self.lives, "off", killable=True),
            "oda": self._program("open"),
        }
        asking: list[Way] = [
            Command(self.root, known, self.lives, "off"),
            Command(self.root, known, self.lives, self._resident),
            self._program("open"),
        ]
        if self.with_resident:
            starter = Command(self.root, known, self.lives, "auto")
            writing |= {"akashi": Socket(self.root, known, starter), "pavo": self._program("connect")}
            asking += [Socket(self.root, known, starter), self._program("connect")]
        collecting = writing["nils"]
        acts: list[tuple[str, Callable[[random.Random], None]]] = [
            (f"{name} by {way.name}", self._writer(way, name)) for name, way in writing.items()
        ]
        acts += [(f"reader by {way.name}", self._reader(way)) for way in asking]
        acts += [
            ("gc", lambda chance: writers.collect(known, collecting, "nils", chance)),
            ("editor", lambda chance: editor.edit_once(known, self.root, self.home / "outside", chance)),
            ("person", lambda _: self.person.once()),
        ]
        return acts

    @property
    def _resident(self) -> str:
        return "auto" if self.with_resident else "off"

    def _program(self, how: str) -> Program:
        self.programs.append(Program(self.root, self.known, self.lives, how))
        return self.programs[-1]

    def _writer(self, way: Way, agent: str) -> Callable[[random.Random], None]:
        return lambda chance: writers.write_once(self.known, way, agent, chance)

    def _reader(self, way: Way) -> Callable[[random.Random], None]:
        return lambda chance: readers.read_once(self.known, way, chance)

    def _go_on(self, name: str, act: Callable[[random.Random], None]) -> None:
        chance = random.Random(f"{self.seed} {name}")
        while not self.over.is_set():
            try:
                act(chance)
            except BaseException:  # noqa: BLE001 - a thread's fault is the soak's
                self.known.blame(f"{name} broke off: {traceback.format_exc()}")
                return
            self.over.wait(chance.uniform(0.0, self.pace))

    def _kill(self, chance: random.Random, seconds: float, kills: int) -> None:
        """Kill somebody from time to time; in the last third nobody, so that growth can be seen."""
        begun = time.monotonic()
        moments = sorted(chance.uniform(0.05, 0.7) * seconds for _ in range(kills))
        while (now := time.monotonic() - begun) < seconds or moments:
            if moments and now >= moments[0] and self._kill_one(chance):
                moments.pop(0)
            if self.with_resident:
                self.resident.weigh(len(self.known.memories))
            next_one = min(moments[0] - now, 1.0) if moments else 1.0
            time.sleep(max(0.01, next_one))

    def _let_the_person_finish(self, seconds: float) -> None:
        """Go on until the person has done each of their acts, which on a busy machine takes longer."""
        until = time.monotonic() + seconds
        while self.person.due and not self.known.faults:
            if time.monotonic() > until:
                self.known.blame(f"the person did not come to: {', '.join(self.person.due)}")
            time.sleep(0.1)

    def _kill_one(self, chance: random.Random) -> bool:
        if self.with_resident and chance.random() < 0.5:
            done = self.resident.kill()
            what = "the resident"
        else:
            victims = self.lives.victims()
            if not victims:
                return False
            kind = chance.choice(sorted({what for what, _ in victims}))
            what, process = chance.choice([one for one in victims if one[0] == kind])
            # `kill` looks first whether it has ended, so no other process can be hit.
            process.kill()
            done = True
        if done:
            self.known.note(f"killed {what}")
            self.killed[what] = self.killed.get(what, 0) + 1
        return done
