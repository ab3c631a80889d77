"""Lists as aligned columns: memories and commits."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from vault_memory.model.age import age_in_words
from vault_memory.model.ids import short_apart
from vault_memory.model.memory import Entry
from vault_memory.model.revision import Revision, short
from vault_memory.render.columns import columns
from vault_memory.render.style import counted, harmless

FILES_A_COMMIT = 5
"""So many files of one commit are listed."""


def render_entries(
    entries: Sequence[Entry], *, total: int, now: datetime, zone: tzinfo, width: int, colour: bool
) -> str:
    """Short id, importance, age, title and path of each memory, and the count (`total` of all that fit)."""
    rows = [
        (
            harmless(shown) or "-",
            f"{entry.importance:.2f}",
            age_in_words(entry.dated, now, zone),
            ("📌 " if entry.pinned else "") + harmless(entry.title),
            harmless(entry.path),
        )
        for shown, entry in zip(short_apart([one.id for one in entries]), entries, strict=True)
    ]
    table = columns(("id", "importance", "age", "title", "path"), rows, width, colour=colour)
    if len(entries) < total:
        return f"{table}{len(entries):,} of {counted(total, 'memory', 'memories')}"
    return table + counted(total, "memory", "memories")


def render_revisions(revisions: Sequence[Revision], *, zone: tzinfo, width: int, colour: bool) -> str:
    """Commit, day, author and subject of each revision, and its files where it holds several."""
    if not revisions:
        return "No commits of memories yet."
    rows = [
        (
            short(revision.commit),
            f"{revision.when.astimezone(zone):%Y-%m-%d %H:%M}",
            harmless(revision.author),
            _what(revision),
        )
        for revision in revisions
    ]
    return columns(("commit", "when", "by", "what"), rows, width, colour=colour)


def _what(revision: Revision) -> str:
    """The subject; below it the files, where a commit holds several, and where history ends, if it does."""
    paths = revision.paths if len(revision.paths) > 1 else ()
    shown = [f"  {harmless(path)}" for path in paths[:FILES_A_COMMIT]]
    if len(paths) > len(shown):
        shown.append(f"  … and {len(paths) - len(shown)} more")
    if revision.cut:
        shown.append("  history begins here: the clone is shallow (git fetch --unshallow brings the rest)")
    return "\n".join([harmless(revision.subject), *shown])
