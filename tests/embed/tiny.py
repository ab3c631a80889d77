"""Models of a few kilobytes as real ONNX files: a vector a word, and a number a word.

The packages that make them are imported when one is made: a test run without models has none of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

SAME = (
    ("cat", "kitten", "tomcat"),
    ("ill", "sick", "threw"),
    ("vet", "doctor"),
    ("bank", "rate", "interest"),
    ("roof", "tiles", "attic"),
)
"""Words that mean the same to a tiny model; any other word that it knows means something of its own."""

OTHER = (
    "a",
    "the",
    "my",
    "is",
    "was",
    "of",
    "to",
    "query",
    "passage",
    "release",
    "thursday",
    "piano",
    "storm",
)
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
WORDS = (*SPECIAL, *(word for group in SAME for word in group), *OTHER)
INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def tiny_embedder(folder: Path, *, width: int = 32, file: str = "model.onnx", seed: int = 7) -> Path:
    """A model whose token vectors are those of the words; the folder."""
    chance = np.random.default_rng(seed)
    vectors = {word: chance.normal(size=width) for word in WORDS}
    for group in SAME:
        for word in group[1:]:
            vectors[word] = vectors[group[0]]
    for word in ("[CLS]", "[SEP]"):
        vectors[word] = np.zeros(width)
    table = np.array([vectors[word] for word in WORDS], dtype=np.float32)
    write_graph(folder / file, table, [("Gather", "table", "input_ids", "last_hidden_state")])
    write_papers(folder, {"hidden_size": width, "model_type": "bert", "max_position_embeddings": 64})
    return folder


def tiny_reranker(folder: Path, worth: Mapping[str, float], *, labels: int = 1) -> Path:
    """A cross-encoder whose logits are the sums of what its words are worth; the folder."""
    table = np.zeros((len(WORDS), labels), dtype=np.float32)
    for word, number in worth.items():
        table[WORDS.index(word), labels - 1] = number
    nodes = [("Gather", "table", "input_ids", "each"), ("ReduceSum", "each", "axis", "logits")]
    write_graph(folder / "model.onnx", table, nodes, output="logits")
    write_papers(folder, {"model_type": "bert", "max_position_embeddings": 64})
    return folder


def write_graph(
    file: Path,
    table: np.ndarray[tuple[int, ...], np.dtype[np.float32]],
    nodes: Sequence[tuple[str, str, str, str]],
    *,
    inputs: Sequence[str] = INPUTS,
    output: str = "last_hidden_state",
) -> None:
    """A graph over a table with a row a token; nodes are (operation, first, second, made)."""
    from onnx import TensorProto, helper, numpy_helper

    graph = helper.make_graph(
        [_node(*node) for node in nodes],
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in inputs],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, None)],
        [numpy_helper.from_array(table, "table"), numpy_helper.from_array(np.array([1]), "axis")],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(made.SerializeToString())


def _node(operation: str, first: str, second: str, made: str) -> Any:
    from onnx import helper

    options = {"keepdims": 0} if operation == "ReduceSum" else {}
    return helper.make_node(operation, [first, second], [made], **options)


def write_papers(folder: Path, config: Mapping[str, object]) -> None:
    """The tokenizer and the settings beside a graph."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    tokenizer = Tokenizer(models.WordLevel({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    tokenizer.enable_truncation(8)  # as many models have it, and not heeded: long texts come in windows
    tokenizer.enable_padding(length=8)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
