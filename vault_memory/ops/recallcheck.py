"""Recall checks: ask each question as it is to be asked, and say what of the answer breaks its check."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from vault_memory.config.settings import Settings
from vault_memory.errors import (
    AmbiguousRefError,
    ChecksFileError,
    MemoryNotFoundError,
    UnsafePathError,
    UsageError,
)
from vault_memory.model.hit import Recall, SearchResult
from vault_memory.model.memory import Entry
from vault_memory.model.namespace import Namespace, Scope
from vault_memory.model.recallcheck.check import FILE, RecallCheck, Wanted
from vault_memory.model.recallcheck.judge import broken_shown, place_of, places_of_text
from vault_memory.model.recallcheck.verdict import Broken, CheckReport, CheckResult, Why
from vault_memory.ops.missed import Missed
from vault_memory.ops.place import place_in_repository
from vault_memory.ops.resolve import resolve
from vault_memory.ops.tellable import may_hear_of
from vault_memory.ports import Ports, Progress, no_progress


class Asker(Protocol):
    """Who asks: the very recall and search that everybody has."""

    def recall(self, check: RecallCheck) -> Recall:
        """The answer to the check's question."""

    def all_that_match(self, check: RecallCheck) -> SearchResult:
        """Every memory that matches it, without a budget."""


@dataclass(frozen=True, slots=True)
class Asking:
    """What a run of checks needs: the world, and whose checks they are.

    `runner` is who has them run: it names memories within what it may read. `as_scope` gives an asker.
    """

    ports: Ports
    settings: Settings
    runner: Scope
    as_scope: Callable[[Scope], Asker]
    progress: Progress = no_progress


def run_checks(
    asking: Asking,
    checks: Sequence[RecallCheck],
    *,
    text: str | None = None,
    notices: tuple[str, ...] = (),
) -> CheckReport:
    """Ask every check that `runner` may hear of, or those of them whose question holds `text`. An agent asks
    as itself alone.

    Raises `ChecksFileError` for a filter that is none, `UsageError` where no question holds the text.
    """
    runner = asking.runner
    own = [one for one in checks if may_hear_of(asking.ports, runner, one)]
    told = dict.fromkeys(notices)
    left_out = len(checks) - len(own)  # of all: what a text would find among them is not told either
    if left_out:
        what = "1 check was" if left_out == 1 else f"{left_out:,} checks were"
        told[f"{what} left out: asked as another agent, or of what is not there for {runner.agent}"] = None
    if text is not None:
        own = [one for one in own if text.strip().casefold() in one.ask.casefold()]
        if not own:
            hint = f"{FILE} holds the questions; vmem check asks all of them"
            raise UsageError(f"no check asks {text!r:.200}", hint=hint)
    results: list[CheckResult] = []
    for number, check in enumerate(own):
        asking.progress("asking", number, len(own))
        result, remarks = _run(asking, check)
        results.append(result)
        told |= dict.fromkeys((*_mode(asking.settings, result.recall), *remarks))
    return CheckReport(tuple(results), place_in_repository(asking.ports), tuple(told), left_out)


def _run(asking: Asking, check: RecallCheck) -> tuple[CheckResult, list[str]]:
    """The check's result, and what is odd about it though it breaks nothing."""
    runner = replace(asking.runner, here=Namespace(""))
    scope = runner if check.agent is None else replace(runner, agent=check.agent)
    asker = asking.as_scope(scope)
    try:
        recall = asker.recall(check)
    except (UsageError, UnsafePathError) as error:  # all else was checked when the file was read
        line = check.filter_line or check.line
        raise ChecksFileError(FILE, line, error.message, hint=error.hint) from error
    missed = Missed(
        asking.ports, asking.settings, runner, scope, check, recall, lambda: asker.all_that_match(check)
    )
    remarks = [f"{FILE}:{check.line}: {notice}" for notice in recall.notices]
    broken: list[Broken] = []
    for wanted, must in _lines(check):
        named = None if wanted.is_text else _named(asking.ports, runner, wanted)
        if isinstance(named, AmbiguousRefError):
            fits = ", ".join(path for _, _, path in named.candidates)
            broken.append(Broken(wanted, must, Why.AMBIGUOUS, detail=fits))
        elif isinstance(named, MemoryNotFoundError) and not must:
            remarks.append(f"{FILE}:{wanted.line}: {wanted.shown} is not in the vault, so it can't come back")
        elif isinstance(named, MemoryNotFoundError):
            broken.append(missed.absent(wanted, named))
        else:
            broken += _looked_at(check, wanted, recall, missed, named, must=must)
    return CheckResult(check, scope.agent, recall, tuple(broken)), remarks


def _lines(check: RecallCheck) -> Iterator[tuple[Wanted, bool]]:
    for wanted in check.must:
        yield wanted, True
    for wanted in check.must_not:
        yield wanted, False


def _looked_at(
    check: RecallCheck, wanted: Wanted, recall: Recall, missed: Missed, entry: Entry | None, *, must: bool
) -> Iterator[Broken]:
    if entry is None:
        places = places_of_text(recall, wanted.name)
    else:
        place = place_of(recall, entry.path)
        places = [] if place is None else [place]
    if places:
        broken = broken_shown(check, wanted, recall, places, must=must)
        if broken is not None:
            yield broken
    elif must:
        yield missed.memory(wanted, entry) if entry is not None else missed.text(wanted)


def _named(ports: Ports, runner: Scope, wanted: Wanted) -> Entry | AmbiguousRefError | MemoryNotFoundError:
    try:
        return resolve(ports, runner, wanted.name)
    except (AmbiguousRefError, MemoryNotFoundError) as error:
        return error


def _mode(settings: Settings, recall: Recall) -> tuple[str, ...]:
    """A warning where meaning was to take part and did not: checks may break by that alone."""
    if settings["embedder"] != "none" and recall.mode.startswith("keyword only"):
        return (recall.mode,)
    return ()
