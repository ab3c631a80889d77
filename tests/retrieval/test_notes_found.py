"""Known notes of two real collections come back for the questions asked of them, as often as measured."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.adopted.vaults import FOLDER
from tests.retrieval.questions import COLLECTIONS, EVERYDAY, HARD, Question, read_questions
from vault_memory.vault import Vault


class Asked(NamedTuple):
    """A question, and the place (from 1) of the first note that answers it among ten, 0 for none."""

    question: Question
    place: int


def share(asked: list[Asked], within: int, *, far: bool | None = None) -> float:
    """The share of the questions whose answer is among the first `within`."""
    places = [one.place for one in asked if far in (None, one.question.far)]
    return sum(1 for place in places if 0 < place <= within) / len(places)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], list[Asked]]:
    """(embedder, set) → its questions, asked of a copy of the collection."""
    places: dict[str, Path] = {}
    for folder in sorted(set(COLLECTIONS.values())):
        if not (FOLDER / folder).is_dir():
            pytest.skip(f"there is no folder {FOLDER / folder}; REAL_VAULTS names the one that holds it")
        places[folder] = tmp_path_factory.mktemp("notes") / folder
        shutil.copytree(FOLDER / folder, places[folder])
        Vault.create(places[folder])
    answers: dict[tuple[str, str], list[Asked]] = {}
    for embedder in ("none", "bundled"):
        for name, folder in COLLECTIONS.items():
            with Vault.open(places[folder], settings={"embedder": embedder}) as vault:
                answers[embedder, name] = [_ask(vault, one) for one in read_questions(name)]
    return answers


def _ask(vault: Vault, question: Question) -> Asked:
    wanted = {answer.removesuffix(".md") for answer in question.answers}
    names = [
        Path(hit.entry.path).name.removesuffix(".md") for hit in vault.person.search(question.question).hits
    ]
    return Asked(question, next((at for at, name in enumerate(names, 1) if name in wanted), 0))


def together(found: dict[tuple[str, str], list[Asked]], embedder: str, names: list[str]) -> list[Asked]:
    """The questions of several sets as one."""
    return [one for name in names for one in found[embedder, name]]


def test_everyday_questions_find_their_note(found: dict[tuple[str, str], list[Asked]]) -> None:
    words = together(found, "none", sorted(EVERYDAY))
    meaning = together(found, "bundled", sorted(EVERYDAY))
    print(f"everyday: words {share(words, 5):.3f}, with the table {share(meaning, 5):.3f}")
    assert share(meaning, 5, far=False) >= 0.89
    assert share(meaning, 5, far=True) >= 0.46
    assert share(meaning, 5) >= share(words, 5) + 0.03, "meaning is worth what it costs"


def test_hard_questions_find_their_note_now_and_then(found: dict[tuple[str, str], list[Asked]]) -> None:
    meaning = together(found, "bundled", sorted(HARD))
    print(f"hard: {share(meaning, 5):.3f}")
    assert share(meaning, 5, far=False) >= 0.86
    assert share(meaning, 5, far=True) >= 0.22
