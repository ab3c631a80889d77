"""The short form of `make soak`, and what its checks say of a product that loses something."""

from __future__ import annotations

import hashlib
import random
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.crash.ledger import text_for
from tests.soak import checks
from tests.soak.known import AFTER_GIT, GRACE, PERSON, Known, Memory, Version

CHANCE = random.Random(1)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_all_at_work_at_once_and_killed_at_random_lose_nothing() -> None:
    command = [sys.executable, "-m", "tests.soak", "--seconds", "20", "--kills", "6", "--seed", "20261130"]
    done = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("nothing was lost\n")
    for told in ("the resident", "answers judged", "edit", "forget", "save", "person: visit a branch",
                 "person: stash all", "person: branch off, rebase"):  # fmt: skip
        assert f'"{told}": ' in done.stdout


@dataclass(slots=True)
class Told:
    """A made-up soak: what was acknowledged at what second."""

    now: float = 1000.0
    known: Known = field(init=False)

    def __post_init__(self) -> None:
        self.known = Known(clock=lambda: self.now)

    def remembered(self, name: str, *, by: str = "mira", commit: str | None = None) -> Memory:
        """A memory that was just acknowledged."""
        path = f"shared/{name}.md"
        version = Version(sha(content(name)), name, by, self.now, commit)
        self.known.remembered(path, None if by == PERSON else by, version)
        return self.known.memories[path]

    def changed(
        self, memory: Memory, token: str | None, *, by: str = "mira", commit: str | None = None
    ) -> None:
        """That memory was just changed (`None`: removed)."""
        assert self.known.take(CHANCE, lambda one: one is memory) is memory
        version = Version(sha(content(token)) if token else None, token or "gone", by, self.now, commit)
        self.known.changed(memory, version)

    def cut(self, memory: Memory, token: str | None) -> None:
        """Whoever changed it was killed."""
        assert self.known.take(CHANCE, lambda one: one is memory) is memory
        self.known.cut(memory, token)

    def answered(self, memory: Memory, found: set[str], *, gone: bool = False) -> list[str]:
        """What has been wrong with answers, after one that has these paths."""
        asked = self.known.question(CHANCE, gone=gone)
        assert asked is not None
        assert asked.memory is memory
        self.known.judge(asked, found, "somebody")
        return checks.answers(self.known, set())

    def git_takes_files_away(self, seconds: float) -> None:
        """As a branch switch does, for so long."""
        with self.known.files_away():
            self.now += seconds


def content(token: str) -> bytes:
    return f"---\ntitle: {token}\n---\n{text_for(token)}\n".encode()


def sha(file: bytes) -> str:
    return hashlib.sha256(file).hexdigest()


def test_an_acknowledged_memory_that_never_reached_the_disk_is_missed() -> None:
    told = Told()
    told.remembered("t1")
    assert checks.files_as_told(told.known, {"shared/t1.md": content("t1")}) == []
    [fault] = checks.files_as_told(told.known, {})
    assert fault.startswith("shared/t1.md is gone, and not as mira left it: written, told early")


def test_an_edit_that_was_acknowledged_and_is_not_there_is_missed() -> None:
    told = Told()
    memory = told.remembered("t1")
    told.changed(memory, "t2")
    assert checks.files_as_told(told.known, {memory.path: content("t2")}) == []
    [fault] = checks.files_as_told(told.known, {memory.path: content("t1")})
    assert fault.startswith("shared/t1.md is its version 0, and not as mira left it")


def test_a_removed_memory_that_is_back_is_noticed() -> None:
    told = Told()
    memory = told.remembered("t1")
    told.changed(memory, None)
    assert checks.files_as_told(told.known, {}) == []
    assert "is its version 0, and not as mira left it: removed" in checks.files_as_told(
        told.known, {memory.path: content("t1")}
    )[0]  # fmt: skip


def test_a_change_that_was_cut_off_is_there_whole_or_not_at_all() -> None:
    told = Told()
    memory = told.remembered("t1")
    told.cut(memory, "t2")
    for file in (content("t1"), content("t2")):
        assert checks.files_as_told(told.known, {memory.path: file}) == []
    for file in (content("t2")[:-20], content("t3"), b""):
        assert len(checks.files_as_told(told.known, {memory.path: file})) == 1
    assert len(checks.files_as_told(told.known, {})) == 1
    other = told.remembered("t4")
    told.cut(other, None)
    assert checks.files_as_told(told.known, {memory.path: content("t1")}) == []


def test_a_killed_new_memory_is_there_once_and_whole_or_not_at_all() -> None:
    told = Told()
    told.known.cut_new("t1")
    assert checks.nothing_else(told.known, {}) == []
    assert checks.nothing_else(told.known, {"shared/t1.md": content("t1")}) == []
    twice = {"shared/t1.md": content("t1"), "shared/t1-2.md": content("t1")}
    assert checks.nothing_else(told.known, twice) == [f"the killed memory t1 is in {list(twice)}"]
    assert len(checks.nothing_else(told.known, {"shared/t1.md": content("t1")[:-9]})) == 1


def test_a_file_that_nobody_wrote_and_a_text_that_is_there_twice_are_noticed() -> None:
    told = Told()
    memory = told.remembered("t1")
    files = {memory.path: content("t1"), "shared/t1-2.md": content("t1")}
    assert checks.nothing_else(told.known, files) == ["nobody wrote shared/t1-2.md"]
    assert checks.each_once(told.known, files) == [f"the same text lies in {list(files)}"]
    assert checks.each_once(told.known, {memory.path: content("t1"), "shared/t2.md": content("t2")}) == []


def test_a_committer_that_drops_an_intent_is_found_out() -> None:
    told = Told()
    memory = told.remembered("t1")
    assert checks.history_holds(told.known, {memory.path: {memory.last.sha or ""}}, set()) == []
    [fault] = checks.history_holds(told.known, {}, set())
    assert fault.endswith("is in no commit")
    assert checks.uncommitted(told.known, {memory.path: "?"}, theirs="person/") == [
        "git status: ? shared/t1.md"
    ]


def test_a_version_is_owed_to_history_once_there_was_time_to_commit_it() -> None:
    told = Told()
    memory = told.remembered("t1")
    told.now += 1
    told.changed(memory, "t2")
    told.now += checks.LAG + 1
    told.changed(memory, "t3")
    only_last = {memory.path: {sha(content("t3"))}}
    [fault] = checks.history_holds(told.known, only_last, set())
    assert fault.startswith("version 1 of shared/t1.md")


def test_what_a_person_saved_is_kept_before_an_agent_changes_it() -> None:
    told = Told()
    memory = told.remembered("t1", commit="c1")
    told.now += 1
    told.changed(memory, "t2", by=PERSON)
    told.now += 1
    told.changed(memory, "t3", commit="c3")
    all_but = {memory.path: {sha(content("t1")), sha(content("t3"))}}
    [fault] = checks.history_holds(told.known, all_but, {"c1", "c3"})
    assert fault.startswith("version 1 of shared/t1.md (as person left it")


def test_a_person_may_replace_and_leave_uncommitted_what_they_saved_themselves() -> None:
    told = Told()
    memory = told.remembered("t1", by=PERSON)
    told.changed(memory, "t2", by=PERSON)
    assert checks.history_holds(told.known, {}, set()) == []
    assert checks.uncommitted(told.known, {memory.path: "?", "person/x": "?"}, theirs="person/") == []


def test_a_commit_that_was_acknowledged_and_is_gone_is_missed() -> None:
    told = Told()
    memory = told.remembered("t1", commit="c1")
    held = {memory.path: {memory.last.sha or ""}}
    assert checks.history_holds(told.known, held, {"c1"}) == []
    [fault] = checks.history_holds(told.known, held, {"c2"})
    assert fault == "commit c1 of shared/t1.md was acknowledged and is gone"
    # A person who rebases writes the commits of that time anew; their content stays owed.
    told.git_takes_files_away(1)
    assert checks.history_holds(told.known, held, {"c2"}) == []
    assert len(checks.history_holds(told.known, {}, {"c2"})) == 1


def test_an_answer_that_misses_an_acknowledged_memory_is_wrong_at_once() -> None:
    told = Told()
    memory = told.remembered("t1")
    assert told.answered(memory, {memory.path}) == []
    [fault] = told.answered(memory, set())
    assert "(mira, 0.000 s before) was not found by somebody; its word is t1" in fault


def test_an_answer_that_has_a_removed_memory_is_wrong() -> None:
    told = Told()
    memory = told.remembered("t1")
    told.changed(memory, None)
    assert told.answered(memory, set(), gone=True) == []
    assert "was found by somebody" in told.answered(memory, {memory.path}, gone=True)[0]


def test_a_watcher_that_misses_a_save_is_found_out_after_its_time() -> None:
    told = Told()
    memory = told.remembered("t1", by=PERSON)
    assert told.known.question(CHANCE) is None
    told.now += GRACE + 1
    assert "was not found" in told.answered(memory, set())[0]


def test_answers_are_not_judged_by_what_changed_or_was_away_meanwhile() -> None:
    told = Told()
    memory = told.remembered("t1")
    asked = told.known.question(CHANCE)
    assert asked is not None
    told.changed(memory, "t2")
    told.known.judge(asked, set(), "somebody")
    told.git_takes_files_away(5)
    assert told.answered(memory, set()) == []
    assert told.known.counts["answers that nobody can judge"] == 2
    told.now += AFTER_GIT + 1
    assert len(told.answered(memory, set())) == 1


def test_what_a_stash_took_back_must_be_in_history_and_near_a_stash() -> None:
    told = Told()
    memory = told.remembered("t1", commit="c1")
    with told.known.at_the_stash():
        told.changed(memory, "t2", commit="c2")
    old = {memory.path: content("t1")}
    held = {memory.path: {sha(content("t1")), sha(content("t2"))}}
    told.answered(memory, set())
    assert checks.set_back(told.known, old, held, {"c1", "c2"}) == {memory.path}
    assert checks.files_as_told(told.known, old, {memory.path}) == []
    assert checks.answers(told.known, {memory.path}) == []
    # Not in history, or another text: that is a loss.
    assert checks.set_back(told.known, old, {memory.path: {sha(content("t1"))}}, {"c1"}) == set()
    assert checks.set_back(told.known, {memory.path: content("t3")}, held, {"c1", "c2"}) == set()
    told.now += checks.LAG + 1
    told.changed(memory, "t4", commit="c4")
    held[memory.path].add(sha(content("t4")))
    assert checks.set_back(told.known, old, held, {"c1", "c2", "c4"}) == set()


def test_a_person_decides_conflicts_for_one_of_the_versions() -> None:
    told = Told()
    memory = told.remembered("t1")
    told.changed(memory, "t2")
    told.known.decided(memory.path)
    for file, spared in ((content("t1"), 1), (content("t3"), 0)):
        assert len(checks.set_back(told.known, {memory.path: file}, {}, set())) == spared
    assert told.known.take(CHANCE, lambda one: one is memory) is None


def test_a_memory_that_is_not_found_to_be_changed_is_missed_unless_git_has_it_away() -> None:
    told = Told()
    memory = told.remembered("t1")
    told.git_takes_files_away(5)
    for expected in (0, 1):
        assert told.known.take(CHANCE, lambda one: one is memory) is memory
        told.known.absent(memory)
        assert len(told.known.faults) == expected
        told.now += AFTER_GIT + 1


def test_the_same_memory_told_to_be_new_twice_is_noticed() -> None:
    told = Told()
    memory = told.remembered("t1")
    told.known.remembered(memory.path, "mira", memory.last)
    assert told.known.faults == ["shared/t1.md was told to be new, and again: t1"]


def test_gc_that_takes_what_has_not_expired_is_noticed() -> None:
    told = Told()
    memory = told.remembered("t1")
    told.known.taken_by_gc("shared/of-a-killed-write.md")
    assert told.known.faults == []
    told.known.taken_by_gc(memory.path)
    assert told.known.faults == ["gc took shared/t1.md, which has not expired"]


@pytest.mark.parametrize(
    ("grown", "memories", "faults"), [(10, 0, 0), (70, 0, 1), (95, 1000, 0), (150, 1000, 1)]
)
def test_a_resident_that_grows_by_more_than_its_memories_is_noticed(
    grown: int, memories: int, faults: int
) -> None:
    weights = [(float(at), (100 + grown * at // 10) * 1024, memories * at // 10) for at in range(16)]
    told, found = checks.flat(weights)
    assert "MB in 10 s" in told
    assert len(found) == faults
    # What it takes at its start is no growth.
    start = [(float(at), at * 50 * 1024, 0) for at in range(5)]
    assert checks.flat([*start, *[(float(at), 300 * 1024, 0) for at in range(5, 20)]])[1] == []
