"""Lists as aligned columns: memories and commits."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from vault_memory.model.age import age_in_words
from vault_memory.model.ids import short_apart
from vault_memory.model.memory import Entry
from vault_memory.model.revision import Revision
from vault_memory.render.style import counted, harmless


def render_entries(entries: Sequence[Entry], *, now: datetime, zone: tzinfo, width: int, colour: bool) -> str:
    """Short id, importance, age, title and path of each memory, and the count."""
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
    table = _columns(("id", "importance", "age", "title", "path"), rows, width, colour=colour)
    return table + counted(len(entries), "memory", "memories")


def render_revisions(revisions: Sequence[Revision], *, zone: tzinfo, width: int, colour: bool) -> str:
    """Commit, day, author and subject of each revision."""
    if not revisions:
        return "No commits of memories yet."
    rows = [
        (
            revision.commit[:7],
            f"{revision.when.astimezone(zone):%Y-%m-%d %H:%M}",
            harmless(revision.author),
            harmless(revision.subject),
        )
        for revision in revisions
    ]
    return _columns(("commit", "when", "by", "what"), rows, width, colour=colour)


def _columns(head: Sequence[str], rows: Sequence[Sequence[str]], width: int, *, colour: bool) -> str:
    """A table without lines; the last columns wrap where the terminal is narrow, nothing is cut off
    elsewhere."""
    if not rows:
        return ""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, show_header=colour, header_style="dim")
    for at, name in enumerate(head):
        table.add_column(name, overflow="fold", no_wrap=at < len(head) - 2)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console = Console(
        width=width if colour else 10_000,
        force_terminal=colour,
        color_system="standard" if colour else None,
        highlight=False,
        legacy_windows=False,
    )
    with console.capture() as capture:
        console.print(table)
    return "\n".join(line.rstrip() for line in capture.get().splitlines()) + "\n"
