"""A fact's new value takes the old one's place only where that was all the old text said."""

from __future__ import annotations

import pytest

from vault_memory.model.succession import Told, disagreement


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Uses port 8080", "Uses port 9090"),
        ("uses port 8080.", "- Uses port 9090 from now on.\n- Uses port 9090"),
        ("The API rate limit is 100 requests per minute", "The API rate limit is 200 requests per minute"),
        ("The user likes tea", "The user does not like tea"),
        ("The cache is enabled in production", "The cache is disabled in production"),
        ("Stop at 12% below entry", "Stop at 15% below entry"),
        ("Backups run at 3 am", "Backups run at 4 am"),
        ("Uses port 8080", "Uses port 9090. Runs on host alpha."),
        ("Uses port 8080. Runs on host alpha.", "Runs on host alpha. Uses port 9090."),
    ],
)
def test_one_other_value_of_a_standing_fact_replaces_it(old: str, new: str) -> None:
    found = disagreement(Told(new), Told(old))
    assert found is not None
    assert found.replaced


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Uses port 8080. Runs on host alpha.", "Uses port 9090"),  # the host would be lost
        ("Deploys took up to 12 minutes", "Deploys took up to 14 minutes"),
        ("The primary database is Postgres", "The primary database is MySQL"),
        ("Backups run on Monday", "Backups run on Tuesday"),
        ("The cache of the API was enabled", "The cache of the API was disabled"),
        ("Keeps up to 3 copies for 7 days", "Keeps up to 4 copies for 9 days"),
    ],
)
def test_what_may_both_be_true_is_only_told(old: str, new: str) -> None:
    found = disagreement(Told(new), Told(old))
    assert found is not None
    assert not found.replaced


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (Told("Closed issue 12"), Told("Closed issue 13")),
        (Told("Server 1 runs nginx"), Told("Server 2 runs nginx")),
        (Told("measurement number 7"), Told("measurement number 8")),
        (Told("Ran 12 tests"), Told("Ran 14 tests")),
        (Told("Uses port 8080"), Told("Uses port 8080 and port 9090")),
        (Told("Uses port 8080", "API"), Told("Uses port 9090", "Billing")),
        (Told("Uses port 8080", "Sprint 12"), Told("Uses port 9090", "Sprint 13")),
        (Told("RSI is 70 now", kind="evidence"), Told("RSI is 75 now")),
        (Told("RSI is 70 now"), Told("RSI is 75 now", kind="episodic")),
        (Told("The team likes tea"), Told("The build takes long")),
        (Told("Uses port 8080.\nUses port 9090."), Told("Uses port 9090")),
    ],
)
def test_names_other_subjects_and_what_is_of_its_time_do_not_contradict(old: Told, new: Told) -> None:
    assert disagreement(new, old) is None


def test_tags_that_have_nothing_in_common_keep_a_fact_in_its_place() -> None:
    old, new = Told("Uses port 8080", tags=("api",)), Told("Uses port 9090", tags=("web",))
    found = disagreement(new, old)
    assert found is not None
    assert not found.replaced
