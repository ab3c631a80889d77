"""Recall over ten long conversations stays as good as it is, where a copy of them lies at hand."""

from __future__ import annotations

from statistics import fmean

import pytest

from tests.adopted.vaults import FOLDER
from vault_memory.evaluate.recall.result import Result
from vault_memory.evaluate.recall.runner import run
from vault_memory.evaluate.recall.source import read

PLACE = FOLDER / "locomo" / "locomo10.json"
BARS = {
    ("bundled", None): {"R@10": 0.80, "notes R@5": 0.87, "within 2000": 0.88},
    ("bundled", "held-out"): {"R@10": 0.785},
    ("none", None): {"R@10": 0.785},
}
"""(embedder, half of the conversations) → what must be reached at least."""


@pytest.fixture(scope="module", params=["bundled", "none"])
def asked(request: pytest.FixtureRequest) -> Result:
    """All questions asked of a vault for each conversation, with the settings that everybody has."""
    if not PLACE.is_file():
        pytest.skip(f"there is no file {PLACE}; REAL_VAULTS names the folder that holds locomo/")
    return run(read(PLACE), settings={"embedder": request.param})


@pytest.mark.timeout(600)
def test_the_evidence_comes_back(asked: Result) -> None:
    embedder = asked.embedder.partition("@")[0]
    assert asked.counts["questions"] == 1_536
    assert asked.counts["passages"] == asked.counts["turns"], "each turn of a dialogue is one passage"
    for (name, half), bars in BARS.items():
        if name != embedder:
            continue
        rows = [one.values for one in asked.asked if half in (None, one.half)]
        for metric, bar in bars.items():
            place = asked.metrics.index(metric)
            reached = fmean(value for row in rows if (value := row[place]) is not None)
            assert reached >= bar, f"{metric} of {half or 'all'} with {name}: {reached:.4f}"


@pytest.mark.timeout(600)
def test_a_score_means_much_the_same_with_and_without_vectors(asked: Result) -> None:
    assert asked.answerable is not None
    at = {one.score: one for one in asked.answerable.thresholds}
    assert at[0.3].own >= 0.90
    assert at[0.5].strangers <= 0.15
