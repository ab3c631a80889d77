"""The walk of two clones and a remote, played again from its page, gets the answers that stand there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.transcripts.session import Console
from tests.written import Written

PAGE = Path(__file__).parent.parent / "docs" / "walk.md"
CONSOLE = re.compile(r"(?<=```console\n).*?(?=^```$)", re.DOTALL | re.MULTILINE)


def test_every_step_of_the_walk_goes_as_its_page_says(
    home: Path, monkeypatch: pytest.MonkeyPatch, written: Written
) -> None:
    monkeypatch.chdir(home)
    console = Console(home)
    played = CONSOLE.sub(lambda block: console.play(block[0]), PAGE.read_text(encoding="utf-8"))
    written.stands_in(PAGE, played)
