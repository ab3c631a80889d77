"""Without vectors, for whatever reason: keyword search goes on, and every answer names the reason."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.cases.doors import REPOSITORY, Case, Door

REASONS = {
    "package": "needs the extra 'sentence-transformers', which is not installed;"
    " pip install 'vault-memory[sentence-transformers]'",
    "no model": "no model is set for the embedder; set embedder_model to a model's name or to a folder",
    "folder": "there is no folder /nowhere/model; set embedder_model to a folder",
    "name": "the model 'no-such-model' is not on this machine; vmem embedder fetch no-such-model",
}
MODELS = {"package": "all-MiniLM-L6-v2", "no model": "", "folder": "/nowhere/model", "name": "no-such-model"}


@pytest.fixture(params=list(REASONS))
def reason(
    request: pytest.FixtureRequest, case: Case, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> str:
    """A machine on which the embedder can't serve, and what is said of it."""
    kind: str = request.param
    case.write("vet.md", "The kitten was taken to the animal doctor.\n")
    monkeypatch.setenv("VMEM_EMBEDDER", "sentence-transformers")
    monkeypatch.setenv("VMEM_EMBEDDER_MODEL", MODELS[kind])
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "no-models"))
    if kind == "package":
        monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    else:
        pretend_installed(monkeypatch)
    return REASONS[kind]


def pretend_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the package is there or not: the model is looked for first, and nothing is imported."""
    from vault_memory.adapters.embedders import sbert

    monkeypatch.setattr(sbert, "is_installed", lambda: True)


def test_the_answer_is_there_and_names_the_reason(door: Door, case: Case, reason: str) -> None:
    for said in (door.search("kitten"), door.recall("kitten")):
        assert said.code == 0
        assert said.value["mode"].startswith("keyword only: ")
        assert reason in said.value["mode"]
        assert [one["path"] for one in said.value.get("hits", said.value.get("memories"))] == ["vet.md"]
    status = door.status().value
    assert reason in status["embedder_reason"]
    assert door.remember("The kitten is well").code == 0
    assert len(door.search("kitten").value["hits"]) == 2


def test_people_read_it_too(case: Case, reason: str) -> None:
    for argv in (["search", "kitten"], ["status"]):
        ran = case.vmem(*argv)
        assert ran.code == 0
        assert f"{reason}" in ran.out
        assert "keyword only: " in ran.out
    recalled = case.vmem("recall", "kitten")
    assert recalled.code == 0
    assert "animal doctor" in recalled.out
    assert "keyword only: " in recalled.err
    assert reason in recalled.err
    explained = case.vmem("recall", "kitten", "--explain")
    assert reason in explained.out
    doctor = case.vmem("doctor")
    assert doctor.code == 1
    assert reason in doctor.out


def test_nothing_found_by_keyword_is_told_apart_from_nothing_to_find(case: Case, reason: str) -> None:
    ran = case.vmem("search", "my cat is ill")
    assert ran.code == 0
    assert "No memory matches" in ran.out
    assert reason in ran.out


def test_a_vault_of_no_embedder_says_so_and_nothing_is_wrong(
    door: Door, case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VMEM_EMBEDDER", "none")
    case.write("vet.md", "The kitten was taken to the animal doctor.\n")
    for said in (door.search("kitten"), door.recall("kitten")):
        assert said.value["mode"] == "keyword only: no embedder is set"
    assert door.status().value["embedder"] == "none"
    assert case.vmem("doctor").code == 0
    assert case.vmem("recall", "kitten").err == ""


def test_a_package_that_is_there_and_can_not_be_imported_is_not_called_available(case: Case) -> None:
    case.write("vet.md", "The kitten was taken to the animal doctor.\n")
    broken = case.root / ".broken"
    (broken / "model").mkdir(parents=True)
    (broken / "sentence_transformers.py").write_text("raise ImportError('no torch here')\n", encoding="utf-8")
    (broken / "model" / "config.json").write_text('{"hidden_size": 384}', encoding="utf-8")
    (broken / "model" / "model.safetensors").write_bytes(b"weights")
    environment = {
        "VMEM_EMBEDDER": "sentence-transformers",
        "VMEM_EMBEDDER_MODEL": str(broken / "model"),
        "PYTHONPATH": f"{broken}{os.pathsep}{REPOSITORY}",
    }
    reason = "keyword only: the package sentence-transformers can't be imported: no torch here"
    for argv in (["recall", "kitten", "--json"], ["search", "kitten", "--json"]):
        ran = case.process(*argv, environment=environment)
        assert ran.code == 0
        assert ran.value["mode"].startswith(reason)
        assert "; pip install --upgrade" in ran.value["mode"]
        assert [one["path"] for one in ran.value.get("hits", ran.value.get("memories"))] == ["vet.md"]
    assert reason in case.process("status", environment=environment).out
    assert case.process("remember", "Well again", environment=environment).code == 0
