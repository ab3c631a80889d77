"""docs/architecture.md has the layer table that the code is held to."""

from __future__ import annotations

import re
from pathlib import Path

from tests.source_rules import PACKAGE
from tests.test_architecture import LAYERS

PROJECT = Path(__file__).parent.parent
PAGE = (PROJECT / "docs" / "architecture.md").read_text(encoding="utf-8")


def named_in(cell: str) -> list[str]:
    """The modules a cell names; the package itself is called nothing in the table of the checks."""
    return ["" if name == PACKAGE else name for name in re.findall(r"`([\w.*]+)`", cell)]


def test_the_layers_and_what_they_may_import_are_those_that_are_checked() -> None:
    table = PAGE.split("<!-- layers -->")[1].split("<!-- /layers -->")[0].strip().splitlines()[2:]
    cells = [row.split("|") for row in table]
    told = [(tuple(named_in(row[1])), set(named_in(row[3]))) for row in cells]
    assert told == [(layer.members, set(layer.may_import)) for layer in LAYERS]


def test_every_file_and_folder_that_the_page_names_is_there() -> None:
    for named in re.findall(r"`([\w/]+(?:/|\.py))`", PAGE):
        assert (PROJECT / named).exists() or (PROJECT / PACKAGE / named).exists(), named
