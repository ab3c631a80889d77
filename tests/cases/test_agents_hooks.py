"""A hook never breaks a session: one object or nothing, exit 0, in time, and the cause stands in a log."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.cases.beside_git import Desk, new_desk
from tests.cases.hooked import LOSS, WITHIN, hook, log_of, object_of, prompt, text_of
from tests.cases.residents import Kept, wait_until
from vault_memory.surfaces.hook import guard, limit
from vault_memory.surfaces.resident import door


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = new_desk(tmp_path / "vault")
    made.json("remember", LOSS, "--title", "Stop loss", "--namespace", "market", "--agent", "claude")
    return made


def _is_logged(desk: Desk, cause: str) -> bool:
    return cause in log_of(desk)


def test_a_prompt_gets_its_memories_once_in_any_spelling(desk: Desk) -> None:
    assert LOSS in text_of(hook(desk, "UserPromptSubmit", prompt()))
    assert hook(desk, "user-prompt-submit", prompt()) is None
    assert LOSS in text_of(hook(desk, "BeforeAgent", prompt(session="g"), "--for", "gemini"))
    assert hook(desk, "UserPromptSubmit", prompt("thanks, go on", "t")) is None
    assert hook(desk, "PostToolUse", prompt(session="u")) is None
    assert log_of(desk) == ""


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        (" ", "stdin is empty"),
        ('{"session_id": "s", "prompt": "secretive', "stdin holds no JSON"),
        ('["secretive"]', "stdin holds no JSON object"),
        ("[" * 100_000, "stdin holds no JSON"),
        ("\ufeffnull", "stdin holds no JSON object"),
    ],
)
def test_what_is_no_call_is_logged_without_its_text(desk: Desk, told: str, cause: str) -> None:
    assert hook(desk, "UserPromptSubmit", told) is None
    assert cause in log_of(desk)
    assert "secretive" not in log_of(desk)


def test_values_of_wrong_types_are_no_values(desk: Desk) -> None:
    told = {"session_id": ["s"], "prompt": {"a": 1}, "transcript_path": 7, "cwd": None, "source": []}
    for event in ("SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd", "PreCompact"):
        value = hook(desk, event, told)
        assert (value is not None) == (event == "SessionStart")
    assert log_of(desk).count("the program named no transcript") == 3


def test_megabytes_too_many_are_read_and_not_looked_at(desk: Desk) -> None:
    assert hook(desk, "UserPromptSubmit", json.dumps(prompt("a " * (guard.MOST // 2)))) is None
    assert "stdin holds more than" in log_of(desk) or "took longer" in log_of(desk)


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        (("Nonsense",), "there is no event 'Nonsense'"),
        (("Stop", "and", "more"), "unexpected extra argument"),
        ((), "Missing argument"),
        (("UserPromptSubmit", "--for", "emacs"), "no program 'emacs'"),
        (("UserPromptSubmit", "--what"), "No such option"),
        (("UserPromptSubmit", "--agent"), "requires an argument"),
        (("UserPromptSubmit", "--agent", "../bo"), "can't be an agent's name"),
        (("SessionEnd", "--agent", "../bo"), "can't be an agent's name"),
    ],
)
def test_a_wrong_command_line_breaks_nothing_either(desk: Desk, words: tuple[str, ...], cause: str) -> None:
    patient = {"VMEM_HOOK_SECONDS": "15"}
    assert object_of(desk.process("hook", *words, stdin=json.dumps(prompt()), env=patient)) is None
    assert cause in log_of(desk)


def test_without_a_vault_the_cause_stands_in_the_folder_of_the_user(tmp_path: Path, home: Path) -> None:
    nowhere = Desk(tmp_path / "nowhere")
    for event in ("SessionStart", "UserPromptSubmit", "Stop"):
        assert hook(nowhere, event, prompt()) is None
    log = home / ".local" / "state" / "vault-memory" / "hook.log"
    assert log.read_text(encoding="utf-8").count("no vault in") == 3


def test_a_budget_of_ten_milliseconds_ends_in_silence(desk: Desk) -> None:
    hook(desk, "UserPromptSubmit", prompt(), VMEM_HOOK_SECONDS="0.01")
    for nonsense in ("many", "nan", "-3", "1e999"):
        hook(desk, "PostToolUse", prompt(), VMEM_HOOK_SECONDS=nonsense)
    wait_until(lambda: "took longer than 0.01 s" in log_of(desk))


def test_a_child_that_breaks_down_is_told_of(desk: Desk) -> None:
    """What holds or kills the interpreter itself ends the child, and not the one who answers."""
    told = json.dumps(prompt())
    for dying, cause in (
        ("os.kill(os.getpid(), 11)", "it broke down (signal 11)"),
        ("import re; re.match('(a*)*b', 'a' * 40)", "took longer than 0.3 s"),
    ):
        program = (
            "import os, sys\n"
            "from vault_memory.surfaces.hook import answering, guard\n"
            f"def answered(*_):\n    {dying}\n"
            "answering.answered = answered\n"
            "guard.guarded(['hook', 'UserPromptSubmit', '--vault', sys.argv[1]])"
        )
        done = subprocess.run(
            [sys.executable, "-c", program, str(desk.root)], input=told, capture_output=True, text=True,
            timeout=WITHIN, check=False, env={**os.environ, "VMEM_HOOK_SECONDS": "0.3"},
        )  # fmt: skip
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        wait_until(partial(_is_logged, desk, cause))


def test_a_stdin_that_never_ends_is_not_waited_for(desk: Desk) -> None:
    reading, writing = os.pipe()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "vault_memory", "--vault", str(desk.root), "hook", "UserPromptSubmit"],
            stdin=reading, capture_output=True, timeout=WITHIN, check=False,
            env={**os.environ, "VMEM_HOOK_SECONDS": "0.2"},
        )  # fmt: skip
    finally:
        os.close(reading)
        os.close(writing)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    wait_until(lambda: "took longer than 0.2 s" in log_of(desk))


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-", ">/dev/full"])
def test_closed_and_full_streams_are_no_reason_to_fail(desk: Desk, closed: str) -> None:
    line = f'"{sys.executable}" -m vault_memory hook UserPromptSubmit --vault "$0" {closed}; echo $?'
    done = subprocess.run(
        ["sh", "-c", line, str(desk.root)], input=json.dumps(prompt()), capture_output=True, text=True,
        timeout=WITHIN, check=False,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == "0"
    assert done.stderr == ""


def test_a_reader_that_went_away_is_no_reason_to_fail(desk: Desk) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "vault_memory", "--vault", str(desk.root), "hook", "SessionStart"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as begun:  # fmt: skip
        assert begun.stdin is not None
        assert begun.stdout is not None
        assert begun.stderr is not None
        begun.stdout.close()
        begun.stdin.write(b"{}")
        begun.stdin.close()
        assert begun.wait(WITHIN) == 0
        assert begun.stderr.read() == b""


def _corrupt(root: Path) -> None:
    for file in (root / ".vmem" / "local").glob("index.db*"):
        file.write_bytes(b"this is no database " * 500)


def _without_index(root: Path) -> None:
    shutil.rmtree(root / ".vmem" / "local")


def _faulty_settings(root: Path) -> None:
    (root / ".vmem" / "config.toml").write_text("format = [", encoding="utf-8")


def _newer(root: Path) -> None:
    (root / ".vmem" / "config.toml").write_text("format = 99\n", encoding="utf-8")


def _git_is_gone(root: Path) -> None:
    shutil.rmtree(root / ".git")


@pytest.mark.parametrize("break_it", [_corrupt, _without_index, _faulty_settings, _newer, _git_is_gone])
def test_a_broken_vault_breaks_no_session(desk: Desk, break_it: Callable[[Path], None]) -> None:
    break_it(desk.root)
    said = [hook(desk, event, prompt(), VMEM_HOOK_SECONDS="15") for event in ("SessionStart", "Stop")]
    if break_it in (_faulty_settings, _newer):
        assert said == [None, None]
        assert log_of(desk).count("config.toml") == 2
    else:
        assert LOSS in text_of(said[0])
    assert "NVDA" not in log_of(desk)


def test_a_locked_index_breaks_no_session(desk: Desk) -> None:
    (desk.root / "new.md").write_text("Another note on the NVDA stop loss\n", encoding="utf-8")
    with _exclusively(desk.root / ".vmem" / "local" / "index.db"):
        for event in ("SessionStart", "UserPromptSubmit"):
            hook(desk, event, prompt(), VMEM_HOOK_SECONDS="1")


@contextmanager
def _exclusively(file: Path) -> Iterator[None]:
    with sqlite3.connect(file, isolation_level=None) as holding:
        holding.execute("BEGIN EXCLUSIVE")
        yield
        holding.execute("ROLLBACK")
    holding.close()


def test_the_log_is_bounded(desk: Desk) -> None:
    log = desk.root / ".vmem" / "local" / "hook.log"
    log.write_bytes(b"x" * 200_000)
    hook(desk, "UserPromptSubmit", " ")
    assert log.stat().st_size < 1_000
    assert log.with_name("hook.log.1").stat().st_size == 200_000


def test_a_line_of_the_log_is_one_line_whatever_the_event_is_called(desk: Desk) -> None:
    for words in (["ev\nil\x1b[31m\u202e"], ["Stop", "--for", "ev\nil\x1b[31m\udcff"]):
        assert hook(desk, words[0], {}, *words[1:]) is None
    lines = log_of(desk).splitlines()
    assert len(lines) == 2
    assert all(line.isprintable() and "ev il?[31m?" in line for line in lines)


def test_a_log_that_leads_elsewhere_is_not_followed(desk: Desk, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_bytes(b"")
    (desk.root / ".vmem" / "local" / "hook.log").symlink_to(target)
    assert hook(desk, "UserPromptSubmit", " ") is None
    assert target.read_bytes() == b""


def test_one_setting_switches_all_of_it_off(desk: Desk, tmp_path: Path) -> None:
    transcript = tmp_path / "talk.jsonl"
    transcript.write_text("{}\n", encoding="utf-8")
    told = {**prompt(), "transcript_path": str(transcript)}
    for event in ("SessionStart", "UserPromptSubmit", "SessionEnd"):
        assert hook(desk, event, told, VMEM_HOOKS="false") is None
    assert log_of(desk) == ""
    assert not (desk.root / ".vmem" / "local" / "hook.seen").exists()


@pytest.mark.parametrize(
    ("settings", "variable", "seconds"),
    [
        ("hook_seconds = 0.5\n", "", 0.5),
        ("resident = 'off'\n", "", 2.0),
        ("hook_seconds = 0.5\n", "7", 7.0),
        ("hook_seconds = [", "", 2.0),
        ("hook_seconds = 'many'\n", "many", 2.0),
        ("hook_seconds = true\n", "", 2.0),
        ("hook_seconds = 1e9\n", "", 60.0),
    ],
)
def test_the_limit_is_known_before_settings_are_read(
    home: Path, monkeypatch: pytest.MonkeyPatch, settings: str, variable: str, seconds: float
) -> None:
    file = home / ".config" / "vault-memory" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text(settings, encoding="utf-8")
    monkeypatch.setenv("VMEM_HOOK_SECONDS", variable)
    assert limit.seconds() == seconds


def test_the_resident_answers_and_its_loss_is_not_noticed(kept: Kept) -> None:
    kept.start()
    kept.json("remember", LOSS, "--title", "Stop loss", "--agent", "claude")

    def asked(session: str, **more: str) -> Any:
        return hook(kept.desk, "UserPromptSubmit", prompt(session=session), VMEM_RESIDENT="auto", **more)

    before = kept.json("daemon", "status")["requests"]
    assert LOSS in text_of(asked("a"))
    assert asked("a") is None
    assert kept.json("daemon", "status")["requests"] >= before + 2
    stopped = kept.signal(signal.SIGSTOP)
    try:
        asked("b", VMEM_HOOK_SECONDS="1")
    finally:
        os.kill(stopped, signal.SIGCONT)
    dead = kept.signal(signal.SIGKILL)
    assert LOSS in text_of(asked("c"))
    wait_until(lambda: kept.pid() not in (None, dead))


def test_something_that_babbles_in_the_residents_place_is_not_printed(kept: Kept) -> None:
    place = door.place_of(str(kept.root))
    assert place is not None
    Path(place).parent.mkdir(mode=0o700, exist_ok=True)
    kept.json("remember", LOSS, "--title", "Stop loss", "--agent", "claude")
    with socket.socket(socket.AF_UNIX) as listening:
        Path(place).unlink(missing_ok=True)
        listening.bind(place)
        listening.listen(8)
        threading.Thread(target=_babble, args=(listening,), daemon=True).start()
        value = hook(
            kept.desk, "UserPromptSubmit", prompt(), VMEM_RESIDENT="auto", CI="1", VMEM_HOOK_SECONDS="15"
        )
    Path(place).unlink()
    assert LOSS in text_of(value)


def _babble(listening: socket.socket) -> None:
    while True:
        try:
            peer, _ = listening.accept()
        except OSError:
            return
        with peer:
            peer.sendall(b"half an {object\n")
            time.sleep(0.05)


def test_where_there_is_no_fork_a_thread_answers_and_no_half_object_is_printed(desk: Desk) -> None:
    program = (
        "import os; del os.fork\n"
        "from vault_memory.surfaces.hook.guard import guarded\n"
        "guarded(['hook', *__import__('sys').argv[1:]])"
    )
    words = [sys.executable, "-c", program, "UserPromptSubmit", "--vault", str(desk.root)]

    def run(seconds: str, told: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words, input=told, capture_output=True, text=True, timeout=WITHIN, check=False,
            env={**os.environ, "VMEM_HOOK_SECONDS": seconds},
        )  # fmt: skip

    answer = run("15", json.dumps(prompt()))
    assert (answer.returncode, answer.stderr) == (0, "")
    assert LOSS in text_of(json.loads(answer.stdout))
    late = run("0.001", json.dumps(prompt()))
    assert (late.returncode, late.stdout, late.stderr) == (0, "", "")
    assert "took longer" in log_of(desk)
    assert run("15", "{").returncode == 0
    assert "stdin holds no JSON" in log_of(desk)
