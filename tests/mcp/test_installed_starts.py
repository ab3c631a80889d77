"""What `vmem install` writes is what starts: a server that answers, and hooks that bring what is known."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.cases.doors import Case
from tests.mcp.talking import PATIENCE, Talk
from vault_memory.vault import Vault

START = json.dumps({"session_id": "s1", "conversation_id": "s1", "source": "startup", "cwd": "/"})


@pytest.fixture
def case(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Case:
    """A vault in a folder with an awkward name, with one memory that is pinned."""
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("VMEM_RESIDENT", "off")
    root = tmp_path / 'Ann\'s "own" mémoire'
    Vault.create(root)
    case = Case(root)
    case.write("notes/lamp.md", "---\ntitle: The lamp\npinned: true\n---\nThe lamp blinks twice a minute.\n")
    return case


@pytest.mark.parametrize(
    ("program", "file", "key"),
    [("claude", ".claude.json", "mcpServers"), ("codex", ".codex/config.toml", "mcp_servers")],
)
def test_the_server_in_the_settings_starts_and_answers(
    case: Case, home: Path, program: str, file: str, key: str
) -> None:
    assert case.vmem("install", program, "--read-only").code == 0
    text = (home / file).read_text(encoding="utf-8")
    read: Any = tomllib.loads if file.endswith(".toml") else json.loads
    server = read(text)[key]["memory"]
    with _started([server["command"], *server["args"]]) as started:
        assert started.stdin is not None
        assert started.stdout is not None
        talk = Talk(os.dup(started.stdin.fileno()), os.dup(started.stdout.fileno()))
        started.stdin.close()
        started.stdout.close()
        talk.greet()
        names = {tool["name"] for tool in talk.ask("tools/list")["result"]["tools"]}
        assert "recall" in names
        assert "remember" not in names
        assert "twice a minute" in talk.well("recall", query="lamp")["text"]
        talk.hang_up()
        assert started.wait(PATIENCE) == 0


def _started(words: Sequence[str]) -> subprocess.Popen[bytes]:
    """As a program with windows starts it: with a PATH on which vmem does not lie, and from no project."""
    return subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        cwd="/", env={**os.environ, "PATH": "/usr/bin:/bin"},
    )  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of this system runs the line")
@pytest.mark.parametrize(
    ("program", "file", "event"),
    [
        ("claude-code", ".claude/settings.json", "SessionStart"),
        ("codex", ".codex/hooks.json", "SessionStart"),
        ("cursor", ".cursor/hooks.json", "sessionStart"),
        ("gemini", ".gemini/settings.json", "SessionStart"),
    ],
)
def test_the_hook_in_the_settings_brings_what_is_pinned(
    case: Case, home: Path, program: str, file: str, event: str
) -> None:
    assert case.vmem("install", program, "--hooks").code == 0
    [group] = json.loads((home / file).read_text(encoding="utf-8"))["hooks"][event]
    [hook] = [group] if program == "cursor" else group["hooks"]
    ran = subprocess.run(
        ["/bin/sh", "-c", hook["command"]], input=START.encode(), capture_output=True, timeout=PATIENCE,
        check=False, cwd="/", env={**os.environ, "PATH": "/usr/bin:/bin", "VMEM_HOOK_SECONDS": "30"},
    )  # fmt: skip
    assert ran.returncode == 0
    said = json.loads(ran.stdout)
    assert "The lamp" in json.dumps(said)
