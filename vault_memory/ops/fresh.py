"""Answering from what the files say now: every file is looked at once more before it is shown."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from time import monotonic, sleep
from typing import TypeVar
from zoneinfo import ZoneInfo

from vault_memory.errors import SidecarError, StorageError
from vault_memory.model.change import FileStamp, KnownFile
from vault_memory.model.namespace import VaultPath
from vault_memory.model.revision import version_of
from vault_memory.ops.refresh import refresh_paths
from vault_memory.ports import Ports

PATIENCE = 0.5
"""Seconds to wait for another writer before a changed file is left out instead of read again."""

ROUNDS = 3
"""So often the next best take the place of changed files before all files are looked at."""

RETURN = 0.1
"""Seconds in all that missing files have to come back in."""
_GLANCE = 0.005

NAMED = 10
"""So many files that were left out are named."""

A = TypeVar("A")


def answer_fresh(
    ports: Ports,
    zone: ZoneInfo,
    answer: Callable[[Collection[VaultPath]], A],
    shown: Callable[[A], Sequence[VaultPath]],
) -> tuple[A, str | None]:
    """An answer, given again if a file that it shows has changed since it was indexed.

    `answer` takes the paths that it is to leave out, `shown` says whose text an answer shows. Where
    the index can't be mended at once the changed files are left out, and the word for the caller
    says so: old text is never shown as new.
    """
    given, stale = _answered(ports, answer, (), shown)
    if not stale:
        return given, None
    try:
        if ports.index.writable:
            with ports.lock.held(wait=PATIENCE):
                refresh_paths(ports, zone, stale)
            given, stale = _answered(ports, answer, (), shown)
    except SidecarError:  # another writer, a full disk: answer without those files
        pass
    gone: dict[VaultPath, None] = {}
    for _ in range(ROUNDS):
        if not stale:
            break
        gone |= dict.fromkeys(stale)
        given, stale = _answered(ports, answer, gone, shown)
    if stale:  # very many have changed: look at all at once, rather than at a few again and again
        known = ports.index.known_files()
        changed = _changed(ports, list(known), known)
        given = answer({*gone, *stale, *changed})
        gone |= dict.fromkeys(stale)
    return given, _left_out(list(gone)) if gone else None


def _left_out(paths: Sequence[VaultPath]) -> str:
    rest = f" and {len(paths) - NAMED} more" if len(paths) > NAMED else ""
    return f"left out, changed this moment: {', '.join(paths[:NAMED])}{rest}"


def _answered(
    ports: Ports,
    answer: Callable[[Collection[VaultPath]], A],
    without: Collection[VaultPath],
    shown: Callable[[A], Sequence[VaultPath]],
) -> tuple[A, list[VaultPath]]:
    """An answer without these, and those files that it shows and that have changed."""
    with ports.index.reading():  # what is known of the files is as old as the answer
        given = answer(without)
        paths = shown(given)
        known = ports.index.known(paths)
    return given, _changed(ports, paths, known)


def _changed(
    ports: Ports, paths: Sequence[VaultPath], known: Mapping[VaultPath, KnownFile]
) -> list[VaultPath]:
    doubtful = frozenset(ports.files.differing(one.stamp for one in known.values()))
    # Nearly always that is all.
    paths = [path for path in paths if path in doubtful or path not in known]
    if not paths:
        return []
    changed: list[VaultPath] = []
    stamps = {path: ports.files.stat(path) for path in paths}
    stamps |= _let_return(ports, [path for path in paths if path in known and stamps[path] is None])
    for path in paths:
        stamp = stamps[path]
        old = known.get(path)
        same = (
            stamp is not None and old is not None and (stamp.same_as(old.stamp) or _says_the_same(ports, old))
        )
        if not same:
            changed.append(path)
    return changed


def _let_return(ports: Ports, missing: Sequence[VaultPath]) -> dict[VaultPath, FileStamp | None]:
    """Give files that are missing a moment to come back in: some editors move the old one away before they
    write the new one, and that is no deletion."""
    stamps: dict[VaultPath, FileStamp | None] = {}
    until = monotonic() + RETURN
    while len(stamps) < len(missing) and monotonic() < until:
        sleep(_GLANCE)
        stamps |= {path: stamp for path in missing if (stamp := ports.files.stat(path)) is not None}
    return stamps


def _says_the_same(ports: Ports, known: KnownFile) -> bool:
    """Whether only the stamp is another: a `chmod`, a copied vault whose index can't be written."""
    try:
        found = ports.files.read(known.stamp.path)
    except StorageError:
        return False
    return found is not None and version_of(found.content) == known.version
