"""What the fast path does with what it hears: prints it as it is, or leaves the call to the command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.resident.answering import Peer, Script, answering, line, read, saying
from vault_memory import __version__
from vault_memory.surfaces.cli import app
from vault_memory.surfaces.resident import door, quick


@pytest.fixture(autouse=True)
def _none_begins(home: Path) -> None:
    """A command that had to do its work itself begins no resident by this machine's own settings, which the
    fast path does not read."""
    place = home / ".config" / "vault-memory" / "config.toml"
    place.parent.mkdir(parents=True)
    place.write_text('resident = "off"\n', encoding="utf-8")


class Ends(quick.Ends):
    """Streams in memory."""

    def __init__(self, stdin: bytes = b"", *, terminals: tuple[int, ...] = ()) -> None:
        self.stdin, self.terminals = stdin, terminals
        self.written: list[tuple[int, bytes]] = []
        self.read_times = 0

    def is_terminal(self, number: int) -> bool:
        return number in self.terminals

    def read(self) -> bytes:
        self.read_times += 1
        return self.stdin

    def write(self, number: int, content: bytes) -> None:
        self.written.append((number, content))


def test_what_the_resident_says_is_printed_and_its_exit_code_given(root: Path) -> None:
    ends = Ends()
    with answering(root, saying((1, "one\n"), (2, "vmem: careful\n"), (1, "two\n"), code=4)):
        assert quick.answered(["recall", "x"], ends) == 4
    assert ends.written == [(2, b"vmem: careful\n"), (1, b"one\n"), (1, b"two\n")]


def test_on_a_terminal_both_streams_come_in_the_order_of_their_writing(root: Path) -> None:
    ends = Ends(terminals=(0, 1, 2))
    with answering(root, saying((1, "one\n"), (2, "vmem: careful\n"), (1, "two\n"))):
        assert quick.answered(["recall", "x"], ends) == 0
    assert [number for number, _ in ends.written] == [1, 2, 1]


def test_the_request_holds_all_that_decides_an_answer(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VMEM_RECALL_TOKENS", '5"0\n')
    monkeypatch.setenv("COLUMNS", "57")
    with answering(root, saying()) as requests:
        assert quick.answered(["recall", "né \udcff \U0001f600\t", "-k"], Ends()) is None
        assert quick.answered(["recall", "né \udcff \U0001f600\t"], Ends(terminals=(1,))) == 0
    [request] = requests
    assert request == {
        "vmem": __version__,
        "protocol": door.PROTOCOL,
        "do": "run",
        "argv": ["recall", "né \udcff \U0001f600\t"],
        "folder": str(root),
        "given": {
            "HOME": os.environ["HOME"],
            "XDG_CONFIG_HOME": os.environ["XDG_CONFIG_HOME"],
            "VMEM_RECALL_TOKENS": '5"0\n',
        },
        "terminal": {"stdin": False, "stdout": True, "stderr": False, "columns": 57},
    }


def test_a_write_says_its_mask_and_wants_to_know_that_it_was_heard(root: Path) -> None:
    mask = os.umask(0o027)
    try:
        with answering(root, saying()) as requests:
            assert quick.answered(["remember", "x"], Ends()) == 0
        assert os.umask(0o027) == 0o027
    finally:
        os.umask(mask)
    assert (requests[0]["umask"], requests[0]["tell"]) == (0o027, True)


def test_any_byte_comes_through(root: Path) -> None:
    every = bytes(range(256)) + "né 重启 \U0001f600".encode()
    ends = Ends()
    with answering(root, saying((1, every.decode("utf-8", "surrogateescape")))):
        assert quick.answered(["show", "x"], ends) == 0
    assert ends.written == [(1, every)]


def test_stdin_is_read_when_it_is_asked_for(root: Path) -> None:
    def script(peer: Peer, request: dict[str, object]) -> None:
        peer.sendall(line({"want": "stdin"}))
        text = read(peer)["stdin"]
        assert isinstance(text, str)
        peer.sendall(line({"said": [[1, text]], "exit": 0}))

    ends = Ends(stdin=b"a\xffb\r\n\0")
    with answering(root, script):
        assert quick.answered(["remember", "-"], ends) == 0
        assert (ends.read_times, ends.written) == (1, [(1, b"a\xffb\r\n\0")])
        assert quick.answered(["recall", "-"], ends) == 0


def test_what_was_read_of_stdin_is_read_again_by_the_command_line(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(peer: Peer, request: dict[str, object]) -> None:
        peer.sendall(line({"want": "stdin"}))
        read(peer)

    with answering(root, script):
        done = vmem(["remember", "-"], stdin=b"kept \xc3\xa9\n")
    assert (done.returncode, done.stderr) == (0, b"")
    assert (root / "notes/kept-é.md").read_text(encoding="utf-8").endswith("\nkept é\n")


def test_a_write_that_was_heard_is_waited_for_and_a_question_is_not(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quick, "READING", 0.2)
    over = threading.Event()

    def heard(peer: Peer, request: dict[str, object]) -> None:
        peer.sendall(line({"heard": True}))
        time.sleep(0.6)  # longer than a question waits
        peer.sendall(line({"said": [], "exit": 0}))

    def at_once(peer: Peer, request: dict[str, object]) -> None:
        peer.sendall(line({"heard": True}) + line({"said": [], "exit": 3}))

    def silent(peer: Peer, request: dict[str, object]) -> None:
        over.wait(60)

    with answering(root, heard):
        assert quick.answered(["remember", "x"], Ends()) == 0
    with answering(root, at_once):
        assert quick.answered(["remember", "x"], Ends()) == 3
    with answering(root, silent):
        assert quick.answered(["recall", "x"], Ends()) is None
        over.set()
    over.clear()
    with answering(root, silent):
        assert quick.answered(["remember", "x"], Ends()) == quick.UNSURE
        over.set()


def test_a_write_that_its_resident_died_of_is_done_once(root: Path) -> None:
    def dies(peer: Peer, request: dict[str, object]) -> None:
        peer.sendall(line({"heard": True}))
        (root / "notes").mkdir()
        # As far as a resident may come: the file is there, the index does not know, nothing is said.
        (root / "notes/half-done.md").write_text("---\ntitle: Half done\n---\nHalf done\n", encoding="utf-8")

    with answering(root, dies):
        done = vmem(["remember", "Half done", "--json"])
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["known"] is True
    assert [file.name for file in root.rglob("*.md")] == ["half-done.md"]


@pytest.mark.parametrize(
    "answer",
    [
        b"", b"\n", b"{}\n", b"no\n", b"[1]\n", b'{"unfit":"another version"}\n',
        b'{"error":{"message":"a bug"}}\n', b'{"said":[]}\n', b"\xff\n",
        b'{"said":"x","exit":0}\n', b'{"said":[[1,"x"]],"exit":null}\n', b'{"said":[[1,"x"]],"ex',
        b'{"said":[7],"exit":0}\n', b'{"said":[["x",1]],"exit":0}\n', b'{"said":[[3,"x"]],"exit":0}\n',
        b'{"said":[],"exit":true}\n', b'{"want":"money"}\n', b'{"heard":true}\n',
    ],
)  # fmt: skip
def test_nothing_is_printed_of_what_is_no_answer(answer: bytes, root: Path) -> None:
    ends = Ends()
    with answering(root, lambda peer, _: peer.sendall(answer)):
        assert quick.answered(["recall", "x"], ends) is None
        nothing_done = None if b"unfit" in answer else quick.UNSURE
        assert quick.answered(["remember", "x"], ends) == nothing_done
    assert ends.written == []


@pytest.mark.parametrize(
    ("argv", "variable"),
    [
        (["recall", "x"], ("VMEM_RESIDENT", "off")),
        (["recall", "x"], ("VMEM_RESIDENT", "never heard of")),
        (["recall", "x"], ("VMEM_DEBUG", "1")),
        (["recall", "x"], ("_VMEM_COMPLETE", "complete_bash")),
        (["recall", "x"], ("VMEM_VAULT", "/nowhere/at/all")),
        (["remember", "x"], ("GIT_DIR", "elsewhere")),
        (["remember", "x"], ("GIT_INDEX_FILE", "next-index-7.lock")),
        (["remember", "x"], ("GIT_AUTHOR_NAME", "Ann")),
        (["remember"], ("X", "")),
    ],
)
def test_a_call_that_is_not_for_the_resident_never_reaches_it(
    argv: list[str], variable: tuple[str, str], root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(*variable)
    with answering(root, saying()) as requests:
        assert quick.answered(argv, Ends()) is None
    assert requests == []


@pytest.mark.parametrize("name", ["GIT_EDITOR", "GIT_ASKPASS", "GIT_TERMINAL_PROMPT", "GIT_PAGER"])
def test_how_git_asks_or_shows_keeps_no_write_from_the_resident(
    name: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "true")
    with answering(root, saying()):
        assert quick.answered(["remember", "x"], Ends()) == 0


def test_many_memories_on_a_terminal_get_their_bar(root: Path) -> None:
    with answering(root, saying()) as requests:
        assert quick.answered(["remember", "--stdin-jsonl"], Ends(terminals=(1, 2))) is None
        assert quick.answered(["remember", "--stdin-jsonl"], Ends(terminals=(1,))) == 0
    assert len(requests) == 1


def test_without_a_resident_nobody_answers(root: Path) -> None:
    assert quick.answered(["recall", "x"], Ends()) is None
    with answering(root, saying()):
        pass
    assert quick.answered(["recall", "x"], Ends()) is None


# A whole process


def vmem(argv: list[str], stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "vault_memory", *argv],
        input=stdin,
        capture_output=True,
        check=False,
        timeout=60,
    )


def shell(script: str) -> subprocess.CompletedProcess[str]:
    """A script in which `$vmem` is a real one."""
    environment = os.environ | {"vmem": f"{sys.executable} -m vault_memory"}
    return subprocess.run(
        ["bash", "-c", script], env=environment, capture_output=True, text=True, check=False, timeout=60
    )


LONG = saying((1, "x" * 100 + "\n"), (1, ("y" * 100 + "\n") * 20_000))


def test_a_reader_that_has_enough_is_no_fault(root: Path) -> None:
    with answering(root, LONG):
        done = shell('$vmem recall x | head -1; echo "${PIPESTATUS[0]}"')
    assert (done.stdout, done.stderr) == ("x" * 100 + "\n0\n", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
@pytest.mark.parametrize("form", ["", "--json"])
def test_an_answer_that_cannot_be_delivered_is_the_same_failure(form: str, root: Path) -> None:
    with answering(root, LONG):
        quickly = shell(f"$vmem list {form} >/dev/full")
    in_full = shell(f"$vmem list {form} >/dev/full")
    assert (quickly.returncode, quickly.stderr) == (in_full.returncode, in_full.stderr)
    assert quickly.returncode == 74
    if form:
        assert json.loads(quickly.stderr)["error"]["exit_code"] == 74


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_process_with_a_closed_stream_does_its_work_itself(closed: str, root: Path) -> None:
    with answering(root, saying()) as requests:
        done = shell(f"$vmem remember 'nobody listens' {closed}")
    assert (done.returncode, requests) == (0, [])
    assert (root / "notes/nobody-listens.md").exists()


@pytest.mark.parametrize("locale", ["C", "POSIX", "en_US.ISO-8859-1"])
def test_no_locale_changes_a_byte(locale: str, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", locale)
    with answering(root, saying((1, "né \udcff\n"), (2, "重启\n"))) as requests:
        done = vmem(["recall", "né \udcff"])
    assert (done.stdout, done.stderr) == (b"n\xc3\xa9 \xff\n", "重启\n".encode())
    assert requests[0]["argv"] == ["recall", "né \udcff"]


def interrupted_once(asked: threading.Event) -> Script:
    def script(peer: Peer, request: dict[str, object]) -> None:
        asked.set()
        peer.recv(1)  # until the caller goes away

    return script


def test_an_interrupted_call_says_so(root: Path) -> None:
    asked = threading.Event()
    with answering(root, interrupted_once(asked)):
        process = subprocess.Popen(
            [sys.executable, "-m", "vault_memory", "recall", "x"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert asked.wait(60)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", quick.INTERRUPTION)
    assert quick.INTERRUPTION.decode() == f"vmem: {app.INTERRUPTION}\n"
    assert quick.INTERRUPTED == app.INTERRUPTED
