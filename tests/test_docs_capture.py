"""docs/capture.md shows a session that goes so, and its tables are those of the program."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.transcripts.session import Console
from tests.written import Written
from vault_memory.adapters.transcripts import files, reading
from vault_memory.config.settings import BY_KEY
from vault_memory.evaluate.capture.report import by_part, measured
from vault_memory.model.capture.distilled import lessons_of
from vault_memory.model.capture.formats import AUTO, NAMES
from vault_memory.model.capture.lessons import MOST, lessons_in
from vault_memory.model.capture.turn import KIND_OF, Role, Sort, Turn
from vault_memory.model.kinds import captured_days

FILE = Path(__file__).parent.parent / "docs" / "capture.md"
PAGE = FILE.read_text(encoding="utf-8")


def rows(name: str) -> list[list[str]]:
    """The cells of the table between the marks of that name."""
    table = PAGE.partition(f"<!-- {name} -->\n")[2].partition(f"\n<!-- /{name} -->")[0]
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in table.splitlines()[2:]]


def test_the_session_on_the_page_goes_as_it_says(
    home: Path, monkeypatch: pytest.MonkeyPatch, written: Written
) -> None:
    monkeypatch.chdir(home)
    console = Console(home)
    assert console.type("vmem init memory").code == 0
    assert console.type("cd memory").code == 0
    written.stands_in(FILE, console.play_page(PAGE))


def test_the_table_of_sorts_is_what_the_rules_make_of_its_examples() -> None:
    table = rows("sorts")
    assert {row[0] for row in table} == {sort.value for sort in Sort}
    for what, kind, days, example in table:
        [lesson] = lessons_in([Turn(Role.USER, example, 1)]).lessons
        assert lesson.sort == what
        assert kind == f"`{KIND_OF[Sort(what)]}`" == f"`{lesson.kind}`"
        assert days == f"{captured_days(lesson.kind)} days"


def test_the_figures_are_those_that_are_measured() -> None:
    assert rows("figures") == [
        [
            name,
            str(one.transcripts),
            str(one.marked),
            str(one.found),
            f"{one.precision:.2f}",
            f"{one.recall:.2f}",
        ]
        for name, one in by_part(measured()).items()
    ]


def test_the_table_of_forms_names_each() -> None:
    named = re.findall(r"^\| `([a-z-]+)` \| [A-Z`]", PAGE, re.MULTILINE)
    assert [AUTO, *named] == list(NAMES)


def test_the_limits_on_the_page_are_those_of_the_program() -> None:
    assert f"the {MOST} lessons" in PAGE
    assert f"more than {reading.LONGEST_LINE >> 20} MiB" in PAGE
    assert f"reads {reading.MOST_BYTES >> 20} MiB" in PAGE
    assert f"may have {files.LARGEST_DOCUMENT >> 20} MiB" in PAGE
    assert f"`capture_seconds` ({BY_KEY['capture_seconds'].default:g})" in PAGE


def test_the_answer_on_the_page_is_one_that_a_command_may_give() -> None:
    [shown] = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    [lesson] = lessons_of(shown.encode(), turns=1, line=1).lessons
    given = json.loads(shown)
    assert (lesson.text, lesson.title, lesson.kind, list(lesson.tags), lesson.line, lesson.importance) == (
        given["text"], given["title"], given["kind"], given["tags"], given["line"], given["importance"],
    )  # fmt: skip
