"""What looks like a secret in files as they lie there, or in what is staged; needs no search index."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator

from vault_memory.config import environ
from vault_memory.config.settings import Settings
from vault_memory.errors import StorageError
from vault_memory.model.lint import secrets_in
from vault_memory.model.linted import LintReport
from vault_memory.model.memory import Finding
from vault_memory.model.namespace import Scope, VaultPath
from vault_memory.ops.faults import left_out
from vault_memory.ops.lint import is_below
from vault_memory.ops.place import place_in_repository
from vault_memory.ops.unread import readable_scan
from vault_memory.ports import Ports, Progress, no_progress

BESIDE = (".vmem/config.toml", ".vmem/checks.yaml")
"""What travels with every vault and is no memory."""
OWN = "a commit of vmem's own: what it writes was looked through before"
_PROGRESS_EVERY = 500
Read = Callable[[str], bytes | None]
"""The bytes of a file of the vault that is no memory, `None` where there is none. Raises `StorageError`."""


def secrets(
    ports: Ports,
    settings: Settings,
    scope: Scope,
    read: Read,
    *,
    paths: Collection[str] = (),
    progress: Progress = no_progress,
) -> LintReport:
    """Every secret in the memories, the settings and the checks that the scope may read.

    With `paths` in those files and folders alone; a file that is named is looked into whatever it is.
    In a commit that vmem makes itself nothing is: it was looked through on its way in, and what the person
    allowed then stays allowed.
    """
    if environ.outer_commit().ours:
        return LintReport((), 0, notices=(OWN,))
    _, skipped = left_out(settings)
    memories = [
        stamp.path
        for stamp in readable_scan(ports, scope).stamps
        if is_below(stamp.path, paths) and not stamp.path.startswith(skipped)
    ]
    others = [path for path in (paths or BESIDE) if path not in set(memories)]
    if "" in paths:
        others += BESIDE
    notices: list[str] = []
    looked = 0
    found: list[Finding] = []
    for path, content in _contents(ports, read, memories, sorted(set(others) - {""}), notices):
        found += secrets_in(path, content, ports.scanner.scan)
        looked += 1
        if looked % _PROGRESS_EVERY == 0:
            progress("looking into files", looked, len(memories))
    return _report(ports, found, looked, tuple(notices))


def secrets_staged(ports: Ports, scope: Scope) -> LintReport:
    """The same of each memory that the commit under way changes, by the bytes that it takes.

    For a hook that no program runs: there a file may lie otherwise in the working tree. Raises `GitError`.
    """
    if environ.outer_commit().ours:
        return LintReport((), 0, notices=(OWN,))
    files = [file for file in ports.staging.files() if scope.may_read(file.path)]
    kept = ports.staging.kept(files, amends=False)
    changed = [file for file in files if file.path not in kept]
    found = [one for file in changed for one in secrets_in(file.path, file.content, ports.scanner.scan)]
    return _report(ports, found, len(changed), ())


def _contents(
    ports: Ports, read: Read, memories: Iterable[VaultPath], others: Iterable[str], notices: list[str]
) -> Iterator[tuple[str, bytes]]:
    for path in memories:
        try:
            found = ports.files.read(path)
        except StorageError as error:
            notices.append(f"{path} was not looked into: {error.reason}")
        else:
            if found is not None:
                yield path, found.content
    for other in others:
        if os.path.isdir(ports.files.root / other):
            continue  # its memories were looked into
        try:
            content = read(other)
        except StorageError as error:
            notices.append(f"{other} was not looked into: {error.reason}")
        else:
            if content is not None:
                yield other, content


def _report(ports: Ports, found: Iterable[Finding], looked: int, notices: tuple[str, ...]) -> LintReport:
    ordered = sorted(found, key=lambda one: (one.path, one.line, one.message))
    return LintReport(tuple(ordered), looked, place_in_repository(ports), notices)
