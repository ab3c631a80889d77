"""The vault's lock between processes, and what becomes of it when one dies."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.adapters.files.unprivileged import run_unprivileged
from tests.contracts.lock_contract import LockContract
from vault_memory.adapters.files.lock import VaultLock
from vault_memory.errors import LockedError, StorageError

ROOT = Path(__file__).parents[3]

HOLD = """
import sys
from pathlib import Path
from vault_memory.adapters.files.lock import VaultLock
with VaultLock(Path(sys.argv[1]), command="vmem remember").held(wait=5):
    print("held", flush=True)
    sys.stdin.readline()
"""

COUNT = """
import sys, time
from pathlib import Path
from vault_memory.adapters.files.lock import VaultLock
lock, counter = VaultLock(Path(sys.argv[1])), Path(sys.argv[2])
for _ in range(25):
    with lock.held(wait=60):
        number = int(counter.read_text())
        time.sleep(0.001)
        counter.write_text(str(number + 1))
"""


@pytest.fixture
def place(vault: Path) -> Path:
    return vault / ".vmem/local/lock"


class TestVaultLock(LockContract):
    @pytest.fixture
    def lock(self, place: Path) -> VaultLock:
        return VaultLock(place)

    @pytest.fixture
    def other(self, place: Path) -> VaultLock:
        return VaultLock(place)


@pytest.fixture
def holder(place: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Another process that holds the lock."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(place)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    yield process
    process.communicate(b"\n" if process.poll() is None else None)


def test_another_process_is_waited_for(place: Path, holder: subprocess.Popen[bytes]) -> None:
    with pytest.raises(LockedError), VaultLock(place).held(wait=0.05):
        pytest.fail("both hold it")
    assert holder.stdin is not None
    holder.stdin.write(b"\n")
    holder.stdin.flush()
    with VaultLock(place).held(wait=5):
        pass


def test_a_killed_process_frees_it_at_once(place: Path, holder: subprocess.Popen[bytes]) -> None:
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    with VaultLock(place).held(wait=0):
        pass


def test_who_holds_it_can_be_seen(place: Path, holder: subprocess.Popen[bytes]) -> None:
    lock = VaultLock(place)
    assert lock.holder() == (holder.pid, "vmem remember")
    holder.communicate(b"\n")
    assert lock.holder() is None
    place.unlink()
    assert lock.holder() is None
    assert not place.exists()


def test_eight_processes_lose_no_update(place: Path, tmp_path: Path) -> None:
    counter = tmp_path / "counter"
    counter.write_text("0")
    command = [sys.executable, "-c", COUNT, str(place), str(counter)]
    running = [subprocess.Popen(command, cwd=ROOT) for _ in range(8)]
    assert [process.wait() for process in running] == [0] * 8
    assert counter.read_text() == "200"


def test_a_waiter_does_not_take_the_lock_of_a_deleted_file(place: Path) -> None:
    lock = VaultLock(place)
    with lock.held(wait=0):
        fd = os.open(place, os.O_RDWR)
        place.unlink()
    assert lock._is_ours_now(fd) is False
    os.close(fd)
    with lock.held(wait=0):
        assert place.exists()


def test_a_deleted_local_folder_is_made_anew(place: Path) -> None:
    shutil.rmtree(place.parent)
    with VaultLock(place).held(wait=0):
        assert place.parent.stat().st_mode & 0o777 == 0o700


def test_a_child_that_was_forked_meanwhile_does_not_keep_it(place: Path) -> None:
    script = f"""
import os, sys, time
from pathlib import Path
from vault_memory.adapters.files.lock import VaultLock
from vault_memory.errors import LockedError
lock = VaultLock(Path({str(place)!r}))
with lock.held(wait=0):
    child = os.fork()
    if child == 0:
        time.sleep(0.3)
        try:
            with lock.held(wait=0):
                os._exit(1)  # the parent still holds it
        except LockedError:
            pass
        time.sleep(0.7)
        os._exit(0)
    time.sleep(0.6)
with VaultLock(Path({str(place)!r})).held(wait=0):  # though the child lives
    pass
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False).returncode == 0


def test_a_programs_started_meanwhile_do_not_keep_it(place: Path) -> None:
    with VaultLock(place).held(wait=0):
        sleeper = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with VaultLock(place).held(wait=0):
        pass
    sleeper.communicate(b"\n")


def test_it_does_not_wait_longer_than_asked(place: Path, holder: subprocess.Popen[bytes]) -> None:
    for wait in (-1.0, 0.0, 0.1):
        began = time.monotonic()
        with pytest.raises(LockedError), VaultLock(place).held(wait=wait):
            pytest.fail("both hold it")
        assert time.monotonic() - began < max(wait, 0) + 0.5


def test_a_file_system_without_locks_is_told(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    def no_locks(fd: int, how: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    with pytest.raises(StorageError, match="no locks available"), VaultLock(place).held(wait=0):
        pytest.fail("held")


def test_a_full_disk_does_not_forbid_to_hold_it(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(fd: int, content: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with VaultLock(place).held(wait=0):
        assert VaultLock(place).holder() == (0, "unknown")


def test_a_read_only_vault_is_told() -> None:
    told = run_unprivileged(
        """
        def hold():
            with VaultLock(root / ".vmem/local/lock").held(wait=0):
                return "held"
        os.chmod(root / ".vmem/local", 0o500)
        fails(hold)
        fails(lambda: SqliteJournal(root / ".vmem/local/state.db").pending())
        os.chmod(root / ".vmem/local", 0o700)
        SqliteJournal(root / ".vmem/local/state.db").pending()
        report(hold())
        """
    )
    assert told == [
        "StorageError: can't lock ROOT/.vmem/local/lock: permission denied",
        ["no error", "()"],
        "held",
    ]
