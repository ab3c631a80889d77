"""The person's command is run within limits, and what goes wrong with it is told."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from vault_memory.adapters.distiller import CommandDistiller, command
from vault_memory.errors import DistillerError


def python(code: str) -> str:
    return shlex.join([sys.executable, "-S", "-c", code])


def test_it_is_given_the_conversation_and_its_answer_is_the_answer() -> None:
    upper = "import sys; sys.stdout.write(sys.stdin.read().upper())"
    assert CommandDistiller(python(upper), 20).distil("User: hello") == b"USER: HELLO"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (python("raise SystemExit(3)"), "ended with exit code 3"),
        ("/nowhere/at/all --x", "can't be run: no such file"),
        ("'unfinished", "can't be read: no closing quotation"),
        ("  ", "is empty"),
        (python("import time; time.sleep(60)"), "did not end within 0.2 s and was stopped"),
    ],
)
def test_what_goes_wrong_is_told(words: str, reason: str) -> None:
    with pytest.raises(DistillerError, match=reason):
        CommandDistiller(words, 0.2 if "sleep" in words else 20).distil("User: hello")


def test_no_shell_reads_the_command(tmp_path: Path) -> None:
    file = tmp_path / "made"
    echo = f"{python('import sys; print(sys.argv[1:])')} ; touch {file}"
    assert b"touch" in CommandDistiller(echo, 20).distil("")
    assert not file.exists()


def test_an_answer_without_an_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "MOST_BYTES", 10_000)
    endless = "import sys\nwhile True: sys.stdout.write('x' * 1000)"
    with pytest.raises(DistillerError, match="more than 10,000 bytes"):
        CommandDistiller(python(endless), 20).distil("")
