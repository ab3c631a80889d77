"""How near a model puts what belongs together and what doesn't: measured, since every model differs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vault_memory.model.vector import Vectors

UNCALIBRATED = (0.0, 1.0)

PAIRS = (
    ("What is our rule on stop losses?", "Every position is closed once it has lost two percent."),
    ("How do I restart the worker?", "To bring the queue consumer back, run systemctl restart worker."),
    ("semiconductor earnings risk", "NVDA often falls after it reports its quarterly results."),
    ("When do we cut releases?", "A new version ships every Thursday afternoon."),
    ("Who is on call this week?", "Mira carries the pager until Sunday."),
    ("database backups", "We copy Postgres to object storage every night at two."),
    ("My cat is sick", "The kitten threw up and was taken to the vet."),
    ("The meeting was moved to Friday", "They rescheduled the call to the end of the week."),
    ("He dislikes spicy food", "Hot curry is not something he enjoys eating."),
    ("Flight to Osaka in November", "We travel to Japan next month and land at Kansai airport."),
    ("The disk filled up with logs", "Log files used all the storage space and the service stopped."),
    ("Interest rates went up", "The central bank raised its key rate."),
)
"""Queries with passages that answer them in other words; crossed, they have nothing to do with each other."""


def measure(queries: Vectors, passages: Vectors) -> tuple[float, float]:
    """(low, high) from the vectors of `PAIRS`, row by row.

    Nine of ten unrelated pairs lie below `low`, and nine of ten paraphrases below `high`: so what
    is nearer than `low` is likely to mean something, and `high` is as near as texts in other words come.
    """
    import numpy as np

    cosines = queries @ passages.T
    related = np.eye(len(cosines), dtype=bool)
    low = float(np.quantile(cosines[~related], 0.9))
    high = float(np.quantile(cosines[related], 0.9))
    # A model that tells nothing apart (an untrained one) would turn the scale round.
    return (low, high) if high > low + 0.01 else UNCALIBRATED
