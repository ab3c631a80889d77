"""docs/json.md shows what `--json` answers, word for word, and its tables name every key."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.transcripts.session import Console, entries
from tests.written import Written

PAGE = Path(__file__).parent.parent / "docs" / "json.md"

_BLOCK = re.compile(r"(?<=```console\n).*?(?=^```$)", re.DOTALL | re.MULTILINE)
_TABLE = re.compile(r"<!-- keys: (?P<of>[^\n]+) -->\n\| key \|[^\n]*\n\|[-|]+\|\n(?P<rows>(?:\|[^\n]*\n)+)")
_ASKED = re.compile(
    r"\bvmem (?:stats --(?=uses)|agents --(?=denied)|capture --review --(?=keep))?(?P<name>[a-z]+)\b.*--json"
)


def played(page: str, home: Path) -> str:
    """The page with the answers that its sessions give now."""
    console = Console(home)
    return _BLOCK.sub(lambda block: console.play(block[0]), page)


@cache
def answers() -> dict[str, Any]:
    """The last JSON answer of each command on the page; an error's is called `error`."""
    found: dict[str, Any] = {}
    for block in _BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        for [command, *_], said in zip(entries(block), spoken(block), strict=True):
            asked = _ASKED.search(command)
            if asked and said:
                found["error" if said.startswith('{\n  "error"') else asked["name"]] = json.loads(said)
    return found


def spoken(block: str) -> Iterator[str]:
    """What each command of a block answered: on stdout, or on stderr where that is all there is."""
    for command in re.split(r"^(?=\$ )", block, flags=re.MULTILINE)[1:]:
        lines = [line for line in command.splitlines() if not line.startswith(("$ ", "> ", "(exit"))]
        out = [line for line in lines if not line.startswith("2> ")]
        yield "\n".join(out or [line.removeprefix("2> ") for line in lines])


def at(path: str) -> dict[str, Any]:
    """The object that `recall.memories[].parts` names in the answers."""
    name, *steps = path.replace("[]", ".[]").split(".")
    value = answers()[name]
    for step in steps:
        assert value, f"nothing to see at {path}"
        value = value[0] if step == "[]" else value[step]
    assert isinstance(value, dict)
    return value


def tables() -> list[tuple[str, set[str]]]:
    """Each table's name with the keys in its first column."""
    return [
        (
            table["of"],
            {key for row in table["rows"].splitlines() for key in re.findall(r"`(\w+)`", row.split("|")[1])},
        )
        for table in _TABLE.finditer(PAGE.read_text(encoding="utf-8"))
    ]


def test_the_answers_on_the_page_are_the_answers_that_are_given(
    home: Path, monkeypatch: pytest.MonkeyPatch, written: Written
) -> None:
    monkeypatch.chdir(home)
    written.stands_in(PAGE, played(PAGE.read_text(encoding="utf-8"), home))


@pytest.mark.parametrize(("of", "keys"), tables(), ids=lambda value: value if isinstance(value, str) else "")
def test_a_table_names_every_key_of_its_object_and_no_other(of: str, keys: set[str]) -> None:
    whole, _, without = of.partition(" - ")
    shown = set(at(whole)) - (set(at(without)) if without else set())
    assert keys == shown


def test_every_command_that_answers_in_json_is_on_the_page() -> None:
    assert set(answers()) == {
        "init", "remember", "undo", "recall", "search", "show", "list", "log", "status", "reindex", "doctor",
        "lint", "gc", "links", "link", "move", "tags", "topics", "timeline", "stats", "uses", "diff",
        "config", "check", "embedder", "daemon", "flush", "install", "error", "sync", "propose", "review",
        "bisect", "blame", "revert", "dedupe", "capture", "keep", "changes", "agents", "denied",
    }  # fmt: skip


def test_every_write_answers_in_the_same_form(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    console = Console(home)
    console.type("vmem init memory")
    console.type("cd memory")
    keys = set(at("remember"))
    for command in (
        "remember text --title T", "edit T --importance 0.4", "forget T", "restore T", "undo",
        "remember x --dry-run",
    ):  # fmt: skip
        value = json.loads(console.type(f"vmem {command} --json").out)
        [one] = value if command == "undo" else [value]
        assert set(one) == keys, command
