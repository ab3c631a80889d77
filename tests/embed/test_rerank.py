"""Cross-encoders of both engines, tiny ones made here: scores between 0 and 1, and faults told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.embed.tiny import WORDS, tiny_reranker, write_papers
from vault_memory.adapters.embedders.rerank import create_library_reranker, create_onnx_reranker
from vault_memory.errors import EmbedderUnavailableError
from vault_memory.ports import Reranker
from vault_memory.vault import Vault

pytestmark = [pytest.mark.embedder, pytest.mark.timeout(300)]

TEXTS = ("the kitten was ill", "the bank", "", "release " * 300 + "kitten", "\udcff half")


@pytest.fixture(scope="module")
def library_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An untrained cross-encoder of the library's own kind."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    torch.manual_seed(3)
    folder = tmp_path_factory.mktemp("cross") / "small"
    config = BertConfig(
        vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16, max_position_embeddings=64, num_labels=1,
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(str(folder))
    kept = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    write_papers(folder, kept)
    words = {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 64, "pad_token": "[PAD]",
             "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}  # fmt: skip
    (folder / "tokenizer_config.json").write_text(json.dumps(words), encoding="utf-8")
    return folder


def sound(reranker: Reranker) -> list[float]:
    """The scores of some texts, once it is sure that they are probabilities and repeat."""
    scores = list(reranker.scores("my cat", TEXTS))
    assert len(scores) == len(TEXTS)
    assert all(0 <= score <= 1 for score in scores)
    assert list(reranker.scores("my cat", TEXTS)) == scores
    assert list(reranker.scores("my cat", [])) == []
    return scores


@pytest.mark.parametrize("labels", [1, 2])
def test_an_onnx_cross_encoder_gives_the_probability_of_a_yes(tmp_path: Path, labels: int) -> None:
    made = create_onnx_reranker(
        str(tiny_reranker(tmp_path / "tiny", {"kitten": 4, "bank": -4}, labels=labels))
    )
    assert (made.reason, made.id) == (None, "onnx:tiny")
    kitten, bank, empty, cut, _ = sound(made)
    assert kitten == pytest.approx(0.982, abs=1e-3)
    assert bank == pytest.approx(0.018, abs=1e-3)
    assert empty == cut == 0.5  # what is past the longest text is not read


def test_a_library_cross_encoder_gives_probabilities(library_model: Path) -> None:
    made = create_library_reranker(str(library_model), threads=1)
    assert (made.reason, made.id) == (None, "sentence-transformers:small")
    assert len(set(sound(made))) > 2


def test_a_model_of_three_labels_is_no_reranker(tmp_path: Path) -> None:
    made = create_onnx_reranker(str(tiny_reranker(tmp_path / "tiny", {"cat": 1}, labels=3)))
    with pytest.raises(EmbedderUnavailableError, match="gives 3 numbers a text, so it is no reranker"):
        made.scores("cat", ["cat"])
    assert made.reason is not None
    assert "set another reranker_model" in made.reason


@pytest.mark.parametrize("create", [create_onnx_reranker, create_library_reranker])
def test_no_model_and_a_missing_one_name_the_setting(create: type, tmp_path: Path) -> None:
    assert "no model is set for the reranker; set reranker_model" in str(create("").reason)
    assert "set reranker_model to a folder" in str(create(str(tmp_path / "gone")).reason)
    with pytest.raises(EmbedderUnavailableError):
        create("").scores("x", ["y"])


def test_a_vault_with_a_reranker_answers_in_its_order_and_says_so(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    Vault.create(root)
    (root / "bank.md").write_text("release release release of the bank\n", encoding="utf-8")
    (root / "cat.md").write_text(
        "a release, and many other words for the kitten to sit on\n", encoding="utf-8"
    )
    model = tiny_reranker(tmp_path / "tiny", {"kitten": 6, "bank": -6})
    settings = {"embedder": "none", "reranker": "onnx", "reranker_model": str(model)}
    with Vault.open(root, settings={"embedder": "none"}) as vault:
        assert vault.person.search("release").hits[0].entry.path == "bank.md"
    with Vault.open(root, settings=settings) as vault:
        found = vault.person.search("release")
        assert [hit.entry.path for hit in found.hits] == ["cat.md", "bank.md"]
        assert found.mode.endswith(", reranked")
        assert str(vault.person.recall("release")).index("kitten") < str(
            vault.person.recall("release")
        ).index("bank")
