"""Embedders without a model: `none`, finding a model's folder, what it says of itself, windows, prompts."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contracts.embedder_contract import EmbedderContract
from vault_memory.adapters.embedders import calibration
from vault_memory.adapters.embedders.fetch import wanted
from vault_memory.adapters.embedders.folders import find_model
from vault_memory.adapters.embedders.manifest import dimensions, fingerprint, holds_model, own_prompts
from vault_memory.adapters.embedders.none import create_none
from vault_memory.adapters.embedders.prompts import Prompts, prompts_for
from vault_memory.adapters.embedders.windows import windows
from vault_memory.errors import EmbedderUnavailableError, UnknownPluginError
from vault_memory.plugins import EMBEDDERS, embedder
from vault_memory.ports import Embedder


class TestNone(EmbedderContract):
    """`none` is an embedder like any other, with rows of no length."""

    @pytest.fixture
    def embedder(self) -> Embedder:
        return create_none()


def make_model(folder: Path, *, weights: bytes = b"w" * 5_000_000, width: int = 384) -> Path:
    """A folder that looks like a model from outside."""
    (folder / "1_Pooling").mkdir(parents=True)
    (folder / "config.json").write_text('{"hidden_size": 384}', encoding="utf-8")
    modules = [
        {"type": "sentence_transformers.models.Transformer", "path": ""},
        {"type": "sentence_transformers.models.Pooling", "path": "1_Pooling"},
        {"type": "sentence_transformers.models.Normalize", "path": "2_Normalize"},
    ]
    (folder / "modules.json").write_text(json.dumps(modules), encoding="utf-8")
    pooling = {
        "word_embedding_dimension": width,
        "pooling_mode_mean_tokens": True,
        "pooling_mode_cls_token": False,
    }
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling), encoding="utf-8")
    (folder / "vocab.txt").write_text("a\nb\n", encoding="utf-8")
    (folder / "model.safetensors").write_bytes(weights)
    return folder


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty place for downloaded models, instead of the person's."""
    for name in ("SENTENCE_TRANSFORMERS_HOME", "HUGGINGFACE_HUB_CACHE", "HF_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


def cached(cache: Path, name: str, commit: str = "c0ffee") -> Path:
    """A model where the download tools would have put it."""
    store = cache / f"models--{name.replace('/', '--')}"
    (store / "refs").mkdir(parents=True)
    (store / "refs" / "main").write_text(commit, encoding="ascii")
    return make_model(store / "snapshots" / commit)


def test_none_says_why_there_is_no_meaning_search() -> None:
    assert create_none().reason == "no embedder is set"
    assert create_none("the disk is full").reason == "the disk is full"


def test_the_table_makes_none_by_name_and_names_what_there_is_for_another() -> None:
    assert embedder("none", "").id == "none"
    with pytest.raises(UnknownPluginError) as caught:
        embedder("bert", "")
    assert caught.value.available == tuple(EMBEDDERS)


def test_importing_every_embedder_and_making_one_loads_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from vault_memory.plugins import embedder\n"
        "import vault_memory.adapters.embedders.fetch\n"
        f"made = embedder('sentence-transformers', {str(tmp_path)!r})\n"
        "made.id, made.reason\n"
        "print([name for name in ('numpy', 'torch', 'sentence_transformers', 'huggingface_hub')"
        " if name in sys.modules])\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_a_model_is_found_by_folder_and_by_name_with_and_without_its_owner(
    cache: Path, tmp_path: Path
) -> None:
    folder = make_model(tmp_path / "mine")
    assert find_model(str(folder)).folder == folder
    assert find_model(str(folder)).name == "mine"
    mini = cached(cache, "sentence-transformers/all-MiniLM-L6-v2")
    small = cached(cache, "intfloat/multilingual-e5-small")
    assert find_model("all-MiniLM-L6-v2").folder == mini
    assert (
        find_model("sentence-transformers/all-MiniLM-L6-v2").name == "sentence-transformers/all-MiniLM-L6-v2"
    )
    assert find_model("intfloat/multilingual-e5-small").folder == small


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize("name", ["no-such-model", "owner/no-such-model", "a/b/c", "..", "x\ny"])
def test_a_model_that_is_not_here_is_named_with_the_command_that_gets_it(name: str) -> None:
    with pytest.raises(EmbedderUnavailableError) as caught:
        find_model(name)
    assert caught.value.hint
    if not name.startswith("."):
        assert f"vmem embedder fetch {name}" in caught.value.hint


def test_no_model_set_and_a_folder_without_a_model_each_say_so(tmp_path: Path) -> None:
    with pytest.raises(EmbedderUnavailableError, match="no model is set"):
        find_model(" ")
    with pytest.raises(EmbedderUnavailableError, match="holds no whole model"):
        find_model(str(tmp_path))
    with pytest.raises(EmbedderUnavailableError, match="there is no folder"):
        find_model(str(tmp_path / "gone"))


def test_a_name_is_never_a_folder_that_happens_to_lie_here(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_model(tmp_path / "here")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EmbedderUnavailableError):
        find_model("here")
    assert find_model("./here").name == "here"


def test_a_download_that_broke_off_is_not_a_model(cache: Path) -> None:
    folder = cached(cache, "owner/half")
    (folder / "model.safetensors").unlink()
    assert not holds_model(folder)
    with pytest.raises(EmbedderUnavailableError):
        find_model("owner/half")


def test_the_fingerprint_is_the_same_for_a_copy_elsewhere_with_other_papers_beside_it(tmp_path: Path) -> None:
    one, other = make_model(tmp_path / "a"), make_model(tmp_path / "b" / "c")
    (other / "README.md").write_text("read me", encoding="utf-8")
    (other / "onnx").mkdir()
    (other / "onnx" / "model.onnx").write_bytes(b"x")
    (other / "pytorch_model.bin").write_bytes(b"the same weights in an older form")
    assert fingerprint(one) == fingerprint(other)


@pytest.mark.parametrize("place", [0, 2_400_000, 4_999_000])
def test_the_fingerprint_differs_where_weights_of_the_same_size_differ(tmp_path: Path, place: int) -> None:
    weights = bytearray(b"w" * 5_000_000)
    weights[place : place + 200_000] = b"v" * len(weights[place : place + 200_000])
    one, other = make_model(tmp_path / "a"), make_model(tmp_path / "b", weights=bytes(weights))
    assert fingerprint(one) != fingerprint(other)


@pytest.mark.parametrize("file", ["config.json", "modules.json", "1_Pooling/config.json", "vocab.txt"])
def test_the_fingerprint_differs_where_a_setting_or_a_word_differs(tmp_path: Path, file: str) -> None:
    one, other = make_model(tmp_path / "a"), make_model(tmp_path / "b")
    (other / file).write_bytes((other / file).read_bytes() + b" ")
    assert fingerprint(one) != fingerprint(other)


def test_modules_outside_the_folder_are_not_looked_at(tmp_path: Path) -> None:
    folder = make_model(tmp_path / "a")
    modules = json.loads((folder / "modules.json").read_bytes())
    modules.append({"type": "x.Dense", "path": "../outside"})
    (folder / "modules.json").write_text(json.dumps(modules), encoding="utf-8")
    before = fingerprint(folder)
    make_model(tmp_path / "outside")
    assert fingerprint(folder) == before


def test_dimensions_are_read_from_the_last_module_that_changes_them(tmp_path: Path) -> None:
    folder = make_model(tmp_path / "a", width=512)
    assert dimensions(folder) == 512
    modules = json.loads((folder / "modules.json").read_bytes())
    modules.insert(2, {"type": "sentence_transformers.models.Dense", "path": "2_Dense"})
    (folder / "modules.json").write_text(json.dumps(modules), encoding="utf-8")
    (folder / "2_Dense").mkdir()
    (folder / "2_Dense" / "config.json").write_text(
        '{"in_features": 512, "out_features": 96}', encoding="utf-8"
    )
    assert dimensions(folder) == 96
    (folder / "config_sentence_transformers.json").write_text('{"truncate_dim": 64}', encoding="utf-8")
    assert dimensions(folder) == 64


@pytest.mark.parametrize(
    ("pooling", "width"),
    [
        ({"embedding_dimension": 10, "pooling_mode": "mean"}, 10),
        ({"embedding_dimension": 10, "pooling_mode": ["mean", "max"]}, 20),
        (
            {
                "word_embedding_dimension": 10,
                "pooling_mode_mean_tokens": True,
                "pooling_mode_max_tokens": True,
            },
            20,
        ),
        ({"something": "else"}, None),
        (["not a table"], None),
    ],
)
def test_dimensions_know_old_and_new_pooling_and_say_none_where_only_loading_tells(
    tmp_path: Path, pooling: object, width: int | None
) -> None:
    folder = make_model(tmp_path / "a")
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling), encoding="utf-8")
    assert dimensions(folder) == width


def test_a_model_without_modules_has_the_width_of_its_own_config(tmp_path: Path) -> None:
    folder = make_model(tmp_path / "a")
    (folder / "modules.json").unlink()
    assert dimensions(folder) == 384


@pytest.mark.parametrize(
    ("name", "prompts"),
    [
        ("intfloat/multilingual-e5-small", Prompts("query: ", "passage: ")),
        ("e5_base", Prompts("query: ", "passage: ")),
        ("BAAI/bge-small-en-v1.5", Prompts("Represent this sentence for searching relevant passages: ")),
        ("BAAI/bge-large-zh-v1.5", Prompts("为这个句子生成表示以用于检索相关文章：")),
        ("BAAI/bge-m3", Prompts()),
        ("nomic-ai/nomic-embed-text-v1.5", Prompts("search_query: ", "search_document: ")),
        ("sentence-transformers/all-MiniLM-L6-v2", Prompts()),
        ("some/make5thing", Prompts()),
    ],
)
def test_prompts_follow_the_family_of_the_model(name: str, prompts: Prompts) -> None:
    assert prompts_for(name, {}) == prompts


def test_the_instructed_e5_wants_its_instruction_before_queries_alone() -> None:
    prompts = prompts_for("intfloat/multilingual-e5-large-instruct", {})
    assert prompts.query.startswith("Instruct: ")
    assert prompts.query.endswith("\nQuery: ")
    assert prompts.passage == ""


def test_prompts_beside_the_model_win_over_its_family(tmp_path: Path) -> None:
    folder = make_model(tmp_path / "e5")
    text = '{"prompts": {"query": "Q: ", "document": "D: ", "empty": ""}}'
    (folder / "config_sentence_transformers.json").write_text(text, encoding="utf-8")
    assert own_prompts(folder) == {"query": "Q: ", "document": "D: "}
    assert prompts_for("e5", own_prompts(folder)) == Prompts("Q: ", "D: ")


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.sampled_from("ab \n。.é市"), max_size=400), st.integers(1, 50))
def test_windows_keep_every_word_in_order_and_fit_the_room(text: str, room: int) -> None:
    pieces = windows(text, room, len)
    assert "".join("".join(pieces).split()) == "".join(text.split())
    assert all(piece.strip() == piece and 0 < len(piece) <= room for piece in pieces)


def test_windows_cut_between_paragraphs_where_there_are_some() -> None:
    paragraphs = [letter * 30 for letter in "abcd"]
    assert windows("\n\n".join(paragraphs), 40, len) == paragraphs


def test_the_span_lies_between_unrelated_pairs_and_paraphrases() -> None:
    count = len(calibration.PAIRS)
    queries = np.eye(count, dtype=np.float32)
    passages = np.ascontiguousarray(queries * 0.8 + 0.1, dtype=np.float32)
    low, high = calibration.measure(queries, passages)
    assert (round(low, 3), round(high, 3)) == (0.1, 0.9)
    assert calibration.measure(queries, np.ones_like(queries)) == calibration.UNCALIBRATED


def test_a_download_takes_each_part_of_a_model_in_one_form_only() -> None:
    there = [
        ".gitattributes", "README.md", "config.json", "modules.json", "1_Pooling/config.json", "vocab.txt",
        "model.safetensors", "pytorch_model.bin", "2_Dense/pytorch_model.bin", "2_Dense/config.json",
        "onnx/model.onnx", "onnx/config.json", "openvino/openvino_model.bin", "rust_model.ot", "tf_model.h5",
        "sentencepiece.bpe.model", "training_args.bin",
    ]  # fmt: skip
    assert wanted(there) == [
        "config.json", "modules.json", "1_Pooling/config.json", "vocab.txt", "model.safetensors",
        "2_Dense/pytorch_model.bin", "2_Dense/config.json", "sentencepiece.bpe.model",
    ]  # fmt: skip
