"""A vault that is searched by meaning, end to end, with a real model and without a network."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import apsw
import pytest

from tests.embed.test_sentence_transformers import LAST, model_folder
from tests.stand import CountedIds, ToldClock
from vault_memory.model.namespace import PERSON
from vault_memory.vault import Vault

pytestmark = [pytest.mark.embedder, pytest.mark.timeout(300), pytest.mark.usefixtures("no_network")]

REPOSITORY = Path(__file__).parents[2]
NOTES = {
    "vet.md": "The kitten threw up all night and was taken to the animal doctor.",
    "rates.md": "The central bank raised its key rate by a quarter point.",
    "deploy.md": "Releases are cut on Thursday by the platform team.",
    "roof.md": "Tiles came loose in the storm and water dripped into the attic.",
    "piano.md": "Grandmother's piano is to be tuned every spring.",
}
PARAPHRASE = "my cat is ill"
"""Shares no word with the note it is about."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A vault with a handful of notes about different things."""
    place = tmp_path / "memory"
    Vault.create(place)
    for name, text in NOTES.items():
        (place / name).write_text(text + "\n", encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same model with a layer behind it that leaves 256 of its 384 numbers: another model."""
    import torch
    from sentence_transformers import SentenceTransformer, models

    torch.manual_seed(7)
    base = SentenceTransformer(str(model_folder()), local_files_only=True)
    dense = models.Dense(in_features=384, out_features=256, activation_function=torch.nn.Identity())
    place = tmp_path_factory.mktemp("models") / "narrow"
    SentenceTransformer(modules=[*base, dense]).save(str(place))
    return place


def opened(root: Path, model: Path | str | None) -> Vault:
    """The vault, with that model or with none."""
    settings: dict[str, object] = {"refresh_seconds": 0.0, "embedder": "none"}
    if model is not None:
        settings |= {"embedder": "sentence-transformers", "embedder_model": str(model)}
    return Vault.open(root, settings=settings, clock=ToldClock(), ids=CountedIds())


def rows(root: Path) -> list[tuple[str, int]]:
    """(embedder, bytes) of every vector in the index."""
    db = apsw.Connection(str(root / ".vmem" / "local" / "index.db"), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return list(db.execute("SELECT embedder, length(vector) FROM vectors ORDER BY number"))
    finally:
        db.close()


def vmem(root: Path, *argv: str, model: Path | str, **environment: str) -> tuple[int, str, str]:
    """A real process of the command line."""
    done = subprocess.run(
        [sys.executable, "-m", "vault_memory", "--vault", str(root), *argv],
        capture_output=True, encoding="utf-8", cwd=root.parent, check=False,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), "VMEM_EMBEDDER": "sentence-transformers",
             "VMEM_EMBEDDER_MODEL": str(model), **environment},
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    assert "this is a bug" not in done.stderr, done.stderr
    return done.returncode, done.stdout, done.stderr


def test_a_paraphrase_is_found_by_meaning_and_not_by_keyword(root: Path) -> None:
    with opened(root, None) as vault:
        found = vault.person.search(PARAPHRASE)
        assert (found.hits, found.mode) == ((), "keyword only: no embedder is set")
    with opened(root, model_folder()) as vault:
        found = vault.person.search(PARAPHRASE)
        assert found.mode == "keyword + meaning"
        assert found.hits[0].entry.path == "vet.md"
        assert found.hits[0].parts.keyword == 0
        assert (found.hits[0].parts.meaning or 0) > 0.3
        recalled = vault.person.recall("what did water do to the house", max_tokens=200)
        assert recalled.hits[0].entry.path == "roof.md"
        assert "dripped into the attic" in str(recalled)
        status = vault.upkeep.status(PERSON)
        assert status.embedder.startswith("sentence-transformers:model@")
        assert status.embedder_reason is None


def test_a_word_still_finds_what_holds_it(root: Path) -> None:
    with opened(root, model_folder()) as vault:
        for query, path in (("quarter point", "rates.md"), ("Thursday", "deploy.md"), ("piano", "piano.md")):
            assert vault.person.search(query).hits[0].entry.path == path


def test_what_has_nothing_to_do_with_it_is_no_hit_for_being_there(root: Path) -> None:
    with opened(root, model_folder()) as vault:
        found = vault.person.search(PARAPHRASE)
        assert "rates.md" not in [hit.entry.path for hit in found.hits[:1]]
        scores = {str(hit.entry.path): hit.score for hit in found.hits}
        assert all(scores["vet.md"] > score for path, score in scores.items() if path != "vet.md")


def test_the_command_line_says_the_same_as_python(root: Path) -> None:
    code, out, err = vmem(root, "search", PARAPHRASE, "--json", model=model_folder())
    assert code == 0
    value = json.loads(out)
    assert value["mode"] == "keyword + meaning"
    assert value["hits"][0]["path"] == "vet.md"
    assert err == ""
    code, out, _ = vmem(root, "status", model=model_folder())
    assert code == 0
    assert "keyword + meaning (sentence-transformers:model@" in out


def test_another_model_is_named_and_its_vectors_are_never_mixed_with_the_old(
    root: Path, narrow: Path
) -> None:
    with opened(root, model_folder()) as vault:
        assert vault.index.refresh().embedded == len(NOTES)
        first = vault.upkeep.status(PERSON).embedder
    assert [name for name, _ in rows(root)] == [first] * len(NOTES)
    with opened(root, narrow) as vault:
        report = vault.index.refresh()
        second = vault.upkeep.status(PERSON).embedder
        assert report.rebuilt == f"embedder {first} → {second}"
        assert (report.embedded, report.added, report.changed) == (len(NOTES), 0, 0)
        assert vault.person.search(PARAPHRASE).hits[0].entry.path == "vet.md"
        assert vault.index.refresh().rebuilt is None
    assert second != first
    assert [name for name, _ in rows(root)] == [first] * len(NOTES) + [second] * len(NOTES)
    assert len(set(rows(root))) == 2, "384 numbers each and 256 each"
    with opened(root, model_folder()) as vault:
        report = vault.index.refresh()
        assert (report.embedded, report.rebuilt) == (0, f"embedder {second} → {first}")
        assert vault.person.search(PARAPHRASE).hits[0].entry.path == "vet.md"
        assert vault.index.refresh().rebuilt is None


def test_while_half_of_the_vectors_are_missing_the_rest_is_searched_and_the_next_look_fills_them(
    root: Path,
) -> None:
    with opened(root, model_folder()) as vault:
        before = vault.person.search(PARAPHRASE)
        dump = vault.index.dump()
    db = apsw.Connection(str(root / ".vmem" / "local" / "index.db"))
    db.execute("DELETE FROM vectors WHERE number % 2 = 1")
    db.close()
    assert len(rows(root)) == len(NOTES) // 2
    with opened(root, model_folder()) as vault:
        report = vault.index.refresh()
        assert (report.embedded, report.added, report.changed) == (len(NOTES) - len(NOTES) // 2, 0, 0)
        after = vault.person.search(PARAPHRASE)
        assert [(hit.entry.path, round(hit.score, 4)) for hit in after.hits] == [
            (hit.entry.path, round(hit.score, 4)) for hit in before.hits
        ]
        assert vault.index.dump() == dump


def test_texts_that_are_known_are_never_embedded_again(root: Path) -> None:
    with opened(root, model_folder()) as vault:
        assert vault.index.refresh().embedded == len(NOTES)
        place = root / "vet.md"
        place.rename(root / "animal.md")
        assert vault.index.refresh().embedded == 0
        content = (root / "animal.md").read_text()
        (root / "animal.md").write_text(f"---\ntitle: Other\n---\n{content}")
        assert vault.index.refresh().embedded == 0
        (root / "animal.md").write_text(
            content + "\nAnd a second paragraph of its own, which is long enough.\n"
        )
        assert vault.index.refresh().embedded >= 1
        assert vault.index.rebuild().embedded == 0


def test_an_empty_body_has_no_vector_that_is_not_a_number(root: Path) -> None:
    for name, content in {"empty.md": b"", "blank.md": b"\n \t\n", "front.md": b"---\ntitle: Only\n---\n",
                          "signs.md": b"... --- !!!\n", "zero.md": b"\x00\x00"}.items():  # fmt: skip
        (root / name).write_bytes(content)
    with opened(root, model_folder()) as vault:
        for query in (PARAPHRASE, "Only", "...", "\U0001f680", "\ud800", "\x00"):
            found = vault.person.search(query, limit=50)
            assert found.mode == "keyword + meaning"
            for hit in found.hits:
                assert math.isfinite(hit.score)
                assert hit.parts.meaning is None or 0 <= hit.parts.meaning <= 1
        assert vault.person.search(PARAPHRASE).hits[0].entry.path == "vet.md"
        assert vault.index.refresh().embedded == 0


@pytest.mark.parametrize(
    ("heading", "query", "by_keyword", "meaning"),
    [
        ("", "What did the vet give the cat?", 1, 0.0),
        ("## At home\n\n", "kitten sick: which medicine?", 0, 0.3),
    ],
    ids=["in running text", "in other words"],
)
def test_the_last_paragraph_of_200_kilobytes_is_found(
    root: Path, heading: str, query: str, by_keyword: int, meaning: float
) -> None:
    paragraph = (
        "Chapter {0}. The release train leaves on Thursday; the platform team cuts branch {0}, runs its suite"
        ", watches the dashboards for half an hour and then moves the traffic over step by step."
    )
    chapters = [paragraph.format(number) for number in range(1_100)]
    text = "\n\n".join([*chapters, heading + LAST])
    assert 200_000 < len(text) < 262_144
    (root / "vet.md").unlink()
    (root / "long.md").write_text(text + "\n", encoding="utf-8")
    with opened(root, None) as vault:
        assert len(vault.person.search(query).hits) == by_keyword
    with opened(root, model_folder()) as vault:
        vault.index.refresh()  # a search would leave the rest of so many to `vmem embedder build`
        found = vault.person.search(query, limit=3)
        assert found.hits[0].entry.path == "long.md"
        assert (found.hits[0].parts.meaning or 0) >= meaning
        assert LAST in found.hits[0].passages[0].passage.text
        recalled = vault.person.recall(query, max_tokens=400)
        assert LAST in str(recalled)
        assert recalled.tokens <= 400


def test_when_the_models_files_vanish_keywords_go_on_and_when_they_are_back_nothing_is_made_anew(
    root: Path, tmp_path: Path
) -> None:
    model = tmp_path / "models" / "mini"
    shutil.copytree(model_folder(), model)
    with opened(root, model) as vault:
        assert vault.index.refresh().embedded == len(NOTES)
    before = rows(root)
    model.rename(tmp_path / "elsewhere")
    reason = f"there is no folder {model}; set embedder_model to a folder that holds a model, or to a name"
    with opened(root, model) as vault:
        found = vault.person.search("kitten")
        assert (found.mode, found.hits[0].entry.path) == (f"keyword only: {reason}", "vet.md")
        recalled = vault.person.recall("kitten")
        assert (recalled.mode, recalled.hits[0].entry.path) == (f"keyword only: {reason}", "vet.md")
        assert vault.upkeep.status(PERSON).embedder_reason == reason
        written = vault.person.remember("The kitten is well again")
        assert written.commit
    for argv in (["search", "kitten"], ["recall", "kitten"], ["status"]):
        code, out, err = vmem(root, *argv, model=model)
        assert code == 0
        assert f"keyword only: {reason}" in out + err
    (tmp_path / "elsewhere").rename(model)
    with opened(root, model) as vault:
        report = vault.index.refresh()
        assert (report.embedded, report.rebuilt) == (1, None)
        assert vault.person.search(PARAPHRASE).mode == "keyword + meaning"
    assert rows(root)[: len(before)] == before


def test_a_model_that_can_not_be_loaded_is_told_once_and_keywords_go_on(root: Path, tmp_path: Path) -> None:
    model = tmp_path / "models" / "mini"
    shutil.copytree(model_folder(), model)
    (model / "model.safetensors").write_bytes(b"not weights")
    with opened(root, model) as vault:
        found = vault.person.search("kitten")
        assert found.hits[0].entry.path == "vet.md"
        assert found.mode.startswith(f"keyword only: the model in {model} can't be loaded: ")
        status = vault.upkeep.status(PERSON)
        assert status.embedder_reason is not None
        assert vault.person.remember("still written").commit
    code, out, _ = vmem(root, "recall", "kitten", "--json", model=model)
    assert code == 0
    assert json.loads(out)["mode"].startswith("keyword only: ")
    assert vmem(root, "doctor", model=model)[0] == 1


@pytest.mark.parametrize(
    "model", ["", "all-MiniLM-L6-v2", "/nowhere/model", "~nobody-of-that-name/x", "a\x00b"], ids=ascii
)
def test_a_model_that_is_not_there_is_never_looked_up_and_its_name_is_told(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    with opened(root, model) as vault:
        found = vault.person.recall("kitten")
        assert found.mode.startswith("keyword only: ")
        assert found.hits[0].entry.path == "vet.md"
        assert vault.upkeep.status(PERSON).embedder_reason is not None


def test_a_note_of_anothers_is_no_nearer_for_being_meant(root: Path) -> None:
    with opened(root, model_folder()) as vault:
        vault.agent("mira").remember("The tomcat swallowed a thread and needs surgery", title="Tomcat")
        found: Any = vault.agent("akashi").search("an operation on a pet that ate string", limit=50)
        assert found.hits
        assert "Tomcat" not in str(found)
        assert "Tomcat" not in str(vault.agent("akashi").recall("an operation on a pet that ate string"))
        mine = vault.agent("mira").search("an operation on a pet that ate string")
        assert mine.hits[0].entry.title == "Tomcat"


def test_an_expired_and_a_conflicted_note_is_no_nearer_either(root: Path) -> None:
    (root / "vet.md").write_text("---\nexpires: 2020-01-01\n---\n" + NOTES["vet.md"] + "\n")
    with opened(root, model_folder()) as vault:
        found = vault.person.search(PARAPHRASE)
        assert "vet.md" not in [hit.entry.path for hit in found.hits]
        assert [(one.entry.path, one.reason.value) for one in found.dropped][:1] == [("vet.md", "expired")]


def test_a_read_only_index_without_all_vectors_says_so(root: Path) -> None:
    with opened(root, model_folder()) as vault:
        vault.index.refresh()
    place = root / ".vmem" / "local"
    db = apsw.Connection(str(place / "index.db"))
    db.execute("DELETE FROM vectors WHERE number = 1")
    db.close()
    code = (
        "import sys, json\n"
        "from pathlib import Path\n"
        "from vault_memory.adapters.indexes.sqlite.backend import SqliteIndex\n"
        "SqliteIndex.writable = property(lambda self: False)\n"
        "SqliteIndex.notice = property(lambda self: 'it is read-only')\n"
        "from vault_memory.vault import Vault\n"
        "settings = {'embedder': 'sentence-transformers', 'embedder_model': sys.argv[2]}\n"
        "with Vault.open(sys.argv[1], settings=settings) as vault:\n"
        "    print(json.dumps(vault.person.search('kitten').notices))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(root), str(model_folder())],
        capture_output=True, encoding="utf-8", check=True, env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )  # fmt: skip
    assert "not all texts have vectors: it is read-only" in json.loads(done.stdout)[0]
