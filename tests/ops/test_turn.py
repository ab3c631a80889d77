"""While git, a hook or a signing program is at a commit, others write; and nothing gets lost between them."""

from __future__ import annotations

import hashlib
import random
import subprocess
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytest

from tests.byhand import vault_by_hand
from tests.crash.witness import broken_objects, pending, strays, unlike_a_rebuild
from tests.gitrun import Git
from tests.slowhook import SlowHook
from vault_memory.errors import ConflictError, MemoryNotFoundError, VmemError
from vault_memory.model.namespace import PERSON
from vault_memory.model.outcome import Written
from vault_memory.ops import turn
from vault_memory.vault import Vault

T = TypeVar("T")

PATIENT = {"refresh_seconds": 0.0}
HASTY = {"refresh_seconds": 0.0, "lock_seconds": 0.3}
"""Of one that does not wait for long."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return vault_by_hand(tmp_path / "memory")


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    """Threads beside the test's own."""
    with ThreadPoolExecutor(max_workers=4) as threads:
        yield threads


def act(root: Path, do: Callable[[Vault], T], settings: dict[str, float] = PATIENT) -> T:
    """Do it by a handle of its own, as another process would."""
    with Vault.open(root, settings=settings) as vault:
        return do(vault)


def test_who_only_saves_does_not_wait_for_the_hook_of_another(
    root: Path, git: Git, pool: ThreadPoolExecutor
) -> None:
    hook = SlowHook(root)
    first = pool.submit(act, root, lambda vault: vault.agent("akashi").remember("the first", title="One"))
    hook.wait_for_runs()
    second = pool.submit(act, root, lambda vault: vault.agent("mira").remember("the second", title="Two"))
    with Vault.open(root, settings=HASTY) as vault:
        third = vault.person.remember("the third", title="Three")
        assert third.commit is None
        assert third.reason is not None
        assert third.reason.startswith("another vmem is making commits (process ")
        assert vault.person.search("third").hits[0].entry.path == third.path
        assert not first.done()
    hook.let_go()
    assert first.result().commit
    assert second.result().commit
    # The second one took the third along, or the next good run does.
    act(root, lambda vault: vault.upkeep.settle())
    assert sorted(git(root, "log", "--format=%s", "-3").splitlines()) == [
        "remember: One", "remember: Three", "remember: Two",
    ]  # fmt: skip
    assert pending(root) == 0
    assert git(root, "status", "--porcelain") == ""


def test_an_edit_of_what_is_just_being_committed_comes_after_it_and_both_are_in_history(
    root: Path, git: Git, pool: ThreadPoolExecutor
) -> None:
    path = act(root, lambda vault: vault.agent("akashi").remember("a plan", title="Plan")).path
    hook = SlowHook(root)
    one = pool.submit(act, root, lambda vault: vault.agent("akashi").edit(path, importance=0.1))
    hook.wait_for_runs()
    two = pool.submit(act, root, lambda vault: vault.person.edit(path, importance=0.2))
    hook.let_go()
    assert one.result().commit
    assert two.result().commit == git(root, "rev-parse", "HEAD")
    assert "importance: 0.1" in git(root, "show", f"HEAD~1:{path}")
    assert "importance: 0.2" in git(root, "show", f"HEAD:{path}")
    assert pending(root) == 0


def test_an_edit_that_can_wait_no_longer_loses_neither_version(
    root: Path, git: Git, pool: ThreadPoolExecutor
) -> None:
    path = act(root, lambda vault: vault.agent("akashi").remember("a plan", title="Plan")).path
    hook = SlowHook(root)
    one = pool.submit(act, root, lambda vault: vault.agent("akashi").edit(path, importance=0.1))
    hook.wait_for_runs()
    two = act(root, lambda vault: vault.person.edit(path, importance=0.2), HASTY)
    assert two.commit is None
    assert "importance: 0.2" in (root / path).read_text()
    hook.let_go()
    assert one.result().commit
    # Not clean: git must see that the file is newer than what the index has of it.
    assert git(root, "diff", "--name-only") in ("", path)
    act(root, lambda vault: vault.upkeep.settle())
    assert "importance: 0.1" in git(root, "show", f"HEAD~1:{path}")
    assert "importance: 0.2" in git(root, "show", f"HEAD:{path}")
    assert pending(root) == 0
    assert git(root, "status", "--porcelain") == ""


def test_what_a_person_saves_while_a_hook_runs_stays_theirs(
    root: Path, git: Git, pool: ThreadPoolExecutor
) -> None:
    path = act(root, lambda vault: vault.agent("akashi").remember("a plan", title="Plan")).path
    hook = SlowHook(root)
    one = pool.submit(act, root, lambda vault: vault.agent("akashi").edit(path, importance=0.1))
    hook.wait_for_runs()
    mine = (root / path).read_bytes() + b"a line of mine\n"
    (root / path).write_bytes(mine)
    hook.let_go()
    assert one.result().commit == git(root, "rev-parse", "HEAD")
    assert git(root, "status", "--porcelain") == f" M {path}"
    assert (root / path).read_bytes() == mine
    assert "importance: 0.1" in git(root, "show", f"HEAD:{path}")
    assert pending(root) == 0
    # And neither a stale index nor a look for one makes git take it for what is committed.
    act(root, lambda vault: vault.upkeep.settle())
    assert git(root, "diff", "--name-only") == path


def test_a_file_of_a_whole_batch_that_a_person_takes_back_meanwhile_is_not_done_again(
    root: Path, git: Git, pool: ThreadPoolExecutor
) -> None:
    path = act(root, lambda vault: vault.person.remember("a plan", title="Plan")).path
    hook = SlowHook(root)
    moved = pool.submit(act, root, lambda vault: vault.files.move(PERSON, path, "archive/"))
    hook.wait_for_runs()
    (root / path).write_bytes((root / "archive/plan.md").read_bytes())
    hook.let_go()
    assert moved.result().written.commit
    act(root, lambda vault: vault.upkeep.settle())
    assert (root / path).exists()
    assert git(root, "status", "--porcelain") == f"?? {path.partition('/')[0]}/"


def test_a_persons_version_is_not_overwritten_where_git_is_busy_with_another(
    root: Path, git: Git, pool: ThreadPoolExecutor
) -> None:
    path = act(root, lambda vault: vault.person.remember("a plan", title="Plan")).path
    hook = SlowHook(root)
    other = pool.submit(act, root, lambda vault: vault.person.remember("something else", title="Else"))
    hook.wait_for_runs()
    mine = (root / path).read_bytes() + b"a line of mine\n"
    (root / path).write_bytes(mine)
    with pytest.raises(ConflictError, match="another vmem is making commits"):
        act(
            root,
            lambda vault: vault.person.edit(path, importance=1),
            HASTY,
        )
    assert (root / path).read_bytes() == mine
    hook.let_go()
    other.result()
    edited = act(root, lambda vault: vault.person.edit(path, importance=1))
    assert edited.commit == git(root, "rev-parse", "HEAD")
    assert git(root, "log", "--format=%s", "-2", "--", path).splitlines() == ["edit: Plan", "keep: Plan"]


def test_undo_restore_and_forget_find_what_was_written_a_moment_ago(
    root: Path, git: Git, pool: ThreadPoolExecutor
) -> None:
    """Its commit is still under way in another thread."""
    hook = SlowHook(root)
    first = pool.submit(act, root, lambda vault: vault.person.remember("a plan", title="Plan"))
    hook.wait_for_runs()
    undone = pool.submit(act, root, lambda vault: vault.person.undo())
    hook.let_go()
    path = first.result().path
    [one] = undone.result()
    assert (one.undid, one.path) == ("remember: Plan", path)
    assert not (root / path).exists()
    assert act(root, lambda vault: vault.person.restore(path)).commit
    assert git(root, "log", "--format=%s", "-3").splitlines() == [
        "restore: Plan", "undo: remember: Plan", "remember: Plan",
    ]  # fmt: skip


def test_many_threads_that_change_the_same_few_memories_end_and_lose_nothing(
    root: Path, git: Git, tmp_path: Path
) -> None:
    """Every acknowledged version is in history, whoever came between; and no two wait for each other."""
    acknowledged: list[tuple[str, str | None]] = []
    mutex = threading.Lock()

    def work(seed: int) -> None:
        chance = random.Random(seed)
        with Vault.open(root, settings=PATIENT) as vault:
            for number in range(12):
                ref = f"shared/ops/note-{chance.randrange(3)}.md"
                try:
                    written = _one_act(vault, chance, ref, f"{seed} {number}")
                except (ConflictError, MemoryNotFoundError):
                    continue
                with mutex:
                    acknowledged.append((written.path, written.version))

    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    with Vault.open(root) as vault:
        vault.upkeep.settle()
        assert unlike_a_rebuild(vault, tmp_path / "copy") == []
    assert pending(root) == 0
    assert git(root, "status", "--porcelain") == ""
    assert strays(root) == []
    assert broken_objects(root) == ""
    known = _versions(root, git)
    assert [one for one in acknowledged if one not in known] == []


def _one_act(vault: Vault, chance: random.Random, ref: str, text: str) -> Written:
    agent = vault.agent("akashi")
    match chance.randrange(4):
        case 0:
            return agent.remember(text, title=ref[11:-3], namespace="ops")
        case 1:
            return agent.edit(ref, text=text)
        case 2:
            return agent.forget(ref)
        case _:
            return agent.restore(ref)


def _versions(root: Path, git: Git) -> set[tuple[str, str | None]]:
    """(path, sha256 of what a commit left there) of all of history."""
    found: set[tuple[str, str | None]] = set()
    raw = git(root, "log", "--raw", "--no-renames", "--no-abbrev", "--format=")
    for line in raw.splitlines():
        info, _, path = line.partition("\t")
        blob = info.split()[3]
        if set(blob) == {"0"}:
            found.add((path, None))
            continue
        done = subprocess.run(["git", "cat-file", "blob", blob], cwd=root, capture_output=True, check=True)
        found.add((path, hashlib.sha256(done.stdout).hexdigest()))
    return found


def test_whatever_stops_a_commit_the_memory_is_saved(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error behind the write is a reason, and not the write's failure."""

    def broken(*_: object, **__: object) -> object:
        raise VmemError("the journal is away")

    monkeypatch.setattr(turn, "settle", broken)
    written = act(root, lambda vault: vault.person.remember("a plan", title="Plan"))
    assert (written.commit, written.reason) == (None, "the journal is away")
    monkeypatch.undo()
    assert len(act(root, lambda vault: vault.upkeep.settle()).commits) == 1
