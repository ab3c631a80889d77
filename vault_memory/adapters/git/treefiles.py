"""The `Files` port over what a commit holds: the bytes that a checkout would write, to be read alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vault_memory.adapters.git.access import Access
from vault_memory.adapters.git.cli import GitProgram, GitRefusedError
from vault_memory.adapters.git.listed import (
    Listed,
    converted_ones,
    listed,
    listed_by_git,
    written_out,
)
from vault_memory.adapters.git.treenotes import tree_notes
from vault_memory.adapters.git.trees import MissingObjectError
from vault_memory.errors import ReadOnlyError, StorageError
from vault_memory.model.change import FileStamp
from vault_memory.model.facts import PlaceFacts
from vault_memory.model.ignore import Rules
from vault_memory.model.namespace import Namespace, VaultPath
from vault_memory.model.passedover import (
    RULES_FILE,
    PassedOver,
    around_from,
    exclude_from,
    own_folders,
    rules_in,
)
from vault_memory.ports import FileBytes, Scan

if TYPE_CHECKING:
    from vault_memory.adapters.git.opened import Opened

AT_A_TIME = 200
"""So many files are read ahead where git has to be asked for them."""


class _Note(NamedTuple):
    """A memory's file: its stamp, its blob, its name in the repository."""

    stamp: FileStamp
    blob: str
    tracked: str


@dataclass(frozen=True, slots=True)
class _Seen:
    """What the commit holds, looked at once: it never changes."""

    scan: Scan
    notes: dict[VaultPath, _Note]
    links: dict[VaultPath, str]
    order: dict[VaultPath, int]
    converted: frozenset[str]
    """The repository's names of those that a checkout may write in other bytes than are stored."""


class CommitFiles:
    """The vault's files in one commit of the repository around `root`; `shown` names it in refusals.

    `max_bytes`, `exclude` and `inbox` are as for the files on disk. A stamp tells the blob: it is equal in
    two commits where the bytes are."""

    def __init__(
        self,
        root: Path,
        commit: str,
        *,
        shown: str,
        max_bytes: int,
        exclude: Sequence[str] = (),
        inbox: str = "notes",
        git_timeout: float = 20.0,
    ) -> None:
        self._root = root
        self._commit = commit
        self._shown = shown
        self._max_bytes = max_bytes
        self._exclude = tuple(exclude)
        self._inbox = inbox
        self._access = Access(root, timeout=git_timeout)
        self._place = self._access.place()
        self._looked: _Seen | None = None
        self._ahead: dict[VaultPath, bytes] = {}

    @property
    def root(self) -> Path:
        """The vault's folder on disk."""
        return self._root

    @property
    def network_disk(self) -> str | None:
        """Git's store is not the vault's own folder."""
        return None

    def scan(self) -> Scan:
        """The Markdown files that a scan of a checkout would find, in path order."""
        return self._seen.scan

    def check_root(self) -> None:
        """A commit goes nowhere."""

    def is_memory(self, path: VaultPath) -> bool:
        """Whether the commit holds that memory."""
        return path in self._seen.notes

    def stat(self, path: VaultPath) -> FileStamp | None:
        """The stamp of a memory's file."""
        found = self._seen.notes.get(path)
        return None if found is None else found.stamp

    def differing(self, stamps: Iterable[FileStamp]) -> list[VaultPath]:
        """Those that are not in the commit with that stamp."""
        notes = self._seen.notes
        return [one.path for one in stamps if one.path not in notes or notes[one.path].stamp != one]

    def read(self, path: VaultPath) -> FileBytes | None:
        """The file as a checkout writes it. Raises `StorageError` where git can't give it."""
        note = self._seen.notes.get(path)
        if note is None:
            return None
        if note.stamp.size > self._max_bytes:
            raise self._too_large(path, note.stamp.size)
        content = self._access.by(
            self._place,
            lambda opened: self._checked_out(opened, note),
            lambda git: self._written_out(git, note),
        )
        if len(content) > self._max_bytes:
            raise self._too_large(path, len(content))
        return FileBytes(note.stamp, content)

    def real(self, path: VaultPath) -> VaultPath | None:
        """The path itself: a commit's links are not followed."""
        return path if path in self._seen.notes else None

    def link_text(self, path: VaultPath) -> bytes | None:
        """Where the link of that name points."""
        blob = self._seen.links.get(path)
        return None if blob is None else self._blob(blob)

    def write(self, *_: object, **__: object) -> FileStamp:
        """Refused with `ReadOnlyError`."""
        raise ReadOnlyError(self._shown)

    def remove(self, *_: object, **__: object) -> None:
        """Refused with `ReadOnlyError`."""
        raise ReadOnlyError(self._shown)

    def names_in(self, _: Namespace) -> frozenset[str]:
        """Refused with `ReadOnlyError`: only who writes asks for it."""
        raise ReadOnlyError(self._shown)

    def spelled(self, folder: Namespace) -> Namespace:
        """The folder as it is."""
        return folder

    def sweep(self) -> tuple[str, ...]:
        """There is nothing to sweep."""
        return ()

    def facts(self) -> PlaceFacts:
        """Refused with `ReadOnlyError`: a commit lies on no disk of its own."""
        raise ReadOnlyError(self._shown)

    def mend(self) -> tuple[str, ...]:
        """There is nothing to mend."""
        return ()

    # Listing

    @property
    def _seen(self) -> _Seen:
        if self._looked is None:
            rows = self._access.by(
                self._place,
                lambda opened: listed(opened, self._commit),
                lambda git: listed_by_git(git, self._commit, self._place.prefix),
            )
            self._looked = self._sorted_out(rows)
        return self._looked

    def _sorted_out(self, rows: list[Listed]) -> _Seen:
        found = tree_notes(rows, self._skipping(), self._blob)
        sizes = self._sizes([one.blob for _, one in found.notes])
        notes = {
            path: _Note(
                FileStamp(path, size, 0, 0, int(one.blob[:15], 16)), one.blob, self._place.tracked(path)
            )
            for (path, one), size in zip(found.notes, sizes, strict=True)
        }
        stamps = tuple(note.stamp for note in notes.values())
        return _Seen(
            Scan(stamps, tuple(found.odd), tuple(found.skipped)),
            notes,
            found.links,
            {path: at for at, path in enumerate(notes)},
            self._converted([note.tracked for note in notes.values()]),
        )

    def _sizes(self, blobs: Sequence[str]) -> list[int]:
        """How many bytes are stored of each."""

        def fast(opened: Opened) -> list[int]:
            try:
                return [opened.repo.odb.read_header(blob)[1] for blob in blobs]
            except KeyError as error:
                raise MissingObjectError(str(error)) from error

        def slow(git: GitProgram) -> list[int]:
            asked = "".join(f"{blob}\n" for blob in blobs).encode()
            out = git.get("cat-file", "--batch-check=%(objectsize)", stdin=asked) if blobs else b""
            return [int(row) for row in out.split()]

        return self._access.by(self._place, fast, slow)

    def _converted(self, tracked: Sequence[str]) -> frozenset[str]:
        """Those that git is to be asked for, since a checkout may write them otherwise."""

        def fast(opened: Opened) -> frozenset[str]:
            automatic = opened.settings.flag("core.autocrlf") is True
            if automatic or opened.settings.text("core.eol") is not None:
                return frozenset(tracked)
            if opened.git.path is None or not tracked:
                return frozenset()
            return converted_ones(opened.git, tracked)

        return self._access.by(self._place, fast, lambda _: frozenset(tracked))

    def _skipping(self) -> PassedOver:
        own, exclude, prefix = own_folders(self._inbox), exclude_from(self._exclude), self._place.prefix
        around: tuple[Rules, ...] | None = ()
        if prefix:
            parts = prefix[:-1].split("/")
            above = ["".join(f"{name}/" for name in parts[:depth]) for depth in range(len(parts))]
            around = around_from(prefix, (rules_in(self._outside(base), base) for base in above))
        return PassedOver(own, exclude) if around is None else PassedOver(own, exclude, prefix, around)

    def _outside(self, folder: str) -> bytes | None:
        """The file of rules in one of the repository's folders above the vault."""
        from vault_memory.adapters.git import lookups

        path = folder + RULES_FILE.decode()
        return self._access.by(
            self._place,
            lambda opened: lookups.bytes_at(opened, self._commit, path),
            lambda git: lookups.bytes_at_by_git(git, self._commit, path),
        )

    # Reading

    def _blob(self, blob: str) -> bytes:
        """A blob as it is stored."""
        return self._access.by(
            self._place,
            lambda opened: _data(opened, blob),
            lambda git: git.get("cat-file", "blob", blob),
        )

    def _checked_out(self, opened: Opened, note: _Note) -> bytes:
        if note.tracked in self._seen.converted:
            return self._written_out(opened.git, note)
        return _data(opened, note.blob)

    def _written_out(self, git: GitProgram, note: _Note) -> bytes:
        """What a checkout writes, read together with that of the files that follow in path order."""
        path = note.stamp.path
        if path not in self._ahead:
            self._ahead = self._read_ahead(git, note)
        content = self._ahead.pop(path, None)
        if content is None:
            try:
                return git.get("cat-file", "--filters", f"{self._commit}:{note.tracked}")
            except GitRefusedError as error:
                raise StorageError(path, str(error), wanted="read") from error
        return content

    def _read_ahead(self, git: GitProgram, note: _Note) -> dict[VaultPath, bytes]:
        notes = list(self._seen.notes.values())
        at = self._seen.order[note.stamp.path]
        some = [
            one
            for one in notes[at : at + AT_A_TIME]
            if one.stamp.size <= self._max_bytes and "\n" not in one.tracked
        ]
        try:
            contents = written_out(git, [(one.blob, one.tracked) for one in some])
        except (GitRefusedError, MissingObjectError):
            return {}  # one after the other, so that only what can't be had is left out
        return {one.stamp.path: content for one, content in zip(some, contents, strict=True)}

    def _too_large(self, path: VaultPath, size: int) -> StorageError:
        return StorageError(
            path, f"its {size:,} bytes are more than the limit of {self._max_bytes:,}", wanted="read"
        )


def _data(opened: Opened, blob: str) -> bytes:
    import pygit2

    found = opened.repo.get(blob)
    if not isinstance(found, pygit2.Blob):
        raise MissingObjectError(f"object {blob} is missing")
    return found.data
