"""Vectors from the table in this package: a text is the mean of its pieces."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

from vault_memory.adapters.embedders.bundled.published import DIMENSIONS, FILE, SHA256
from vault_memory.errors import EmbedderUnavailableError

if TYPE_CHECKING:
    from vault_memory.adapters.embedders.bundled.table import Half, Numbers, Table
    from vault_memory.model.vector import Vectors

_TEXTS_AT_ONCE = 32
_PUBLISHED = os.path.join(os.path.dirname(__file__), FILE)
_HINT = "install the package again: pip install --force-reinstall --no-deps vault-memory"


class BundledEmbedder:
    """Making it costs nothing; the table is read when the first text comes. Threads may share it."""

    trust = 0.3

    def __init__(self, file: str = _PUBLISHED, sha256: str = SHA256) -> None:
        self._file = file
        self._sha256 = sha256
        self._lock = threading.Lock()
        self._table: Table | None = None
        self._failure: EmbedderUnavailableError | None = None
        if not os.path.isfile(file):
            self._failure = self._unusable("it is not there")

    @property
    def id(self) -> str:
        """`bundled@HASH`, the hash that the table must have."""
        return f"bundled@{self._sha256[:12]}"

    @property
    def dimensions(self) -> int:
        """0 where the table can't be used."""
        return DIMENSIONS if self._failure is None else 0

    @property
    def reason(self) -> str | None:
        """Why there are no vectors: the table is not there, or was found damaged."""
        return None if self._failure is None else self._failure.message

    @property
    def span(self) -> tuple[float, float]:
        """Measured when the table was made; never raises."""
        try:
            return self._read().span
        except EmbedderUnavailableError:
            return (0.0, 1.0)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Unit rows, zeros for a text without known pieces. Raises `EmbedderUnavailableError`."""
        import numpy as np

        table = self._read()
        made = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            rows = [table.vocabulary.rows(text) for text in texts[start : start + _TEXTS_AT_ONCE]]
            _mix(table, rows, made[start : start + len(rows)])
        return made

    def query(self, text: str) -> Vectors:
        """One row, as of a passage. Raises as `passages` does."""
        return self.passages([text])

    def _read(self) -> Table:
        """The table, read once; a failure is kept, so that it is not tried each time."""
        if self._table is not None:
            return self._table
        from vault_memory.adapters.embedders.bundled.table import read_table

        with self._lock:
            if self._failure is not None:
                raise self._failure
            if self._table is None:
                try:
                    self._table = read_table(self._file, self._sha256)
                except OSError as error:
                    self._failure = self._unusable(error.strerror or str(error))
                    raise self._failure from error
                except ValueError as error:
                    self._failure = self._unusable(str(error))
                    raise self._failure from error
            return self._table

    def _unusable(self, why: str) -> EmbedderUnavailableError:
        return EmbedderUnavailableError(
            f"the table of word vectors ({os.path.basename(self._file)}) can't be used: {why}", hint=_HINT
        )


def _mix(table: Table, rows: list[list[int]], made: Vectors) -> None:
    """Put the mean of each text's rows into `made`, at unit length.

    The halves are brought to one length apart, and the narrow one counts as much as the share of
    pieces that have it: so a Chinese text with two English words stays near to Chinese texts.
    """
    import numpy as np

    counts = [len(text) for text in rows]
    flat = np.fromiter(chain.from_iterable(rows), dtype=np.intp, count=sum(counts))
    both = flat < table.english
    parts = [both] if len(rows) == 1 else np.split(both, np.cumsum(counts)[:-1])
    english = [int(part.sum()) for part in parts]
    wide = _sums(table.wide, flat, counts)
    made[:, -wide.shape[1] :] = _unit(wide)
    narrow = _sums(table.narrow, flat[both], english)
    share = np.divide(english, counts, out=np.zeros(len(rows)), where=np.array(counts) > 0)
    made[:, : narrow.shape[1]] = _unit(narrow) * share[:, None]
    _unit(made)


def _sums(half: Half, numbers: Numbers, counts: Sequence[int]) -> Vectors:
    """The sum of the next so many rows for each count.

    No product of matrices: BLAS would take all cores for it, and where they are busy its threads wait
    for each other ten times as long as the work takes.
    """
    import numpy as np

    if len(counts) == 1:  # a question: few pieces, of which hardly any comes twice
        return np.add.reduce(half.rows(numbers), axis=0, keepdims=True)
    used, place = np.unique(numbers, return_inverse=True)
    values = half.rows(used)
    sums = np.zeros((len(counts), values.shape[1]), dtype=np.float32)
    at = 0
    for row, count in zip(sums, counts, strict=True):
        if count:
            np.add.reduce(values[place[at : at + count]], axis=0, out=row)
        at += count
    return sums


def _unit(rows: Vectors) -> Vectors:
    """The rows at length 1, in place; zeros stay."""
    import numpy as np

    length = np.linalg.norm(rows, axis=1, keepdims=True)
    np.divide(rows, length, out=rows, where=length > 0)
    return rows


def create_bundled() -> BundledEmbedder:
    """The embedder of this package; whether its table is whole is found out when it is first used."""
    return BundledEmbedder()
