"""The life of a resident: one a vault, told by talking to it, ended cleanly, and never in anybody's way."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from tests.gitrun import run_git
from tests.resident.processes import eventually, log, none_left, running, state, stranger, variables, vmem
from vault_memory.live.alone import is_taken
from vault_memory.model.resident import Silent
from vault_memory.surfaces.resident import door
from vault_memory.surfaces.resident.asking import ask, resident_of
from vault_memory.vault import Vault


def places(root: Path) -> list[Path]:
    return [Path(place) for place in door.places_of(str(root))]


def listens(root: Path) -> bool:
    return any(place.exists() for place in places(root))


def test_it_is_started_shown_and_stopped(root: Path) -> None:
    assert vmem(root, "daemon", "status").out == "resident   not running\n"
    assert vmem(root, "daemon", "status", "--json").value is None
    with none_left(root):
        started = vmem(root, "daemon", "start")
        pid = state(root).pid
        assert started.out == f"Started: process {pid} keeps {root} open.\n"
        again = vmem(root, "daemon", "start")
        assert (again.code, again.out) == (0, f"It runs already: process {pid} keeps {root} open.\n")
        shown = vmem(root, "daemon", "status").out
        assert f"running: process {pid}, vmem " in shown
        assert "watching 1 folder" in shown
        assert vmem(root, "daemon", "status", "--json").value["pid"] == pid
        assert f"resident   running: process {pid}, since " in vmem(root, "status").out
        assert vmem(root, "status", "--json", env={"VMEM_RESIDENT": "off"}).value["resident"]["pid"] == pid
        assert vmem(root, "daemon", "stop").out == "Stopped.\n"
    assert not listens(root)
    assert vmem(root, "daemon", "stop").out == "It is not running.\n"
    assert vmem(root, "status", "--json", env={"VMEM_RESIDENT": "off"}).value["resident"] is None
    said = vmem(root, "daemon", "logs").out.splitlines()
    assert re.fullmatch(rf"[-\d]+ [:\d]+ {pid} began: vmem .*, listening at .*", said[0])
    assert re.fullmatch(rf"[-\d]+ [:\d]+ {pid} ended: it was asked to stop, after \d+ requests", said[-1])
    assert vmem(root, "daemon", "logs", "-n", "1").out.splitlines() == said[-1:]


def test_before_one_has_run_there_is_no_log(root: Path) -> None:
    said = vmem(root, "daemon", "logs")
    assert (said.code, said.out) == (0, "")
    assert said.err.startswith("vmem: no resident has run for this vault yet")


def test_outside_of_a_vault_every_command_says_so(tmp_path: Path) -> None:
    for verb in ("start", "stop", "status", "logs", "run"):
        said = vmem(tmp_path, "daemon", verb)
        assert (said.code, said.err.partition(" at ")[0]) == (3, "vmem: no vault")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_cleanly(root: Path, number: signal.Signals) -> None:
    with running(root, {"VMEM_COMMIT_SECONDS": "60"}) as process:
        answer = ask(
            root, {"do": "call", "verb": "remember", "args": {"text": "Ferries", "title": "Ferry"}}, 30
        )
        assert answer is not None
        assert answer["value"]["committed"] is None  # type: ignore[index]  # it is an object
        process.send_signal(number)
        assert process.wait(60) == 0
    assert not listens(root)
    assert run_git(root, "log", "-1", "--format=%s") == "remember: Ferry"
    assert f"ended: {number.name}" in log(root)


def test_a_killed_one_is_not_running_and_the_next_takes_its_place(root: Path) -> None:
    with running(root) as process:
        process.kill()
        process.wait()
        assert listens(root), "a kill leaves the socket"
    assert resident_of(root) is None
    assert vmem(root, "daemon", "status").out == "resident   not running\n"
    assert vmem(root, "recall", "anything", env={"VMEM_RESIDENT": "off"}).code == 0
    with running(root) as process:
        assert state(root).pid == process.pid


def test_two_starts_at_the_same_instant_make_one(root: Path) -> None:
    with none_left(root):
        with ThreadPoolExecutor(4) as pool:
            done = list(pool.map(lambda _: vmem(root, "daemon", "start", "--json"), range(4)))
        assert [one.code for one in done] == [0] * 4
        assert {one.value["pid"] for one in done} == {state(root).pid}
    assert log(root).count("began:") == 1


def test_a_second_one_in_the_foreground_gives_way(root: Path) -> None:
    with running(root) as first:
        said = vmem(root, "daemon", "run")
        assert (said.code, said.err) == (
            0, f"vmem: another process keeps {root} open already: vmem daemon status shows it\n",
        )  # fmt: skip
        assert state(root).pid == first.pid


def test_a_silent_listener_in_its_place_is_told_and_left_alone(root: Path) -> None:
    place = places(root)[0]
    place.parent.mkdir(mode=0o700, exist_ok=True)
    code = (
        "import socket, sys, time; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen()\n"
        "print('', flush=True); time.sleep(600)"
    )
    with stranger(sys.executable, "-c", code, str(place)) as other:
        assert resident_of(root, 0.2) == Silent(other.pid)
        said = vmem(root, "status", env={"VMEM_RESIDENT": "off"})
        assert f"resident   does not answer (process {other.pid})" in said.out
        stopped = vmem(root, "daemon", "stop", "--json")
        assert (stopped.code, other.poll()) == (1, None)
        assert f"(process {other.pid})" in stopped.err
        recalled = vmem(root, "recall", "anything")
        assert (recalled.code, recalled.out != "") == (0, True)
        with none_left(root):  # no resident holds the vault, so the place is free to be taken
            assert vmem(root, "daemon", "start").code == 0
            assert state(root).pid != other.pid
        assert other.poll() is None


def test_a_stopped_one_is_waited_for_shortly_and_goes_on_when_it_may(root: Path) -> None:
    with running(root) as process:
        process.send_signal(signal.SIGSTOP)
        assert resident_of(root, 0.3) == Silent(process.pid)
        said = vmem(root, "daemon", "start", "--json")
        assert said.code == 1
        assert "does not answer" in said.err
        recalled = vmem(root, "recall", "anything")
        assert recalled.code == 0
        written = vmem(root, "remember", "Ferries sail north", env={"VMEM_RESIDENT": "off"})
        assert (written.code, "committed" in written.out) == (0, True)
        process.send_signal(signal.SIGCONT)
        assert state(root).pid == process.pid
        assert "Ferries sail north" in vmem(root, "recall", "ferries").out


def test_a_process_with_a_number_from_an_old_lock_is_never_signalled(root: Path) -> None:
    with stranger("sh", "-c", "echo; exec sleep 600") as other:
        lock = root / ".vmem" / "local" / "resident"
        lock.write_text(f"{other.pid}\nvmem daemon run\n")
        assert vmem(root, "daemon", "status").out == "resident   not running\n"
        assert vmem(root, "daemon", "stop").out == "It is not running.\n"
        with none_left(root):
            assert vmem(root, "daemon", "start").code == 0
        assert other.poll() is None


def test_it_ends_when_nobody_asks(root: Path) -> None:
    with running(root, {"VMEM_RESIDENT_IDLE_SECONDS": "1"}) as process:
        assert process.wait(60) == 0
    assert "ended: nobody asked for 1 seconds" in log(root)
    assert not listens(root)


def test_it_ends_when_the_vault_is_gone(root: Path) -> None:
    with running(root) as process:
        files = places(root)
        aside = root.with_name("aside")
        root.rename(aside)
        assert process.wait(60) == 0
    assert not any(file.exists() for file in files)
    assert not root.exists(), "the ghost of a vault was made"
    aside.rename(root)
    assert not is_taken(root)


def test_a_deleted_vault_leaves_no_resident(root: Path) -> None:
    with running(root) as process:
        shutil.rmtree(root)
        assert process.wait(60) == 0
    assert not root.exists()


def test_a_newer_vmem_is_left_to_itself_and_the_old_resident_goes(root: Path) -> None:
    with running(root) as process:
        answer = ask(root, {"do": "state", "vmem": "999.0.0"}, 30)
        assert answer is not None
        assert "unfit" in answer
        assert process.wait(60) == 0
    assert "ended: a newer vmem asked" in log(root)


def test_an_older_vmem_is_left_to_itself_and_the_resident_stays(root: Path) -> None:
    with running(root) as process:
        for version in ({"vmem": "0.0.1"}, {"protocol": 0}, {"vmem": None}, {"vmem": "x.y"}):
            answer = ask(root, {"do": "state", **version}, 30)
            assert answer is not None
            assert "unfit" in answer
        assert state(root).pid == process.pid


def test_it_is_found_again_though_its_socket_was_deleted(root: Path) -> None:
    with running(root) as process:
        for place in places(root):
            place.unlink(missing_ok=True)
        assert resident_of(root) is None
        eventually(lambda: resident_of(root) is not None)
        assert state(root).pid == process.pid
    assert "listens again" in log(root)


def test_a_resident_by_a_port_answers_who_knows_its_token(root: Path) -> None:
    code = (
        "import sys, pathlib\n"
        "from vault_memory.surfaces.resident import residing\n"
        "from vault_memory.surfaces.cli.elsewhere import carry_out\n"
        "residing.reside(pathlib.Path(sys.argv[1]), carry_out, by_port=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(root)], env=variables())
    try:
        eventually(lambda: resident_of(root) is not None)
        [file] = [place.with_name(place.name + ".port") for place in places(root)[:1]]
        assert file.stat().st_mode & 0o777 == 0o600
        port, token, _ = file.read_text().split()
        assert state(root).pid == process.pid
        assert vmem(root, "remember", "Ferries sail north", "--title", "Ferries").code == 0
        assert "Ferries sail north" in vmem(root, "recall", "ferries").out
        assert state(root).requests >= 4
        for said in (b"", b"\n", b"wrong\n", token.encode()[:-1] + b"\n", b"x" * 10_000):
            with socket.create_connection(("127.0.0.1", int(port)), 30) as stranger:
                stranger.sendall(said + b'{"do":"state"}\n')
                with suppress(OSError):  # it was hung up on already
                    stranger.shutdown(socket.SHUT_WR)
                assert _all(stranger) == b""
    finally:
        process.terminate()
        assert process.wait(60) == 0
    assert not file.exists()


def _all(peer: socket.socket) -> bytes:
    said = b""
    try:
        while part := peer.recv(1000):
            said += part
    except ConnectionResetError:
        return said
    return said


def test_a_port_that_went_to_another_program_is_told_nothing(root: Path) -> None:
    place = places(root)[0]
    place.parent.mkdir(mode=0o700, exist_ok=True)
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        file = place.with_name(place.name + ".port")
        file.write_text(f"{stranger.getsockname()[1]} token greeting\n")
        stranger.settimeout(30)
        with ThreadPoolExecutor(1) as pool:
            asked = pool.submit(door.connect, str(root), 5.0)
            peer, _ = stranger.accept()
            with peer:
                assert peer.recv(1000) == b"token\n"  # of a resident that is dead, so worth nothing
                peer.sendall(b"what do you want?\n")
                assert asked.result() is None
                assert peer.recv(1000) == b""


@pytest.mark.parametrize("content", ["", "1", "x y z\n", "99999 token greeting\n", "0 a b\n", "-1 a b\n"])
def test_a_broken_file_of_a_port_counts_as_none(root: Path, content: str) -> None:
    place = places(root)[0]
    place.parent.mkdir(mode=0o700, exist_ok=True)
    place.with_name(place.name + ".port").write_text(content)
    assert door.connect(str(root), 1.0) is None


def test_the_log_holds_no_memory_and_no_question(root: Path) -> None:
    with running(root):
        vmem(root, "remember", "Persimmons are ripe in November")
        vmem(root, "recall", "persimmon question")
        ask(root, {"do": "call", "verb": "persimmon", "args": {"persimmon": 1}}, 30)
    assert "persimmon" not in log(root).lower()


def test_it_has_no_terminal_no_streams_and_no_folder_of_its_starter(root: Path) -> None:
    with none_left(root):
        assert vmem(root, "daemon", "start").code == 0
        place = Path(f"/proc/{state(root).pid}")
        if place.exists():
            assert str((place / "cwd").readlink()) == "/"
            assert [str((place / "fd" / one).readlink()) for one in "01"] == ["/dev/null"] * 2
            assert (place / "fd" / "2").readlink() == root / ".vmem" / "local" / "resident.log"
            assert os.getsid(state(root).pid) == state(root).pid


def test_it_starts_by_a_relative_path_to_the_package(root: Path) -> None:
    with none_left(root):
        relative = os.path.relpath(Path(__file__).parents[2], root)
        assert vmem(root, "daemon", "start", env={"PYTHONPATH": relative}).code == 0


def test_a_vault_that_can_have_none_says_why(root: Path) -> None:
    said = vmem(root, "daemon", "start", env={"VMEM_DISK": "network"})
    assert said.code == 1
    assert "network disk" in said.err
    assert "every command works without it" in said.err


def test_two_vaults_have_one_each(root: Path, home: Path) -> None:
    Vault.create(home / "other")
    with running(root) as one, running(home / "other") as two:
        assert (state(root).pid, state(home / "other").pid) == (one.pid, two.pid)
        vmem(home / "other", "remember", "Ferries sail north")
        assert "Ferries" not in vmem(root, "recall", "ferries").out
        assert "Ferries" in vmem(home / "other", "recall", "ferries").out
