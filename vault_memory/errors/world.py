"""What the world says no to: plugins, git, the index and the disk, other writers, rights, settings."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from vault_memory.errors.root import VmemError


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


class DistillerError(PluginError):
    """The program of the setting `capture_command` gave no lessons; the rules find them instead."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"the command of capture_command {reason}",
            hint="vmem config capture_command shows it; docs/capture.md says what it has to answer",
        )
        self.reason = reason


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


class RemoteError(GitError):
    """What a vault is exchanged with can't be reached, or says no; nothing here is lost."""

    def __init__(self, remote: str, reason: str, *, hint: str | None = None) -> None:
        super().__init__(
            f"{remote}: {reason}",
            hint=hint or "nothing here is lost, and vmem sync goes on from here once that is put right",
        )
        self.remote = remote
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


class ProposalGoneError(ConflictError):
    """A proposal was taken in or closed while it was written to; nothing of that write is left."""

    def __init__(self, branch: str) -> None:
        super().__init__(
            branch,
            "it was reviewed while you wrote to it, and this was not written",
            hint="write it again: that begins a new proposal",
        )


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

    def __init__(self, agent: str, namespace: str, wanted: str, *, hint: str | None = None) -> None:
        place = repr(namespace) if namespace else "the vault's top folder"
        super().__init__(
            f"agent {agent!r} may not {wanted} {place}",
            hint=hint
            or f"{agent} writes to private/{agent}/ and shared/, and reads all but others' private/",
        )
        self.agent = agent
        self.namespace = namespace
        self.wanted = wanted


class ReviewRequiredError(ScopeError):
    """What agents write there is reviewed first: it can be proposed, and not be written directly."""

    def __init__(self, agent: str, namespace: str) -> None:
        VmemError.__init__(
            self,
            f"what agents write to {namespace!r} is reviewed first: {agent!r} can't change it directly",
            hint="vmem remember, edit and forget propose it (--propose=NAME); or ask the person to do it",
        )
        self.agent = agent
        self.namespace = namespace
        self.wanted = "write to"


class QuotaError(ScopeError):
    """More memories, or bytes of them, than a quota allows; nothing of it was written.

    `table` is the quota's in the settings, `key` the line of it (`quota_files`, `quota_bytes`), `most` what
    it allows, and `used` what there is, `None` where the agent may not know that."""

    def __init__(self, agent: str, table: str, key: str, *, used: int | None, more: int, most: int) -> None:
        what = "memories" if key == "quota_files" else "bytes"
        full = f"{used:,} of {most:,} {what} are there" if used is not None else f"it takes {most:,} {what}"
        VmemError.__init__(
            self,
            f"the quota {key} of [{table}] does not take {more:,} more: {full}",
            hint="nothing was written; forget what is not needed (vmem list), or ask the person to raise it",
        )
        self.agent, self.namespace, self.wanted = agent, "", "write"
        self.table, self.key = table, key
        self.used, self.more, self.most = used, more, most


class ReadOnlyError(ScopeError):
    """A vault that is only looked at, as it was or as it might be: nothing can be written there."""

    def __init__(self, what: str) -> None:
        VmemError.__init__(
            self,
            f"this is {what}, which can only be read: nothing was written",
            hint="write to the vault itself; vmem restore and vmem undo bring back what was there",
        )
        self.agent = ""
        self.namespace = ""
        self.wanted = "write"


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
