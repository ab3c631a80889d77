"""Memories ready to be shown, cut into passages as the index would have them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from vault_memory.model.budget import Candidate
from vault_memory.model.hit import Hit, Parts
from vault_memory.model.memory import Entry
from vault_memory.model.namespace import VaultPath
from vault_memory.model.passage import StoredPassage, cut
from vault_memory.model.prompt import Frame

NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
ID = "01K8ZQ4T7R3M5N9V2XW6Y0ABCD"


def entry(
    title: str = "NVDA RSI rule",
    *,
    path: str = "shared/market/nvda-rsi-rule.md",
    id: str | None = ID,  # noqa: A002 - the field's own name
    agent: str | None = "akashi",
    dated: datetime | None = NOW,
) -> Entry:
    return Entry(
        VaultPath(path),
        "0" * 64,
        id,
        title,
        0.5,
        (),
        (),
        (),
        None,
        False,
        agent,
        dated,
        None,
        dated,
        None,
        0,
        False,
        {},
    )


def candidate(
    body: str,
    *,
    title: str = "NVDA RSI rule",
    path: str = "shared/market/nvda-rsi-rule.md",
    id: str | None = ID,  # noqa: A002 - the field's own name
    agent: str | None = "akashi",
    matched: Sequence[int] = (),
    first_line: int = 10,
) -> Candidate:
    """A memory whose passages number `matched` (from 0) fit the query, best first."""
    stored = tuple(StoredPassage(100 + at, path, passage) for at, passage in enumerate(cut(body, first_line)))
    best = tuple(stored[at] for at in matched if at < len(stored))
    parts = Parts(0.9, 0.5, 1.0, 0.9)
    return Candidate(Hit(entry(title, path=path, id=id, agent=agent), 0.8, parts, best), stored)


def frame(query: str = "NVDA risk", considered: int = 41) -> Frame:
    return Frame(query, considered, NOW, UTC)
