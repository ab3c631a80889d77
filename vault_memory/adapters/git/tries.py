"""Trying operations one by one where somebody may say no to each: hooks, signing programs, git itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vault_memory.adapters.git import reasons
from vault_memory.adapters.git.cli import GitRefusedError, OutOfTimeError
from vault_memory.adapters.git.plan import Step
from vault_memory.ports import Progress

_MOST_FAILURES = 3
"""After so many refusals in a row only the newest operation is still tried."""


def one_by_one(
    steps: Sequence[Step], attempt: Callable[[Step], None], waiting: dict[int, str], progress: Progress
) -> None:
    """Try each step; a refusal lets it wait, with the words of whoever refused.

    The newest one, for which somebody stands and waits, is tried however many before it were
    refused: a hook that never takes some old memory must not keep out all that come later. Where
    something did not end in time nothing more is tried, or each write would cost a limit for each.
    """
    failed = 0
    words = ""
    out_of_time = False
    for done, step in enumerate(steps, 1):
        if out_of_time or (failed >= _MOST_FAILURES and step is not steps[-1]):
            waiting.update(dict.fromkeys(step.closes, reasons.failed_before(words)))
            continue
        try:
            attempt(step)
            failed = 0
        except GitRefusedError as error:
            out_of_time = isinstance(error, OutOfTimeError)
            failed, words = failed + 1, str(error)
            waiting.update(dict.fromkeys(step.closes, words))
        progress("commit", done, len(steps))
