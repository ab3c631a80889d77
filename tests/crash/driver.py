"""Kills one operation after each of its steps, lets the next process go on, and says what was wrong.

`python -m tests.crash.driver` reads one JSON array a line, `[SCENE, FOLDER, PATTERN, SABOTAGE]`, and writes
one JSON object for each; with a pattern it kills only after the steps that it matches. It forks: every
scene, every act, every recovery is a process of its own, and the killed ones die by SIGKILL."""

from __future__ import annotations

import contextlib
import gc
import hashlib
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.crash.children import Tell, in_child, wait_for_orphans
from tests.crash.sabotage import SABOTAGE
from tests.crash.scenes import SCENES, Scene
from tests.crash.steps import UNSEEN, Steps
from tests.crash.vaults import ACKNOWLEDGED, furnish, open_vault
from tests.crash.witness import (
    Commit,
    Sight,
    Tables,
    broken_objects,
    commits_since,
    copy_tree,
    differing,
    files_of,
    look,
    not_recalled,
    pending,
    rebuilt_tables,
    strays,
    tables_of,
)
from tests.machine import furnish as furnish_home
from tests.machine import move_in
from tests.ramdisk import in_memory
from vault_memory.adapters.embedders.bundled.embedder import BundledEmbedder
from vault_memory.vault import Vault

GOOD = "The next good write"
GOOD_PATH = "shared/ops/the-next-good-write.md"
ACT_IDS, GOOD_IDS = 100, 500
ACKNOWLEDGEMENT = "acknowledged\n"
HOUR = 3600.0
LONG_AGO = time.time() - HOUR
FIRST, LAST = 15, 45
"""Where kill points are thinned out, so many at both ends are all taken."""


@dataclass(slots=True)
class Run:
    """One scene: what was there before, and what an act that nobody kills makes of it."""

    scene: Scene
    home: Path
    before: Sight = field(init=False)
    after: Sight = field(init=False)
    commits: list[Commit] = field(init=False)
    steps: list[str] = field(init=False)
    rebuilt: dict[str, Tables] = field(default_factory=dict)

    def begin(self) -> None:
        """Make the vault ready, and let the act run to its end once, counting."""
        furnish(self.root)
        self.scene.prepare(self.root)
        for file in self.root.rglob("*.md"):
            os.utime(file, (LONG_AGO - HOUR, LONG_AGO - HOUR))
        copy_tree(self.root, self.home / "base")
        self.before = self._look()
        self._load()
        self.fresh()
        with self._company():
            told = in_child(lambda tell: tell("\n".join(self._act(None, tell)))).out.decode()
        self.steps = told.removeprefix(ACKNOWLEDGEMENT).splitlines()
        self.after = self._look()
        self.commits = commits_since(self.root, self.before.head) if self.after.head else []
        assert len(self.commits) == self.scene.commits, self.commits

    def _load(self) -> None:
        """Import and read what an act and the next process do, or each child would do it anew."""

        def both(tell: Tell) -> None:
            self._act(None, lambda _: None)
            self._go_on(set())
            tell("\n".join(sorted(sys.modules)))

        self.fresh()
        with self._company():
            names = in_child(both).out.decode().splitlines()
        for name in names:
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
        BundledEmbedder().query("heron")
        gc.freeze()  # or each child's collections would copy the pages of all that

    @property
    def root(self) -> Path:
        """Always the same place: git and locks name it."""
        return self.home / "vault"

    def fresh(self) -> None:
        """The vault as it was before; git and the index know its files' stamps, as they do in a real one."""
        shutil.rmtree(self.root, ignore_errors=True)
        copy_tree(self.home / "base", self.root)
        if self.before.head:
            command = ["git", "update-index", "-q", "--really-refresh"]
            subprocess.run(command, cwd=self.root, check=False, capture_output=True)
            os.utime(self.root / ".git" / "index", (LONG_AGO, LONG_AGO))
            self._let_time_pass()

    def _let_time_pass(self) -> None:
        """As if whoever worked in the repository had done so long ago: nobody need wait for them."""
        if (self.root / ".git").exists():
            os.utime(self.root / ".git", (LONG_AGO, LONG_AGO))

    @contextlib.contextmanager
    def _company(self) -> Iterator[None]:
        """A person's git that holds the index's lock for a moment, where the scene wants one."""
        if not self.scene.in_company:
            yield
            return
        lock = self.root / ".git" / "index.lock"
        lock.touch()
        with subprocess.Popen(["sh", "-c", 'sleep 0.1; rm "$0"', str(lock)]):
            yield

    def _look(self) -> Sight:
        return look(self.root) if (self.root / ".git").exists() else Sight({}, "", {})

    def _act(self, last: int | None, tell: Tell) -> list[str]:
        steps = Steps(last)
        steps.watch()
        with contextlib.ExitStack() as stack:
            place = (
                self.root
                if self.scene.creates
                else stack.enter_context(open_vault(self.root, first_id=ACT_IDS))
            )
            self.scene.act(place)
            # From here on it counts as done, whatever happens to the process.
            tell(ACKNOWLEDGEMENT)
        return steps.told

    def points(self) -> list[int]:
        """The steps to die after. What a step of `UNSEEN` does only a power cut could tell: whoever dies
        right after it leaves the very disk that it found, so it is the step before that is died after."""
        count = len(self.steps)
        if self.scene.only:
            return [k for k in range(1, count + 1) if re.search(self.scene.only, self.steps[k - 1])]
        ends = {*range(1, FIRST + 1), *range(count - LAST, count + 1)}
        chosen = (k for k in range(1, count + 1) if k in ends or k % self.scene.every == 0)
        return sorted({self._seen(k) for k in chosen})

    def _seen(self, last: int) -> int:
        while last > 1 and self.steps[last - 1].split()[0] in UNSEEN:
            last -= 1
        return last

    def kill(self, last: int) -> list[str]:
        """Die after that step, go on in another process; the faults found."""
        self.fresh()
        with self._company():
            dead = in_child(lambda tell: self._act(last, tell))
        self._let_time_pass()
        faults = [
            f"{path} is neither the old nor the new one"
            for path, content in files_of(self.root).items()
            if content not in (self.before.files.get(path), self.after.files.get(path))
        ]
        kept = set(ACKNOWLEDGED) & set(self.before.files) & set(self.after.files)
        try:
            good = json.loads(in_child(lambda tell: tell(json.dumps(self._go_on(kept)))).out)
            faults += good["faults"]
            faults += [f"index: {table}" for table in differing(good["tables"], self._rebuilt())]
            if wait_for_orphans(self.root):
                in_child(lambda _: self._settle())
        except ChildProcessError as error:
            return [*faults, f"the next write failed: {error}"]
        return faults + self._compare(acknowledged=dead.out.decode() == ACKNOWLEDGEMENT)

    def _rebuilt(self) -> Tables:
        """What the files give from nothing; a run sees the same files again and again."""
        key = hashlib.sha256(repr(files_of(self.root)).encode()).hexdigest()
        if key not in self.rebuilt:
            again = in_child(lambda tell: tell(json.dumps(rebuilt_tables(self.root, self.home / "copy"))))
            self.rebuilt[key] = json.loads(again.out)
        return self.rebuilt[key]

    def _settle(self) -> None:
        with open_vault(self.root, first_id=0) as vault:
            vault.upkeep.settle()

    def _go_on(self, kept: set[str]) -> dict[str, object]:
        """The next process: it reads, then writes. It has to find what was `kept`."""
        if self.scene.creates:
            Vault.create(self.root)
        faults = []
        with open_vault(self.root, first_id=GOOD_IDS) as vault:
            faults += [f"{path} is not found before the next write" for path in not_recalled(vault, kept)]
            good = vault.agent("mira").remember("Ospreys return in spring", title=GOOD, namespace="ops")
            if good.commit is None:
                faults.append(f"the next write is not committed: {good.reason}")
            faults += [f"{path} is not recalled" for path in not_recalled(vault, kept)]
            if "osprey" not in str(vault.person.recall("ospreys")).casefold():
                faults.append("the next write is not recalled")
            return {"faults": faults, "tables": tables_of(vault)}

    def _compare(self, *, acknowledged: bool) -> list[str]:
        root = self.root
        now = look(root)
        made = commits_since(root, self.before.head)
        faults = [f"left behind: {name}" for name in strays(root)]
        if said := broken_objects(root):
            faults.append(f"git fsck: {said}")
        if count := pending(root):
            faults.append(f"{count} intents are still open")
        if not made or made[-1][:2] != ("mira", f"remember: {GOOD}") or GOOD_PATH not in made[-1][2]:
            faults.append(f"the newest commit is not the next write: {made[-1:]}")
        own = made[:-1]
        if not self._are_ours(own):
            faults.append(f"commits that nobody asked for: {own}, not {self.commits}")
        due = len(self.commits) if acknowledged else self.scene.owed
        if len(own) < due:
            faults.append(f"acknowledged and not committed: {self.commits[len(own) : due]}")
        faults += self._files(now, own, acknowledged=acknowledged)
        if now.persons() != self.before.persons():
            faults.append(f"the person's own work is not as it was: {now.persons()}")
        return faults

    def _are_ours(self, own: list[Commit]) -> bool:
        """Whether these are the act's commits, as far as it came."""
        if self.scene.partly:
            pairs = zip(own, self.commits, strict=False)
            same = all(one[:2] == whole[:2] and set(one[2:]) <= set(whole[2:]) for one, whole in pairs)
            return same and len(own) <= len(self.commits)
        return own == self.commits[: len(own)]

    def _files(self, now: Sight, own: list[Commit], *, acknowledged: bool) -> list[str]:
        """Each file is old without its commit or new with it, and git sees nothing else."""
        faults = []
        old, new = self.before.files, self.after.files
        committed = {change.split(maxsplit=2)[2] for commit in own for change in commit[2:]}
        for path in sorted((old | new | now.files).keys() - {GOOD_PATH}):
            found = now.files.get(path)
            if found not in (old.get(path), new.get(path)):
                faults.append(f"{path}: neither old nor new")
            elif old.get(path) == new.get(path):
                continue
            elif found == new.get(path) and path not in committed and not self.scene.by_hand and self.commits:
                faults.append(f"{path}: new, and not committed")
            elif found != new.get(path) and (acknowledged or self._last_of(path, own)):
                faults.append(f"{path}: committed or acknowledged, and not there")
        if len(own) == len(self.commits) and now.status != self.after.status:
            faults.append(f"git status: {now.status}, not {self.after.status}")
        faults += [
            f"staged by nobody: {path}"
            for path, state in now.status.items()
            if path not in now.persons() and state != "?" and not state.startswith("1 .")
        ]
        return faults

    def _last_of(self, path: str, own: list[Commit]) -> bool:
        """Whether the last of the commits that the act makes of a path is there."""
        if self.scene.partly:
            return any(change.endswith(f" {path}") for commit in own for change in commit[2:])
        places = [
            place
            for place, commit in enumerate(self.commits)
            if any(c.endswith(f" {path}") for c in commit[2:])
        ]
        return bool(places) and places[-1] < len(own)


def drive(name: str, home: Path, pattern: str, sabotage: str) -> dict[str, object]:
    """One scene: its steps, how many were died after, and the faults found by the step."""
    home.mkdir(parents=True, exist_ok=True)
    move_in(furnish_home(home / "home"))
    if sabotage:
        SABOTAGE[sabotage]()
    run = Run(SCENES[name], home)
    run.begin()
    points = [k for k in run.points() if re.search(pattern, run.steps[k - 1])]
    faults = {f"{k} {run.steps[k - 1]}": found for k in points if (found := run.kill(k))}
    return {"steps": run.steps, "killed": len(points), "faults": faults}


def main() -> None:
    """Scene after scene, as told on stdin."""
    # Before the first fork, or each child would do it anew; without threads, which forks don't copy.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    with tempfile.TemporaryDirectory(prefix="vmem-warm-", dir=in_memory()) as folder:
        move_in(furnish_home(Path(folder) / "home"))
        warm_up(Path(folder) / "vault")
    for line in sys.stdin:
        name, home, pattern, sabotage = json.loads(line)
        found = in_child(lambda tell: tell(json.dumps(drive(name, Path(home), pattern, sabotage)) + "\n"))  # noqa: B023 - done before the next
        print(found.out.decode(), end="", flush=True)


def warm_up(root: Path) -> None:
    """Let this process import, compile and read what any vault needs, in one that no scene ever sees."""
    furnish(root)
    with open_vault(root, first_id=0) as vault:
        not_recalled(vault, set(ACKNOWLEDGED))
        vault.agent("mira").remember("Ospreys return in spring", title=GOOD, namespace="ops")
        not_recalled(vault, set(ACKNOWLEDGED))
        vault.person.recall("ospreys")
        tables_of(vault)
    importlib.import_module("numpy.ma")  # numpy does so itself when first asked for what is unique
    if threading.active_count() > 1:
        raise RuntimeError(f"forks don't copy threads: {threading.enumerate()}")


if __name__ == "__main__":
    main()
