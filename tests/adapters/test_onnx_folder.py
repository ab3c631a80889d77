"""What a folder with an ONNX model says of itself: which graph runs, how long a text may be, how it pools."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vault_memory.adapters.embedders.fetch import wanted_onnx
from vault_memory.adapters.embedders.folders import FoundModel
from vault_memory.adapters.embedders.onnxfolder import (
    find_graph,
    find_onnx,
    onnx_fingerprint,
    onnx_prompts,
    read_onnx,
)
from vault_memory.adapters.embedders.prompts import Prompts
from vault_memory.errors import EmbedderUnavailableError


def folder_of(place: Path, *files: str, **papers: object) -> Path:
    """A folder with empty graphs, a tokenizer, and the papers given (`config={…}` is config.json)."""
    for file in files:
        (place / file).parent.mkdir(parents=True, exist_ok=True)
        (place / file).write_bytes(file.encode())
    (place / "tokenizer.json").write_text("{}", encoding="utf-8")
    for name, content in papers.items():
        paper = place / ("1_Pooling/config.json" if name == "pooling" else f"{name}.json")
        paper.parent.mkdir(exist_ok=True)
        paper.write_text(json.dumps(content), encoding="utf-8")
    return place


@pytest.mark.parametrize(
    ("files", "chosen"),
    [
        (["model.onnx", "model_int8.onnx", "onnx/model.onnx"], "model.onnx"),
        (["onnx/model_quantized.onnx", "onnx/model.onnx"], "onnx/model.onnx"),
        (["some.onnx"], "some.onnx"),
        (["onnx/model_O4.onnx"], "onnx/model_O4.onnx"),
        (["onnx/model_q4.onnx", "onnx/model_int8.onnx", "onnx/model_fp16.onnx"], "onnx/model_int8.onnx"),
        (["model_a.onnx", "model_b.onnx"], None),
        ([], None),
    ],
)
def test_the_whole_model_runs_before_a_smaller_form_of_it(
    tmp_path: Path, files: list[str], chosen: str | None
) -> None:
    folder = folder_of(tmp_path, *files)
    assert find_graph(folder) == (folder / chosen if chosen else None)


def test_a_model_is_known_by_its_folder_however_it_is_named(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "my model", "onnx/model.onnx", "onnx/model_int8.onnx")
    for named in (folder, folder / "onnx", folder / "onnx" / "model_int8.onnx"):
        assert find_onnx(str(named)).name == "my-model"


@pytest.mark.parametrize("missing", ["onnx/model.onnx", "tokenizer.json"])
def test_a_folder_without_graph_or_tokenizer_is_told_what_it_needs(tmp_path: Path, missing: str) -> None:
    folder = folder_of(tmp_path, "onnx/model.onnx")
    (folder / missing).unlink()
    with pytest.raises(EmbedderUnavailableError, match="holds no whole model") as caught:
        find_onnx(str(folder))
    assert "tokenizer.json" in str(caught.value.hint)


def test_a_name_that_is_not_here_comes_with_the_command_that_gets_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(EmbedderUnavailableError) as caught:
        find_onnx("intfloat/multilingual-e5-small")
    assert "vmem embedder fetch --onnx intfloat/multilingual-e5-small" in str(caught.value.hint)


@pytest.mark.parametrize(
    ("papers", "longest"),
    [
        ({}, 512),
        (
            {"sentence_bert_config": {"max_seq_length": 256}, "tokenizer_config": {"model_max_length": 512}},
            256,
        ),
        ({"tokenizer_config": {"model_max_length": 128}}, 128),
        ({"tokenizer_config": {"model_max_length": 10**30}, "config": {"max_position_embeddings": 77}}, 77),
        ({"config": {"max_position_embeddings": 514, "model_type": "xlm-roberta", "pad_token_id": 1}}, 512),
        ({"config": {"max_position_embeddings": 130, "model_type": "mpnet", "pad_token_id": 1}}, 128),
        ({"config": {"max_position_embeddings": 8192}}, 512),
        ({"config": ["no table"], "tokenizer_config": "none"}, 512),
    ],
)
def test_a_text_is_no_longer_than_the_model_reads_nor_than_is_cheap(
    tmp_path: Path, papers: dict[str, object], longest: int
) -> None:
    assert read_onnx(folder_of(tmp_path, "model.onnx", **papers)).longest == longest


@pytest.mark.parametrize(
    ("name", "papers", "pooling"),
    [
        ("some", {}, "mean"),
        ("bge-small-en", {}, "cls"),
        ("renamed", {"config": {"_name_or_path": "mixedbread-ai/mxbai-embed-large-v1"}}, "cls"),
        (
            "bge-small-en",
            {"pooling": {"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": False}},
            "mean",
        ),
        ("some", {"pooling": {"pooling_mode_lasttoken": True}}, "lasttoken"),
        ("some", {"pooling": {"pooling_mode": ["max"]}}, "max"),
    ],
)
def test_pooling_is_what_is_written_else_what_the_family_does(
    tmp_path: Path, name: str, papers: dict[str, object], pooling: str
) -> None:
    assert read_onnx(folder_of(tmp_path / name, "model.onnx", **papers)).pooling == pooling


@pytest.mark.parametrize(
    "pooling", [{"pooling_mode_weightedmean_tokens": True}, {"pooling_mode": ["mean", "max"]}]
)
def test_a_pooling_that_is_not_known_is_refused(tmp_path: Path, pooling: dict[str, object]) -> None:
    with pytest.raises(EmbedderUnavailableError, match="which the onnx embedder can't"):
        read_onnx(folder_of(tmp_path, "model.onnx", pooling=pooling))


def test_prompts_come_from_the_model_its_name_or_what_it_was_made_of(tmp_path: Path) -> None:
    e5 = Prompts("query: ", "passage: ")
    named = folder_of(tmp_path / "e5-small", "model.onnx")
    renamed = folder_of(tmp_path / "mine", "model.onnx", config={"_name_or_path": "intfloat/e5-base"})
    own = folder_of(
        tmp_path / "e5-own", "model.onnx", config_sentence_transformers={"prompts": {"query": "Q: "}}
    )
    assert onnx_prompts(FoundModel("e5-small", named)) == e5
    assert onnx_prompts(FoundModel("mine", renamed)) == e5
    assert onnx_prompts(FoundModel("e5-own", own)) == Prompts("Q: ", "")
    assert onnx_prompts(FoundModel("plain", folder_of(tmp_path / "plain", "model.onnx"))) == Prompts()


def test_the_fingerprint_tells_models_and_their_forms_apart_and_not_where_they_lie(tmp_path: Path) -> None:
    one = folder_of(tmp_path / "a", "onnx/model.onnx", "onnx/model_int8.onnx", config={"hidden_size": 8})
    copy = folder_of(tmp_path / "b", "onnx/model.onnx", config={"hidden_size": 8})
    assert onnx_fingerprint(one) == onnx_fingerprint(copy)
    assert onnx_fingerprint(one / "onnx" / "model_int8.onnx") != onnx_fingerprint(one)
    (copy / "onnx" / "model.onnx_data").write_bytes(b"weights kept apart")
    assert onnx_fingerprint(one) != onnx_fingerprint(copy)


@pytest.mark.parametrize("file", ["tokenizer.json", "config.json", "1_Pooling/config.json"])
def test_the_fingerprint_differs_where_a_setting_or_a_word_differs(tmp_path: Path, file: str) -> None:
    papers = {"config": {"hidden_size": 8}, "pooling": {"pooling_mode": "mean"}}
    one, other = (folder_of(tmp_path / name, "model.onnx", **papers) for name in ("a", "b"))
    (other / file).write_bytes((other / file).read_bytes() + b" ")
    assert onnx_fingerprint(one) != onnx_fingerprint(other)


def test_a_download_takes_the_whole_graph_with_its_weights_and_the_small_files() -> None:
    there = [
        "README.md", "config.json", "modules.json", "1_Pooling/config.json", "tokenizer.json", "vocab.txt",
        "model.safetensors", "pytorch_model.bin", "onnx/model.onnx", "onnx/model.onnx_data",
        "onnx/model_O4.onnx",
    ]  # fmt: skip
    assert wanted_onnx(there) == [
        "config.json", "modules.json", "1_Pooling/config.json", "tokenizer.json", "vocab.txt",
        "onnx/model.onnx", "onnx/model.onnx_data",
    ]  # fmt: skip
