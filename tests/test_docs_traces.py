"""docs/traces.md shows sessions that go so, and what it says of the file is true of the file."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from tests.transcripts.session import Console
from tests.written import Written
from vault_memory.config.settings import BY_KEY
from vault_memory.model.uses import DAYS, MOST

FILE = Path(__file__).parent.parent / "docs" / "traces.md"
PAGE = FILE.read_text(encoding="utf-8")
_LONG = " ".join(f"Ferry {number} sails north at nine." for number in range(99))
MEMORIES = (
    'vmem --agent akashi remember "RSI over 70 led to a fall." --title "NVDA RSI" -n market --importance 0.9',
    'vmem remember "Two percent of the book at most." --title "Position sizing" -n market --kind constraint',
    f'vmem remember "{_LONG}" --title Ferry',
)


def test_the_sessions_on_the_page_go_as_it_says(
    home: Path, monkeypatch: pytest.MonkeyPatch, written: Written
) -> None:
    monkeypatch.chdir(home)
    console = Console(home)
    for command in ("vmem init memory", "cd memory", *MEMORIES):
        assert console.type(command).code == 0
    written.stands_in(FILE, console.play_page(PAGE))


def test_the_file_holds_what_the_table_says_and_nothing_else(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    console = Console(home)
    for command in ("vmem init memory", "cd memory", *MEMORIES, "vmem recall marmalade position book"):
        assert console.type(command).code == 0
    file = Path(".vmem/local/uses.db")
    tables = apsw.Connection(str(file))
    columns = {
        (table, row[1])
        for table in ("answers", "memories", "given")
        for row in tables.execute(f"PRAGMA table_info({table})").fetchall()
    }
    assert columns == {
        ("answers", "number"), ("answers", "at"), ("answers", "agent"), ("answers", "door"),
        ("answers", "session"), ("answers", "tokens"), ("answers", "whole"),
        ("memories", "number"), ("memories", "path"), ("memories", "id"), ("memories", "version"),
        ("given", "answer"), ("given", "place"), ("given", "memory"),
    }  # fmt: skip
    content = file.read_bytes()
    assert b"position-sizing.md" in content
    for never in (b"marmalade", b"Two percent", b"Position sizing"):
        assert never not in content


def test_the_switch_and_the_limits_are_those_of_the_page() -> None:
    assert not BY_KEY["traces"].shared
    assert BY_KEY["traces"].default is True
    assert f"older than {DAYS} days" in PAGE
    assert f"the last {MOST:,} answers" in PAGE
