"""Whatever lies or listens in the place of the resident: commands answer, no foreign process is touched."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cases.beside_git import new_desk
from tests.cases.residents import Kept, is_alive, kept_open, runtime_folder, wait_until
from vault_memory.surfaces.resident import door


@pytest.fixture
def harbour(kept: Kept) -> Kept:
    """A vault with one memory, whose resident runs."""
    kept.start()
    kept.json("remember", "The harbour closes at nine", "--title", "Harbour")
    return kept


def place(kept: Kept) -> Path:
    found = door.place_of(str(kept.root))
    assert found is not None
    return Path(found)


def commits_of(kept: Kept, subject: str) -> int:
    return kept.desk.subjects().count(subject)


def test_after_a_kill_status_says_so_and_the_next_command_goes_on(harbour: Kept) -> None:
    dead = harbour.signal(signal.SIGKILL)
    assert place(harbour).is_socket(), "a killed process takes nothing away"
    assert harbour.json("daemon", "status") is None
    assert "not running" in harbour.vmem("daemon", "status").out
    assert harbour.vmem("daemon", "stop").out == "It is not running.\n"
    said = harbour.vmem("recall", "harbour")
    assert (said.code, said.err) == (0, "")
    assert "The harbour closes at nine" in said.out
    wait_until(lambda: harbour.pid() not in (None, dead))
    assert harbour.found("harbour") == ["notes/harbour.md"]


def test_a_start_after_a_kill_takes_the_place_over(harbour: Kept) -> None:
    for _ in range(3):
        dead = harbour.signal(signal.SIGKILL)
        assert harbour.start() != dead
    assert harbour.found("harbour") == ["notes/harbour.md"]


def test_the_number_of_a_foreign_process_in_our_files_means_nothing(harbour: Kept) -> None:
    with subprocess.Popen(["sleep", "600"]) as foreign:
        try:
            harbour.signal(signal.SIGKILL)
            for name in ("resident", "lock", "commit"):
                (harbour.root / ".vmem" / "local" / name).write_text(f"{foreign.pid}\n")
            assert harbour.json("daemon", "status") is None
            assert harbour.vmem("daemon", "stop").out == "It is not running.\n"
            assert harbour.json("remember", "Ferries sail north")["committed"]
            assert harbour.start() != foreign.pid
            harbour.json("daemon", "stop")
            assert foreign.poll() is None
        finally:
            foreign.kill()


@contextmanager
def silent(where: Path) -> Iterator[list[bytes]]:
    """Somebody listens at that socket, hears, and never says a word."""
    heard: list[bytes] = []
    where.unlink(missing_ok=True)
    where.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(where))
        listener.listen()
        listener.settimeout(0.1)
        over, peers = threading.Event(), []

        def listen() -> None:
            while not over.is_set():
                try:
                    peer, _ = listener.accept()
                except TimeoutError:
                    continue
                peers.append(peer)
                peer.settimeout(1.0)
                try:
                    heard.append(peer.recv(1 << 16))
                except OSError:
                    heard.append(b"")

        thread = threading.Thread(target=listen)
        thread.start()
        try:
            yield heard
        finally:
            over.set()
            thread.join()
            for peer in peers:
                peer.close()
            where.unlink(missing_ok=True)


def test_a_listener_that_never_answers_keeps_nobody(kept: Kept) -> None:
    kept.json("remember", "The harbour closes at nine", "--title", "Harbour", VMEM_RESIDENT="off")
    with silent(place(kept)) as heard:
        said = kept.vmem("recall", "harbour")
        assert said.code == 0
        assert "The harbour closes at nine" in said.out
        assert said.seconds < 20
        assert any(heard)
        # Whoever heard of a memory and said nothing may have written it.
        said = kept.vmem("remember", "Ferries sail north", "--title", "Ferries", "--json")
        assert (said.code, said.value["path"]) == (0, "notes/ferries.md")
        assert said.value["committed"]
        assert kept.desk.names() == ["notes/ferries.md", "notes/harbour.md"]
        # It is nobody's resident, so a real one takes the place.
        kept.start()
        assert kept.found("ferries") == ["notes/ferries.md"]


def test_a_stopped_resident_keeps_nobody_and_writes_nothing_twice_when_it_wakes(harbour: Kept) -> None:
    pid = harbour.signal(signal.SIGSTOP)
    said = harbour.vmem("recall", "harbour")
    assert (said.code, "The harbour closes at nine" in said.out) == (0, True)
    written = harbour.json("remember", "Ferries sail north", "--title", "Ferries")
    assert written["committed"]
    harbour.json("edit", "Harbour", "--text", "The harbour closes at ten")
    state = harbour.vmem("daemon", "status")
    assert "does not answer" in state.out + state.err
    os.kill(pid, signal.SIGCONT)
    wait_until(lambda: harbour.pid() == pid)
    # It finds what it was asked while it slept, and answers nobody.
    wait_until(lambda: harbour.found("ten") == ["notes/harbour.md"])
    assert harbour.found("ferries") == ["notes/ferries.md"]
    assert harbour.desk.names() == ["notes/ferries.md", "notes/harbour.md"]
    assert commits_of(harbour, "remember: Ferries") == 1
    assert harbour.pid() == pid


def test_what_happened_while_it_slept_is_known_when_it_wakes(harbour: Kept) -> None:
    pid = harbour.signal(signal.SIGSTOP)
    fresh = harbour.root / "notes" / "tides.swap"
    fresh.write_text("High water at six\n")
    fresh.rename(harbour.root / "notes" / "tides.md")
    (harbour.root / "notes" / "harbour.md").unlink()
    harbour.desk.git("add", "-A")
    harbour.desk.git("commit", "-qm", "by hand")
    os.kill(pid, signal.SIGCONT)
    wait_until(lambda: harbour.found("water") == ["notes/tides.md"] and harbour.found("nine") == [])
    assert harbour.pid() == pid


def test_starts_at_the_same_instant_make_one_resident(kept: Kept) -> None:
    running = [kept.begin("daemon", "start", "--json") for _ in range(4)]
    said = [one.communicate() for one in running]
    assert [one.returncode for one in running] == [0, 0, 0, 0], said
    pid = kept.pid()
    assert {f'"pid": {pid},' in out for out, _ in said} == {True}
    # The others find that they are not the first, and end.
    wait_until(lambda: _residents(kept.root) == [pid])


def _residents(root: Path) -> list[int]:
    return [int(entry.name) for entry in Path("/proc").glob("[0-9]*") if _keeps(entry, root)]


def _keeps(entry: Path, root: Path) -> bool:
    """Whether a process is a resident of that vault."""
    try:
        words = (entry / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return os.fsencode(root) in words and b"run" in words


def test_a_runtime_folder_too_long_for_a_socket_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with runtime_folder(monkeypatch) as folder:
        long = folder / ("x" * 120)
        long.mkdir(mode=0o700)
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(long))
        with kept_open(new_desk(tmp_path / "vault")) as kept:
            kept.start()
            written = kept.value("remember", text="Ferries sail north", title="Ferries")
            assert written["path"] == "notes/ferries.md"
            assert kept.json("search", "ferries")["hits"][0]["path"] == "notes/ferries.md"
            assert kept.json("daemon", "status")["answers"] is True


def test_a_file_in_the_place_of_the_socket_keeps_nobody(kept: Kept) -> None:
    where = place(kept)
    where.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    where.write_text("no socket\n")
    assert kept.json("remember", "Ferries sail north", "--title", "Ferries")["committed"]
    assert kept.vmem("recall", "ferries").code == 0
    where.unlink()
    assert is_alive(kept.start())
