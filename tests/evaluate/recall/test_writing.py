"""A conversation becomes files in which every turn is one passage, and each passage knows its turns."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.evaluate.recall.talk import locomo, saved
from vault_memory.evaluate.recall.conversations import Conversation, Session, one_line
from vault_memory.evaluate.recall.source import read
from vault_memory.evaluate.recall.writing import FIRST_LINE, Written, file_of, write
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.namespace import VaultPath
from vault_memory.model.passage import cut

WHEN = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


def session(*turns: str) -> Session:
    return Session("session-01", "Session 1", WHEN, turns)


def test_a_session_is_a_file_with_its_date_and_a_line_a_turn() -> None:
    assert file_of(session("Nora: Hello there.", "Tomas: Hi.")).decode() == (
        "---\ntitle: Session 1\ncreated: 2023-05-08T13:56:00Z\n---\nNora: Hello there.\nTomas: Hi.\n"
    )


def test_there_are_as_many_passages_as_turns(tmp_path: Path) -> None:
    found = write(tmp_path, read(saved(tmp_path, locomo())).conversations)
    assert found.passages == sum(map(len, found.turns.values())) == 10
    assert found.mixed == ()


def test_each_passage_is_the_turn_that_it_says(tmp_path: Path) -> None:
    [first, *_] = read(saved(tmp_path, locomo())).conversations
    written = write(tmp_path, [first])
    for path, turns in written.turns.items():
        memory = parse_memory(VaultPath(path), (tmp_path / path).read_bytes(), zone=UTC)
        assert memory.body_line == FIRST_LINE
        for passage in cut(memory.body, memory.body_line):
            [(_, number)] = written.shown(path, passage)
            assert turns[number] == passage.text


def test_a_session_that_is_no_dialogue_is_told_and_shows_all_its_turns(tmp_path: Path) -> None:
    talk = Conversation("talk", (session("Nora: One thing only.", "Nora: And another one."),), ())
    written = write(tmp_path, [talk])
    assert (written.passages, written.mixed) == (1, ("talk/session-01.md",))
    memory = parse_memory(VaultPath("x.md"), file_of(talk.sessions[0]), zone=UTC)
    [passage] = cut(memory.body, memory.body_line)
    assert list(written.shown("talk/session-01.md", passage)) == [
        ("talk/session-01.md", 0),
        ("talk/session-01.md", 1),
    ]


def test_a_turn_too_long_for_a_passage_is_one_turn_still(tmp_path: Path) -> None:
    long = "Nora: " + "so much to tell about the quince trees. " * 80
    talk = Conversation("talk", (session(one_line(long), "Tomas: I see, go on.", "Nora: That is all."),), ())
    written = write(tmp_path, [talk])
    assert written.passages > 3
    assert written.mixed == ()


def test_files_that_are_there_already_are_left_alone(tmp_path: Path) -> None:
    [first, *_] = read(saved(tmp_path, locomo())).conversations
    write(tmp_path, [first])
    file = tmp_path / first.name / "session-01.md"
    before = file.stat()
    write(tmp_path, [first])
    assert (file.stat().st_mtime_ns, file.stat().st_ino) == (before.st_mtime_ns, before.st_ino)
    write(tmp_path, [replace(first, sessions=(session("Nora: Hello again."),))])
    assert file.read_bytes().endswith(b"---\nNora: Hello again.\n")


@given(st.lists(st.text(st.characters(codec=None)), min_size=1, max_size=6))
def test_whatever_is_said_stays_on_its_line(texts: list[str]) -> None:
    turns = tuple(one_line(f"Nora: {text}") for text in texts)
    lines = file_of(session(*turns)).decode().split("\n")
    assert tuple(lines[FIRST_LINE - 1 : -1]) == turns
    assert all(line.splitlines() in ([line], []) for line in lines)


def test_lines_outside_the_turns_show_none() -> None:
    memory = parse_memory(VaultPath("x.md"), file_of(session("Nora: Hello there.")), zone=UTC)
    [passage] = cut(memory.body, memory.body_line)
    written = Written({"x.md": ("Nora: Hello there.",)}, 1, ())
    assert list(written.shown("x.md", replace(passage, start_line=1, end_line=9))) == [("x.md", 0)]
