"""What whoever wrote a memory should hear at once: faults that are new in its file, and that it expired."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from vault_memory.model import wire
from vault_memory.model.memory import Memory


def told_of(after: Memory, now: datetime, *, before: Memory | None = None) -> tuple[str, ...]:
    """The notices on a memory as written; what was so `before` is no news."""
    had = Counter((one.code, one.message) for one in before.findings) if before else Counter()
    notices: list[str] = []
    for found in after.findings:
        if had[found.code, found.message]:
            had[found.code, found.message] -= 1
            continue
        advice = f"; {found.advice}" if found.advice else ""
        notices.append(f"{after.path}:{found.line} {found.code} {found.message}{advice}")
    if _is_over(after, now) and not (before and _is_over(before, now)):
        notices.append(
            f"it has expired already ({wire.moment(after.expires)}), so nothing finds it"
            "; vmem list --expired shows it"
        )
    return tuple(notices)


def _is_over(memory: Memory, now: datetime) -> bool:
    return memory.expires is not None and memory.expires <= now
