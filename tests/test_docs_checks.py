"""docs/checks.md shows a session that goes so and files that are read, and names every key there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from tests.transcripts.session import Console
from tests.written import Written
from vault_memory.model.filters.choice import NAMES
from vault_memory.model.recallcheck.read import KEYS, read_checks

ROOT = Path(__file__).parent.parent
FILE = ROOT / "docs" / "checks.md"
PAGE = FILE.read_text(encoding="utf-8")

BLOCKS = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)

NOTES = {
    "nvda-earnings-week.md": "# NVDA earnings week\nThe risk is the gap over night.\n",
    "position-sizing.md": "# Position sizing\nTwo percent of the book at most.\n",
}


def test_the_session_on_the_page_goes_as_it_says(
    home: Path, monkeypatch: pytest.MonkeyPatch, written: Written
) -> None:
    monkeypatch.chdir(home)
    console = Console(home)
    assert console.type("vmem init memory").code == 0
    assert console.type("cd memory").code == 0
    folder = Path("shared/market")
    folder.mkdir(parents=True)
    for name, text in NOTES.items():
        (folder / name).write_text(text, encoding="utf-8")
    assert console.type("vmem reindex").code == 0
    written.stands_in(FILE, console.play_page(PAGE))


def test_the_file_on_the_page_is_one() -> None:
    [shown] = [block for block in BLOCKS if "- ask:" in block]
    first, second = read_checks(shown.encode())
    assert (first.ask, len(second.must), len(second.must_not)) == ("NVDA risk", 2, 2)
    assert second.filter == {"tag": "trading and not archived", "since": "2026-01-01"}


def test_the_table_names_every_key_and_every_filter() -> None:
    table = PAGE.partition("<!-- keys: check -->\n")[2].partition("\n\n")[0]
    rows = table.splitlines()[2:]
    assert {row.split("`")[1] for row in rows} == set(KEYS)
    assert set(re.findall(r"`(\w+)`", rows[-1].partition("Python:")[2])) == set(NAMES)


def test_the_hook_that_the_page_names_runs_for_what_may_break_a_check() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    [name] = re.findall(r"it is `(vmem-\w+)`", PAGE)
    [hook] = [one for one in hooks if one["id"] == name]
    # Also for a commit that only removes a memory, of which pre-commit names no file.
    assert (hook["entry"], hook["pass_filenames"], hook["always_run"]) == ("vmem check", False, True)


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_every_block_is_yaml(block: str) -> None:
    assert yaml.safe_load(block)
