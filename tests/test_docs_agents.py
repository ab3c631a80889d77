"""docs/agents.md: its settings for other programs start our server, and its tools are those there are."""

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

from vault_memory.surfaces.cli.app import app
from vault_memory.surfaces.mcp.tools import TOOLS

PAGE = (Path(__file__).parent.parent / "docs" / "agents.md").read_text(encoding="utf-8")

_BLOCK = re.compile(r"^```(json|toml)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_READERS = {"json": json.loads, "toml": tomllib.loads}
_ROW = re.compile(r"^\| `(\w+)` \| (yes|no) \|", re.MULTILINE)


def servers() -> list[dict[str, Any]]:
    """The server that each block of settings names."""
    found = []
    for language, text in _BLOCK.findall(PAGE):
        [servers] = _READERS[language](text).values()
        [(name, server)] = servers.items()
        assert name == "memory"
        found.append(server)
    return found


def command_lines() -> Iterator[list[str]]:
    """The words behind `vmem` wherever the page has another program start us."""
    for server in servers():
        assert server["command"].endswith("/vmem")
        yield server["args"]
    for line in re.findall(r"-- (vmem mcp [^`\n]*)", PAGE):
        yield shlex.split(line)[1:]


def test_there_are_settings_for_each_program() -> None:
    assert len(list(command_lines())) == 5
    for program in ("Claude Code", "Claude Desktop", "Cursor", "VS Code", "Codex", "Gemini CLI"):
        assert f"**{program}**" in PAGE


@pytest.mark.parametrize("words", list(command_lines()), ids=" ".join)
def test_each_of_them_is_a_call_that_the_command_takes(words: list[str]) -> None:
    name, *rest = words
    assert name == "mcp"
    command = typer.main.get_command(app).get_command(None, "mcp")  # type: ignore[attr-defined]  # a group
    context = command.make_context("mcp", list(rest), resilient_parsing=False)
    assert str(context.params["vault"]).endswith("memory")
    assert context.params["agent"]


def test_the_table_of_tools_names_each_and_says_whether_it_reads() -> None:
    assert dict(_ROW.findall(PAGE)) == {name: "yes" if tool.reads else "no" for name, tool in TOOLS.items()}
