"""The one road into the index: compare the files with it and read what differs."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import replace
from zoneinfo import ZoneInfo

from vault_memory.errors import (
    IndexDamagedError,
    LockedError,
    SidecarError,
    StorageError,
    VaultUnreadableError,
)
from vault_memory.model.change import (
    Change,
    FileDiff,
    FileStamp,
    KnownFile,
    RefreshReport,
    Removal,
    Restamp,
    Touch,
    Upsert,
    diff,
    settled,
)
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.namespace import VaultPath
from vault_memory.model.passage import passage_terms
from vault_memory.model.revision import version_of
from vault_memory.ops.embed import Pace, embed
from vault_memory.ports import FileBytes, Ports, Progress, Scan, no_progress

FILES_A_TRANSACTION = 1000
"""So many files are read and applied at a time: bounded memory, and a killed first run keeps its work."""
BYTES_A_TRANSACTION = 16 * 1024 * 1024
"""And so many bytes of them, but one file at least: what is made of a text takes many times its room."""
TURN = 0.025
"""Seconds between two transactions, in which whoever waits for the lock takes it."""


def refresh(
    ports: Ports, zone: ZoneInfo, *, wait: float, pace: Pace | None = None, progress: Progress = no_progress
) -> RefreshReport:
    """Bring the index up to the files. Where it can't (read-only, another writer for longer than
    `wait` seconds) the report says why, and the index still answers as it was.

    `pace` limits the time for vectors; without one every text gets its own.
    """
    return _follow(ports, zone, ports.files.scan(), wait, pace, progress)


def _follow(
    ports: Ports, zone: ZoneInfo, scan: Scan, wait: float, pace: Pace | None, progress: Progress
) -> RefreshReport:
    report = RefreshReport(
        files=len(scan.stamps),
        generation=ports.index.generation,
        unreadable=scan.odd,
        rebuilt=ports.index.rebuilt,
    )
    changes = diff(scan.stamps, ports.index.known_files())
    if changes:
        if not ports.index.writable:
            return _embed(ports, _told(ports, zone, changes, report), wait, pace, progress)
        try:
            report = _apply(
                ports, zone, changes.suspect, changes.gone, report, progress, hold=lambda: _alone(ports, wait)
            )
        except LockedError:
            return replace(report, reason=_stale("another vmem is writing"))
        except (IndexDamagedError, VaultUnreadableError):
            raise
        except SidecarError as error:
            return replace(report, reason=_stale(error.message))
    return _embed(ports, report, wait, pace, progress)


def _told(ports: Ports, zone: ZoneInfo, changes: FileDiff, report: RefreshReport) -> RefreshReport:
    """What to say where the index can't be brought up to the files: where any of them really differs."""
    known = ports.index.known([stamp.path for stamp in changes.suspect])
    unreadable = list(report.unreadable)
    looks = [
        _look(ports, zone, stamp, known.get(stamp.path), unreadable, dropping=True)
        for stamp in changes.suspect
    ]
    differs = changes.gone or any(isinstance(look, Upsert | Removal) for look in looks)
    reason = _stale(ports.index.notice or "it can't be written") if differs else None
    return replace(report, reason=reason, unreadable=tuple(unreadable))


def refresh_paths(ports: Ports, zone: ZoneInfo, paths: Iterable[VaultPath]) -> int:
    """Read just these files into the index; the generation after. The caller holds the lock."""
    found = [(path, ports.files.stat(path)) for path in paths]
    report = _apply(
        ports,
        zone,
        [stamp for _, stamp in found if stamp is not None],
        [path for path, stamp in found if stamp is None],
        RefreshReport(),
        no_progress,
    )
    return report.generation


def refresh_suspects(
    ports: Ports, zone: ZoneInfo, suspect: Sequence[FileStamp], gone: Sequence[VaultPath]
) -> RefreshReport:
    """Read files that are not as the index has them, and drop those that are gone. The caller holds the
    lock, and hears of those that vanish meanwhile: they may be back by then."""
    return _apply(ports, zone, suspect, gone, RefreshReport(), no_progress, dropping=False)


def rebuild(ports: Ports, zone: ZoneInfo, *, wait: float, progress: Progress = no_progress) -> RefreshReport:
    """Drop the index and fill it again from the files; vectors of known texts are kept, others go."""
    with ports.lock.held(wait=wait):
        scan = ports.files.scan()  # before the old index goes: a folder that can't be read must not empty it
        ports.index.drop()
        report = replace(_follow(ports, zone, scan, wait, None, progress), rebuilt="asked for")
        if ports.index.writable:
            ports.index.shelf.prune()
        return report


def to_upsert(ports: Ports, zone: ZoneInfo, found: FileBytes, scanned_ns: int) -> Upsert:
    """What the index takes of a file, from its bytes alone."""
    memory = parse_memory(found.stamp.path, found.content, zone=zone)
    passages = passage_terms(memory, ports.tokens.scale)
    return Upsert(found.stamp, settled(found.stamp, scanned_ns), memory, passages)


@contextmanager
def _alone(ports: Ports, wait: float) -> Iterator[None]:
    """Hold the vault's lock, or go without where no lock file can be made: nobody can write memories
    there, and an index guards itself. A read-only vault is searched, too."""
    with ExitStack() as holding:
        with suppress(StorageError):
            holding.enter_context(ports.lock.held(wait=wait))
        yield


def _stale(why: str) -> str:
    """Without a count: it would tell an agent of files that it may not read."""
    return f"the index is behind the files: {why}"


def _apply(
    ports: Ports,
    zone: ZoneInfo,
    suspect: Sequence[FileStamp],
    gone: Sequence[VaultPath],
    report: RefreshReport,
    progress: Progress,
    *,
    hold: Callable[[], AbstractContextManager[None]] = nullcontext,
    dropping: bool = True,
) -> RefreshReport:
    """Read those files and drop those that are gone; with `dropping` those as well that vanish before they
    are read. `hold` is taken for each transaction anew, so that nobody who writes a memory waits for all
    of them."""
    unreadable = list(report.unreadable)
    touched: list[tuple[Touch, VaultPath]] = []
    generation = report.generation
    done = 0
    parts = list(_parts(suspect))
    takes_long = len(parts) > 1 or len(suspect) > FILES_A_TRANSACTION // 4
    for part in parts:
        if done:
            time.sleep(TURN)
        leaving = gone if done == 0 else ()
        with hold():
            with ports.index.reading():
                known = ports.index.known([*(stamp.path for stamp in part), *leaving])
                generation = ports.index.generation
            changes: list[Change] = [Removal(path) for path in leaving if path in known]
            touched += [(Touch.REMOVED, path) for path in leaving if path in known]
            for stamp in part:
                change = _look(ports, zone, stamp, known.get(stamp.path), unreadable, dropping=dropping)
                if change is not None:
                    changes.append(change)
                if isinstance(change, Upsert):
                    touched.append((Touch.CHANGED if stamp.path in known else Touch.ADDED, stamp.path))
                elif isinstance(change, Removal):
                    touched.append((Touch.REMOVED, stamp.path))
            if changes:
                generation = ports.index.apply(changes)
        done += len(part)
        if takes_long:
            progress("reading files", done, len(suspect))
    counts = Counter(touch for touch, _ in touched)
    return replace(
        report,
        added=counts[Touch.ADDED],
        changed=counts[Touch.CHANGED],
        removed=counts[Touch.REMOVED],
        generation=generation,
        unreadable=tuple(unreadable),
        touched=tuple(touched),
    )


def _parts(suspect: Sequence[FileStamp]) -> Iterator[Sequence[FileStamp]]:
    """What one transaction takes each; one without files where there are none."""
    part: list[FileStamp] = []
    size = 0
    for stamp in suspect:
        if part and (len(part) == FILES_A_TRANSACTION or size + stamp.size > BYTES_A_TRANSACTION):
            yield part
            part, size = [], 0
        part.append(stamp)
        size += stamp.size
    yield part


def _look(
    ports: Ports,
    zone: ZoneInfo,
    stamp: FileStamp,
    known: KnownFile | None,
    unreadable: list[tuple[str, str]],
    *,
    dropping: bool,
) -> Change | None:
    """Read one file. A file that can't be read leaves the index: its old text must not be served."""
    scanned_ns = ports.clock.now_ns()
    try:
        found = ports.files.read(stamp.path)
    except StorageError as error:
        unreadable.append((stamp.path, error.reason))
        found, dropping = None, True
    if found is None:
        return Removal(stamp.path) if known is not None and dropping else None
    if known is not None and known.version == version_of(found.content):
        is_settled = settled(found.stamp, scanned_ns)
        if known.stamp.same_as(found.stamp) and known.settled == is_settled:
            return None
        return Restamp(found.stamp, is_settled)
    return to_upsert(ports, zone, found, scanned_ns)


def _embed(
    ports: Ports, report: RefreshReport, wait: float, pace: Pace | None, progress: Progress
) -> RefreshReport:
    """Vectors for what was read, if there is an embedder."""
    done = embed(ports, pace=pace, wait=wait, progress=progress)
    generation = ports.index.generation if done.made else report.generation
    return replace(report, embedded=done.made, reason=report.reason or done.reason, generation=generation)
