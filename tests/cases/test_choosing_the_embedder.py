"""`vmem embedder`: a model is tried before it is set, and its vectors are made beside other work."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tests.cases.doors import Case
from vault_memory.adapters.files.lock import VaultLock
from vault_memory.ops.embed import Pace

NOTES = 60


@pytest.fixture(autouse=True)
def _notes(case: Case) -> None:
    for number in range(NOTES):
        case.write(f"n{number:02}.md", f"release number {number} left on thursday\n")


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This machine's own file of settings, and no downloaded models."""
    place = tmp_path_factory.mktemp("machine")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(place))
    monkeypatch.setenv("HF_HUB_CACHE", str(place / "hub"))
    return place / "vault-memory" / "config.toml"


def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is embedded in passing stops after the first texts, as with a slow model."""
    monkeypatch.setattr("vault_memory.facets.index.READING", Pace(1e-9, 1e-9))


def config(case: Case) -> str:
    """The vault's own settings."""
    return (case.root / ".vmem" / "config.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("argv", "code", "said"),
    [
        (["use", "bert"], 69, "no embedder is called 'bert'"),
        (["use", "onnx"], 2, "onnx needs a model"),
        (["use", "bundled", "all-MiniLM-L6-v2"], 2, "bundled takes no model"),
        (["use", "onnx", "/nowhere/model"], 69, ""),
        (["use", "onnx", "no-such-model"], 69, ""),
        (["use", "sentence-transformers", "no-such-model"], 69, ""),
        (["use", "none", "--shared", "--machine"], 2, "two files"),
    ],
)
def test_what_can_not_be_used_is_told_and_changes_nothing(
    case: Case, machine: Path, argv: list[str], code: int, said: str
) -> None:
    before = config(case)
    ran = case.vmem("embedder", *argv)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err
    assert len(ran.err.strip().splitlines()) > 1, "it says what to do"
    assert config(case) == before
    assert not machine.exists()


def test_a_folder_can_not_travel_with_a_vault(
    case: Case, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vault_memory.compose.try_embedder", lambda name, model, threads: None)
    before = config(case)
    ran = case.vmem("embedder", "use", "onnx", "/models/e5", "--shared")
    assert ran.code == 78
    assert "a vault may only name a model" in ran.err
    assert config(case) == before
    assert case.vmem("embedder", "use", "onnx", "/models/e5").code == 0
    assert config(case) == before
    assert machine.read_text(encoding="utf-8").splitlines() == [
        'embedder_model = "/models/e5"', 'embedder = "onnx"',
    ]  # fmt: skip


def test_a_choice_for_this_machine_that_the_vault_overrules_is_refused(case: Case, machine: Path) -> None:
    assert case.vmem("embedder", "use", "none").code == 0
    ran = case.vmem("embedder", "use", "bundled", "--machine")
    assert ran.code == 2
    assert "sets embedder = 'none', which wins over this machine's own settings" in ran.err
    assert "vmem config embedder --unset --shared" in ran.err
    assert not machine.exists()


def test_an_agent_does_not_choose(case: Case, machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VMEM_AGENT", "mira")
    before = config(case)
    assert case.vmem("embedder", "use", "none").code == 77
    assert config(case) == before
    value = case.vmem("embedder", "status", "--json").value
    assert (value["texts"], value["with_vectors"], value["kept"]) == (None, None, [])


def test_an_environment_that_wins_is_told(case: Case, machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VMEM_EMBEDDER", "none")
    ran = case.vmem("embedder", "use", "bundled")
    assert ran.code == 0
    assert "VMEM_EMBEDDER wins over it" in ran.err
    assert "search by keyword only: no embedder is set" in ran.out


def test_what_is_made_in_a_moment_is_made_at_once(case: Case, machine: Path) -> None:
    ran = case.vmem("embedder", "use", "bundled")
    assert ran.code == 0
    assert f"all {NOTES} texts have vectors: search by keyword and meaning" in ran.out
    assert 'embedder = "bundled"' in config(case)
    assert "✔ bundled" in case.vmem("embedder", "list").out
    status = case.vmem("embedder", "status", "--json").value
    assert (status["keyword_only"], status["texts"], status["with_vectors"]) == (None, NOTES, NOTES)
    assert case.vmem("embedder", "use", "none").code == 0
    kept = case.vmem("embedder", "status", "--json").value["kept"]
    assert [one["vectors"] for one in kept] == [NOTES]


def test_the_rest_is_made_by_a_process_of_its_own_that_ends_when_all_is_done(
    case: Case, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    with monkeypatch.context() as hurried:
        in_a_hurry(hurried)
        ran = case.vmem("embedder", "use", "bundled", "--json")
    assert ran.code == 0
    number = ran.value["background"]
    assert number
    assert os.getpriority(os.PRIO_PROCESS, number) == 10
    assert ran.value["vectors"]["with_vectors"] < NOTES
    _, status = os.waitpid(number, 0)  # it is our child here, and must not be left behind
    assert os.waitstatus_to_exitcode(status) == 0
    assert VaultLock(case.root / ".vmem" / "local" / "embedding").holder() is None
    value = case.vmem("embedder", "status", "--json").value
    assert (value["with_vectors"], value["worker"]) == (NOTES, None)
    assert case.vmem("search", "thursday", "--json").value["mode"] == "keyword + meaning"


def test_wait_makes_all_of_them_before_it_returns(
    case: Case, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_a_hurry(monkeypatch)
    value = case.vmem("embedder", "use", "bundled", "--wait", "--json").value
    assert (value["background"], value["vectors"]["with_vectors"]) == (None, NOTES)


def test_a_build_waits_for_one_that_is_at_work_only_if_asked_to(
    case: Case, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VMEM_EMBEDDER", "bundled")
    lock = VaultLock(case.root / ".vmem" / "local" / "embedding", command="vmem embedder build")
    with lock.held(wait=0.0):
        ran = case.vmem("embedder", "build")
        assert ran.code == 74
        assert "vmem embedder status shows how far it is" in ran.err
        began = time.monotonic()
        monkeypatch.setattr("vault_memory.surfaces.cli.commands.embedder._PATIENCE", 0.3)
        assert case.vmem("embedder", "build", "--after-another").code == 74
        assert time.monotonic() - began >= 0.3
    built = case.vmem("embedder", "build")
    assert built.code == 0
    assert f"Made {NOTES} vectors." in built.out


def test_a_reranker_that_can_not_be_used_is_told_and_answers_go_on(
    case: Case, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VMEM_RERANKER", "onnx")
    monkeypatch.setenv("VMEM_RERANKER_MODEL", "/nowhere/model")
    found = case.vmem("search", "thursday", "--json").value
    assert ", not reranked: " in found["mode"]
    assert len(found["hits"]) > 1
    doctor = case.vmem("doctor")
    assert doctor.code == 1
    assert "reranker: " in doctor.out


def test_outside_of_a_vault_the_choice_is_this_machines(
    case: Case, machine: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from vault_memory.surfaces.cli.app import main

    monkeypatch.chdir(tmp_path / "beside")
    assert main(["embedder", "use", "none"]) == 0
    assert machine.read_text(encoding="utf-8") == 'embedder = "none"\n'
