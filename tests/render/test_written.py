"""What a write is said to have done: a line for each memory, one line for many."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from vault_memory.model.namespace import VaultPath
from vault_memory.model.outcome import Written
from vault_memory.model.revision import Op, Revision
from vault_memory.render.table import render_revisions
from vault_memory.render.written import render_written

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def many(op: Op, count: int = 30, *, undid: str | None = None) -> list[Written]:
    one = Written(op, VaultPath("a.md"), None, "A", None, COMMIT, undid=undid)
    return [replace(one, path=VaultPath(f"{number}.md")) for number in range(count)]


def test_many_in_one_commit_are_told_with_that_commit() -> None:
    assert render_written(many(Op.GC), colour=False) == "✔ 30 memories removed, committed 0123456"


def test_many_in_commits_of_their_own_are_counted() -> None:
    written = [replace(one, commit=f"{number:040x}") for number, one in enumerate(many(Op.REMEMBER))]
    assert render_written(written, colour=False) == "✔ 30 memories written, 30 committed"


def test_what_an_undo_of_many_took_back_is_named_once() -> None:
    said = render_written(many(Op.UNDO, undid="gc: 30 expired memories"), colour=False)
    assert said == "✔ took back 'gc: 30 expired memories': 30 memories, committed 0123456"


def test_many_that_wait_are_counted_apart() -> None:
    written = [replace(one, commit=None, reason="a merge is under way") for one in many(Op.GC)]
    assert render_written(written, colour=False) == "✔ 30 memories removed, 0 committed"


def test_a_commit_of_several_files_lists_them_and_counts_the_rest() -> None:
    paths = tuple(f"shared/{number}.md" for number in range(7))
    revision = Revision(
        COMMIT, "akashi", "", datetime(2026, 3, 14, 12, 0, tzinfo=UTC), "gc: 7", Op.GC, None, None, paths
    )
    lines = render_revisions([revision], zone=UTC, width=80, colour=False).splitlines()
    assert lines[0] == "0123456  2026-03-14 12:00  akashi  gc: 7"
    assert [line.strip() for line in lines[1:]] == [*paths[:5], "… and 2 more"]
