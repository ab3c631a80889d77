"""docs/agents.md: its settings for other programs are what `vmem install` writes, and start our server; its
tools are those there are."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from tests.cases.doors import Case
from tests.transcripts.session import Console
from tests.written import Written
from vault_memory.model.clients.table import CLIENTS
from vault_memory.surfaces.cli.app import app
from vault_memory.surfaces.cli.installers import clients
from vault_memory.surfaces.mcp.tools import TOOLS
from vault_memory.vault import Vault

FILE = Path(__file__).parent.parent / "docs" / "agents.md"
PAGE = FILE.read_text(encoding="utf-8")

_BLOCK = re.compile(r"^```(json|toml)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_CONSOLE = re.compile(r"^```console\n(\$ vmem install .*?)^```$", re.DOTALL | re.MULTILINE)
_NOT_ON_THE_PAGE = (
    "vmem init memory",
    "cd memory",
    "git config user.name Ann",
    'vmem --agent akashi remember "200 at most" --title "Pool size" -n ops',
    'vmem --agent bo remember "Bo is on call" --title "On-call rota" -n ops',
    'vmem --agent bo remember "It needs two hours" --title Dump -n ops',
    "vmem --agent akashi changes --seen",
    'vmem move "Pool size" shared/db/',
    'vmem --agent bo edit "On-call rota" --text "Akashi is on call"',
    'vmem edit "On-call rota" --importance 0.9',
    "vmem --agent bo forget Dump",
    r"mkdir notes && printf -- '---\ntitle: Please review\nnotify: akashi\n---\n?\n' >notes/please-review.md",
)
_INSTALLED = {"claude": 1, "claude-desktop": 2, "vscode-mcp": 3, "codex": 4}
"""Which block shows what `vmem install` writes for a program, counted from 1."""
_VMEM, _VAULT = "/home/ann/.local/bin/vmem", "/home/ann/memory"
_READERS = {"json": json.loads, "toml": tomllib.loads}
_ROW = re.compile(r"^\| `(\w+)` \| (yes|no) \|", re.MULTILINE)


def servers() -> list[dict[str, Any]]:
    """The server that each block of settings names."""
    found = []
    for value in blocks():
        [(key, named)] = value.items()
        if key != "hooks":
            [(name, server)] = named.items()
            assert name == "memory"
            found.append(server)
    return found


def blocks() -> list[dict[str, Any]]:
    """What each block of settings says."""
    return [_READERS[language](text) for language, text in _BLOCK.findall(PAGE)]


def command_lines() -> Iterator[list[str]]:
    """The words behind `vmem` wherever the page has another program start us."""
    for server in servers():
        assert server["command"].endswith("/vmem")
        yield server["args"]
    for line in re.findall(r"-- (\S*vmem mcp [^`\n]*)", PAGE):
        yield shlex.split(line)[1:]


def test_there_are_settings_for_each_program() -> None:
    assert len(list(command_lines())) == 6
    for program in ("Claude Code", "Claude Desktop", "Cursor", "VS Code", "Codex", "Gemini CLI"):
        assert f"**{program}**" in PAGE


@pytest.mark.parametrize("words", list(command_lines()))
def test_each_of_them_is_a_call_that_the_command_takes(words: list[str]) -> None:
    name, *rest = words
    assert name == "mcp"
    command = typer.main.get_command(app).get_command(None, "mcp")  # type: ignore[attr-defined]  # a group
    context = command.make_context("mcp", list(rest), resilient_parsing=False)
    assert str(context.params["vault"]).endswith("memory")
    assert context.params["agent"]


@pytest.fixture
def vault(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A vault in the home; vmem lies where the page has it."""
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(clients, "ourselves_anywhere", lambda: (_VMEM,))
    monkeypatch.chdir(home)
    Vault.create(home / "memory")
    return home / "memory"


def installed(vault: Path, *words: str) -> dict[str, Any]:
    """What each file gets by `vmem install`, as the page would say it."""
    said = Case(vault).vmem("install", *words, "--print", "--json").value
    return {
        str(Path(one["path"]).relative_to(vault.parent)): _READERS[
            "toml" if one["path"].endswith(".toml") else "json"
        ](one["by_hand"].replace(str(vault), _VAULT))
        for one in said["files"]
    }


@pytest.mark.parametrize(("program", "number"), _INSTALLED.items())
def test_a_block_is_what_is_written_for_that_program(vault: Path, program: str, number: int) -> None:
    [written] = installed(vault, program).values()
    assert written == blocks()[number - 1]


@pytest.mark.parametrize("program", ["cursor", "gemini"])
def test_cursor_and_gemini_take_the_block_that_is_shown_for_all(vault: Path, program: str) -> None:
    [written] = installed(vault, program, "--agent", "claude").values()
    assert written == blocks()[_INSTALLED["claude-desktop"] - 1]


def test_the_hook_on_the_page_is_the_first_of_those_that_are_written(vault: Path) -> None:
    written = installed(vault, "claude-code")[".claude/settings.json"]["hooks"]
    shown = blocks()[-1]["hooks"]
    assert shown == {"SessionStart": written["SessionStart"]}
    told = PAGE.partition("Claude Code then has this in its settings, at ")[2].partition(", each with")[0]
    assert re.findall(r"`(\w+)`", told) == list(written)


def test_the_table_of_files_names_those_that_are_written(vault: Path, tmp_path: Path) -> None:
    rows = re.findall(
        r"^\| `vmem install ([\w-]+)`(?:, `[\w-]+`)? \| (.*) \| (.*) \| (.*) \|$", PAGE, re.MULTILINE
    )
    assert {name for name, *_ in rows} | {"claude-code"} == set(CLIENTS)
    for name, for_all, of_project, hooks in rows:
        with_hooks = [] if hooks == "–" else ["--hooks"]
        written = installed(vault, name, *with_hooks)
        assert Path(re.findall(r"`(?:~/)?([^`]+)`", for_all)[0]).name == Path(next(iter(written))).name
        if for_all.startswith("`~/"):
            assert {f"~/{one}" for one in written} == set(re.findall(r"`(~/[^`]+)`", for_all + hooks))
        if of_project != "–":
            case = Case(vault).vmem(
                "install", name, *with_hooks, "--project", str(tmp_path), "--print", "--json"
            )
            files = {str(Path(one["path"]).relative_to(tmp_path)) for one in case.value["files"]}
            assert files == set(re.findall(r"`(\.[^`]+)`", of_project + hooks))


def test_the_session_on_the_page_is_what_is_answered(vault: Path) -> None:
    [session] = _CONSOLE.findall(PAGE)
    assert Console(vault.parent).play(session.replace("vmem install", "vmem --vault memory install")) == (
        session.replace("vmem install claude\n", "vmem --vault memory install claude\n")
    )


def test_the_sessions_of_several_agents_go_as_the_page_says(
    home: Path, monkeypatch: pytest.MonkeyPatch, written: Written
) -> None:
    """In the first of the two, what the page leaves out is done before."""
    before, title, rest = PAGE.partition("\n## What changed\n")
    changed, notices, rest = rest.partition("### Notices to an agent")
    between, two, agents = rest.partition("\n## Two agents in one vault\n")
    console = beginning_in(home / "one", monkeypatch)
    for command in _NOT_ON_THE_PAGE:
        said = console.type(command)
        assert said.code == 0, (command, said.err)
    changed = console.play_page(changed)
    console = beginning_in(home / "other", monkeypatch)
    agents = console.play_page(agents)
    written.stands_in(FILE, f"{before}{title}{changed}{notices}{between}{two}{agents}")


def beginning_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Console:
    """A console in a new folder."""
    folder.mkdir()
    monkeypatch.chdir(folder)
    return Console(folder)


def test_the_table_of_tools_names_each_and_says_whether_it_reads() -> None:
    assert dict(_ROW.findall(PAGE)) == {name: "yes" if tool.reads else "no" for name, tool in TOOLS.items()}
