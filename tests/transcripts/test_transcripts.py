"""Each session of this folder, played again, gets the answers that its file says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.transcripts.session import Console
from tests.written import Written

SESSIONS = sorted(Path(__file__).parent.glob("*.console"))
REAL = ("first-steps",)
"""Sessions that are played with processes of their own as well."""

_MASKS = (
    (re.compile(r"\b01[0-9A-HJKMNP-TV-Z]{6,24}\b"), "ID"),
    # One hash in a thousand has no digit; alone, such a word may be one of the text (see the last mask).
    (re.compile(r"\b[0-9a-f]{40}\b|\b(?=[0-9a-f]*[0-9])[0-9a-f]{7}\b"), "COMMIT"),
    (re.compile(r"about \d+ tokens"), "about SO MANY tokens"),
    (re.compile(r"\b\d{4}-\d\d-\d\d(T| )\d\d:\d\d(:\d\dZ)?"), "TIME"),
    (re.compile(r"(?<=committed )[0-9a-f]{7}\b|^[0-9a-f]{7}(?=  TIME)", re.MULTILINE), "COMMIT"),
)
"""What differs from one run of a real process to the next."""


@pytest.fixture
def console(home: Path, monkeypatch: pytest.MonkeyPatch) -> Console:
    monkeypatch.chdir(home)
    return Console(home)


@pytest.mark.parametrize("file", SESSIONS, ids=lambda file: file.stem)
def test_every_answer_is_the_one_that_stands_there(file: Path, console: Console, written: Written) -> None:
    written.stands_in(file, console.play(file.read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", REAL)
def test_a_real_process_answers_alike(name: str, console: Console) -> None:
    file = Path(__file__).with_name(f"{name}.console")
    console.real = True
    session = file.read_text(encoding="utf-8")
    assert masked(console.play(session)) == masked(session)


def masked(text: str) -> str:
    for pattern, word in _MASKS:
        text = pattern.sub(word, text)
    return text
