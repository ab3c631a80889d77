"""`updated` is refreshed where a person keeps it, and in no other form than theirs."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from vault_memory.model.refreshed import refresh_updated

NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("updated: 2026-02-11   # day only", "updated: 2026-11-29   # day only"),
        ("Updated: '2026-02-11'", "Updated: '2026-11-29'"),
        ('updated: "2026-02-11 10:00"', 'updated: "2026-11-29 12:00"'),
        ("updated: 1616692663207", "updated: 1795953600000"),
        ("updated: 2026-02-11T10:00:00Z", "updated: 2026-11-29T12:00:00Z"),
        ("updated:", "updated: 2026-11-29T12:00:00Z"),
        ("modified: 2026-02-11", "modified: 2026-02-11"),
    ],
)
def test_updated_keeps_its_form_its_quotes_and_its_comment(before: str, after: str) -> None:
    file = "---\ntitle: A\n{}\n---\nText\n".format
    assert refresh_updated("a.md", file(before).encode(), NOW, UTC) == file(after).encode()


def test_a_file_without_front_matter_stays_as_it_is() -> None:
    assert refresh_updated("a.md", b"Text\n", NOW, UTC) == b"Text\n"
