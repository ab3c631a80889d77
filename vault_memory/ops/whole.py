"""All steps of a batch or none of them: taking back after a failure, finishing after a kill."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vault_memory.errors import ConflictError, StorageError
from vault_memory.model.message import subject_of
from vault_memory.model.namespace import VaultPath, owner_of
from vault_memory.model.revision import Intent, version_of
from vault_memory.ports import Ports

Before = tuple[VaultPath, str | None, bytes | None]
"""A path, the version that a step leaves there, and the bytes that were there before."""


def take_back(ports: Ports, taken: Sequence[Before]) -> bool:
    """Put back what these steps replaced, the last one first; whether all of it is as it was.

    A file that holds something else than its step left is not touched: the step never came to its
    end, or somebody else has written since.
    """
    try:
        for path, version, before in reversed(taken):
            now = version_there(ports, path)
            if now == version:
                put(ports, path, before, now=now)
    except (StorageError, ConflictError):
        return False
    return True


def unfinished(ports: Ports, pending: Sequence[Intent]) -> list[Intent]:
    """The steps that a kill left undone of batches that must be whole, and of which some step is done.

    Such a batch keeps the bytes of every step from before the first one. Only the newest intent of
    a path counts, and only while the file is as it was before.
    """
    last = {intent.operation.path: intent.number for intent in pending}
    batches: dict[str, list[Intent]] = {}
    for intent in pending:
        if intent.operation.batch is not None and ports.journal.kept(intent.number) is not None:
            batches.setdefault(intent.operation.batch, []).append(intent)
    found = []
    for batch in batches.values():
        versions = {intent.number: _seen(ports, intent.operation.path) for intent in batch}
        if any(versions[intent.number] == (True, intent.operation.version) for intent in batch):
            found += [
                intent
                for intent in batch
                if last[intent.operation.path] == intent.number
                and versions[intent.number] == (True, intent.operation.before)
                and intent.operation.version != intent.operation.before
            ]
    return found


def finish(ports: Ports, pending: Sequence[Intent]) -> dict[int, str]:
    """Do what is undone; all numbers of batches for which that can't be now, with the reason.

    They keep waiting with their bytes, and nobody else's write fails for it.
    """
    stuck: dict[int, str] = {}
    for intent in unfinished(ports, pending):
        operation = intent.operation
        content = ports.journal.kept(intent.number) if operation.version is not None else None
        try:
            put(ports, operation.path, content, now=operation.before)
        except (StorageError, ConflictError) as error:
            stuck |= {
                one.number: _told(one.operation.path, operation.path, error.message)
                for one in _batch_of(pending, intent)
            }
    return stuck


def finish_before(ports: Ports, pending: Sequence[Intent], paths: Iterable[VaultPath]) -> None:
    """Finish batches before these paths are written to.

    A step on top of a batch that is half done would make its other half look like all of it. Raises
    `ConflictError` where one that holds any of the paths can't be finished now.
    """
    stuck = finish(ports, pending) if pending else {}
    wanted = set(paths) if stuck else set()
    for intent in pending:
        operation = intent.operation
        if intent.number in stuck and operation.path in wanted:
            why = stuck[intent.number]
            raise ConflictError(
                operation.path,
                f"{_subject(pending, intent)} is half done and can't be finished: {why}",
                hint="mend that, then try again: the next write finishes it first; vmem status lists it",
            )


def _told(of: VaultPath, failed: VaultPath, message: str) -> str:
    """Why a file of a batch waits; who may read it need not be one who may know of the file that failed."""
    return message if owner_of(failed) in (None, owner_of(of)) else "another of its files can't be written"


def _subject(pending: Iterable[Intent], intent: Intent) -> str:
    """What a batch is called, where all who may read this file of it may know that."""
    own = owner_of(intent.operation.path)
    if all(owner_of(one.operation.path) in (None, own) for one in _batch_of(pending, intent)):
        return repr(subject_of(intent.operation.message))
    return "an earlier change of several memories"


def put(
    ports: Ports,
    path: VaultPath,
    content: bytes | None,
    *,
    now: str | None,
    like: VaultPath | None = None,
) -> None:
    """Bring the file from the version `now` to these bytes, `None` being no file in both."""
    if content is not None:
        ports.files.write(path, content, replacing=now, like=like)
    elif now is not None:
        ports.files.remove(path, replacing=now)


def version_there(ports: Ports, path: VaultPath) -> str | None:
    """The sha256 of the working file, `None` where there is none. Raises `StorageError`."""
    found = ports.files.read(path)
    return None if found is None else version_of(found.content)


def _seen(ports: Ports, path: VaultPath) -> tuple[bool, str | None]:
    """Whether the file could be looked at, and its version."""
    try:
        return True, version_there(ports, path)
    except StorageError:
        return False, None


def _batch_of(pending: Iterable[Intent], intent: Intent) -> Iterable[Intent]:
    return (one for one in pending if one.operation.batch == intent.operation.batch)
