"""Vectors that are missing, of another model, or of nothing: keywords go on, and every answer says why.

The index needs no extension that SQLite loads: vectors are plain values in it, compared by numpy. So a
Python whose SQLite loads none is like any other here.
"""

from __future__ import annotations

import math

import apsw
import pytest

from tests.cases.doors import Case, Door, Said
from tests.worded import Worded
from vault_memory import plugins
from vault_memory.model.namespace import PERSON
from vault_memory.ops.embed import Pace
from vault_memory.vault import Vault

NOTES = 120
ASKED = "my cat is ill"
"""Shares no word with the note that it is about."""

MADE: list[Worded] = []


def worded(model: str, _: int) -> Worded:
    """`wide` has 384 dimensions and `narrow` 256, `gone` is not on this machine."""
    one = {
        "wide": lambda: Worded("wide", 384),
        "narrow": lambda: Worded("narrow", 256),
        "gone": lambda: Worded("wide", 384, gone="the model 'gone' is not on this machine"),
    }[model]()
    MADE.append(one)
    return one


@pytest.fixture(autouse=True)
def _models(monkeypatch: pytest.MonkeyPatch, case: Case) -> None:
    """Models made of words, set by the setting as real ones are, and notes."""
    MADE.clear()
    monkeypatch.setitem(plugins.EMBEDDERS, "onnx", worded)
    monkeypatch.setenv("VMEM_EMBEDDER", "onnx")
    monkeypatch.setenv("VMEM_EMBEDDER_MODEL", "wide")
    for number in range(NOTES):
        case.write(f"n{number:03}.md", f"release number {number} left on thursday\n")
    case.write("vet.md", "The kitten was sick all night.\n")


def choose(monkeypatch: pytest.MonkeyPatch, model: str) -> None:
    """Name another model."""
    monkeypatch.setenv("VMEM_EMBEDDER_MODEL", model)


def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reads leave all but the first of the texts, as with a slow model."""
    monkeypatch.setattr("vault_memory.facets.index.READING", Pace(1e-9, 1e-9))


def rows(case: Case) -> dict[str, dict[int, int]]:
    """By embedder, how many vectors there are of each length in bytes."""
    db = apsw.Connection(str(case.root / ".vmem" / "local" / "index.db"), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        counted: dict[str, dict[int, int]] = {}
        for name, size in db.execute("SELECT embedder, length(vector) FROM vectors ORDER BY number"):
            sizes = counted.setdefault(name, {})
            sizes[size] = sizes.get(size, 0) + 1
        return counted
    finally:
        db.close()


def first(said: Said) -> str:
    """The path of the best hit."""
    hits = said.value.get("hits", said.value.get("memories"))
    return str(hits[0]["path"]) if hits else ""


def test_another_model_of_another_length_makes_its_own_vectors_and_none_are_mixed(
    door: Door, case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert first(door.search(ASKED)) == "vet.md"
    assert [list(sizes.values()) for sizes in rows(case).values()] == [[NOTES + 1]]
    choose(monkeypatch, "narrow")
    said = door.search(ASKED)
    assert (said.value["mode"], first(said)) == ("keyword + meaning", "vet.md")
    wide, narrow = rows(case)["worded:wide"], rows(case)["worded:narrow"]
    assert list(wide.values()) == list(narrow.values()) == [NOTES + 1]
    assert min(wide) > min(narrow), "384 numbers and 256"
    choose(monkeypatch, "wide")
    MADE.clear()
    assert first(door.recall(ASKED)) == "vet.md"
    assert [text for one in MADE for text in one.made] == [], "going back makes nothing anew"


def test_while_a_new_model_is_at_work_answers_come_by_keyword_alone_and_say_how_far_it_is(
    door: Door, case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert first(door.search(ASKED)) == "vet.md"
    in_a_hurry(monkeypatch)
    choose(monkeypatch, "narrow")
    for said in (door.search("thursday"), door.recall("thursday")):
        assert said.value["mode"].startswith("keyword only: ")
        assert (
            f" of {NOTES + 1} texts have vectors so far; vmem embedder build makes the rest"
            in said.value["mode"]
        )
        assert first(said)
    assert door.search(ASKED).value["hits"] == [], "the old model's vectors answer no more"
    agents = door.search("thursday", agent="mira").value["mode"]
    assert agents == "keyword only: not all texts have vectors so far; vmem embedder build makes the rest"
    status = door.status().value
    assert status["embedder"] == "worded:narrow"
    assert "texts have vectors so far" in status["embedder_reason"]
    built = case.vmem("embedder", "build")
    assert built.code == 0
    assert f"vectors    {NOTES + 1} of {NOTES + 1} texts" in built.out
    assert first(door.search(ASKED)) == "vet.md"
    made = [text for one in MADE if one.id == "worded:narrow" for text in one.made]
    assert len(made) == len(set(made)) == NOTES + 1, "no text was embedded twice"


def test_half_of_the_vectors_missing_is_keyword_only_until_they_are_made(
    door: Door, case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    door.search(ASKED)
    db = apsw.Connection(str(case.root / ".vmem" / "local" / "index.db"))
    db.execute("DELETE FROM vectors WHERE number % 2 = 1")
    db.close()
    with monkeypatch.context() as hurried:
        in_a_hurry(hurried)
        said = door.search("kitten")
        assert said.value["mode"].startswith("keyword only: ")
        assert first(said) == "vet.md"
    said = door.search(ASKED)
    assert (said.value["mode"], first(said)) == ("keyword + meaning", "vet.md")


def test_a_model_that_is_gone_is_named_with_what_mends_it_and_nothing_of_it_is_lost(
    door: Door, case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    door.search(ASKED)
    choose(monkeypatch, "gone")
    reason = "the model 'gone' is not on this machine; copy it again"
    for said in (door.search("kitten"), door.recall("kitten")):
        assert (said.value["mode"], first(said)) == (f"keyword only: {reason}", "vet.md")
    assert door.status().value["embedder_reason"] == reason
    assert reason in case.vmem("doctor").out
    assert reason in case.vmem("embedder", "status").out
    built = case.vmem("embedder", "build")
    assert (built.code, built.out) == (69, "")
    assert "copy it again" in built.err
    assert door.remember("written all the same").code == 0
    choose(monkeypatch, "wide")
    MADE.clear()
    assert first(door.search(ASKED)) == "vet.md"
    assert len([text for one in MADE for text in one.made]) == 1, "the one that was written meanwhile"


def test_an_empty_body_gives_no_number_that_is_none(door: Door, case: Case) -> None:
    for name, content in {"empty.md": b"", "blank.md": b"\n \t\n", "front.md": b"---\ntitle: Only\n---\n",
                          "signs.md": b"... --- !!!\n", "zero.md": b"\x00\x00"}.items():  # fmt: skip
        case.write(name, content)
    for query in (ASKED, "Only", "...", "\U0001f680"):
        said = door.search(query, limit=200)
        assert said.code == 0
        assert said.value["mode"] == "keyword + meaning"
        assert all(math.isfinite(hit["score"]) for hit in said.value["hits"])
    assert first(door.search(ASKED)) == "vet.md"


def test_the_last_paragraph_of_200_kilobytes_is_found_by_what_it_means(door: Door, case: Case) -> None:
    paragraph = (
        "Chapter {0}. The release train leaves on thursday and the platform team cuts branch {0}, runs its"
        " suite, watches the dashboards for half an hour and moves the traffic over step by step."
    )
    chapters = [paragraph.format(number) for number in range(1_100)]
    last = "The cat got drops against the worms."
    case.write("long.md", "\n\n".join([*chapters, "## At home", last]) + "\n")
    assert (case.root / "long.md").stat().st_size > 200_000
    said = door.search("medicine kitten")
    assert said.value["mode"] == "keyword + meaning"
    assert first(said) in {"long.md", "vet.md"}
    hit = next(hit for hit in said.value["hits"] if hit["path"] == "long.md")
    assert last in hit["passages"][0]["text"]
    assert last in str(door.recall("medicine kitten", max_tokens=400).value)


def test_the_setting_changed_by_hand_in_the_vaults_file_does_the_same(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VMEM_EMBEDDER")
    monkeypatch.delenv("VMEM_EMBEDDER_MODEL")
    config = case.root / ".vmem" / "config.toml"
    before = config.read_text(encoding="utf-8")
    for model in ("wide", "narrow"):
        config.write_text(f'{before}embedder = "onnx"\nembedder_model = "{model}"\n', encoding="utf-8")
        with Vault.open(case.root) as vault:
            assert vault.person.search(ASKED).hits[0].entry.path == "vet.md"
            assert vault.upkeep.status(PERSON).embedder == f"worded:{model}"


def test_another_process_that_makes_vectors_is_named(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    in_a_hurry(monkeypatch)
    case.vmem("search", "thursday")
    with Vault.open(case.root) as other, other._opened.ports.embedding.held(wait=0.0):
        said = case.vmem("search", "thursday")
        assert said.code == 0
        assert "the rest are being made" in said.out
        told = case.vmem("embedder", "status")
        assert "makes the rest" in told.out
        built = case.vmem("embedder", "build")
        assert built.code == 74
        assert "another vmem" in built.err
