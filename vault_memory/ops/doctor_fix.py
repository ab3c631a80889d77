"""Mending what needs no person: vmem's own folder, locks and journal, and the index; never a note."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from vault_memory.config.settings import Settings
from vault_memory.errors import IndexDamagedError, VmemError
from vault_memory.model.health import Mended
from vault_memory.model.namespace import PERSON, Scope
from vault_memory.ops.checks import files
from vault_memory.ops.checks.sight import Sight, counted
from vault_memory.ops.refresh import rebuild
from vault_memory.ops.settle import settle
from vault_memory.ports import Ports, Progress, no_progress


@dataclass(frozen=True, slots=True)
class Bench:
    """What a step works with."""

    ports: Ports
    settings: Settings
    scope: Scope
    """What is told is told of this alone; what is mended is all."""
    progress: Progress


def fix(ports: Ports, settings: Settings, scope: Scope, *, progress: Progress = no_progress) -> list[Mended]:
    """Do what can be done safely, each step whatever became of the others; what was done, or why not.

    Raises `LockedError` where another vmem writes all the while.
    """
    bench = Bench(ports, settings, scope, progress)
    done: list[Mended] = []
    with ports.lock.held(wait=settings["lock_seconds"]):
        done += _done("local", _local, bench)
    for name, mend in STEPS:
        done += _done(name, mend, bench)
    return done


def _done(name: str, mend: Step, bench: Bench) -> list[Mended]:
    """What a step did; whatever becomes of it, the next one has its turn."""
    done: list[Mended] = []
    try:
        for well, what in mend(bench):
            done.append(Mended(name, well, what))
    except VmemError as error:
        done.append(Mended(name, False, error.message))
    return done


Step = Callable[[Bench], Iterator[tuple[bool, str]]]
"""Yields (whether it was done, what) for each thing that was to do."""


def _local(bench: Bench) -> Iterator[tuple[bool, str]]:
    for what in bench.ports.files.mend():
        yield True, what


def _locks(bench: Bench) -> Iterator[tuple[bool, str]]:
    """Locks that are proved to be a dead vmem's; git's and a person's own stay."""
    history = bench.ports.history
    before = history.facts().lock
    with bench.ports.committing.held(wait=bench.settings["lock_seconds"]):
        history.heal()
    if before is not None and before.ours and history.facts().lock is None:
        yield True, f"took {before.path} away"


def _journal(bench: Bench) -> Iterator[tuple[bool, str]]:
    before = _numbers(bench)
    report = settle(bench.ports, wait=bench.settings["lock_seconds"], progress=bench.progress)
    committed = before.intersection(report.commits)
    if committed:
        yield True, f"committed {counted(len(committed), 'memory', 'memories')} that waited"
    closed = before - _numbers(bench) - committed
    if closed:
        yield True, f"closed {counted(len(closed), 'entry', 'entries')} of the journal that led nowhere"
    waiting = [reason for number, reason in report.waiting.items() if number in before]
    if waiting:
        why = "; ".join(dict.fromkeys(waiting))
        yield False, f"{counted(len(waiting), 'memory', 'memories')} can't be committed now: {why}"


def _numbers(bench: Bench) -> set[int]:
    """The entries of the journal that the scope may know of."""
    pending = bench.ports.journal.pending()
    return {one.number for one in pending if bench.scope.may_read(one.operation.path)}


def _index(bench: Bench) -> Iterator[tuple[bool, str]]:
    ports = bench.ports
    try:
        _, advice = files.index(Sight(ports, bench.settings, PERSON))
        behind = advice is not None and ports.index.notice is None
    except IndexDamagedError:
        behind = True
    if behind:
        wait = bench.settings["lock_seconds"]
        rebuild(ports, bench.settings.zone, wait=wait, progress=bench.progress)
        yield True, f"built the index anew from {counted(ports.index.count(bench.scope), 'file')}"


STEPS: tuple[tuple[str, Step], ...] = (
    ("locks", _locks),
    ("journal", _journal),
    ("index", _index),
)
