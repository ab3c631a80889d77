"""ONNX models: a tiny one made here, and a real one that must give what sentence-transformers gives."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.contracts.embedder_contract import TEXTS, EmbedderContract
from tests.embed.test_sentence_transformers import LAST, LONG, cosine, model_folder
from tests.embed.tiny import WORDS, tiny_embedder, write_graph
from vault_memory.adapters.embedders.calibration import PAIRS
from vault_memory.adapters.embedders.local import LocalEmbedder
from vault_memory.adapters.embedders.onnx import create_onnx
from vault_memory.adapters.embedders.sbert import create_sentence_transformers
from vault_memory.errors import EmbedderUnavailableError, MissingExtraError
from vault_memory.model.advice import advised
from vault_memory.ports import Embedder

if TYPE_CHECKING:
    from vault_memory.model.vector import Vectors

pytestmark = [pytest.mark.embedder, pytest.mark.timeout(300), pytest.mark.usefixtures("no_network")]


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A tiny model's folder."""
    return tiny_embedder(tmp_path / "tiny")


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """MiniLM as others publish it: the graph in a folder of its own, the other files above it."""
    import torch
    from transformers import AutoModel

    folder = tmp_path_factory.mktemp("models") / "mini"
    shutil.copytree(model_folder(), folder, ignore=shutil.ignore_patterns("*.safetensors", "*.bin"))
    (folder / "onnx").mkdir()

    class Tokens(torch.nn.Module):  # type: ignore[misc]  # torch is not there for the type checker
        def __init__(self) -> None:
            super().__init__()
            self.model = AutoModel.from_pretrained(str(model_folder()), attn_implementation="eager").eval()

        def forward(self, input_ids: object, attention_mask: object, token_type_ids: object) -> object:
            made = self.model(
                input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
            )
            return made.last_hidden_state

    ones = torch.ones(2, 8, dtype=torch.long)
    names = ["input_ids", "attention_mask", "token_type_ids"]
    torch.onnx.export(
        Tokens(),
        (ones, ones, ones * 0),
        str(folder / "onnx" / "model.onnx"),
        input_names=names,
        output_names=["last_hidden_state"],
        dynamic_axes={name: {0: "batch", 1: "tokens"} for name in (*names, "last_hidden_state")},
        opset_version=17,
        dynamo=False,
    )
    return folder


@pytest.fixture(scope="module")
def mini(exported: Path) -> LocalEmbedder:
    """MiniLM as an ONNX model, loaded once."""
    return create_onnx(str(exported))


class TestTiny(EmbedderContract):
    """The contract, with a graph of one node."""

    @pytest.fixture
    def embedder(self, tiny: Path) -> Embedder:
        return create_onnx(str(tiny))


@pytest.mark.filterwarnings("ignore")  # torch warns of its own exporter
class TestMini(EmbedderContract):
    """The contract, with a real model."""

    @pytest.fixture
    def embedder(self, mini: LocalEmbedder) -> Embedder:
        return mini


@pytest.mark.filterwarnings("ignore")
def test_a_real_model_gives_the_vectors_that_sentence_transformers_gives(mini: LocalEmbedder) -> None:
    library = create_sentence_transformers(str(model_folder()))
    texts = [*TEXTS, *(text for pair in PAIRS for text in pair), LONG, f"{LONG}\n\n{LAST}", "", "x" * 5000]
    assert np.abs(mini.passages(texts) - library.passages(texts)).max() < 1e-5
    assert np.abs(mini.query(TEXTS[0]) - library.query(TEXTS[0])).max() < 1e-5
    assert np.allclose(mini.span, library.span, atol=1e-4)


@pytest.mark.filterwarnings("ignore")
def test_the_last_paragraph_of_a_long_text_counts(mini: LocalEmbedder) -> None:
    question = mini.query("What did the vet give the cat?")
    without = cosine(question, mini.passages([LONG]))
    assert cosine(question, mini.passages([f"{LONG}\n\n{LAST}"])) > without + 0.03


def test_words_that_mean_the_same_are_near(tiny: Path) -> None:
    made = create_onnx(str(tiny))
    near, far = (made.query("cat ill") @ made.passages(["kitten sick", "bank rate"]).T)[0]
    assert near > 0.99
    assert far < 0.6


def test_a_long_text_is_the_mean_of_its_windows(tiny: Path) -> None:
    made = create_onnx(str(tiny))
    whole = made.passages([" ".join(["kitten"] * 300) + "\n\n" + " ".join(["bank"] * 300)])
    assert cosine(made.query("cat"), whole) > 0.4
    assert cosine(made.query("rate"), whole) > 0.4


def test_a_row_does_not_depend_on_its_neighbours_to_the_last_bit(tiny: Path) -> None:
    made = create_onnx(str(tiny))
    together = made.passages([*TEXTS, "cat " * 200, "the kitten"])
    assert together[-1].tobytes() == made.passages(["the kitten"])[0].tobytes()


@pytest.mark.parametrize(
    ("pooling", "expected"),
    [("cls", [1, 0, 0]), ("mean", [1, 5, 3]), ("max", [1, 4, 2]), ("lasttoken", [0, 1, 1])],
)
def test_pooling_is_as_the_model_says(tmp_path: Path, pooling: str, expected: list[float]) -> None:
    folder = tiny_embedder(tmp_path / "tiny", width=3)
    table = np.zeros((len(WORDS), 3), dtype=np.float32)
    table[WORDS.index("[CLS]")], table[WORDS.index("[SEP]")] = [1, 0, 0], [0, 1, 1]
    table[WORDS.index("cat")] = [0, 4, 2]
    write_graph(
        folder / "model.onnx",
        table,
        [("Gather", "table", "input_ids", "last_hidden_state")],
    )
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(f'{{"pooling_mode": "{pooling}"}}', encoding="utf-8")
    row = np.array(expected, dtype=np.float32)
    assert np.allclose(create_onnx(str(folder)).passages(["cat"])[0], row / np.linalg.norm(row), atol=1e-6)


def test_a_graph_that_pools_itself_is_taken_at_its_word(tmp_path: Path) -> None:
    folder = tiny_embedder(tmp_path / "tiny", width=32)
    table = np.ones((len(WORDS), 5), dtype=np.float32)
    nodes = [("Gather", "table", "input_ids", "each"), ("ReduceSum", "each", "axis", "sentence_embedding")]
    write_graph(folder / "model.onnx", table, nodes, output="sentence_embedding")
    (folder / "config.json").unlink()
    made = create_onnx(str(folder))
    assert made.dimensions == 5
    assert np.allclose(made.query("cat"), 5**-0.5)


def test_prompts_of_the_family_stand_before_the_text(tmp_path: Path) -> None:
    plain, e5 = (create_onnx(str(tiny_embedder(tmp_path / name))) for name in ("tiny", "small-e5"))
    assert np.allclose(e5.query("cat"), plain.query("query: cat"))
    assert np.allclose(e5.passages(["cat"]), plain.passages(["passage: cat"]))
    assert e5.id != plain.id


def test_dimensions_id_and_reason_are_known_without_loading(tiny: Path) -> None:
    code = (
        "import sys\n"
        "from vault_memory.adapters.embedders.onnx import create_onnx\n"
        "made = create_onnx(sys.argv[1])\n"
        "print(made.dimensions, made.reason, made.id, 'onnxruntime' in sys.modules, 'numpy' in sys.modules)\n"
    )
    run = subprocess.run([sys.executable, "-c", code, str(tiny)], capture_output=True, text=True, check=True)
    dimensions, reason, name, has_runtime, has_numpy = run.stdout.split()
    assert (dimensions, reason, has_runtime, has_numpy) == ("32", "None", "False", "False")
    assert name.startswith("onnx:tiny@")


def test_one_file_of_a_folder_can_be_chosen_and_has_an_id_of_its_own(tmp_path: Path) -> None:
    folder = tiny_embedder(tmp_path / "tiny")
    tiny_embedder(tmp_path / "tiny", file="onnx/model_int8.onnx", seed=8)
    whole, smaller = create_onnx(str(folder)), create_onnx(str(folder / "onnx" / "model_int8.onnx"))
    assert whole.id.startswith("onnx:tiny@")
    assert smaller.id.startswith("onnx:tiny@")
    assert whole.id != smaller.id
    assert not np.allclose(whole.query("cat"), smaller.query("cat"))


def test_threads_can_share_one_embedder(tiny: Path) -> None:
    made = create_onnx(str(tiny), threads=1)
    texts = [f"the kitten was ill {number}" for number in range(8)]
    alone = made.passages(texts)
    found: dict[int, Vectors] = {}

    def embed(number: int) -> None:
        found[number] = made.passages(texts)

    threads = [Thread(target=embed, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[number].tobytes() == alone.tobytes() for number in range(4)] == [True] * 4


def test_loading_and_embedding_write_nothing_to_stdout_or_stderr_even_with_a_later_fork(tiny: Path) -> None:
    code = (
        "import os, sys\n"
        "from vault_memory.adapters.embedders.onnx import create_onnx\n"
        "made = create_onnx(sys.argv[1])\n"
        "made.passages(['word ' * 3000] + ['one text', 'two texts'] * 40)\n"
        "made.span\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    made.query('x')\n"
        "    os._exit(0)\n"
        "os.waitpid(child, 0)\n"
    )
    run = subprocess.run(
        [sys.executable, "-W", "always", "-c", code, str(tiny)], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_a_missing_package_is_told_with_the_line_that_installs_it(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    made = create_onnx(str(tiny))
    assert made.reason is not None
    assert "needs the extra 'onnx', which is not installed; pip install 'vault-memory[onnx]'" in made.reason
    with pytest.raises(MissingExtraError):
        made.passages(["x"])


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("model.onnx", b""),
        ("model.onnx", b"not a graph"),
        ("tokenizer.json", b"{"),
        ("tokenizer.json", b'{"version": "1.0", "model": {"type": "Nothing"}}'),
    ],
)
def test_a_damaged_model_is_told_once_and_then_remembered_as_the_reason(
    tiny: Path, file: str, content: bytes
) -> None:
    (tiny / file).write_bytes(content)
    made = create_onnx(str(tiny))
    assert made.reason is None
    with pytest.raises(EmbedderUnavailableError) as caught:
        made.passages(["x"])
    assert str(tiny) in caught.value.message
    assert "can't be loaded" in caught.value.message
    assert made.reason == advised(caught.value)
    assert made.span == (0.0, 1.0)


def test_a_graph_of_something_else_is_told(tiny: Path) -> None:
    table = np.zeros((len(WORDS), 4), dtype=np.float32)
    gather = [("Gather", "table", "pixels", "last_hidden_state")]
    write_graph(tiny / "model.onnx", table, gather, inputs=["pixels"])
    with pytest.raises(EmbedderUnavailableError, match="takes pixels, so it is no model of texts"):
        create_onnx(str(tiny)).query("x")


def test_a_graph_that_lacks_the_last_layers_is_refused(tiny: Path) -> None:
    (tiny / "2_Dense").mkdir()
    with pytest.raises(EmbedderUnavailableError, match="has layers that its ONNX file lacks"):
        create_onnx(str(tiny)).query("x")


def test_a_tokenizer_that_knows_no_word_for_what_it_does_not_know_is_told(tiny: Path) -> None:
    tokenizer = tiny / "tokenizer.json"
    tokenizer.write_text(tokenizer.read_text().replace('"unk_token":"[UNK]"', '"unk_token":"nothing"'))
    changed = tokenizer.read_text().replace('"unk_token": "[UNK]"', '"unk_token": "nothing"')
    tokenizer.write_text(changed)
    with pytest.raises(EmbedderUnavailableError, match="can't read a text"):
        create_onnx(str(tiny)).query("zebra")


def test_numbers_that_are_none_are_told(tiny: Path) -> None:
    table = np.full((len(WORDS), 32), np.nan, dtype=np.float32)
    gather = [("Gather", "table", "input_ids", "last_hidden_state")]
    write_graph(tiny / "model.onnx", table, gather)
    with pytest.raises(EmbedderUnavailableError, match="gives no usable vectors"):
        create_onnx(str(tiny)).passages(["cat"])
