"""A BERT encoder in numpy: the mean of a short text's token outputs, many texts of one length at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tools.static_table.weights import Bert, Floats

_BATCH_TOKENS = 512


def mean_outputs(
    bert: Bert, texts: Sequence[Sequence[int]], told: Callable[[int, int], None] = lambda _, __: None
) -> Floats:
    """One row a text of token numbers: the mean over its tokens, those in front and behind included."""
    width = bert.tensors["embeddings.LayerNorm.bias"].size
    rows = np.zeros((len(texts), width), np.float32)
    by_length: dict[int, list[int]] = {}
    for number, text in enumerate(texts):
        by_length.setdefault(len(text), []).append(number)
    done = 0
    for length, numbers in sorted(by_length.items()):
        size = max(1, _BATCH_TOKENS // (length + 2))
        for start in range(0, len(numbers), size):
            batch = numbers[start : start + size]
            tokens = np.array([[bert.first, *texts[number], bert.last] for number in batch], np.int64)
            rows[batch] = _outputs(bert, tokens).mean(axis=1)
            done += len(batch)
            told(done, len(texts))
    return rows


def _outputs(bert: Bert, tokens: np.ndarray) -> Floats:
    """The last layer's output, shape (texts, tokens, width)."""
    tensors = bert.tensors
    count = tokens.shape[1]
    state = tensors["embeddings.word_embeddings.weight"][tokens]
    state = state + tensors["embeddings.position_embeddings.weight"][:count]
    state = state + tensors["embeddings.token_type_embeddings.weight"][0]
    state = _normal(bert, "embeddings.LayerNorm", state)
    for layer in range(bert.layers):
        name = f"encoder.layer.{layer}."
        mixed = _attention(bert, name + "attention.self.", state)
        mixed = _linear(bert, name + "attention.output.dense", mixed)
        state = _normal(bert, name + "attention.output.LayerNorm", mixed + state)
        inner = _gelu(_linear(bert, name + "intermediate.dense", state))
        outer = _linear(bert, name + "output.dense", inner)
        state = _normal(bert, name + "output.LayerNorm", outer + state)
    return state


def _attention(bert: Bert, name: str, state: Floats) -> Floats:
    texts, count, width = state.shape
    shape = (texts, count, bert.heads, width // bert.heads)
    query, key, value = (
        _linear(bert, name + part, state).reshape(shape).transpose(0, 2, 1, 3)
        for part in ("query", "key", "value")
    )
    scores = query @ key.transpose(0, 1, 3, 2) / np.float32(np.sqrt(shape[3]))
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    scores /= scores.sum(axis=-1, keepdims=True)
    mixed: Floats = (scores @ value).transpose(0, 2, 1, 3).reshape(texts, count, width)
    return mixed


def _linear(bert: Bert, name: str, state: Floats) -> Floats:
    flat = state.reshape(-1, state.shape[-1]) @ bert.tensors[name + ".weight"].T
    made: Floats = (flat + bert.tensors[name + ".bias"]).reshape(*state.shape[:-1], -1)
    return made


def _normal(bert: Bert, name: str, state: Floats) -> Floats:
    centred = state - state.mean(axis=-1, keepdims=True)
    variance = np.square(centred).mean(axis=-1, keepdims=True)
    scaled = centred / np.sqrt(variance + np.float32(bert.epsilon))
    made: Floats = scaled * bert.tensors[name + ".weight"] + bert.tensors[name + ".bias"]
    return made


def _gelu(state: Floats) -> Floats:
    """x Φ(x), with erf by the formula 7.1.26 of Abramowitz and Stegun (off by less than 2e-7)."""
    x = np.abs(state) * np.float32(np.sqrt(0.5))
    t = 1 / (1 + np.float32(0.3275911) * x)
    tail = t * (
        np.float32(0.254829592)
        + t
        * (
            np.float32(-0.284496736)
            + t * (np.float32(1.421413741) + t * (np.float32(-1.453152027) + t * np.float32(1.061405429)))
        )
    )
    tail *= np.exp(-x * x)
    made: Floats = np.where(state >= 0, state * (1 - tail / 2), state * tail / 2)
    return made
