"""The walk of two clones and a remote, played again from its page, gets the answers that stand there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.transcripts.session import Console
from tests.written import Written

PAGE = Path(__file__).parent.parent / "docs" / "walk.md"


def test_every_step_of_the_walk_goes_as_its_page_says(
    home: Path, monkeypatch: pytest.MonkeyPatch, written: Written
) -> None:
    monkeypatch.chdir(home)
    console = Console(home)
    played = console.play_page(PAGE.read_text(encoding="utf-8"))
    written.stands_in(PAGE, played)
