"""What a file's name says of being a copy of another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.model.conflict_copy import copy_of

TOLD = [
    "plan.sync-conflict-20260301-101500-ABCDEFG.md", "plan.sync-conflict-20260301-101500.md",
    "plan (conflicted copy 2026-03-01).md", "plan (Mira's conflicted copy 2026-03-01).md",
    "plan (conflicted copy 2026-03-01 101500).md", "plan (Conflicted copy laptop 202603011015).md",
    "plan (SFConflict mira@example.org 2026-03-01-10-15-00).md", "plan (Case Conflict).md",
    "plan (Case Conflict 1).md", "plan (Unicode Encoding Conflict).md", "plan [conflicted].md",
    "plan (conflict).md", "plan_conflict-20260301-101500.md", "plan.Conflict.md", "plan_REMOTE_1234.md",
    "plan.backup-2026-03-01.md", "plan-backup-2026-03-01.md", "plan backup 20260301.md", "plan.bak.md",
    "plan.bak2.md",
]  # fmt: skip
MAYBE = [
    "plan (1).md", "plan(2).md", "plan 2.md", "plan copy.md", "plan copy 2.md", "plan - Copy.md",
    "plan - Copy (2).md", "plan-backup.md", "plan backup.md",
]  # fmt: skip
ORDINARY = [
    "plan.md", "conflict.md", "backup.md", "copy.md", "(1).md", ".md", "The conflict of 2026.md",
    "Notes on (conflict) styles.md", "plan (conflict resolution).md", "plan (2026).md", "plan 12.md",
    "sync-conflict-20260301-101500-ABCDEFG.md", "backup strategy.md", "2026-03-01.md", "plan_LOCAL.md",
]  # fmt: skip


@pytest.mark.parametrize("name", TOLD)
def test_a_tools_own_words_tell_a_copy_wherever_it_lies(name: str) -> None:
    assert copy_of(name) == ("plan.md", True)
    assert copy_of(f"notes/a (1)/{name}") == ("notes/a (1)/plan.md", True)
    assert copy_of(name.replace(".md", ".MARKDOWN")) == ("plan.MARKDOWN", True)


@pytest.mark.parametrize("name", MAYBE)
def test_what_people_write_too_is_only_perhaps_a_copy(name: str) -> None:
    found = copy_of(name)
    assert found is not None
    assert not found.told


@pytest.mark.parametrize("name", ORDINARY)
def test_an_ordinary_name_is_no_copy(name: str) -> None:
    assert copy_of(name) is None


def test_a_copy_of_a_copy_is_one_of_the_copy() -> None:
    once = "plan.sync-conflict-20260301-101500-ABCDEFG.md"
    assert copy_of(once.replace(".md", ".bak.md")) == (once, True)


@given(st.text(max_size=80))
def test_any_name_gets_an_answer_and_an_original_is_shorter(name: str) -> None:
    found = copy_of(name)
    assert found is None or (len(found.original) < len(name) and found.original)
