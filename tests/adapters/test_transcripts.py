"""Transcripts are read from where the last capture ended, whatever lies at their place."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from vault_memory.adapters.journal import SqliteJournal
from vault_memory.adapters.journal.cursors import SqliteCursors
from vault_memory.adapters.transcripts import TranscriptFiles, reading
from vault_memory.errors import FormatError, NotFoundError, StorageError
from vault_memory.model.capture.cursor import Cursor

FILES = TranscriptFiles()


def line(text: str, role: str = "user", session: str = "s1") -> str:
    message = {"role": role, "content": text}
    return json.dumps({"type": role, "sessionId": session, "message": message}, ensure_ascii=False) + "\n"


def texts(place: Path, after: Cursor | None = None, form: str = "auto") -> tuple[list[str], Cursor]:
    with FILES.reading(place, form) as one:
        said = [turn.text for turn in one.turns(after if after and one.holds(after) else None)]
        return said, one.cursor()


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    file = tmp_path / "talk.jsonl"
    file.write_text(line("one") + line("two", "assistant"), encoding="utf-8")
    return file


def test_what_was_read_is_not_read_again(talk: Path) -> None:
    said, cursor = texts(talk)
    assert said == ["one", "two"]
    with talk.open("a") as file:
        file.write(line("three"))
    said, later = texts(talk, cursor)
    assert (said, later.line) == (["three"], 3)
    assert texts(talk, later) == ([], later)


def test_a_line_that_is_being_written_is_left_for_the_next_time(talk: Path) -> None:
    whole = line("three")
    with talk.open("a") as file:
        file.write(whole[:20])
    said, cursor = texts(talk)
    assert said == ["one", "two"]
    with talk.open("a") as file:
        file.write(whole[20:].rstrip("\n"))  # whole, and only its end is missing
    assert texts(talk, cursor)[0] == ["three"]


def test_a_transcript_that_was_rewritten_is_read_from_its_beginning(talk: Path) -> None:
    _, cursor = texts(talk)
    talk.write_text(line("one") + line("2", "assistant") + line("three"), encoding="utf-8")
    assert texts(talk, cursor)[0] == ["one", "2", "three"]
    talk.write_text(line("one"), encoding="utf-8")
    assert texts(talk, cursor)[0] == ["one"]


def test_lines_that_cannot_be_read_are_counted_and_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    deep = '{"a":' * 5_000 + "1" + "}" * 5_000
    lines = [
        line("one").encode(),
        b"{broken\n",
        b"\xff\xfe\x00\n",
        deep.encode() + b"\n",
        b"\n",
        line("two").encode(),
    ]
    file.write_bytes(b"".join(lines))
    with FILES.reading(file, "auto") as one:
        assert [turn.text for turn in one.turns(None)] == ["one", "two"]
        assert (one.broken, one.session) == (3, "s1")


def test_bytes_that_are_no_utf_8_and_halves_of_characters_become_marks(tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    file.write_bytes(
        line("caf_").encode().replace(b"_", b"\xe9") + line("half _").encode().replace(b"_", b"\\ud83d")
    )
    said, _ = texts(file)
    assert said == ["caf\ufffd", "half ?"]


def test_a_line_longer_than_any_word_is_passed_over_without_being_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "LONGEST_LINE", 1_000)
    file = tmp_path / "talk.jsonl"
    file.write_text(line("one") + line("x" * 5_000) + line("two"), encoding="utf-8")
    with FILES.reading(file, "claude-code") as one:
        assert [turn.text for turn in one.turns(None)] == ["one", "two"]
        assert one.broken == 1
        assert one.cursor().offset == file.stat().st_size


def test_one_capture_reads_so_much_and_the_next_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MOST_BYTES", 100)
    file = tmp_path / "talk.jsonl"
    file.write_text("".join(line(str(number)) for number in range(10)), encoding="utf-8")
    said: list[str] = []
    cursor: Cursor | None = None
    for _ in range(12):
        with FILES.reading(file, "auto") as one:
            said += [turn.text for turn in one.turns(cursor)]
            cursor, left = one.cursor(), one.bytes_left
        if not left:
            break
    assert said == [str(number) for number in range(10)]


def test_a_document_is_read_on_from_its_last_message(tmp_path: Path) -> None:
    file = tmp_path / "session-1.json"
    messages = [{"id": "1", "type": "user", "content": "one"}]
    document = {"sessionId": "g1", "projectHash": "h", "lastUpdated": "1", "messages": messages}
    file.write_text(json.dumps(document, indent=2), encoding="utf-8")
    said, cursor = texts(file)
    messages.append({"id": "2", "type": "gemini", "content": "two"})
    file.write_text(json.dumps({**document, "lastUpdated": "2"}, indent=2), encoding="utf-8")
    assert (said, texts(file, cursor)[0]) == (["one"], ["two"])


def test_plain_text_goes_on_with_its_line_numbers(tmp_path: Path) -> None:
    file = tmp_path / "talk.txt"
    file.write_text("User: one\nAssistant: two\n", encoding="utf-8")
    _, cursor = texts(file)
    with file.open("a") as more:
        more.write("User: three\n")
    with FILES.reading(file, "auto") as one:
        assert [(turn.text, turn.line) for turn in one.turns(cursor)] == [("three", 3)]


def test_an_empty_file_has_no_turns_and_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "new.jsonl").touch()
    assert texts(tmp_path / "new.jsonl")[0] == []


def test_what_is_no_file_is_told_and_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    (tmp_path / "circle").symlink_to("circle")
    (tmp_path / "nowhere").symlink_to("nothing")
    for name, reason in (
        ("pipe", "device, pipe"),
        ("zero", "device, pipe"),
        (".", "a folder"),
        ("circle", "levels of symbolic links"),
    ):
        with pytest.raises(StorageError, match=reason) as caught, FILES.reading(tmp_path / name, "auto"):
            raise AssertionError
        assert caught.value.hint
    for name in ("nowhere", "missing", "pipe/x", "nul\0"):
        with pytest.raises(NotFoundError, match="no transcript"), FILES.reading(tmp_path / name, "auto"):
            raise AssertionError


def test_a_link_to_a_transcript_is_followed(talk: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(talk)
    assert texts(tmp_path / "link")[0] == ["one", "two"]


@pytest.mark.parametrize(
    "content", ["root:x:0:0:root\n", '{"name": "package"}\n', "[1, 2]\n", "\x00\x01\x02"]
)
def test_a_file_that_is_no_transcript_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "other"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(FormatError, match="no transcript in any form"), FILES.reading(file, "auto"):
        raise AssertionError


def test_a_cursor_is_kept_for_each_agent_and_place_the_farthest_first(tmp_path: Path) -> None:
    cursors = SqliteCursors(tmp_path / "local" / "state.db")
    assert cursors.of("akashi", "s") == ()
    assert not (tmp_path / "local").exists()
    near, far = Cursor("s", 10, 1, "t1"), Cursor("s", 20, 2, "t2")
    cursors.put("akashi", "/a", near)
    cursors.put("akashi", "/b", far)
    cursors.put("mira", "/a", near)
    assert list(cursors.of("akashi", "s")) == [far, near]
    cursors.put("akashi", "/b", Cursor("s", 5, 1, "t3"))
    assert list(cursors.of("akashi", "s")) == [near, Cursor("s", 5, 1, "t3")]
    assert list(cursors.of("mira", "s")) == [near]
    assert list(cursors.of("akashi", "other")) == []


def test_cursors_and_intents_share_one_file(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path / "state.db")
    cursors = SqliteCursors(tmp_path / "state.db")
    cursors.put("akashi", "/a", Cursor("s", 10, 1, "t"))
    assert journal.pending() == ()
    journal.close_file()
    assert len(cursors.of("akashi", "s")) == 1
