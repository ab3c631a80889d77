"""docs/filters.md shows what its commands answer, and names every key that compares by its meaning."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.test_docs_json import played
from tests.written import Written
from vault_memory.model.filters.choice import NAMES
from vault_memory.model.filters.known import KNOWN

PAGE = Path(__file__).parent.parent / "docs" / "filters.md"


def first_columns(text: str) -> set[str]:
    """The names in the first column of a table's rows."""
    rows = [row.split("|")[1] for row in text.splitlines() if row.startswith("| `")]
    return {name for row in rows for name in re.findall(r"`(\w+)`", row)}


def test_the_answers_on_the_page_are_the_answers_that_are_given(
    home: Path, monkeypatch: pytest.MonkeyPatch, written: Written
) -> None:
    monkeypatch.chdir(home)
    written.stands_in(PAGE, played(PAGE.read_text(encoding="utf-8"), home))


def test_the_table_of_known_keys_names_all_of_them() -> None:
    table = PAGE.read_text(encoding="utf-8").split("<!-- known -->\n")[1].split("\n\n")[0]
    assert first_columns(table) == set(KNOWN)


def test_every_part_of_a_filter_is_on_the_page() -> None:
    table = PAGE.read_text(encoding="utf-8").split("| option |")[1].split("\n\n")[0]
    second = {name for row in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", row.split("|")[2])}
    assert second == set(NAMES)
