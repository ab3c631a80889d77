"""The sessions of tests/transcripts, played once more through residents: not a byte of an answer differs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import tests.transcripts
from tests.resident.living import Residents
from tests.transcripts.session import Console, Said, environment_with
from vault_memory.config import settings
from vault_memory.live import opening
from vault_memory.surfaces.resident import quick

SESSIONS = sorted(Path(tests.transcripts.__path__[0]).glob("*.console"))

_KEPT_OPEN = re.compile(
    r"^(?:resident   (?:not )?running.*|2> vmem: built the search index: .*)\n|(?<=\bgeneration )\d+",
    re.MULTILINE,
)
"""All that may differ, since it tells how the vault is kept and not what it holds: the resident's own line of
`vmem status`, that a call had to build the index first, and how often the index was written to: a resident
gives texts their vectors a moment later, by a write of its own."""


SETTINGS = {f"VMEM_{row.key.upper()}" for row in settings.SETTINGS}
FEWEST = {"filters": 36, "names": 28, "recall": 25, "remember": 42, "search": 11, "first-steps": 10}
"""So many calls of a session go through a resident at least, or this test would show nothing."""


class Ends(quick.Ends):
    """Streams in memory, none of them a terminal."""

    def __init__(self, stdin: bytes) -> None:
        self.stdin = stdin
        self.written = {1: b"", 2: b""}

    def is_terminal(self, number: int) -> bool:
        return False

    def read(self) -> bytes:
        return self.stdin

    def write(self, number: int, content: bytes) -> None:
        self.written[number] += content


@dataclass(slots=True)
class Quick(Console):
    """A console whose `vmem` asks the resident of its vault first, as the script does."""

    residents: Residents = field(default_factory=Residents)
    answered: int = 0
    left: list[list[str]] = field(default_factory=list)
    """What the resident was fit for, and did not answer."""

    def vmem(self, arguments: list[str], stdin: bytes, given: dict[str, str]) -> Said:
        ends = Ends(stdin)
        with environment_with(given), _nothing_by_variables_of_git():
            if given.keys() & SETTINGS:
                # It indexes by its own setting, which no event tells of: the next resident looks by itself.
                self.residents.end()
            call = quick.understood(arguments)
            root = quick.root_of(call[1]) if call else None
            has_one = root is not None and not given.keys() & SETTINGS and self.residents.begin(root)
            code = quick.answered(arguments, ends)
        if code is None:
            if has_one:
                self.left.append(arguments)
            return Console.vmem(self, arguments, stdin, given)
        self.answered += 1
        out, err = (ends.written[number].decode("utf-8", "surrogateescape") for number in (1, 2))
        return Said(out, err, code)


@contextmanager
def _nothing_by_variables_of_git() -> Iterator[None]:
    """They would keep writes from the resident; the home that the tests live in says the same."""
    before = dict(os.environ)
    for name in [name for name in before if name.startswith("GIT_")]:
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.update(before)


@pytest.fixture
def console(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Quick]:
    # On a busy machine the last files and vectors may take longer than a question waits for them.
    for name in ("CATCH_UP", "AT_FIRST"):
        monkeypatch.setattr(opening, name, 60.0)
    (home / ".run").mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(home / ".run"))
    monkeypatch.chdir(home)
    console = Quick(home)
    console.residents = Residents(console.clock, console.ids)
    with console.residents.until_the_end():
        yield console


@pytest.mark.parametrize("file", SESSIONS, ids=lambda file: file.stem)
def test_every_answer_is_the_one_that_stands_there(file: Path, console: Quick) -> None:
    session = file.read_text(encoding="utf-8")
    played = console.play(session)
    assert _KEPT_OPEN.sub("", played) == _KEPT_OPEN.sub("", session)
    assert console.left == []
    assert console.answered >= FEWEST.get(file.stem, 0)


def test_the_rule_hides_no_answer() -> None:
    session = "index      generation 5, last written just now\nresident   not running\nresident notes\n"
    assert _KEPT_OPEN.sub("", session) == "index      generation , last written just now\nresident notes\n"
