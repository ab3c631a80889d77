"""The protocols that the operations need of the world, and the bundle that carries them.

Adapters implement them; `compose.py` picks which. Each has one contract suite in
`tests/contracts/` that every implementation passes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from vault_memory.model.bm25 import Corpus, Postings
    from vault_memory.model.change import Change, FileStamp, KnownFile
    from vault_memory.model.facts import PlaceFacts, RepositoryFacts, Upstream
    from vault_memory.model.memory import Entry, Finding, Link
    from vault_memory.model.namespace import Namespace, Scope, VaultPath
    from vault_memory.model.passage import StoredPassage
    from vault_memory.model.revision import CommitReport, FileState, Intent, Operation, RepoState, Revision
    from vault_memory.model.underway import StagedFile, UnderWay
    from vault_memory.model.vector import Vectors

Progress = Callable[[str, int, int], None]
"""Told (what is done, how many are done, how many there are); must be cheap and must not raise."""


def no_progress(what: str, done: int, total: int) -> None:
    """For callers who do not watch."""


class Clock(Protocol):
    """Wall time."""

    def now(self) -> datetime:
        """The present, aware, in UTC."""

    def now_ns(self) -> int:
        """The present in nanoseconds since 1970, comparable with a file's mtime."""


class Ids(Protocol):
    """New memory ids."""

    def new(self, at: datetime) -> str:
        """A ULID (26 characters of Crockford base 32) for the moment `at`; never the same twice."""


@dataclass(frozen=True, slots=True)
class FileBytes:
    """A file's bytes with the stamp taken of the open file."""

    stamp: FileStamp
    content: bytes


@dataclass(frozen=True, slots=True)
class Scan:
    """All Markdown files below the root, and those that look like it but can't be memories."""

    stamps: tuple[FileStamp, ...]
    odd: tuple[tuple[str, str], ...]
    """(path, reason): a FIFO called x.md, a link that leaves the vault, a name not in UTF-8 …"""
    skipped: tuple[tuple[str, str], ...] = ()
    """(path, reason) of the folders that were not looked into, but for the hidden ones."""


class Files(Protocol):
    """The vault's Markdown files. Never follows a link out of the vault, never blocks on a FIFO."""

    @property
    def root(self) -> Path:
        """The vault's folder, absolute and resolved."""

    @property
    def network_disk(self) -> str | None:
        """The type of the network disk that holds the vault's own data; `None` for a local one."""

    def scan(self) -> Scan:
        """Look at every folder. Raises `VaultUnreadableError` where the root lost its
        `.vmem/config.toml` or a folder can't be listed: a partial answer would read as deletion."""

    def stat(self, path: VaultPath) -> FileStamp | None:
        """The stamp of a regular file, `None` where there is none."""

    def read(self, path: VaultPath) -> FileBytes | None:
        """The whole file, or `None` where there is none. Raises `StorageError` where it is there
        but can't be read or is larger than the limit."""

    def real(self, path: VaultPath) -> VaultPath | None:
        """Where the regular file lies that a path leads to, over links inside the vault; `None` where
        there is none, or none that may be reached that way."""

    def link_text(self, path: VaultPath) -> bytes | None:
        """Where the link of that name points, as it is written in it; `None` where it is no link."""

    def write(
        self, path: VaultPath, content: bytes, *, replacing: str | None, like: VaultPath | None = None
    ) -> FileStamp:
        """Put the bytes there atomically and durably (temp, fsync, rename, folder fsync).

        `replacing` is the sha256 of the bytes that must be there now; `None` demands that nothing
        is there. Raises `ConflictError` otherwise, `StorageError` when the disk says no; in both
        cases the old content is whole and no stray file is left. Keeps mode, owner and links; a new
        file gets those of the file `like`, where it is given and there."""

    def remove(self, path: VaultPath, *, replacing: str) -> None:
        """Delete the file (of a link, the link), durably; same checks as `write`."""

    def names_in(self, folder: Namespace) -> frozenset[str]:
        """The names in a folder, case-folded and in NFC; empty where there is no folder."""

    def spelled(self, folder: Namespace) -> Namespace:
        """The folder by the names of those that are there, where its own differ only in case or form."""

    def sweep(self) -> tuple[str, ...]:
        """Delete temporary files that a killed vmem left; the paths deleted. Under the lock only."""

    def facts(self) -> PlaceFacts:
        """The disk and the vault's own folder on it. Raises `StorageError`."""

    def mend(self) -> tuple[str, ...]:
        """Put the vault's own folder in order; what was done, in words. Under the lock only."""


class Lock(Protocol):
    """The vault's one writer at a time, across processes and threads; freed when a holder dies."""

    def held(self, *, wait: float) -> AbstractContextManager[None]:
        """Hold it. Waits up to `wait` seconds, then raises `LockedError`. Re-entrant in a thread."""

    def holder(self) -> tuple[int, str] | None:
        """(process number, what it runs) of another that holds it now, `None` where nobody does."""


class Journal(Protocol):
    """Intents: what has been or is about to be written and is not in git yet. Survives all."""

    def open(
        self, operations: Sequence[Operation], *, branch: str | None, at: datetime
    ) -> tuple[Intent, ...]:
        """Write the intents durably (fsync) and number them, in order."""

    def pending(self) -> tuple[Intent, ...]:
        """The open ones, oldest first."""

    def close(self, numbers: Iterable[int]) -> None:
        """They are in git, or will never be."""

    def keep(self, contents: Mapping[int, bytes | None]) -> None:
        """Store durably the bytes that these open intents leave in their files (none for a removal);
        `None` drops what was kept."""

    def tell(self, reasons: Mapping[int, str]) -> None:
        """Note why these open intents wait; `pending` gives it back as their `reason`."""

    def kept(self, number: int) -> bytes | None:
        """The bytes kept with an open intent, `None` where none were."""


class History(Protocol):
    """Git: the commits that memories are in. Only `commit` and `heal` write."""

    def state(self) -> RepoState:
        """Cheap: no walk over files."""

    def file_state(self, path: VaultPath) -> FileState:
        """How one file stands between HEAD, index and working tree."""

    def file_states(self, paths: Sequence[VaultPath]) -> dict[VaultPath, FileState]:
        """How each of these files stands."""

    def ignored(self, path: VaultPath) -> bool:
        """Whether git's ignore rules keep an untracked file at this path out."""

    def commit(self, intents: Sequence[Intent], *, progress: Progress = no_progress) -> CommitReport:
        """One commit an intent, in order, on the branch HEAD names, holding that one file alone;
        neighbours with the same `batch` share one commit, whose message is theirs.

        Takes an intent only if the working file's bytes match it (or match a later intent of the
        same path in the batch, or HEAD already holds it). Never raises for what git says no to:
        the reason is in the report. Nothing a person staged, half-staged or left is touched."""

    def heal(self) -> None:
        """Finish or take back what a kill left inside `.git`: own stale locks, the index behind HEAD."""

    def head_bytes(self, path: VaultPath) -> bytes | None:
        """The file's content in HEAD."""

    def bytes_at(self, commit: str, path: VaultPath) -> bytes | None:
        """The file's content in that commit, as a checkout writes it. Raises `RevisionNotFoundError`."""

    def log(self, path: VaultPath | None, *, limit: int | None) -> Iterator[Revision]:
        """Commits reachable from HEAD, newest first: those that touch `path` (renames followed),
        or all that touch Markdown files of the vault. Raises `GitError` where git can't."""

    def uncommitted(self) -> list[tuple[str, FileState]]:
        """Markdown files of the vault that differ from HEAD (untracked ones too), in path order.
        Raises `GitError` where git can't tell."""

    def changed_between(self, older: str | None, newer: str) -> list[VaultPath]:
        """Markdown files that differ, in path order; `None` is before the first commit."""

    def head_time(self) -> datetime | None:
        """HEAD's commit time, `None` without a commit."""

    def facts(self) -> RepositoryFacts:
        """Git's version, who commits, hooks, signing and locks. Raises `GitError`."""

    def upstream(self) -> Upstream | None:
        """What the branch follows, `None` for nothing; asks no network. Raises `GitError`."""


class Staging(Protocol):
    """The commit that git is about to make: what a hook of it is asked about. Raises `GitError`."""

    def under_way(self) -> UnderWay:
        """What kind of commit it is. Raises `UsageError` for one in another repository."""

    def files(self) -> Iterator[StagedFile]:
        """The vault's Markdown files as it holds them, in path order."""

    def kept(self, files: Sequence[StagedFile], *, amends: bool) -> frozenset[VaultPath]:
        """Those whose very bytes are in the commit that it will follow."""

    def holds(self, file: StagedFile, content: bytes) -> bool:
        """Whether these bytes of the working tree are what is staged."""

    def take_out(self, files: Sequence[StagedFile]) -> None:
        """Take these files (at least one) out of it, all or none; the working tree stays."""

    def put_back(self, files: Sequence[StagedFile]) -> None:
        """Put these files (at least one) into it as they were."""


class Index(Protocol):
    """The sidecar: derived from the files, dropped and rebuilt at will."""

    @property
    def generation(self) -> int:
        """Grows by one with each `apply` that changed something."""

    @property
    def notice(self) -> str | None:
        """Why this index can't be written or had to be put elsewhere; `None` when all is well."""

    @property
    def rebuilt(self) -> str | None:
        """Why the index was found empty and has to be filled anew; `None` when it was usable."""

    @property
    def writable(self) -> bool:
        """Whether `apply` can succeed."""

    @property
    def written_ns(self) -> int | None:
        """When its file last changed, in nanoseconds since 1970; `None` where it has none."""

    def reading(self) -> AbstractContextManager[None]:
        """All reads inside see one generation."""

    def known_files(self) -> dict[VaultPath, KnownFile]:
        """Every file the index holds."""

    def known(self, paths: Iterable[VaultPath]) -> dict[VaultPath, KnownFile]:
        """Those of these files that the index holds."""

    def apply(self, changes: Sequence[Change], *, vectors: Mapping[str, bytes] | None = None) -> int:
        """All changes in one transaction; the new generation. `vectors` (float32 little endian,
        unit length) by text hash are stored for the current embedder."""

    def unembedded(self) -> dict[str, str]:
        """Text hash → text of passages that have no vector of the current embedder."""

    def corpus(self, scope: Scope) -> Corpus:
        """Counts and lengths that BM25 needs of what the scope may read; cached per generation."""

    def postings(self, terms: Sequence[str]) -> list[Postings]:
        """For each term, which passages hold it and how often (unknown terms: empty postings)."""

    def nearest(self, query: Vectors, limit: int) -> list[tuple[int, float]]:
        """(passage number, cosine) of the nearest passages, best first. Empty without vectors."""

    def passages(self, numbers: Iterable[int]) -> dict[int, StoredPassage]:
        """Passages by number."""

    def passages_of(self, path: VaultPath) -> list[StoredPassage]:
        """A memory's passages in order."""

    def entry(self, path: VaultPath) -> Entry | None:
        """One memory."""

    def entries_of(self, numbers: Iterable[int]) -> dict[int, Entry]:
        """The memory of each passage number."""

    def entries(self, scope: Scope, *, under: Namespace | None = None) -> list[Entry]:
        """All that the scope may read, in path order."""

    def expired(self, scope: Scope, at: datetime) -> list[Entry]:
        """Those that the scope may read whose `expires` is not after `at`, in path order."""

    def count(self, scope: Scope) -> int:
        """How many memories the scope may read; cached per generation."""

    def find(self, scope: Scope, *, id_prefix: str | None = None, title: str | None = None) -> list[Entry]:
        """By id prefix (case-insensitive, literal) or exact title (case-insensitive), in path order."""

    def same_text(self, folder: Namespace, body_hash: str) -> list[Entry]:
        """The memories of that folder (and its month folders) whose normalised body has that hash."""

    def links_from(self, path: VaultPath) -> list[Link]:
        """As written."""

    def links(self, scope: Scope) -> list[tuple[VaultPath, Link]]:
        """Every link as written, with the path of the file it stands in, in path order."""

    def findings(self, scope: Scope) -> list[Finding]:
        """Faults found while reading, in path and line order."""

    def dump(self) -> object:
        """The whole content but numbers and generation, canonical: equal for equal files."""

    def check(self) -> None:
        """Look at the whole file; raises `IndexDamagedError` where it is not what it was."""

    def drop(self) -> None:
        """Forget everything but vectors; the next refresh fills it again."""

    def close(self) -> None:
        """Close the files."""


class Embedder(Protocol):
    """Texts to vectors."""

    @property
    def id(self) -> str:
        """Name and version of the model; vectors of different ids are never compared. `none` for none."""

    @property
    def dimensions(self) -> int:
        """0 for none."""

    @property
    def reason(self) -> str | None:
        """Why there is no meaning search, `None` when there is."""

    @property
    def span(self) -> tuple[float, float]:
        """The cosine of texts that have nothing to do with each other, and of paraphrases."""

    def passages(self, texts: Sequence[str]) -> Vectors:
        """float32, shape (len(texts), dimensions), unit rows; empty text gives a zero row, no NaN.
        Raises `EmbedderUnavailableError`."""

    def query(self, text: str) -> Vectors:
        """float32, shape (1, dimensions)."""


class Scanner(Protocol):
    """Looks for what must not enter a memory."""

    def scan(self, text: str, *, known: str = "") -> list[tuple[str, int]]:
        """(rule, line) of each find, but of those that stand in `known` too; the text itself is
        never returned."""

    def mask(self, text: str) -> str:
        """The text with each find replaced, fit for a message."""


class TokenCounter(Protocol):
    """How many tokens a model would count, never too few."""

    def count(self, text: str) -> int:
        """An upper estimate."""


@dataclass(frozen=True, slots=True)
class Ports:
    """What one open vault needs of the world."""

    files: Files
    lock: Lock
    journal: Journal
    history: History
    staging: Staging
    index: Index
    embedder: Embedder
    clock: Clock
    ids: Ids
    scanner: Scanner
    tokens: TokenCounter
