"""Every error a caller can meet: the facts of what went wrong, and the next step.

Each class fixes one process exit code, so that a surface maps the tree once.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar, Self

_MOST = 200
"""Characters of what a caller typed that a message repeats."""


def _shown(text: str) -> str:
    """What a caller typed, in quotes, without what would steer a terminal, and not longer than a message."""
    return repr(text if len(text) <= _MOST else text[: _MOST - 1] + "…")


class VmemError(Exception):
    """The root. `str(error)` is one sentence for a person; `hint` is what to do next."""

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.item: int | None = None
        """Which of several things given together it is about, counted from 1."""

    def about(self, what: str, item: int) -> None:
        """Say which of several things it is about; `what` (`"line 7"`) stands before the message."""
        self.message = f"{what}: {self.message}"
        self.args = (self.message,)
        self.item = item


class CheckFailedError(VmemError):
    """A check ran well and found something (lint, `gc --check`, doctor)."""

    def __init__(self, what: str, count: int, *, hint: str | None = None) -> None:
        super().__init__(f"{what}: {count} problem{'' if count == 1 else 's'} found", hint=hint)
        self.count = count


class UsageError(VmemError):
    """The caller's arguments are not usable; nothing was done."""

    exit_code = 2


class ExpressionError(UsageError):
    """A filter's expression that can't be read: `text` is all of it, `at` the character that it stops at."""

    def __init__(
        self, what: str, text: str, at: int, reason: str, picture: str, *, hint: str | None = None
    ) -> None:
        lines = picture.split("\n") if text.strip() else []
        shown = "".join(f"\n        {line}" for line in lines)
        super().__init__(f"{what} can't be read: {reason}{shown}", hint=hint)
        self.text, self.at, self.reason = text, at, reason


class ClosedError(UsageError):
    """The vault was closed before this was asked of it, or opened by the process that forked this one."""

    def __init__(self, root: Path, *, forked: bool = False) -> None:
        super().__init__(
            f"the vault {root} was opened by another process" if forked else f"the vault {root} is closed",
            hint="open it in the process and for the time that it is used: with Vault.open(path) as vault",
        )
        self.root = root


class NotFoundError(VmemError):
    """Something the caller named is not there."""

    exit_code = 3


class VaultNotFoundError(NotFoundError):
    """No vault at the place named, nor above it."""

    def __init__(self, path: Path, below: Path | None = None) -> None:
        super().__init__(
            f"no vault at {path}, nor in any folder above it",
            hint="make one with: vmem init PATH   or name one with --vault PATH or VMEM_VAULT"
            if below is None
            else f"there is one in {below}: name it with --vault {below} or VMEM_VAULT, or go there",
        )
        self.path = path


class MemoryNotFoundError(NotFoundError):
    """No memory that this caller may read answers to the reference."""

    def __init__(self, ref: str, *, hint: str | None = None, removed: bool = False) -> None:
        super().__init__(
            f"no {'removed ' if removed else ''}memory is called {_shown(ref)}",
            hint=hint
            or "name it by path, id or its beginning, title, alias or file name; vmem list shows them",
        )
        self.ref = ref


class RevisionNotFoundError(NotFoundError):
    """Git knows no such commit."""

    def __init__(self, revision: str) -> None:
        super().__init__(
            f"git knows no commit {_shown(revision)}", hint="vmem log lists the commits of memories"
        )
        self.revision = revision


class AmbiguousRefError(VmemError):
    """A reference fits several memories; `candidates` are (id, title, path), the id empty for none."""

    exit_code = 4

    def __init__(self, ref: str, candidates: Sequence[tuple[str, str, str]]) -> None:
        super().__init__(
            f"{_shown(ref)} fits {len(candidates)} memories",
            hint="name one by its path, or by more of its id",
        )
        self.ref = ref
        self.candidates = tuple(candidates)


class FormatError(VmemError):
    """Text that does not have the form it must have."""

    exit_code = 65


class FileFormatError(FormatError):
    """A line of a file that can't be read as what it should be."""

    def __init__(self, path: str, line: int, reason: str, *, hint: str | None = None) -> None:
        hint = hint or "open the file in your editor and mend that line"
        super().__init__(f"{path}:{line}: {reason}", hint=hint)
        self.path, self.line, self.reason = path, line, reason


class FrontMatterError(FileFormatError):
    """Front matter that can't be read or can't be changed line by line."""


class ChecksFileError(FileFormatError):
    """The file of recall checks can't be read, or can't be added to."""


class ValueFormatError(FormatError):
    """A value given for a field is not of the field's form."""

    def __init__(self, field: str, text: str, expected: str, *, reason: str = "") -> None:
        why = f": {reason}" if reason else ""
        super().__init__(f"{field} can't be {_shown(text)}{why}", hint=f"{field} takes {expected}")
        self.field, self.text = field, text
        self.expected, self.reason = expected, reason


class UnsafePathError(FormatError):
    """A path, namespace or agent name that leaves the vault or touches what is not memory."""

    def __init__(
        self, text: str, reason: str, *, what: str = "a place in the vault", hint: str | None = None
    ) -> None:
        super().__init__(
            f"{_shown(text)} can't be {what}: {reason}",
            hint=hint or "use names of letters, digits, '-', '_' and '.', parted by '/'",
        )
        self.text = text
        self.reason = reason


class RefusedError(VmemError):
    """Content that a rule keeps out (`rule` names it; the text itself is never echoed)."""

    exit_code = 65

    def __init__(
        self, rule: str, reason: str, *, line: int | None = None, field: str | None = None, hint: str
    ) -> None:
        place = f" (line {line})" if line is not None else ""
        super().__init__(f"refused by rule {rule}: {reason}{place}", hint=hint)
        self.rule, self.line, self.field = rule, line, field


class PluginError(VmemError):
    """A named implementation that is not there."""

    exit_code = 69


class UnknownPluginError(PluginError):
    """No implementation has that name."""

    def __init__(self, port: str, name: str, available: Sequence[str]) -> None:
        super().__init__(f"no {port} is called {name!r}", hint=f"available: {', '.join(sorted(available))}")
        self.port = port
        self.name = name
        self.available = tuple(available)


class MissingExtraError(PluginError):
    """A package of an optional extra is not installed."""

    def __init__(self, extra: str, *, needed_for: str) -> None:
        super().__init__(
            f"{needed_for} needs the extra {extra!r}, which is not installed",
            hint=f"pip install 'vault-memory[{extra}]'",
        )
        self.extra = extra


class EmbedderUnavailableError(PluginError):
    """The embedder set for the vault can't load; keyword answers go on."""


class GitError(VmemError):
    """Git is missing, busy, or refused."""

    exit_code = 70


class RepositoryShapeError(GitError):
    """A repository in which no commit of a vault's can ever be made; nothing was written."""

    def __init__(self, place: Path, reason: str) -> None:
        super().__init__(
            f"{place} can't be a vault: {reason}",
            hint="make the vault in an ordinary clone, or in a folder of its own",
        )
        self.place = place
        self.reason = reason


class GitCommandError(GitError):
    """A git command failed; `reason` is git's own word, at most a few lines."""

    def __init__(self, command: str, reason: str) -> None:
        super().__init__(f"git {command} failed: {reason}", hint="vmem doctor looks at the repository")
        self.command = command
        self.reason = reason


class NotCommittedError(GitError):
    """`--require-commit` was asked for and the memory is saved but waits for its commit."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"saved and searchable, but not committed: {reason}",
            hint="vmem status lists what waits; the next good run commits it",
        )
        self.reason = reason


class SidecarError(VmemError):
    """The search index or the journal can't serve."""

    exit_code = 74


class StorageError(SidecarError):
    """The disk said no (full, read-only, not permitted); the old content is whole."""

    def __init__(self, path: str, reason: str, *, wanted: str = "write", hint: str | None = None) -> None:
        super().__init__(
            f"can't {wanted} {path}: {reason}",
            hint=hint or "nothing was changed; free some space or mend the permissions, then try again",
        )
        self.path = path
        self.reason = reason


class IndexDamagedError(SidecarError):
    """The search index's file is damaged; `Index.drop()` makes it anew, the next refresh fills it."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(
            f"the search index {path} is damaged: {reason}",
            hint="vmem reindex makes it anew from the files; no memory is lost",
        )
        self.path = path
        self.reason = reason


class VaultUnreadableError(SidecarError):
    """The vault's root or one of its folders can't be listed; nothing was changed."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(
            f"can't read {path}: {reason}",
            hint="mount it or mend its permissions, then try again; the index was left alone",
        )
        self.path = path


class LockedError(SidecarError):
    """Another process holds the vault's lock for longer than we wait; `holder` is its number, if known."""

    def __init__(self, path: str, seconds: float, *, holder: int | None = None) -> None:
        who = (
            f"it is process {holder}, perhaps with a hook or signing program of git at work; "
            if holder is not None
            else ""
        )
        super().__init__(
            f"another vmem is writing to this vault (waited {seconds:g} s for {path})",
            hint=f"{who}try again in a moment; raise lock_seconds if it often writes for so long",
        )


class ConflictError(VmemError):
    """The file is not what the caller thinks it is; the write was refused."""

    exit_code = 75

    def __init__(
        self,
        path: str,
        reason: str,
        *,
        expected: str | None = None,
        found: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(f"{path}: {reason}", hint=hint or "read it again (vmem show) and repeat")
        self.path = path
        self.expected = expected
        self.found = found


class ClockError(VmemError):
    """It is doubtful that it is `now`, judged by `head`, the time of the last commit; nothing was removed."""

    exit_code = 75

    def __init__(self, now: datetime, head: datetime) -> None:
        says = f"{now.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
        last = f"{head.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
        off = "before it" if now < head else "more than a year after it"
        super().__init__(
            f"the clock says {says}, the last commit is of {last}, and now lies {off}: nothing was removed",
            hint=f"if the clock is right, say so: --now {now.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
        )
        self.now = now
        self.head = head


class ScopeError(VmemError):
    """The agent may not do that there."""

    exit_code = 77

    def __init__(self, agent: str, namespace: str, wanted: str) -> None:
        place = repr(namespace) if namespace else "the vault's top folder"
        super().__init__(
            f"agent {agent!r} may not {wanted} {place}",
            hint=f"{agent} writes to private/{agent}/ and shared/, and reads all but others' private/",
        )
        self.agent = agent
        self.namespace = namespace
        self.wanted = wanted


class PersonOnlyError(ScopeError):
    """What an agent may not ask for, wherever it is."""

    def __init__(self, agent: str, wanted: str, *, hint: str) -> None:
        VmemError.__init__(self, f"agent {agent!r} may not {wanted}: only the person may", hint=hint)
        self.agent = agent
        self.namespace = ""
        self.wanted = wanted


class ConfigError(VmemError):
    """A setting that can't be used."""

    exit_code = 78

    def __init__(self, file: str, key: str, reason: str, *, hint: str | None = None) -> None:
        super().__init__(": ".join(part for part in (file, key, reason) if part), hint=hint)
        self.file = file
        self.key = key
        self.reason = reason
        self.line: int | None = None

    def at_line(self, line: int | None) -> Self:
        """The same, with the line of the file that it is about."""
        self.line = line
        place = self.file if line is None else f"{self.file}:{line}"
        self.message = ": ".join(part for part in (place, self.key, self.reason) if part)
        self.args = (self.message,)
        return self
