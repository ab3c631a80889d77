"""The log of a resident stays small, tells nothing of what it must not, and is never a reason to fail."""

from __future__ import annotations

from pathlib import Path

from tests.stand import ToldClock
from vault_memory.surfaces.resident.log import LARGEST, Log, last_lines, log_file


def test_it_stays_small_and_keeps_the_newest(root: Path) -> None:
    log = Log(root, ToldClock())
    for number in range(4000):
        log.note(f"line {number} {'x' * 100}")
    content = log_file(root).read_text()
    assert len(content) < LARGEST + 200
    lines = content.splitlines()
    assert " line 3999 " in lines[-1]
    assert all(line.startswith("2026-03-14 12:00:00 ") for line in lines)
    assert last_lines(root, 3) == lines[-3:]
    assert last_lines(root, 10**9) == lines
    assert last_lines(root, 0) == []


def test_a_note_is_one_line(root: Path) -> None:
    Log(root, ToldClock()).note("one\ntwo\x1b")
    assert len(log_file(root).read_text().splitlines()) == 1


def test_what_can_not_be_written_is_left_out(root: Path) -> None:
    log_file(root).mkdir()
    log = Log(root, ToldClock())
    log.note("nobody will read this")
    with log.of_faults():
        log.bug("recall", ValueError("secret"))
    assert last_lines(root, 5) == []


def test_no_link_is_followed(root: Path, tmp_path: Path) -> None:
    log_file(root).symlink_to(tmp_path / "elsewhere")
    Log(root, ToldClock()).note("a line")
    assert not (tmp_path / "elsewhere").exists()
    assert last_lines(root, 5) == []


def test_a_bug_is_told_by_its_place_alone(root: Path) -> None:
    log = Log(root, ToldClock())
    try:
        int("the secret harbour")
    except ValueError as error:
        log.bug("call recall", error)
    [line] = last_lines(root, 5)
    assert "bug in call recall: ValueError at test_log.py:" in line
    assert "harbour" not in line
