"""docs/python.md runs from top to bottom and prints what it says it prints."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from tests.written import Written

PAGE = Path(__file__).parent.parent / "docs" / "python.md"

_BLOCK = re.compile(
    r"^```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<told>.*?)^```$)?", re.DOTALL | re.MULTILINE
)
_MASKS = (
    (re.compile(r"\b01[0-9A-HJKMNP-TV-Z]{6}\b"), "ID"),
    (re.compile(r"about \d+ tokens"), "about SO MANY tokens"),
    (re.compile(r"\btoday\b|\byesterday\b"), "DAY"),
)


def masked(text: str) -> str:
    for pattern, word in _MASKS:
        text = pattern.sub(word, text)
    return text


def test_every_example_runs_and_prints_what_stands_below_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: Written
) -> None:
    monkeypatch.chdir(tmp_path)
    page = PAGE.read_text(encoding="utf-8")
    names: dict[str, object] = {}

    def run(block: re.Match[str]) -> str:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile("\n" * page[: block.start()].count("\n") + block["code"], PAGE, "exec"), names)
        if masked(said.getvalue()) == masked(block["told"] or ""):
            return block[0]
        return f"```python\n{block['code']}```\n\n```text\n{said.getvalue()}```"

    written.stands_in(PAGE, _BLOCK.sub(run, page))
    assert page.count("```python") == len(_BLOCK.findall(page))
    assert page.count("```text") == sum(bool(told) for _, told in _BLOCK.findall(page))
