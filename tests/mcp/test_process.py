"""`vmem mcp` as a process: only protocol on stdout, whatever is broken, and an end when its stdin ends."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters

from tests.gitrun import put_hook, run_git
from tests.mcp.talking import CLIENT, PATIENCE, process
from vault_memory.surfaces.cli.app import main
from vault_memory.surfaces.mcp import serving
from vault_memory.vault import Vault


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A vault with faults, whose hook prints."""
    folder = tmp_path / "memory"
    Vault.create(folder)
    (folder / "faulty.md").write_text("---\ntitle: a: b: c\ntags: [x\n---\nThe lighthouse blinks\n", "utf-8")
    (folder / "bytes.md").write_bytes(b"\xff\xfe lighthouse \x00")
    put_hook(folder / ".git", "post-commit", 'echo "a hook on stdout"\necho "a hook on stderr" >&2')
    return folder


NOISY = {"PYTHONWARNINGS": "default", "PYTHONDEVMODE": "1", "VMEM_DEBUG": "1"}


def test_only_protocol_is_on_stdout_whatever_is_broken(broken: Path) -> None:
    with process("--vault", str(broken), "--agent", "ann", environment=NOISY) as (program, talk):
        talk.greet()
        assert len(talk.ask("tools/list")["result"]["tools"]) == 10
        talk.raw(b"{bad json")
        assert talk.answer(None)["error"]["code"] == -32700
        assert "lighthouse" in talk.well("recall", query="lighthouse")["text"]
        assert "VM" in talk.text("show", ref="faulty.md")
        assert talk.well("remember", text="A hook prints", tags='["hooks"]')["path"]
        assert talk.call("remember", text="x", nonsense=1)["isError"] is True
        number = talk.send("tools/call", name="remember", arguments={"text": "Said last, and saved"})
        [last] = talk.hang_up()
        assert last["id"] == number
        assert program.stderr is not None
        said = program.stderr.read().decode()
        assert program.wait(PATIENCE) == 0
    assert "Traceback" not in said
    files = {file.name for file in broken.glob("private/ann/*.md")}
    assert files == {"a-hook-prints.md", "said-last-and-saved.md"}
    assert run_git(broken, "status", "--porcelain", "--", "private") == ""


def test_the_library_s_own_client_finds_all_and_saves(broken: Path) -> None:
    words = ["-m", "vault_memory", "mcp", "--vault", str(broken), "--agent", "ann"]
    given = StdioServerParameters(command=sys.executable, args=words, env=dict(os.environ))

    async def talk() -> None:
        async with Client(given, read_timeout_seconds=PATIENCE) as client:
            assert len((await client.list_tools()).tools) == 10
            saved = await client.call_tool("remember", {"text": "The lighthouse keeper is called Io"})
            assert saved.is_error is False
            assert saved.structured_content is not None
            found = await client.call_tool("recall", {"query": "lighthouse keeper", "max_tokens": 300})
            assert "called Io" in str(found.content)
            failed = await client.call_tool("show", {"ref": "nothing"})
            assert failed.is_error is True
            read = await client.read_resource("vmem://working-set")
            assert "called Io" in str(read.contents)
            prompt = await client.get_prompt("save-what-we-learned", {})
            assert prompt.messages

    anyio.run(talk)


def test_a_signal_lets_it_finish_and_end(broken: Path) -> None:
    with process("--vault", str(broken)) as (program, talk):
        # Greeted before it has loaded what is heavy; a signal in the midst of that counts too.
        assert talk.ask("initialize", **CLIENT)["result"]
        program.send_signal(signal.SIGTERM)
        assert talk.hang_up() == []
        assert program.wait(PATIENCE) == 0
        assert program.stderr is not None
        assert program.stderr.read() == b""


def test_without_the_extra_it_says_how_to_install_it(
    broken: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serving, "find_spec", lambda name: None)
    assert main(["mcp", "--vault", str(broken)]) == 69
    heard = capsys.readouterr()
    assert heard.out == ""
    assert "pip install 'vault-memory[mcp]'" in heard.err


def test_a_name_that_is_no_agent_s_is_refused_before_anything_is_served(
    broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mcp", "--vault", str(broken), "--agent", "../x"]) != 0
    heard = capsys.readouterr()
    assert heard.out == ""
    assert "../x" in heard.err
