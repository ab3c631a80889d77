"""A person's git at full speed beside commits that come later: neither is made to lose anything."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from tests.byhand import vault_by_hand
from tests.crash.patient import PatientGit
from tests.crash.witness import broken_objects, pending, strays
from tests.gitrun import Git
from vault_memory import compose
from vault_memory.errors import ConflictError
from vault_memory.live.committing import Committing
from vault_memory.vault import Vault

MEMORIES = 150
LONG = 120.0


@dataclass(slots=True)
class Person:
    """Adds, commits, looks, puts aside, takes back, goes to a branch and rebases it, again and again."""

    root: Path
    git: PatientGit
    commands: int = 0
    rounds: int = 0
    written: dict[str, str] = field(default_factory=dict)
    """What each of their files holds at the end."""

    def work(self, stop: threading.Event) -> None:
        while not stop.is_set() or self.rounds < 2:
            self.rounds += 1
            self._edit_and_commit(f"mine-{self.rounds % 3}.txt")
            self._put_aside()
            if self.rounds % 2 == 0:
                self._branch()

    def _run(self, *arguments: str) -> str:
        self.commands += 1
        return self.git(*arguments)

    def _edit_and_commit(self, name: str) -> None:
        text = f"edition {self.rounds}\n"
        (self.root / name).write_text(text)
        self.written[name] = text
        self._run("add", name)
        self._run("status", "--short")
        self._run("commit", "--quiet", "--message", f"edition {self.rounds} of {name}")

    def _put_aside(self) -> None:
        name = f"mine-{self.rounds % 3}.txt"
        text = self.written[name] + "and not finished\n"
        (self.root / name).write_text(text)
        self._run("stash")
        assert (self.root / name).read_text() == self.written[name]
        self._run("stash", "pop")
        assert (self.root / name).read_text() == text
        # Where a lock stops it between its two halves, git has put the same aside twice.
        while self._run("stash", "list"):
            assert self._run("show", f"stash@{{0}}:{name}") == text
            self._run("stash", "drop")
        self.written[name] = text
        self._run("commit", "--quiet", "--message", f"the rest of {self.rounds}", "--", name)

    def _branch(self) -> None:
        side = f"side-{self.rounds}"
        self._run("switch", "--quiet", "--create", side)
        self._edit_and_commit(f"side-{self.rounds}.txt")
        self._run("switch", "--quiet", "main")
        self._edit_and_commit(f"main-{self.rounds}.txt")
        # Where a lock stops it in its middle, they begin anew.
        self.commands += 1
        self.git("rebase", "--quiet", "main", side, give_up=("rebase", "--abort"))
        self._run("switch", "--quiet", "main")
        self._run("merge", "--quiet", "--no-edit", side)


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_a_person_at_work_loses_nothing_and_no_memory_is_lost(tmp_path: Path, git: Git) -> None:
    root = vault_by_hand(tmp_path / "memory")
    opened = compose.open_vault(root, flags={"embedder": "none", "refresh_seconds": 0.0})
    commits = Committing(opened)
    opened.held = replace(opened.held, commits=commits)
    commits.start()
    person, stop = Person(root, PatientGit(root)), threading.Event()
    working = threading.Thread(target=person.work, args=(stop,))
    working.start()
    acknowledged: dict[str, bytes] = {}
    with Vault(opened) as vault:
        try:
            for number in range(MEMORIES):
                try:
                    written = vault.agent("akashi").remember(
                        f"thought number {number}", title=f"Thought {number}", namespace="ops"
                    )
                except ConflictError:
                    continue  # their git brought a file of that name at this moment
                acknowledged[str(written.path)] = written.version.encode() if written.version else b""
                stop.wait(0.02)
        finally:
            stop.set()
            working.join()
        report = commits.flush(LONG)
        commits.close(LONG)
    print(f"{person.rounds} rounds, {person.commands} commands, tried again: {person.git.again}")
    assert person.git.faults == []
    assert report.waiting == {}
    assert len(acknowledged) > MEMORIES * 0.9
    assert pending(root) == 0
    assert git(root, "status", "--porcelain") == ""
    assert git(root, "stash", "list") == ""
    assert git(root, "branch", "--show-current") == "main"
    files = set(git(root, "ls-files").splitlines())
    assert [path for path in acknowledged if path not in files] == []
    for name, text in person.written.items():
        assert git(root, "show", f"HEAD:{name}") + "\n" == text
    # Each memory came by a commit of its own: a rebase makes it anew, and a person's never takes it along.
    subjects = git(root, "log", "--format=%s").splitlines()
    assert len([one for one in subjects if one.startswith("remember: ")]) >= len(acknowledged)
    assert sum(person.git.again.values()) * 3 <= person.commands
    assert broken_objects(root) == ""
    assert [name for name in strays(root) if name.startswith((".git/", ".vmem/"))] == []
