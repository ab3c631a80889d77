"""What every embedder must do; each implementation's test module inherits it with its own fixture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from vault_memory.model.vector import Vectors
    from vault_memory.ports import Embedder

TEXTS = (
    "RSI above 70 on NVDA was followed by a fall over five days.",
    "Restart the worker with systemctl after every deploy.",
    "止损设在百分之二。",
    "C++ `std::vector` — naïve, São Paulo, 🚀",
)


class EmbedderContract:
    """Inherit it and give the fixture `embedder`."""

    @pytest.fixture
    def embedder(self) -> Embedder:
        raise NotImplementedError

    def test_the_id_is_one_printable_word_and_stays_the_same(self, embedder: Embedder) -> None:
        assert embedder.id
        assert embedder.id.isprintable()
        assert not any(character.isspace() for character in embedder.id)
        assert embedder.id == embedder.id

    def test_there_is_a_reason_exactly_where_there_are_no_dimensions(self, embedder: Embedder) -> None:
        assert (embedder.reason is None) == (embedder.dimensions > 0)

    def test_the_span_is_a_rising_pair_of_cosines(self, embedder: Embedder) -> None:
        low, high = embedder.span
        assert -1 <= low < high <= 1

    def test_every_text_gets_one_row_of_float32_in_c_order(self, embedder: Embedder) -> None:
        rows = embedder.passages(TEXTS)
        assert rows.shape == (len(TEXTS), embedder.dimensions)
        assert rows.dtype == np.float32
        assert rows.flags.c_contiguous

    def test_no_texts_give_no_rows(self, embedder: Embedder) -> None:
        rows = embedder.passages([])
        assert rows.shape == (0, embedder.dimensions)
        assert rows.dtype == np.float32

    def test_a_query_gives_one_row_of_float32_in_c_order(self, embedder: Embedder) -> None:
        row = embedder.query("NVDA risk")
        assert row.shape == (1, embedder.dimensions)
        assert row.dtype == np.float32
        assert row.flags.c_contiguous

    def test_rows_are_of_unit_length(self, embedder: Embedder) -> None:
        assert_unit(embedder.passages(TEXTS), embedder.dimensions)
        assert_unit(embedder.query("NVDA risk"), embedder.dimensions)

    @pytest.mark.parametrize("text", ["", " ", "\n\t \n", "\u3000"])
    def test_a_text_without_words_gives_a_row_of_zeros(self, embedder: Embedder, text: str) -> None:
        assert not embedder.passages([text]).any()
        assert not embedder.query(text).any()

    def test_an_empty_text_among_others_moves_no_row(self, embedder: Embedder) -> None:
        rows = embedder.passages([TEXTS[0], "", TEXTS[1]])
        assert not rows[1].any()
        assert np.allclose(rows[[0, 2]], embedder.passages(TEXTS[:2]), atol=1e-5)

    def test_the_same_batch_gives_the_same_bytes_again(self, embedder: Embedder) -> None:
        assert embedder.passages(TEXTS).tobytes() == embedder.passages(TEXTS).tobytes()

    def test_a_text_alone_gives_the_row_that_it_has_in_a_batch(self, embedder: Embedder) -> None:
        batch = embedder.passages(TEXTS)
        for text, row in zip(TEXTS, batch, strict=True):
            assert np.allclose(embedder.passages([text])[0], row, atol=1e-5)

    @pytest.mark.parametrize("text", ["\x00", "a\x00b", "\udcff half", "\u200b", "ﷺ" * 100, "x" * 5000])
    def test_an_odd_text_gives_finite_numbers(self, embedder: Embedder, text: str) -> None:
        assert np.isfinite(embedder.passages([text])).all()
        assert np.isfinite(embedder.query(text)).all()


def assert_unit(rows: Vectors, dimensions: int) -> None:
    """Every row has the length 1 (0 where there are no dimensions)."""
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0 if dimensions else 0.0, atol=1e-5)
