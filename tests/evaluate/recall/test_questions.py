"""A file of a person's own questions is read with its lines, halves and categories."""

from __future__ import annotations

from pathlib import Path

import pytest

from vault_memory.errors import FileFormatError, NotFoundError
from vault_memory.evaluate.recall.questions import NoteQuestion, read_questions


def written(folder: Path, text: str) -> Path:
    file = folder / "questions.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_question_has_its_answers_and_its_line(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        "# mine\n- question: Where are the keys?\n  answers: [notes/keys.md, 2023]\n"
        "- question: 'no'\n  answer: keys\n  remark: {any: thing}\n",
    )
    assert read_questions(file) == (
        NoteQuestion(2, "Where are the keys?", ("notes/keys.md", "2023"), "", None),
        NoteQuestion(4, "no", ("keys",), "", None),
    )


def test_far_and_near_ones_are_told_apart_and_so_are_the_halves(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        "- {question: a, answers: x, far: true}\n- {question: b, answers: x, tune: yes}\n"
        "- {question: c, answers: x, category: dates, far: false}\n",
    )
    assert [(one.category, one.half) for one in read_questions(file)] == [
        ("far", "held-out"),
        ("near", "tuning"),
        ("dates", "held-out"),
    ]


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("", 1, "it is no list of questions"),
        ("# nothing\n\nquestion: x\n", 3, "it is no list of questions"),
        ("[]", 1, "it is no list of questions"),
        ("- just text\n", 1, "a question is a map"),
        ("- question: a\n  answers: x\n- answers: x\n", 3, "it has no question"),
        ("- answers: x\n  question: [a]\n", 2, "it has no question"),
        ("- question:\n  answers: x\n", 1, "it has no question"),
        ("- question: a\n", 1, "it has no answers"),
        ("- question: a\n  answers: []\n", 1, "it has no answers"),
        ("- question: a\n  answers:\n    - x\n    - [y]\n", 4, "an answer is the path or the file name"),
        ("- question: a\n  answers: x\n  far: perhaps\n", 3, "far must be true or false"),
        ("- question: a: b\n", 1, "not valid YAML"),
        ("- question: 'a\n", 1, "not valid YAML"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_line(tmp_path: Path, text: str, line: int, told: str) -> None:
    file = written(tmp_path, text)
    with pytest.raises(FileFormatError) as caught:
        read_questions(file)
    assert (caught.value.path, caught.value.line) == (str(file), line)
    assert told in str(caught.value)
    assert caught.value.hint


def test_a_file_that_is_not_there_or_no_text_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="there is no file"):
        read_questions(tmp_path / "none.yaml")
    with pytest.raises(NotFoundError, match="can't be read"):
        read_questions(tmp_path)
    (tmp_path / "bad.yaml").write_bytes(b"\xff\xfe")
    with pytest.raises(FileFormatError, match="not UTF-8"):
        read_questions(tmp_path / "bad.yaml")
