"""Making vectors: within the time of a read, all at once, after a kill, and one process at a time."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.worded import Worded
from vault_memory.adapters.files.lock import VaultLock
from vault_memory.adapters.indexes.sqlite.backend import SqliteIndex
from vault_memory.compose import open_vault
from vault_memory.errors import EmbedderUnavailableError, SidecarError
from vault_memory.model.namespace import PERSON, Scope
from vault_memory.ops import embed as embedding
from vault_memory.ops.embed import NOT_NOW, READING, Embedded, Pace, build, embed
from vault_memory.ops.meaning import keyword_only, vector_state, worker
from vault_memory.ops.refresh import refresh
from vault_memory.ports import Ports
from vault_memory.vault import Vault

TEXTS = 300


class Stopwatch:
    """Monotonic time that passes only when texts are embedded: so long for the first, then for each."""

    def __init__(self, first: float, each: float) -> None:
        self.now = 100.0
        self._first, self._each = first, each

    def __call__(self) -> float:
        return self.now

    def spend(self, texts: Sequence[str]) -> None:
        self.now += self._each * len(texts) + self._first
        self._first = 0.0


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A vault of short notes, a text each."""
    place = tmp_path / "memory"
    Vault.create(place)
    for number in range(TEXTS):
        (place / f"n{number:03}.md").write_text(f"the kitten of house {number}\n", encoding="utf-8")
    return place


def ports_of(root: Path, worded: Worded) -> Ports:
    """The vault's ports with that embedder, its files read and no vectors made."""
    opened = open_vault(root, flags={"embedder": "none"})
    index = SqliteIndex.open(root / ".vmem" / "local" / "vectors-index.db", embedder_id=worded.id)
    ports = replace(opened.ports, index=index, embedder=worded)
    refresh(ports, opened.settings.zone, wait=1.0, pace=NOT_NOW)
    return ports


def slow(monkeypatch: pytest.MonkeyPatch, *, first: float = 0.0, each: float) -> Worded:
    """An embedder that takes so many seconds."""
    watch = Stopwatch(first, each)
    monkeypatch.setattr(embedding, "monotonic", watch)
    return Worded("slow", 8, before=watch.spend)


def test_a_read_gives_a_slow_model_two_seconds_beyond_its_loading(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worded = slow(monkeypatch, first=30.0, each=0.1)
    ports = ports_of(root, worded)
    done = embed(ports, pace=READING, wait=0.0)
    assert 17 <= done.made <= 40
    assert done == Embedded(done.made, None)
    assert ports.index.shelf.share() == (done.made, TEXTS)
    assert keyword_only(ports, PERSON) == (
        f"{done.made} of {TEXTS} texts have vectors so far; vmem embedder build makes the rest"
    )
    assert keyword_only(ports, Scope("mira")) == (
        "not all texts have vectors so far; vmem embedder build makes the rest"
    )


def test_a_read_goes_on_to_the_end_where_that_is_near(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ports = ports_of(root, slow(monkeypatch, each=0.05))
    assert embed(ports, pace=READING, wait=0.0).made == TEXTS
    assert keyword_only(ports, PERSON) is None


def test_each_read_goes_on_where_the_last_one_stopped_and_no_text_is_embedded_twice(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worded = slow(monkeypatch, each=0.4)
    ports = ports_of(root, worded)
    rounds = 0
    while not ports.index.shelf.complete():
        assert embed(ports, pace=Pace(2.0, 5.0), wait=0.0).made > 0
        rounds += 1
    assert rounds > 3
    assert len(worded.made) == len(set(worded.made)) == TEXTS


def test_a_kill_costs_no_more_than_the_last_second(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class KilledError(BaseException):
        """What ends a process."""

    watch = Stopwatch(0.0, 0.1)
    monkeypatch.setattr(embedding, "monotonic", watch)

    def kill_at_150(texts: Sequence[str]) -> None:
        watch.spend(texts)
        if len(killed.made) >= 150:
            raise KilledError

    killed = Worded("slow", 8, before=kill_at_150)
    ports = ports_of(root, killed)
    with pytest.raises(KilledError):
        build(ports, wait=0.0)
    have, _ = ports.index.shelf.share()
    assert 150 - 12 <= have <= 150
    after = slow(monkeypatch, each=0.1)
    again = replace(ports, embedder=after)
    assert worker(again) is None
    assert build(again, wait=0.0) == TEXTS - have
    assert keyword_only(again, PERSON) is None


KILLED = """
import sys, time
from pathlib import Path
from tests.ops.test_embed import ports_of
from tests.worded import Worded
from vault_memory.ops.embed import build
slow = Worded("slow", 8, before=lambda texts: time.sleep(0.02 * len(texts)))
build(ports_of(Path(sys.argv[1]), slow), wait=0.0)
"""


def test_a_process_that_was_killed_leaves_no_sign_of_being_at_work(root: Path) -> None:
    ports = ports_of(root, Worded("slow", 8))
    child = subprocess.Popen([sys.executable, "-c", KILLED, str(root)], cwd=Path(__file__).parents[2])
    try:
        until = time.monotonic() + 60
        while ports.index.shelf.share()[0] == 0 and time.monotonic() < until:
            time.sleep(0.02)
        assert worker(ports) == child.pid
    finally:
        child.kill()
        child.wait()
    assert worker(ports) is None
    have, texts = ports.index.shelf.share()
    assert 0 < have < texts
    assert build(ports, wait=0.0) == texts - have


def test_only_one_makes_vectors_and_others_say_who(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ports = ports_of(root, slow(monkeypatch, each=0.01))
    other = VaultLock(root / ".vmem" / "local" / "embedding", command="vmem embedder build")
    with other.held(wait=0.0):
        assert embed(ports, pace=None, wait=0.0) == Embedded()
        assert str(keyword_only(ports, PERSON)).endswith("; the rest are being made")
        state = vector_state(ports, PERSON)
        assert (state.have, state.texts) == (0, TEXTS)
        assert state.worker is not None
        with pytest.raises(SidecarError, match=r"another vmem \(process \d+\) is making the vectors"):
            build(ports, wait=0.0)
    assert worker(ports) is None
    assert embed(ports, pace=None, wait=0.0).made == TEXTS


def test_memories_are_written_while_vectors_are_made(root: Path) -> None:
    written: list[str] = []

    def write_one(_: Sequence[str]) -> None:
        if not written:
            with Vault.open(root, settings={"embedder": "none", "lock_seconds": 1.0}) as vault:
                written.append(vault.person.remember("the kitten has moved").path)

    ports = ports_of(root, Worded("busy", 8, before=write_one))
    assert embed(ports, pace=None, wait=0.0).made == TEXTS
    assert len(written) == 1


def test_work_that_is_no_longer_wanted_stops_and_keeps_what_was_made(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worded = slow(monkeypatch, each=0.1)
    ports = ports_of(root, worded)
    made = build(ports, wait=0.0, wanted=lambda: len(worded.made) < 50)
    assert 50 <= made < 60
    assert ports.index.shelf.share() == (made, TEXTS)


def test_a_few_new_texts_without_vectors_do_not_turn_meaning_off(root: Path) -> None:
    ports = ports_of(root, Worded("quick", 8))
    build(ports, wait=0.0)
    (root / "new.md").write_text("a text that was written just now\n", encoding="utf-8")
    refresh(ports, open_vault(root).settings.zone, wait=1.0, pace=NOT_NOW)
    assert not ports.index.shelf.complete()
    assert keyword_only(ports, PERSON) is None


def test_a_model_that_fails_on_the_way_is_told_and_what_was_made_stays(root: Path) -> None:
    def fail_late(texts: Sequence[str]) -> None:
        if len(failing.made) >= 17:
            raise EmbedderUnavailableError("the model gave up", hint="copy it again")

    failing = Worded("failing", 8, before=fail_late)
    ports = ports_of(root, failing)
    done = embed(ports, pace=None, wait=0.0)
    assert done.reason == "not all texts have vectors: the model gave up; copy it again"
    with pytest.raises(EmbedderUnavailableError):
        build(ports, wait=0.0)


def test_there_is_nothing_to_build_without_an_embedder(root: Path) -> None:
    with (
        Vault.open(root, settings={"embedder": "none"}) as vault,
        pytest.raises(EmbedderUnavailableError, match="no embedder is set") as caught,
    ):
        vault.index.build_vectors()
    assert caught.value.hint == "vmem embedder use bundled"


def test_vectors_of_the_embedder_before_are_kept_and_those_before_them_go(root: Path) -> None:
    for name in ("a", "b", "c"):
        build(ports_of(root, Worded(name, 8)), wait=0.0)
    kept = ports_of(root, Worded("c", 8)).index.shelf.kept()
    assert kept == {"worded:b": TEXTS, "worded:c": TEXTS}
    back = Worded("b", 8)
    ports = ports_of(root, back)
    assert ports.index.rebuilt == "embedder worded:c → worded:b"
    assert embed(ports, pace=READING, wait=0.0).made == 0
    assert back.made == []
    assert keyword_only(ports, PERSON) is None
    assert ports_of(root, Worded("b", 8)).index.rebuilt is None


def test_a_rebuild_forgets_the_vectors_of_texts_that_are_gone(root: Path) -> None:
    ports = ports_of(root, Worded("a", 8))
    build(ports, wait=0.0)
    for number in range(10):
        (root / f"n{number:03}.md").unlink()
    refresh(ports, open_vault(root).settings.zone, wait=1.0)
    assert ports.index.shelf.kept() == {"worded:a": TEXTS}
    assert ports.index.shelf.prune() == 10
    assert ports.index.shelf.kept() == {"worded:a": TEXTS - 10}
    assert ports.index.shelf.complete()


def test_lint_and_gc_make_no_vectors_and_the_next_question_makes_them(tmp_path: Path) -> None:
    Vault.create(tmp_path / "memory")
    (tmp_path / "memory/a.md").write_text("Herons stand in the river\n")
    with Vault.open(
        tmp_path / "memory", settings={"embedder": "bundled", "refresh_seconds": 3600.0}
    ) as vault:
        assert vault.upkeep.lint(PERSON).files == 1
        assert vault.upkeep.expired(PERSON) == []
        assert not vault.upkeep.fix(PERSON).written
        found = vault.index.vectors(PERSON)
        assert (found.have, found.texts) == (0, 1)
        assert [hit.entry.path for hit in vault.person.search("herons").hits] == ["a.md"]
        assert vault.index.vectors(PERSON).have == 1
