"""A person's own vault is asked as it is, within what the caller may read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.stand import ToldClock
from vault_memory.errors import FileFormatError
from vault_memory.evaluate.recall.notes import ask_notes
from vault_memory.evaluate.recall.questions import NoteQuestion, read_questions
from vault_memory.evaluate.recall.result import Result
from vault_memory.vault import Vault

NOTES = {
    "notes/heron.md": "# Birds\n\n## Herons\n\nThe heron nests by the lake in March.\n",
    "notes/oven.md": "The oven needs a new seal; ask the man at the market.\n",
    "shared/a/plan.md": "The plan is to sail on Friday.\n",
    "shared/b/plan.md": "The plan is to stay at home.\n",
    "private/akashi/secret.md": "The heron was painted blue.\n",
}
FILE = Path("questions.yaml")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    Vault.create(root)
    for path, text in NOTES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def asked(root: Path, *questions: tuple[str, str], agent: str | None = None) -> Result:
    rows = [NoteQuestion(at, text, (answer,), "", None) for at, (text, answer) in enumerate(questions, 1)]
    with Vault.open(root, settings={"embedder": "none"}, clock=ToldClock()) as vault:
        return ask_notes(vault, vault.person if agent is None else vault.agent(agent), FILE, rows)


@pytest.mark.parametrize("name", ["notes/heron.md", "heron.md", "heron", "Birds"])
def test_a_note_is_named_by_its_path_or_its_file(root: Path, name: str) -> None:
    [one] = asked(root, ("Where does the heron nest?", name)).asked
    assert one.values == (1.0,) * 7


def test_a_name_of_two_notes_or_of_none_is_told_with_its_line(root: Path) -> None:
    good = ("x", "heron")
    with pytest.raises(FileFormatError, match=r"questions\.yaml:2: 'plan' fits 2 memories: ") as caught:
        asked(root, good, ("x", "plan"))
    assert "shared/a/plan.md, shared/b/plan.md" in str(caught.value)
    with pytest.raises(FileFormatError, match=r"questions\.yaml:1: no memory is called 'crow'"):
        asked(root, ("x", "crow"))


def test_what_an_agent_may_not_read_is_not_there_to_be_found(root: Path) -> None:
    question = ("Which bird was painted blue?", "private/akashi/secret.md")
    own, person = (asked(root, question, agent=agent) for agent in ("akashi", None))
    assert (own.asked_as, person.asked_as) == ("akashi", None)
    assert own.asked[0].values[0] == person.asked[0].values[0] == 1.0
    assert own.counts["memories"] == 5
    with pytest.raises(FileFormatError, match="no memory is called"):
        asked(root, question, agent="yuki")


def test_a_note_that_is_not_found_counts_nothing(root: Path) -> None:
    found = asked(root, ("heron lake", "oven"), ("sail", "shared/a/plan.md"))
    assert found.asked[0].values == (0.0,) * 7
    assert found.asked[1].values[:4] == (1.0,) * 4
    assert (found.form, found.name, found.counts["questions"]) == ("notes", "questions.yaml", 2)


def test_of_several_answers_the_best_counts_and_categories_come_from_the_file(
    root: Path, tmp_path: Path
) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("- {question: oven seal, answers: [heron, oven], far: true}\n")
    with Vault.open(root, settings={"embedder": "none"}) as vault:
        found = ask_notes(vault, vault.person, file, read_questions(file))
    assert found.asked[0].values == (1.0,) * 7
    assert (found.asked[0].category, found.name) == ("far", "mine.yaml")


def test_the_vault_is_left_as_it_is(root: Path) -> None:
    before = {path: path.read_bytes() for path in root.rglob("*.md")}
    asked(root, ("heron", "heron"))
    assert {path: path.read_bytes() for path in root.rglob("*.md")} == before
