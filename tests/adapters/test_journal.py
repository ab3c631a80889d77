"""The journal in `state.db`: durable, and clear about its faults."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.contracts.journal_contract import AT, JournalContract, operation
from vault_memory.adapters.journal import SqliteJournal
from vault_memory.errors import LockedError, SidecarError, StorageError
from vault_memory.model.namespace import VaultPath
from vault_memory.model.revision import Op, Operation


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / ".vmem").mkdir()
    return tmp_path / ".vmem" / "local" / "state.db"


class TestSqliteJournal(JournalContract):
    @pytest.fixture
    def journal(self, path: Path) -> SqliteJournal:
        return SqliteJournal(path)


def test_another_process_sees_what_is_open(path: Path) -> None:
    opened = SqliteJournal(path).open([operation()], branch=None, at=AT)
    assert SqliteJournal(path).pending() == opened


def test_asking_makes_no_file(path: Path) -> None:
    assert SqliteJournal(path).pending() == ()
    assert not path.parent.exists()


def test_intents_survive_a_kill_right_after_they_were_opened(path: Path) -> None:
    script = (
        "import os, signal, sys\nfrom pathlib import Path\n"
        "from tests.contracts.journal_contract import AT, operation\n"
        "from vault_memory.adapters.journal import SqliteJournal\n"
        "journal = SqliteJournal(Path(sys.argv[1]))\n"
        "journal.open([operation('a.md'), operation('b.md')], branch=None, at=AT)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    root = Path(__file__).parents[2]
    killed = subprocess.run([sys.executable, "-c", script, str(path)], cwd=root, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert [intent.operation.path for intent in SqliteJournal(path).pending()] == ["a.md", "b.md"]


def test_opening_syncs_to_the_disk_and_closing_does_not(path: Path) -> None:
    journal = SqliteJournal(path)
    (intent,) = journal.open([operation()], branch=None, at=AT)
    connection = journal._connection
    assert connection is not None
    assert connection.pragma("journal_mode") == "wal"
    full, normal = 2, 1
    assert connection.pragma("synchronous") == full
    journal.close([intent.number])
    assert connection.pragma("synchronous") == normal
    journal.open([operation()], branch=None, at=AT)
    assert connection.pragma("synchronous") == full


def test_closed_intents_leave_no_row(path: Path) -> None:
    journal = SqliteJournal(path)
    journal.close(intent.number for intent in journal.open([operation()] * 5, branch=None, at=AT))
    assert apsw.Connection(str(path)).execute("SELECT count(*) FROM intents").get == 0


def test_the_message_of_a_batch_is_stored_once_and_goes_with_its_last_intent(path: Path) -> None:
    journal = SqliteJournal(path)
    batch = [replace(operation(f"{number}.md"), message="x" * 100_000, batch="one") for number in range(200)]
    opened = journal.open(batch, branch=None, at=AT)
    pages = apsw.Connection(str(path))
    assert pages.execute("SELECT count(*) FROM messages").get == 1
    assert pages.pragma("page_count") * pages.pragma("page_size") < 400_000
    assert journal.pending() == opened
    journal.close(intent.number for intent in opened[:-1])
    assert journal.pending() == opened[-1:]
    journal.close([opened[-1].number])
    assert pages.execute("SELECT count(*) FROM messages").get == 0


def test_a_deleted_folder_is_made_anew(path: Path) -> None:
    journal = SqliteJournal(path)
    journal.open([operation("a.md")], branch=None, at=AT)
    shutil.rmtree(path.parent)
    assert journal.pending() == ()
    journal.open([operation("b.md")], branch=None, at=AT)
    assert [intent.operation.path for intent in SqliteJournal(path).pending()] == ["b.md"]
    assert path.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    "junk", [b"no database at all, just text. " * 200, b"SQLite format 3\0" + b"\xff" * 5000]
)
def test_a_damaged_file_is_named_with_advice(path: Path, junk: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(junk)
    for use in (
        lambda: SqliteJournal(path).pending(),
        lambda: SqliteJournal(path).open([operation()], branch=None, at=AT),
        lambda: SqliteJournal(path).close([1]),
    ):
        with pytest.raises(SidecarError) as told:
            use()
        assert str(path) in str(told.value)
        assert "move" in str(told.value.hint)
    assert path.read_bytes() == junk


def test_damage_in_the_middle_is_told_too(path: Path) -> None:
    journal = SqliteJournal(path)
    journal.open([operation(f"{number}.md") for number in range(200)], branch=None, at=AT)
    journal.close_file()
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(SidecarError, match="damaged"):
        SqliteJournal(path).pending()


def test_an_entry_of_an_unknown_kind_is_told(path: Path) -> None:
    journal = SqliteJournal(path)
    journal.open([operation()], branch=None, at=AT)
    apsw.Connection(str(path)).execute("UPDATE intents SET op = 'transmogrify'")
    with pytest.raises(SidecarError, match="transmogrify"):
        journal.pending()


def test_a_newer_programs_file_is_left_alone(path: Path) -> None:
    SqliteJournal(path).open([operation()], branch=None, at=AT)
    apsw.Connection(str(path)).pragma("user_version", 99)
    with pytest.raises(SidecarError) as told:
        SqliteJournal(path).open([operation()], branch=None, at=AT)
    assert "99" in str(told.value)
    assert "update" in str(told.value.hint)


def test_a_file_of_the_first_version_keeps_its_intents(path: Path) -> None:
    path.parent.mkdir()
    first = apsw.Connection(str(path))
    first.execute(
        """
        CREATE TABLE intents (
            number INTEGER PRIMARY KEY AUTOINCREMENT, op TEXT NOT NULL, path TEXT NOT NULL, version TEXT,
            before TEXT, message TEXT NOT NULL, author_name TEXT, author_email TEXT, branch TEXT,
            at TEXT NOT NULL, kept BLOB, reason TEXT
        ) STRICT;
        INSERT INTO intents
        VALUES (7, 'edit', 'a.md', 'new', 'old', 'edit: a', NULL, NULL, 'refs/heads/main',
                '2026-03-01T10:15:00+00:00', x'00ff', 'a merge is under way');
        PRAGMA user_version = 1
        """
    )
    first.close()
    journal = SqliteJournal(path)
    (old,) = journal.pending()
    assert old.operation == Operation(Op.EDIT, VaultPath("a.md"), "new", "old", "edit: a", None, batch=None)
    assert (old.number, old.branch, old.reason) == (7, "refs/heads/main", "a merge is under way")
    assert journal.kept(7) == b"\x00\xff"
    (new,) = journal.open([replace(operation(), batch="one")], branch=None, at=AT)
    assert new.number == 8
    assert journal.pending() == (old, new)


def test_tables_of_somebody_else_are_told(path: Path) -> None:
    path.parent.mkdir()
    apsw.Connection(str(path)).execute("CREATE TABLE intents (x); PRAGMA user_version = 2")
    with pytest.raises(SidecarError, match="tables"):
        SqliteJournal(path).pending()


def test_a_file_that_cant_be_opened_is_told(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(SidecarError, match="can't be opened"):
        SqliteJournal(path).open([operation()], branch=None, at=AT)


def test_a_file_of_no_vault_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(SidecarError):
        SqliteJournal(tmp_path / "gone" / ".vmem" / "local" / "state.db").open(
            [operation()], branch=None, at=AT
        )
    assert list(tmp_path.iterdir()) == []


def test_a_read_only_file_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    SqliteJournal(path).open([operation()], branch=None, at=AT)
    real = apsw.Connection

    def read_only(name: str) -> apsw.Connection:
        return real(name, flags=apsw.SQLITE_OPEN_READONLY)

    monkeypatch.setattr(apsw, "Connection", read_only)
    with pytest.raises(SidecarError, match="can't be written") as told:
        SqliteJournal(path).open([operation()], branch=None, at=AT)
    assert "writable" in str(told.value.hint)


def test_a_full_disk_is_told_and_nothing_is_half_opened(path: Path) -> None:
    journal = SqliteJournal(path)
    before = journal.open([operation("a.md")], branch=None, at=AT)
    connection = journal._connection
    assert connection is not None
    connection.pragma("max_page_count", connection.pragma("page_count"))
    with pytest.raises(StorageError, match="disk is full"):
        journal.open([operation(f"{'n' * 200}{number}.md") for number in range(500)], branch=None, at=AT)
    assert journal.pending() == before


def test_a_file_that_stays_busy_is_told_as_locked(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vault_memory.adapters.journal.state.BUSY_SECONDS", 0.1)
    journal = SqliteJournal(path)
    journal.open([operation()], branch=None, at=AT)
    other = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(LockedError):
        journal.open([operation()], branch=None, at=AT)
    other.execute("ROLLBACK")
    journal.open([operation()], branch=None, at=AT)
    assert len(journal.pending()) == 2


def test_many_processes_and_threads_may_open_it_at_once(path: Path) -> None:
    script = (
        "import sys, threading\nfrom pathlib import Path\n"
        "from tests.contracts.journal_contract import AT, operation\n"
        "from vault_memory.adapters.journal import SqliteJournal\n"
        "journal = SqliteJournal(Path(sys.argv[1]))\n"
        "def work():\n"
        "    for number in range(10):\n"
        "        one, two = journal.open([operation(), operation()], branch=None, at=AT)\n"
        "        journal.close([one.number])\n"
        "threads = [threading.Thread(target=work) for _ in range(2)]\n"
        "[thread.start() for thread in threads]\n[thread.join() for thread in threads]\n"
    )
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", script, str(path)]
    running = [subprocess.Popen(command, cwd=root, stderr=subprocess.PIPE) for _ in range(4)]
    for process in running:
        _, errors = process.communicate()
        assert (process.returncode, errors) == (0, b"")
    assert len(SqliteJournal(path).pending()) == 4 * 2 * 10


def test_threads_of_one_journal_do_not_mix_their_transactions(path: Path) -> None:
    journal = SqliteJournal(path)
    pairs: list[tuple[int, int]] = []

    def work(name: str) -> None:
        for _ in range(20):
            one, two = journal.open([operation(name), operation(name)], branch=None, at=AT)
            pairs.append((one.number, two.number))

    threads = [threading.Thread(target=work, args=(name,)) for name in ("a.md", "b.md")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(pairs) == 40
    assert all(two == one + 1 for one, two in pairs)


def test_importing_it_does_not_load_sqlite() -> None:
    script = "import sys, vault_memory.adapters.journal; sys.exit('apsw' in sys.modules)"
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", script], cwd=root, env=dict(os.environ), check=False)
    assert done.returncode == 0


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(
        st.tuples(
            st.integers(0, 2), st.sampled_from(["open", "close", "tell", "keep", "look", "anew", "gone"])
        ),
        max_size=25,
    )
)
def test_each_of_several_writers_always_knows_what_is_open(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, str]]
) -> None:
    path = tmp_path_factory.mktemp("vault") / ".vmem" / "local" / "state.db"
    path.parent.parent.mkdir()
    journals = [SqliteJournal(path) for _ in range(3)]
    try:
        for at, (who, what) in enumerate(steps):
            journal = journals[who]
            numbers = [intent.number for intent in SqliteJournal(path).pending()]
            if what == "open":
                journal.open([operation(f"{at}.md"), operation(f"{at}b.md")], branch=None, at=AT)
            elif what == "close":
                journal.close(numbers[::2])
            elif what == "tell":
                journal.tell(dict.fromkeys(numbers[:1], f"because of {at}"))
            elif what == "keep":
                journal.keep(dict.fromkeys(numbers[:1], b"kept"))
            elif what == "anew":
                journal.close_file()
            elif what == "gone":
                shutil.rmtree(path.parent, ignore_errors=True)
            seen = [one.pending() for one in journals]
            assert seen == [SqliteJournal(path).pending()] * 3
    finally:
        for journal in journals:
            journal.close_file()


def test_an_open_that_fails_leaves_no_intent_in_mind(path: Path) -> None:
    journal = SqliteJournal(path)
    kept = journal.open([operation("kept.md")], branch=None, at=AT)
    assert journal.pending() == kept
    other = apsw.Connection(str(path))
    other.execute("CREATE TRIGGER no BEFORE INSERT ON intents BEGIN SELECT RAISE(ABORT, 'no'); END")
    with pytest.raises(SidecarError):
        journal.open([operation("refused.md")], branch=None, at=AT)
    assert journal.pending() == kept
    other.close()
    journal.close_file()
