"""Local traces in `uses.db`: they cost an answer nothing, and no fault of theirs is an answer's."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from time import monotonic, sleep

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.contracts.uses_contract import AT, PLAN, RULE, UsesContract, use
from vault_memory.adapters.uses import GatheredUses, gathered, tracefile
from vault_memory.adapters.uses.tracefile import TraceFile
from vault_memory.errors import StorageError
from vault_memory.model.uses import Use, UsedMemory

ROOT = Path(__file__).parents[3]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / ".vmem").mkdir()
    return tmp_path / ".vmem" / "local" / "uses.db"


class TestGatheredUses(UsesContract):
    @pytest.fixture
    def uses(self, path: Path) -> Iterator[GatheredUses]:
        with traces(path) as one:
            yield one


@contextmanager
def traces(path: Path, *, kept: bool = True) -> Iterator[GatheredUses]:
    """As a process has them that ends cleanly."""
    one = GatheredUses(path, kept=kept)
    try:
        yield one
    finally:
        one.close()


def written(path: Path) -> list[Use]:
    """What another process sees."""
    return list(TraceFile(path).since(None))


def eventually(true: Callable[[], bool]) -> None:
    until = monotonic() + 30
    while not true():
        assert monotonic() < until
        sleep(0.01)


def child(code: str, *arguments: str) -> subprocess.Popen[bytes]:
    """A process of its own, with the vault's file at `path`."""
    code = (
        "import os, signal, sys\nfrom pathlib import Path\n"
        "from tests.contracts.uses_contract import *\n"
        "from vault_memory.adapters.uses import GatheredUses\n"
        "from vault_memory.adapters.uses.tracefile import TraceFile\n"
        "from vault_memory.errors import StorageError\n"
        "path = Path(sys.argv[1])\n" + code
    )
    return subprocess.Popen([sys.executable, "-c", code, *arguments], cwd=ROOT, stdout=subprocess.PIPE)


def test_nothing_is_made_by_asking(path: Path) -> None:
    with traces(path) as uses:
        assert uses.since(None) == []
        assert uses.given("akashi", "s") == {}
        uses.forget()
    assert not path.parent.exists()


def test_what_is_noted_is_written_a_moment_later_without_being_asked_for(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gathered, "LATER", 0.01)
    with traces(path) as uses:
        uses.note(use(RULE))
        eventually(lambda: len(written(path)) == 1)
        uses.note(use(PLAN, minutes=1))
        eventually(lambda: len(written(path)) == 2)


def test_many_answers_at_once_are_not_waited_for_until_some_are_lost(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gathered, "LATER", 3_600)
    monkeypatch.setattr(gathered, "MOST_GATHERED", 40)
    with traces(path) as uses:
        for number in range(20):
            uses.note(use(RULE, minutes=number))
        eventually(lambda: len(written(path)) == 20)


def test_what_is_gathered_is_written_at_the_close_and_no_thread_is_left(path: Path) -> None:
    with traces(path) as uses:
        uses.note(use(RULE))
        assert not path.exists()
    assert written(path) == [use(RULE)]
    assert not any(thread.name == "vmem-uses" for thread in threading.enumerate())


def test_a_kill_between_two_writes_takes_what_was_not_written_and_harms_nothing(path: Path) -> None:
    killed = child(
        "uses = GatheredUses(path)\nuses.note(use(RULE))\nuses.since(None)\nuses.note(use(PLAN))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n",
        str(path),
    )
    assert killed.wait() == -signal.SIGKILL
    assert killed.stdout is not None
    killed.stdout.close()
    assert written(path) == [use(RULE)]


def test_a_kill_amid_writes_leaves_whole_answers(path: Path) -> None:
    writer = child(
        "file = TraceFile(path)\n"
        "for number in range(100_000):\n"
        "    file.add([use(RULE, PLAN, minutes=number), use(PLAN, minutes=number)])\n"
        "    if number == 50: print(flush=True)\n",
        str(path),
    )
    assert writer.stdout is not None
    writer.stdout.readline()
    writer.kill()
    writer.wait()
    writer.stdout.close()
    found = written(path)
    assert len(found) > 100
    assert len(found) % 2 == 0
    assert {len(one.memories) for one in found} == {1, 2}
    with traces(path) as uses:
        uses.note(use())
    assert len(written(path)) == len(found) + 1
    assert apsw.Connection(str(path)).pragma("integrity_check") == "ok"


def test_processes_that_write_at_once_lose_nothing_that_they_try_again(path: Path) -> None:
    code = (
        "file = TraceFile(path)\n"
        "for number in range(60):\n"
        "    while True:\n"
        "        try:\n"
        "            file.add([use(RULE, PLAN, minutes=number, agent=sys.argv[2])])\n"
        "            break\n"
        "        except StorageError: pass\n"
    )
    writers = [child(code, str(path), name) for name in ("a", "b")]
    for one in writers:
        assert one.wait() == 0
        assert one.stdout is not None
        one.stdout.close()
    for name in ("a", "b"):
        assert [one.at for one in written(path) if one.agent == name] == [
            AT + timedelta(minutes=number) for number in range(60)
        ]


def test_while_another_holds_the_file_notes_wait_in_memory(path: Path) -> None:
    with traces(path) as uses:
        uses.note(use(PLAN))
        uses.since(None)
        with holding(path):
            uses.note(use(RULE, session="s", minutes=1))
            assert uses.given("akashi", "s") == {RULE.id: RULE.version}
            assert list(uses.since(None)) == [use(RULE, session="s", minutes=1)]
        assert list(uses.since(None)) == [use(PLAN), use(RULE, session="s", minutes=1)]


def test_what_can_not_be_written_for_long_is_bounded(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathered, "MOST_GATHERED", 10)
    path.parent.write_text("no folder")
    with traces(path) as uses:
        for number in range(25):
            uses.note(use(RULE, minutes=number))
        assert [one.at for one in uses.since(None)] == [AT + timedelta(minutes=n) for n in range(15, 25)]


@contextmanager
def holding(path: Path) -> Iterator[None]:
    other = apsw.Connection(str(path))
    other.execute("BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


def test_to_forget_what_is_held_by_another_is_an_error(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracefile, "PATIENT_SECONDS", 0.01)
    with traces(path) as uses:
        uses.note(use(RULE))
        uses.since(None)
        with holding(path), pytest.raises(StorageError):
            uses.forget()
        assert len(uses.since(None)) == 1


@pytest.mark.parametrize("spoil", ["file", "folder", "device"])
def test_where_nothing_can_be_written_answers_are_noted_in_vain(path: Path, spoil: str) -> None:
    if spoil == "file":
        path.parent.write_text("no folder")
    elif spoil == "folder":
        path.mkdir(parents=True)
    else:
        path.parent.mkdir()
        path.symlink_to("/dev/full")
    with traces(path) as uses:
        uses.note(use(RULE, session="s"))
        assert uses.given("akashi", "s") == {RULE.id: RULE.version}
        assert list(uses.since(None)) == [use(RULE, session="s")]


@pytest.mark.parametrize("content", [b"no database at all" * 1000, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_is_begun_anew(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with traces(path) as uses:
        uses.note(use(RULE))
        uses.since(None)
        assert list(uses.since(None)) == [use(RULE)]
    assert written(path) == [use(RULE)]


def test_tables_of_another_make_are_begun_anew(path: Path) -> None:
    path.parent.mkdir()
    other = apsw.Connection(str(path))
    other.execute("CREATE TABLE answers (odd)")
    other.close()
    with traces(path) as uses:
        uses.note(use(RULE))
        uses.since(None)
    assert written(path) == [use(RULE)]


def test_the_file_of_a_newer_version_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    newer = apsw.Connection(str(path))
    newer.execute("CREATE TABLE other (thing); PRAGMA user_version = 99")
    newer.close()
    before = path.read_bytes()
    with traces(path) as uses:
        uses.note(use(RULE, session="s"))
        assert list(uses.since(None)) == [use(RULE, session="s")]
        assert uses.given("akashi", "s") == {RULE.id: RULE.version}
        with pytest.raises(StorageError):
            uses.forget()
    assert path.read_bytes() == before


def test_what_a_file_of_somebody_else_wants_done_is_not_done(path: Path) -> None:
    with traces(path) as uses:
        uses.note(use(RULE))
    other = apsw.Connection(str(path))
    other.execute("CREATE TRIGGER t AFTER INSERT ON answers BEGIN DELETE FROM answers; END")
    other.close()
    with traces(path) as uses:
        uses.note(use(PLAN, minutes=1))
    assert written(path) == [use(RULE), use(PLAN, minutes=1)]


def test_times_that_no_calendar_has_are_left_out(path: Path) -> None:
    with traces(path) as uses:
        uses.note(use(RULE))
    other = apsw.Connection(str(path))
    other.execute("INSERT INTO answers VALUES (7, 9223372036854775807, NULL, 'x', NULL, 1, 1)")
    other.execute("INSERT INTO answers VALUES (8, -9223372036854775807, NULL, 'x', NULL, 1, 1)")
    other.close()
    assert written(path) == [use(RULE)]


def test_a_folder_that_is_deleted_meanwhile_is_made_again(path: Path) -> None:
    with traces(path) as uses:
        uses.note(use(RULE))
        uses.since(None)
        shutil.rmtree(path.parent)
        uses.note(use(PLAN, minutes=1))
    assert written(path) == [use(PLAN, minutes=1)]


def test_with_traces_off_no_file_is_made_and_a_session_is_known_in_this_process_alone(path: Path) -> None:
    with traces(path, kept=False) as uses:
        uses.note(use(RULE, session="s"))
        assert uses.given("akashi", "s") == {RULE.id: RULE.version}
        assert uses.since(None) == []
    assert not path.parent.exists()


def test_what_was_noted_before_they_were_off_can_be_seen_and_forgotten(path: Path) -> None:
    with traces(path) as uses:
        uses.note(use(RULE))
    with traces(path, kept=False) as uses:
        assert list(uses.since(None)) == [use(RULE)]
        uses.forget()
    assert written(path) == []


def test_of_what_is_forgotten_no_byte_is_left_in_the_file(path: Path) -> None:
    secret = UsedMemory("private/akashi/the-merger-of-tin-and-lead.md", None, "f" * 64)
    with traces(path) as uses:
        for number in range(50):
            uses.note(use(RULE, secret, minutes=number, session="s"))
        uses.since(None)
        assert b"the-merger-of-tin" in path.read_bytes()
        uses.forget([secret])
    assert b"the-merger-of-tin" not in path.read_bytes()
    with traces(path) as uses:
        uses.forget()
    assert b"akashi" not in path.read_bytes()


_BATCHES = st.lists(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 5)), min_size=1, max_size=8),
    min_size=1,
    max_size=12,
)


@given(_BATCHES)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_young_and_among_the_last_stays_and_what_is_old_or_too_much_goes(
    tmp_path_factory: pytest.TempPathFactory, batches: list[list[tuple[int, int]]]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tracefile, "DAYS", 40)
        patch.setattr(tracefile, "MOST", 10)
        patch.setattr(tracefile, "SLACK", 4)
        file, now = TraceFile(tmp_path_factory.mktemp("traces") / "uses.db"), AT
        all_of_them: list[Use] = []
        for batch in batches:
            steps = sorted(batch)
            added = [
                Use(
                    now + timedelta(days=days), None, "recall", None, len(all_of_them), 0, (RULE, PLAN)[:many]
                )
                for days, many in steps
            ]
            now = added[-1].at
            all_of_them += added
            file.add(added)
            found = list(file.since(None))
            young = [one for one in all_of_them if one.at >= now - timedelta(days=40)]
            ages = sorted(young, key=lambda one: one.at)[-10:]
            assert {one.at for one in ages} <= {one.at for one in found}
            assert all(one.at >= now - timedelta(days=41) for one in found)
            assert len(found) <= 10 + 4 + len(added)
        file.close()


def test_memories_that_no_answer_names_any_more_go_with_the_last_of_them(path: Path) -> None:
    file = TraceFile(path)
    file.add([use(RULE)])
    file.add([use(PLAN, minutes=60 * 24 * 100)])
    file.close()
    rows = apsw.Connection(str(path)).execute("SELECT path FROM memories ORDER BY path").fetchall()
    assert rows == [(PLAN.path,)]
