"""The questions over real notes are well-formed, honestly asked, and answered by notes that exist."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

import pytest

from tests.adopted.vaults import FOLDER, notes_below
from tests.retrieval.questions import COLLECTIONS, EVERYDAY, HARD, Question, read_file, read_questions
from vault_memory.model import terms
from vault_memory.model.memory import Memory
from vault_memory.model.namespace import VaultPath
from vault_memory.model.parse import parse_memory

SETS = {name: read_questions(name) for name in COLLECTIONS}
ALL = [question for questions in SETS.values() for question in questions]

OPENING = 100
"""Words of a body that count as its opening."""
FAR_OVERLAP, FAR_SHARE, FAR_STEMS = 1, 0.5, 3
"""A far question of a hard set shares at most this many stems with name, title and opening, and at most
this share with the whole note; it has at least so many stems, for of one or two words hardly any can be
shared."""
EVERYDAY_SHARE, EVERYDAY_STEMS = 1 / 3, 4
"""A far question of an everyday set shares at most this share of its stems with name, title and opening,
and has at least so many."""
COPIED, EVERYDAY_COPIED = 6, 5
"""A run of this many words of a note in a question is a quotation."""
SUBSTANCE = range(5, 16)
"""Words of an everyday question: so many that it can be understood without its note."""
SHORTEST = 30
"""Words of a note that is worth a question."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One set with the notes that it asks about, by file name."""

    name: str
    questions: tuple[Question, ...]
    notes: dict[str, Memory]


@pytest.fixture(scope="module", params=COLLECTIONS)
def asked(request: pytest.FixtureRequest) -> Asked:
    """A set whose collection lies at hand."""
    name: str = request.param
    folder = FOLDER / COLLECTIONS[name]
    if not folder.is_dir():
        pytest.skip(f"there is no folder {folder}; REAL_VAULTS names the one that holds {folder.name}")
    notes = {
        path.rpartition("/")[2]: parse_memory(VaultPath(path), content, zone=UTC)
        for path, content in notes_below(folder).items()
    }
    return Asked(name, SETS[name], notes)


def stems(text: str) -> set[str]:
    """What a question is searched by: no stop words, no compounds beside their parts."""
    found = terms.ask(text)
    return set(found.terms) - found.spare


def opening(memory: Memory) -> set[str]:
    """Every term of a note's name, title, description and first words."""
    name = re.sub(r"\W", " ", Path(memory.path).stem)
    first = " ".join(memory.body.split()[:OPENING])
    return set(terms.cut(f"{name} {memory.title} {memory.front.get('desc') or ''} {first}"))


def is_far(question: Question, notes: dict[str, Memory]) -> bool:
    """Whether it shares hardly a word with each note that answers it."""
    own = stems(question.question)
    return len(own) >= FAR_STEMS and all(
        len(own & opening(notes[answer])) <= FAR_OVERLAP
        and len(own & set(terms.cut(notes[answer].body))) <= FAR_SHARE * len(own)
        for answer in question.answers
    )


def is_paraphrase(question: Question, notes: dict[str, Memory]) -> bool:
    """Whether it shares few words with what each note that answers it begins with."""
    own = stems(question.question)
    return len(own) >= EVERYDAY_STEMS and all(
        len(own & opening(notes[answer])) <= EVERYDAY_SHARE * len(own) for answer in question.answers
    )


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def test_there_are_enough_of_them() -> None:
    assert len(SETS["mnemonic"]) >= 70
    assert len(SETS["dendron"]) >= 100
    assert len(SETS["mnemonic-everyday"]) >= 65
    assert len(SETS["dendron-everyday"]) >= 100


def test_no_question_is_asked_twice() -> None:
    counts = Counter(" ".join(words(one.question)) for one in ALL)
    assert [question for question, count in counts.items() if count > 1] == []


def test_a_question_is_one_line_and_its_answers_are_file_names() -> None:
    for one in ALL:
        assert one.question == " ".join(one.question.split()) != "", one
        assert one.answers, one
        assert len(set(one.answers)) == len(one.answers), one
        assert all(answer.endswith(".md") and "/" not in answer for answer in one.answers), one


@pytest.mark.parametrize("name", COLLECTIONS)
def test_no_question_has_many_answers_and_no_note_many_questions(name: str) -> None:
    assert [one for one in SETS[name] if len(one.answers) > 4] == []
    first = Counter(one.answers[0] for one in SETS[name])
    assert [note for note, count in first.items() if count > 2] == []
    assert len(first) >= 0.75 * len(SETS[name])


@pytest.mark.parametrize("name", COLLECTIONS)
def test_half_of_them_and_half_of_the_far_ones_are_for_tuning(name: str) -> None:
    for some in (SETS[name], [one for one in SETS[name] if one.far]):
        assert 0.4 <= sum(one.tune for one in some) / len(some) <= 0.6


@pytest.mark.parametrize("name", COLLECTIONS)
def test_a_third_of_them_is_far(name: str) -> None:
    assert sum(one.far for one in SETS[name]) >= len(SETS[name]) / 3


def test_whole_questions_and_short_queries_are_mixed() -> None:
    begins = ("who", "what", "when", "where", "which", "why", "how", "is", "are", "does", "do", "did", "may")
    hard = [one for name in HARD for one in SETS[name]]
    whole = [one for one in hard if one.question.casefold().startswith(begins)]
    short = [one for one in hard if len(one.question.split()) <= 5]
    assert len(whole) >= len(hard) / 4
    assert len(short) >= len(hard) / 8


@pytest.mark.parametrize("name", EVERYDAY)
def test_everyday_questions_have_substance_and_are_not_all_whole_sentences(name: str) -> None:
    everyday = SETS[name]
    assert [one.question for one in everyday if len(one.question.split()) not in SUBSTANCE] == []
    whole = [one for one in everyday if one.question.endswith("?")]
    assert 0.25 <= len(whole) / len(everyday) <= 0.75


def test_every_answer_is_a_note_with_text(asked: Asked) -> None:
    answers = {answer for one in asked.questions for answer in one.answers}
    assert answers - asked.notes.keys() == set()
    assert [name for name in answers if len(asked.notes[name].body.split()) < SHORTEST] == []


def test_a_question_marked_far_shares_few_words_with_its_notes(asked: Asked) -> None:
    holds = is_paraphrase if asked.name in EVERYDAY else is_far
    near = [one.question for one in asked.questions if one.far and not holds(one, asked.notes)]
    assert near == [], "take their mark away"


def test_no_question_quotes_its_note(asked: Asked) -> None:
    quotations = []
    copied = EVERYDAY_COPIED if asked.name in EVERYDAY else COPIED
    for one in asked.questions:
        own = words(one.question)
        runs = [f" {' '.join(own[start : start + copied])} " for start in range(len(own) - copied + 1)]
        for answer in one.answers:
            note = asked.notes[answer]
            whole = f" {' '.join(words(f'{note.title} {note.body}'))} "
            quotations += [(one.question, run) for run in runs if run in whole]
    assert quotations == []


@pytest.mark.parametrize(
    "entry",
    [
        "- {question: where is it}",
        "- {answers: [a.md]}",
        "- {question: 12, answers: [a.md]}",
        "- {question: where, answers: a.md}",
        "- {question: where, answers: [1]}",
        "- {question: where, answers: [a.md], far: maybe}",
        "- {question: where, answers: [a.md], fra: true}",
    ],
)
def test_an_entry_that_is_no_question_is_named(tmp_path: Path, entry: str) -> None:
    place = tmp_path / "some.yaml"
    place.write_text(f"- {{question: a, answers: [a.md]}}\n{entry}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"some\.yaml: entry 2 "):
        read_file(place)
