"""A large vault that nobody has indexed, and everyone at once: answers come, and one indexes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cases.residents import NEVER_ON_STDERR, Kept, wait_until
from vault_memory.vault import Vault

NOTES = 1500
"""So many, that a first index takes as long as several commands; five thousand would do the same, longer."""
IN_TIME = 20.0
"""Seconds within which an answer is there though others index; a quiet machine needs two."""


@pytest.fixture
def large(kept: Kept) -> Kept:
    """Notes that nobody has looked at yet."""
    folder = kept.root / "notes"
    for number in range(NOTES):
        place = folder / str(number % 30) / f"note-{number}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        lines = [
            f"Line {line} of note {number} speaks of word{number} and word{number + line}."
            for line in range(30)
        ]
        place.write_text("\n".join(lines) + "\n")
    return kept


def whole(root: Path) -> None:
    """The index is what the files give."""
    with Vault.open(root) as vault:
        vault.index.refresh()
        found = vault.index.dump()
        vault.index.rebuild()
        assert vault.index.dump() == found


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_everyone_at_once_on_a_vault_that_was_never_indexed(large: Kept) -> None:
    large.start()
    reindex = large.begin("reindex", "--json")
    writing = large.begin("remember", "Ferries sail north", "--title", "Ferries", "--json")
    for number in range(10):
        said = large.vmem(
            "recall", f"word{number * 100}", "--json", VMEM_RESIDENT=("auto", "off")[number % 2]
        )
        assert said.code == 0, said.err
        assert said.seconds < IN_TIME
        path = f"notes/{number * 100 % 30}/note-{number * 100}.md"
        told = said.value["notices"]
        # Whoever does not know it yet says so, or names it as left out.
        known = path in {one["path"] for one in said.value["memories"]}
        assert known or any("index" in one or path in one for one in told), told
    for one, code in ((reindex, 0), (writing, 0)):
        assert_ended(one, code)
    wait_until(lambda: large.json("daemon", "status")["behind"] is None, 120)
    for number in (0, 700, NOTES - 1):
        assert f"notes/{number % 30}/note-{number}.md" in large.found(f"word{number}")
    assert large.found("ferries") == ["notes/ferries.md"]
    large.flush()
    large.json("daemon", "stop")
    whole(large.root)


def assert_ended(process: subprocess.Popen[str], code: int) -> None:
    out, err = process.communicate(timeout=120)
    assert process.returncode == code, (out, err)
    assert not any(word in err for word in NEVER_ON_STDERR), err


def test_only_one_of_many_brings_the_index_up(large: Kept) -> None:
    large.start()
    others = [large.begin("search", "word7", "--json", VMEM_RESIDENT="off") for _ in range(3)]
    for one in others:
        assert_ended(one, 0)
    wait_until(lambda: large.json("daemon", "status")["behind"] is None, 120)
    with Vault.open(large.root) as vault:
        report = vault.index.refresh()
        assert (report.files, report.added, report.changed, report.removed) == (NOTES, 0, 0, 0)
        # Each file was read once: an index that two had filled would be further on.
        generation = report.generation
    assert generation <= NOTES // 1000 + 2
