"""docs/agent-hooks.md: its blocks run hooks that exist, by the programs' own names; its tables are true."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from vault_memory.config.hooksettings import HOOK_SETTINGS
from vault_memory.model.agenthook import CALLERS, Event, caller_named, event_named
from vault_memory.model.tomlwords import toml
from vault_memory.surfaces.cli.app import app
from vault_memory.surfaces.hook.words import words_of

PAGE = (Path(__file__).parent.parent / "docs" / "agent-hooks.md").read_text(encoding="utf-8")
BLOCKS = [json.loads(text) for text in re.findall(r"^```json\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)]
_ROW = re.compile(r"^\| `(\w+)` \| ([^|]+) \|", re.MULTILINE)


def commands(value: Any) -> Iterator[str]:
    """Every command in a block."""
    if isinstance(value, dict):
        for key, one in value.items():
            if key == "command":
                yield one
            else:
                yield from commands(one)
    elif isinstance(value, list):
        for one in value:
            yield from commands(one)


def lines() -> list[tuple[str, list[str]]]:
    """(the event that a program runs it at, the words of the command)."""
    return [
        (event, shlex.split(line))
        for block in BLOCKS
        for event, given in block["hooks"].items()
        for line in commands(given)
    ]


def test_there_is_a_block_for_each_program() -> None:
    programs = [words_of(words[1:]) for _, words in lines()]
    assert list(dict.fromkeys(one.caller for one in programs if one is not None)) == list(CALLERS)
    assert len(BLOCKS) == len(CALLERS)


@pytest.mark.parametrize(("event", "words"), lines(), ids=lambda value: str(value)[:60])
def test_each_command_is_one_that_the_program_may_run(event: str, words: list[str]) -> None:
    name, verb, *rest = words
    assert (name, verb) == ("vmem", "hook")
    command = typer.main.get_command(app).get_command(None, "hook")  # type: ignore[attr-defined]  # a group
    given = command.make_context("hook", list(rest), resilient_parsing=False).params
    client = caller_named(given["program"])
    assert event == given["event"]
    assert client.events[event] is event_named(event)
    assert given["agent"]
    assert str(given["vault"]).endswith("memory")
    quick = words_of(words[1:])
    assert quick is not None
    assert (quick.event, quick.caller, quick.agent) == (event, client.name, given["agent"])


def test_each_program_has_its_hooks_but_for_those_that_do_nothing() -> None:
    for client, block in zip(CALLERS.values(), BLOCKS, strict=True):
        events = {client.events[name] for name in block["hooks"]}
        assert Event.POST_TOOL_USE not in events
        assert client.injects <= events
        assert events & {Event.STOP, Event.SESSION_END}


def test_the_table_of_settings_has_all_of_them_with_their_defaults() -> None:
    table = PAGE[PAGE.index("## Settings") :]
    shown = {key: default.strip().replace(",", "") for key, default in _ROW.findall(table)}
    assert shown == {row.key: toml(row.default) for row in HOOK_SETTINGS}


def test_the_table_of_events_has_all_of_them() -> None:
    table = PAGE[: PAGE.index("## Setup")]
    assert all(f"`{event}`" in table for event in Event)
