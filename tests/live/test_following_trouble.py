"""What goes wrong is told and tried again; nothing of it loses a memory, an answer or the following."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.live import scene as scenes
from tests.live.scene import Scene, eventually, followed
from tests.stand import ToldClock
from vault_memory import compose
from vault_memory.adapters.files.lock import VaultLock
from vault_memory.adapters.files.tree import VaultFiles
from vault_memory.adapters.files.watch.polling import PollingWatch
from vault_memory.adapters.indexes.sqlite.backend import SqliteIndex
from vault_memory.errors import IndexDamagedError, StorageError, VaultUnreadableError
from vault_memory.live import following
from vault_memory.live.following import BEHIND, Following
from vault_memory.ops.mended import MENDED
from vault_memory.ports import Hints
from vault_memory.vault import Vault

if TYPE_CHECKING:
    from vault_memory.model.change import KnownFile
    from vault_memory.model.namespace import VaultPath


class Deaf:
    """A watch that hears nothing, and begins when it is let."""

    def __init__(self) -> None:
        self.let = threading.Event()
        self.let.set()

    def start(self, heard: Callable[[], None]) -> None:
        self.let.wait()

    def take(self) -> Hints:
        return Hints()

    def state(self) -> tuple[int, str | None]:
        return 0, None

    def close(self) -> None:
        self.let.set()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "disk" / "memory"
    Vault.create(root)
    (root / "notes").mkdir()
    (root / "notes/a.md").write_text("the heron stands\n", encoding="utf-8")
    return root


@pytest.fixture
def scene(root: Path) -> Iterator[Scene]:
    with followed(root) as scene:
        yield scene


def moved_away(root: Path) -> Callable[[], object]:
    away = root.with_name("elsewhere")
    root.rename(away)
    return lambda: away.rename(root)


def unmounted(root: Path) -> Callable[[], object]:
    """An empty folder is left, as where a disk is mounted."""
    back = moved_away(root)
    root.mkdir()

    def restore() -> None:
        root.rmdir()
        back()

    return restore


def moved_with_its_parent(root: Path) -> Callable[[], object]:
    """Nothing happens to any folder that is watched."""
    away = root.parent.with_name("other disk")
    root.parent.rename(away)
    return lambda: away.rename(root.parent)


ABSENCES = (moved_away, unmounted, moved_with_its_parent)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """What waits for a person's sake need not wait here."""
    monkeypatch.setattr(following, "SOON_AGAIN", 0.0)


@pytest.mark.parametrize("absence", ABSENCES)
def test_a_vault_that_is_away_is_an_error_and_nothing_is_forgotten(
    scene: Scene, absence: Callable[[Path], Callable[[], object]]
) -> None:
    before = scene.opened.ports.index.dump()
    restore = absence(scene.root)
    for _ in range(3):
        with pytest.raises(VaultUnreadableError, match=str(scene.root)):
            scene.found("heron")
    restore()
    eventually(lambda: scene.following.state().error is None)
    assert scene.found("heron") == ["notes/a.md"]
    assert scene.opened.ports.index.dump() == before
    assert scene.touched() == []


@pytest.mark.parametrize("absence", ABSENCES)
def test_what_changed_in_a_vault_that_was_away_is_found_when_it_is_back(
    scene: Scene, absence: Callable[[Path], Callable[[], object]]
) -> None:
    restore = absence(scene.root)
    there = next(place for place in scene.root.parents[1].rglob("notes") if place.is_dir())
    (there / "a.md").write_text("the heron flies, where nobody looks\n", encoding="utf-8")
    (there / "new.md").write_text("the owl is new\n", encoding="utf-8")
    eventually(lambda: scene.following.state().error)
    state = scene.following.state()
    assert str(scene.root) in str(state.error)
    assert state.behind is not None
    restore()
    eventually(lambda: scene.following.state().error is None)
    assert scene.found("owl") == ["notes/new.md"]
    assert scene.found("flies") == ["notes/a.md"]
    scene.write("notes/a.md", "the heron lands\n")
    assert scene.found("lands") == ["notes/a.md"]
    assert "removed" not in dict(scene.touched())
    scene.check_against_a_rebuild()


def test_a_writer_that_holds_the_lock_for_long_is_waited_out(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "PATIENCE", 0.05)
    other = VaultLock(scene.root / ".vmem/local/lock")
    with other.held(wait=5):
        scene.write("notes/b.md", "the owl hoots\n")
        eventually(lambda: scene.following.catch_up(0.2))
        [notice] = scene.following.catch_up(0.2)
        assert notice in ("the index is behind the files: another vmem is writing", BEHIND)
        eventually(lambda: scene.following.state().error)
    eventually(lambda: scene.following.state().behind is None)
    assert scene.found("owl") == ["notes/b.md"]
    assert scene.following.catch_up(5) == ()


def test_a_damaged_index_is_made_anew_and_that_is_said_once(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = SqliteIndex.known
    damaged = [True]

    def known(self: SqliteIndex, paths: list[VaultPath]) -> dict[VaultPath, KnownFile]:
        if damaged and threading.current_thread().name == "vmem-following":
            damaged.clear()
            raise IndexDamagedError("index.db", "the file is malformed")
        return whole(self, paths)

    monkeypatch.setattr(SqliteIndex, "known", known)
    scene.write("notes/b.md", "the owl hoots\n")
    eventually(lambda: scene.following.state().refreshed and not damaged)
    told = scene.following.catch_up(30)
    assert told == (MENDED,)
    assert scene.following.catch_up(30) == ()
    assert scene.found("owl") == ["notes/b.md"]


def test_a_full_disk_is_told_and_gone_when_there_is_room(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    apply = SqliteIndex.apply
    full = [True]

    def refuse(self: SqliteIndex, *given: object, **more: object) -> int:
        if full:
            raise StorageError("index.db", "no space left on device")
        return apply(self, *given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(SqliteIndex, "apply", refuse)
    scene.write("notes/b.md", "the owl hoots\n")
    eventually(lambda: "no space left" in str(scene.following.state().error))
    assert any("no space left" in one for one in scene.following.catch_up(0.1))
    full.clear()
    eventually(lambda: scene.following.state().behind is None)
    assert scene.found("owl") == ["notes/b.md"]


def test_a_bug_ends_following_and_is_told_and_answers_are_right_all_the_same(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(following, "differing", broken)
    scene.write("notes/b.md", "the owl hoots\n")
    eventually(lambda: scene.following.fault)
    assert "RuntimeError: a bug" in str(scene.following.state().error)
    eventually(lambda: scene.found("owl") == ["notes/b.md"])


def test_what_vmem_writes_itself_is_neither_read_nor_locked_for_again(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.write("shared/market/one.md", "the folder is there\n")
    scene.rest()
    scene.told.clear()
    read: list[str] = []
    whole = VaultFiles.read

    def noted(self: VaultFiles, path: VaultPath) -> object:
        read.append(threading.current_thread().name)
        return whole(self, path)

    monkeypatch.setattr(VaultFiles, "read", noted)
    for number in range(5):
        scene.vault.person.remember(f"owl number {number}", namespace="market")
    written = scene.vault.person.remember("owl number 5", namespace="market")
    scene.vault.person.edit(written.path, importance=0.9)
    scene.vault.person.forget(written.path)
    generation = scene.opened.ports.index.generation
    scene.rest()
    time.sleep(following.GRACE + 0.1)  # nothing is to come, and that can only be waited for
    scene.rest()
    assert "vmem-following" not in read
    assert scene.told == []
    assert scene.opened.ports.index.generation == generation
    scene.check_against_a_rebuild()


def test_answers_say_so_until_the_first_comparison_is_done(root: Path) -> None:
    deaf = Deaf()
    deaf.let.clear()
    with followed(root, lambda _: deaf, started=False) as scene:
        assert scene.following.catch_up(0.0) == ()  # nobody follows yet: it looked itself
        scene.following.start()
        assert scene.following.catch_up(0.05) == (BEHIND,)
        assert scene.following.state().behind == BEHIND
        assert scene.following.state().first_seconds is None
        deaf.let.set()
        assert scene.following.catch_up(scenes.SECONDS) == ()
        state = scene.following.state()
        assert state.behind is None
        assert state.first_seconds is not None
        assert scene.found("heron") == ["notes/a.md"]


def test_what_changed_while_the_machine_slept_is_found_when_it_wakes(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "TICK", 0.02)
    clock = ToldClock()
    with followed(root, lambda _: Deaf(), clock=clock) as scene:
        scene.write("notes/b.md", "the owl hoots\n")
        time.sleep(0.2)
        assert scene.found("owl") == []  # it was not heard of
        clock.move(hours=1)
        eventually(lambda: scene.found("owl") == ["notes/b.md"])


def test_all_is_compared_from_time_to_time_though_nothing_was_heard(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "TICK", 0.02)
    with followed(root, lambda _: Deaf()) as scene:
        scene.write("notes/b.md", "the owl hoots\n")
        monkeypatch.setattr(following, "SAFETY", 0.1)
        eventually(lambda: scene.found("owl") == ["notes/b.md"])


def test_a_polled_vault_is_looked_at_by_the_question_itself(root: Path) -> None:
    def polling(opened: compose.Opened) -> PollingWatch:
        return PollingWatch(
            opened.held.files.scan, because="a test", now_ns=opened.held.clock.now_ns, shortest=1000
        )

    with followed(root, polling, flags={**scenes.WORDS_ALONE, "refresh_seconds": 0.0}) as scene:
        assert scene.following.state().polled == "a test"
        for number in range(3):
            scene.write("notes/b.md", f"the owl hoots {number} times\n")
            assert scene.found(f"{number} times") == ["notes/b.md"]


def test_of_very_many_changes_all_are_compared(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "FEW", 20)
    for number in range(60):
        scene.write(f"notes/{number}.md", f"owl number {number}\n")
    assert len(scene.found("owl")) == 60
    scene.check_against_a_rebuild()


def test_it_closes_twice_and_in_the_middle_of_its_work(root: Path) -> None:
    for number in range(500):
        (root / f"notes/{number}.md").write_text(f"owl number {number}\n", encoding="utf-8")
    opened = compose.open_vault(root)
    following_it = Following(opened, compose.watch(opened))
    following_it.start()
    following_it.close()
    following_it.close()
    opened.close()
    with followed(root) as scene:
        assert len(scene.listed()) == 501


def test_texts_get_their_vectors_beside_it(root: Path) -> None:
    with followed(root, flags={"embedder": "bundled"}) as scene:
        shelf = scene.opened.ports.index.shelf
        eventually(shelf.complete)
        scene.write("notes/b.md", "the owl hoots at night\n")
        assert "notes/b.md" in scene.found("owl")
        eventually(lambda: shelf.complete() and shelf.share()[0] == 2)
        scene.vault.person.remember("bats fly in the dark")
        scene.rest()
        eventually(lambda: shelf.complete() and shelf.share()[0] == 3)


def test_two_vaults_in_one_process_are_followed_apart(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    Vault.create(other)
    with followed(root) as one, followed(other) as two:
        two.write("b.md", "the owl hoots\n")
        assert two.found("owl") == ["b.md"]
        assert one.found("owl") == []
    with followed(root) as one:
        one.write("b.md", "the owl hoots here\n")
        assert one.found("owl") == ["b.md"]


def test_each_new_generation_is_told(root: Path) -> None:
    moved: list[int] = []
    opened = compose.open_vault(root, flags=scenes.WORDS_ALONE)
    following_it = Following(opened, compose.watch(opened), moved=moved.append)
    following_it.start()
    try:
        assert following_it.catch_up(scenes.SECONDS) == ()
        (root / "notes/b.md").write_text("the owl hoots\n", encoding="utf-8")
        assert following_it.catch_up(scenes.SECONDS) == ()
        assert moved == sorted(set(moved))
        assert moved[-1] == opened.ports.index.generation
        state = following_it.state()
        assert state.lag_seconds is not None
        assert state.folders == 2
        assert state.refreshed is not None
    finally:
        following_it.close()
        opened.close()
