"""A process killed at any step leaves nothing that the next one does not put right."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.adapters.git.conftest import Bench, MakeBench
from tests.adapters.git.persons import seeded
from tests.adapters.git.test_groups import together
from vault_memory.model.revision import Intent

STEPS = ("fsync", "link", "rename", "replace", "unlink", "mkdir", "rmdir")


def in_child(act: Callable[[], object]) -> int:
    """Run in a forked process; its exit status as `os.waitpid` gives it."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            act()
            code = 0
        finally:
            os._exit(code)
    return os.waitpid(pid, 0)[1]


def killed_after(step: int, act: Callable[[], object]) -> bool:
    """Run in a child that dies right after its `step`-th call of the disk; whether it died."""
    left = step

    def deadly(real: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object, **options: object) -> object:
            nonlocal left
            result = real(*arguments, **options)
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        return call

    def run() -> None:
        for name in STEPS:
            setattr(os, name, deadly(getattr(os, name)))
        act()

    status = in_child(run)
    assert status == 0 or os.WIFSIGNALED(status)
    return os.WIFSIGNALED(status)


def new_file(bench: Bench) -> list[Intent]:
    return [bench.write("notes/new.md", "new\n")]


def three_kinds(bench: Bench) -> list[Intent]:
    bench.remember("old.md", "old\n")
    bench.remember("gone.md", "gone\n")
    return [
        bench.write("old.md", "edited\n"),
        bench.write("deep/er/new.md", "new\n"),
        bench.remove("gone.md"),
    ]


def with_a_hook(bench: Bench) -> list[Intent]:
    bench.hook("commit-msg", "exit 0")
    return [bench.write("notes/new.md", "new\n")]


def with_a_hook_on_refs(bench: Bench) -> list[Intent]:
    bench.hook("reference-transaction", "exit 0")
    return [bench.write("notes/new.md", "new\n")]


def many(bench: Bench) -> list[Intent]:
    return [bench.write(f"many/{number}.md", f"{number}\n") for number in range(52)]


def one_batch(bench: Bench) -> list[Intent]:
    return together(*three_kinds(bench))


def one_batch_with_a_hook(bench: Bench) -> list[Intent]:
    return together(*three_kinds(bench), *with_a_hook(bench))


SCENES = (
    new_file, three_kinds, with_a_hook, with_a_hook_on_refs, many, one_batch, one_batch_with_a_hook
)  # fmt: skip


@pytest.mark.parametrize("scene", SCENES)
def test_a_kill_after_any_step_is_healed(
    tmp_path: Path, bench_at: MakeBench, scene: Callable[[Bench], list[Intent]]
) -> None:
    step, died = 0, True
    while died:
        step += 1
        bench = bench_at(seeded(tmp_path / f"r{step}"))
        intents = scene(bench)
        head = bench.git("rev-parse", "HEAD")
        died = killed_after(step, lambda b=bench, i=intents: b.commit(*i))  # type: ignore[misc]
        settle(bench, intents)
        commits = int(bench.git("rev-list", "--count", f"{head}..HEAD"))
        wanted = len({intent.operation.batch or intent.number for intent in intents})
        assert commits == wanted, f"killed after step {step}"
    assert step > 8


def settle(bench: Bench, intents: Sequence[Intent]) -> None:
    """What a start after a kill does: heal, then commit whatever is open."""
    fresh = type(bench.history)(
        bench.root, clock=bench.history._clock, local=bench.root / ".vmem" / "local", lock_wait=1.0
    )
    fresh.heal()
    assert bench.strays() == []
    report = fresh.commit(intents)
    assert report.waiting == {}
    assert set(report.commits) == {intent.number for intent in intents}
    for intent in intents:
        content = fresh.head_bytes(intent.operation.path)
        assert (content is None) == (intent.operation.version is None)
    bench.check_sound()


def test_a_heal_that_is_killed_is_healed_by_the_next(tmp_path: Path, bench_at: MakeBench) -> None:
    for first in (3, 13, 16, 17):  # index locked, branch locked, index in place, branch in place
        step, died = 0, True
        while died:
            step += 1
            bench = bench_at(seeded(tmp_path / f"r{first}-{step}"))
            intents = new_file(bench)
            killed_after(first, lambda b=bench, i=intents: b.commit(*i))  # type: ignore[misc]
            died = killed_after(step, lambda b=bench: b.history.heal())  # type: ignore[misc]
            settle(bench, intents)


def test_a_half_landed_commit_is_finished_even_if_the_file_has_changed_since(bench: Bench) -> None:
    """The index has our file, the branch does not: the acknowledged bytes exist in git alone."""
    landed_index = None
    for step in range(1, 40):
        intent = bench.write(f"f{step}.md", "acknowledged\n")
        killed_after(step, lambda i=intent: bench.commit(i))  # type: ignore[misc]
        staged = bench.git("ls-files", "--stage", f"f{step}.md")
        committed = bench.git("ls-tree", "HEAD", f"f{step}.md")
        if staged and not committed:
            landed_index = step
            (bench.root / f"f{step}.md").write_text("the person's\n")
            bench.history.heal()
            assert bench.git("show", f"HEAD:f{step}.md") == "acknowledged"
            assert bench.git("status", "--porcelain") == f" M f{step}.md"
            break
        bench.history.heal()
        assert bench.commit(intent).waiting == {}
    assert landed_index is not None


def test_kills_at_random_moments_lose_nothing(bench: Bench) -> None:
    chance = random.Random(20261129)
    intents: list[Intent] = []
    for turn in range(12):
        batch = [bench.write(f"t{turn}/{number}.md", f"{turn} {number}\n") for number in range(8)]
        intents += batch
        pid = os.fork()
        if pid == 0:
            for intent in batch:
                bench.history.commit([intent])
            os._exit(0)
        time.sleep(chance.uniform(0.0, 0.05))
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        settle(bench, batch)
    assert bench.git("rev-list", "--count", "HEAD") == str(len(intents) + 1)


def test_a_live_writers_lock_is_never_taken_away(bench: Bench) -> None:
    """Its inode is ours, but its owner lives: only the death of the owner is proof."""
    from vault_memory.adapters.git import locate, mend
    from vault_memory.adapters.git.scratch import Scratch

    place = locate.find(bench.root)
    assert place is not None
    space = Scratch(place.commondir)
    space.open()
    Path(space.path("index")).write_bytes(b"x")
    lock = bench.root / ".git" / "index.lock"
    os.link(space.path("index"), lock)
    in_child(lambda: mend.sweep(place))
    assert lock.exists()
    lock.unlink()
    space.close()
    assert bench.strays() == []


def test_a_strangers_lock_is_never_taken_away(bench: Bench) -> None:
    lock = bench.root / ".git" / "index.lock"
    lock.touch()
    bench.history.heal()
    assert lock.exists()


def test_half_an_object_that_a_dead_writer_left_is_deleted_and_an_older_one_stays(bench: Bench) -> None:
    objects = bench.root / ".git" / "objects"
    older, half = objects / "tmp_object_git2_0123456789abcdef", objects / "tmp_object_git2_fedcba9876543210"
    older.write_bytes(b"another program's")
    os.utime(older, (1, 1))
    intents = new_file(bench)
    assert killed_after(3, lambda: bench.commit(*intents))
    half.write_bytes(b"ours, had we lived")
    bench.history.heal()
    assert not half.exists()
    assert older.exists()


def test_an_import_that_git_finished_after_its_writers_death_is_forgotten(bench: Bench) -> None:
    bench.git("update-ref", "refs/vmem/vmem-1-0badcafe", "HEAD")
    marks = bench.root / ".git" / "vmem-1-0badcafe" / "marks"
    marks.parent.mkdir()
    marks.write_text(":1 \n")
    bench.remember("a.md")
    assert bench.git("for-each-ref", "--format=%(refname)") == "refs/heads/main"
    assert bench.strays() == []
