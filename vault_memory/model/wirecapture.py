"""What a capture did, and what became of it in a review, as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from vault_memory.model.capture.captured import Captured
from vault_memory.model.inventory import Listing
from vault_memory.model.outcome import Moved, Written
from vault_memory.model.wire import Json, entry, moved, written


def captured(one: Captured) -> Json:
    """The lessons with where they lie (or would), and the counts of all that is none of them."""
    return {
        "transcript": one.transcript,
        "format": one.format,
        "session": one.session,
        "agent": one.agent,
        "turns": one.turns,
        "lessons": [
            {
                "title": lesson.title,
                "text": lesson.text,
                "kind": lesson.kind,
                "tags": list(lesson.tags),
                "line": lesson.line,
                "path": written.path,
                "id": written.id if not one.dry_run else None,
                "proposed": written.proposed,
            }
            for lesson, written in zip(one.lessons, one.saved, strict=True)
        ],
        "known": one.known,
        "refused": one.refused,
        "left_out": one.left_out,
        "broken_lines": one.broken,
        "bytes_left": one.bytes_left,
        "off": one.off,
        "dry_run": one.dry_run,
        "notices": list(one.notices),
    }


def decided(kept: Sequence[Moved], forgotten: Sequence[Written], waiting: Listing) -> Json:
    """What was taken out of inboxes and removed, and what still waits there."""
    return {
        "kept": [moved(one) for one in kept],
        "forgotten": [written(one) for one in forgotten],
        "waiting": [entry(one) for one in waiting],
        "notices": list(waiting.notices),
    }
