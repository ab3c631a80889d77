"""From the teachers' outputs to the rows of the table: centred, turned, weighted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tools.static_table.pieces import Piece
from tools.static_table.weights import Floats

HALF = 256
"""Dimensions of each half."""

_COMMON = 3e-5
"""A piece of this probability counts half as much as the rarest."""
_FLATTEN = 0.25
"""Principal components are divided by this power of their variance: between none and whitening."""
_WITHIN_SCRIPT = 0.5
"""How far probabilities are moved towards those within the piece's own script (0 no, 1 wholly): a
vocabulary of a hundred languages makes the common words of each look rarer than they are."""
_SCRIPT_TAKEN_OUT = 0.5
"""How much of what all pieces of a script have in common is taken out. All of it brings languages
nearest to each other, none of it keeps them apart, which helps where a vault mixes them."""


def weights(pieces: Sequence[Piece]) -> Floats:
    """How much each piece counts in a text, 0–1: a / (a + probability)."""
    scripts = np.array([piece.script for piece in pieces])
    probabilities = np.array([piece.probability for piece in pieces])
    english = probabilities[scripts == "english"].sum()
    for script in np.unique(scripts):
        of_script = scripts == script
        probabilities[of_script] *= (english / probabilities[of_script].sum()) ** _WITHIN_SCRIPT
    made: Floats = (_COMMON / (_COMMON + probabilities)).astype(np.float32)
    return made


def wide_half(pieces: Sequence[Piece], outputs: Floats) -> Floats:
    """Rows of all pieces from e5's outputs."""
    counts = weights(pieces)
    scripts = np.array([piece.script for piece in pieces])
    shares = counts * np.array([piece.probability for piece in pieces], dtype=np.float32)
    centred = outputs - np.average(outputs, axis=0, weights=shares).astype(np.float32)
    for script in np.unique(scripts):
        of_script = scripts == script
        mean = np.average(centred[of_script], axis=0, weights=shares[of_script])
        centred[of_script] -= _SCRIPT_TAKEN_OUT * mean.astype(np.float32)
    return _turned(centred) * counts[:, None]


def narrow_half(pieces: Sequence[Piece], outputs: Floats) -> Floats:
    """Rows of the WordPieces among them from MiniLM's outputs."""
    english = len(outputs)
    return _turned(outputs) * weights(pieces)[:english, None]


def _turned(rows: Floats) -> Floats:
    """The principal components, the widest first, flattened."""
    centred = rows.astype(np.float64) - rows.mean(axis=0, dtype=np.float64)
    variances, vectors = np.linalg.eigh(centred.T @ centred / len(rows))
    widest = np.argsort(-variances)[:HALF]
    vectors = vectors[:, widest]
    # A component's sign is arbitrary; so that every machine gets the same, its largest number is positive.
    largest = np.abs(vectors).argmax(axis=0)
    vectors *= np.sign(vectors[largest, np.arange(HALF)])
    made: Floats = (centred @ vectors * variances[widest] ** -_FLATTEN).astype(np.float32)
    return made
