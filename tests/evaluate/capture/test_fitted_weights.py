"""The weights are what the tool makes of the transcripts, and do well on those they were not fitted to."""

from __future__ import annotations

import pytest

from tests.test_docs_capture import rows
from tools.fit_capture import COUNTS_FOR, by_length, crossed, examples, fitted, scores
from vault_memory.evaluate.capture.marked import FOLDER, LOOKED_AT, PARTS, transcripts
from vault_memory.evaluate.capture.scored import Score
from vault_memory.model.capture.scoring import SHIPPED

AS_GOOD = 0.02
"""Another machine rounds otherwise."""


@pytest.fixture(scope="module")
def others() -> dict[str, Score]:
    """Each transcript by weights of the other transcripts."""
    return scores(crossed(lambda one: one.name))


@pytest.fixture(scope="module")
def other_parts() -> dict[str, Score]:
    """Each part, and so nearly each writer, by weights of the other parts."""
    return scores(crossed(lambda one: one.part))


def test_the_table_is_what_the_tool_makes() -> None:
    made = fitted(examples(one for one in transcripts() if one.part in LOOKED_AT))
    assert list(made.rows) == list(SHIPPED.rows)
    assert made.base == pytest.approx(SHIPPED.base, abs=AS_GOOD)
    for name, row in made.rows.items():
        assert row == pytest.approx(SHIPPED.rows[name], abs=AS_GOOD), name


def test_every_folder_is_a_part_and_only_those_that_were_looked_at_are_fitted_to() -> None:
    assert {folder.name for folder in FOLDER.iterdir()} == set(PARTS)
    assert set(COUNTS_FOR) == set(LOOKED_AT) <= set(PARTS)


def test_the_bar_is_held_on_transcripts_that_the_fit_has_not_seen(
    others: dict[str, Score], other_parts: dict[str, Score]
) -> None:
    for found in (others, other_parts):
        for part in ("blind", "styles", "all"):
            assert found[part].precision >= 0.7, part
            assert found[part].recall >= 0.5, part
    assert others["wordy"].recall >= 0.5


def test_the_figures_on_the_page_are_those_of_the_tool(
    others: dict[str, Score], other_parts: dict[str, Score]
) -> None:
    columns = others, other_parts, scores(by_length())
    shown = {name: [float(cell) for cell in cells] for name, *cells in rows("crossed")}
    for part in (*LOOKED_AT, "all"):
        figures = [number for found in columns for number in (found[part].precision, found[part].recall)]
        assert shown[part] == pytest.approx(figures, abs=AS_GOOD), part
