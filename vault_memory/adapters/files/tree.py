"""The vault's Markdown files on a real file system: the `Files` port."""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from vault_memory.adapters.files.atomic import (
    disk_errors,
    make_folders,
    reason_of,
    remove_folders,
    sync_folder,
)
from vault_memory.adapters.files.exploring import is_looked_at
from vault_memory.adapters.files.facts import mend_place, place_facts
from vault_memory.adapters.files.layout import CONFIG
from vault_memory.adapters.files.listing import Listings
from vault_memory.adapters.files.place import kind_of, locate, locate_folder
from vault_memory.adapters.files.publish import put_new, put_over
from vault_memory.adapters.files.reading import Contents, read_whole, too_large
from vault_memory.adapters.files.scratch import Scratch
from vault_memory.adapters.files.skipping import Skipping, skipping
from vault_memory.adapters.files.walk import walk
from vault_memory.errors import ConflictError, StorageError, UnsafePathError, VaultUnreadableError
from vault_memory.model.change import FileStamp
from vault_memory.model.facts import PlaceFacts
from vault_memory.model.namespace import Namespace, VaultPath
from vault_memory.ports import FileBytes, Scan

DEFAULT_MAX_BYTES = 10 * 1024 * 1024
_WRITE_BITS = 0o222
_NOT_THERE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ELOOP})


class VaultFiles:
    """The files below one root; `max_bytes` is the largest file that is read or written.

    `exclude` are lines in the form of a `.gitignore` for what is no memory. They hold everywhere but in
    `private/`, `shared/` and `inbox`, and so do git's own rules for folders."""

    def __init__(
        self,
        root: Path,
        *,
        max_bytes: int = DEFAULT_MAX_BYTES,
        exclude: Sequence[str] = (),
        inbox: str = "notes",
        network_disk: str | None = None,
    ) -> None:
        self._root = root.resolve()
        self._base = os.fsencode(self._root)
        self._max_bytes = max_bytes
        self._scratch = Scratch(self._base)
        self._listings = Listings()
        self._exclude = tuple(exclude)
        self._inbox = inbox
        self._network_disk = network_disk

    @property
    def root(self) -> Path:
        """The vault's folder, absolute and resolved."""
        return self._root

    @property
    def network_disk(self) -> str | None:
        """The type of the network disk that holds the vault's own data, as it was given."""
        return self._network_disk

    def scan(self) -> Scan:
        """Look at every folder; raises `VaultUnreadableError` rather than answer in part."""
        self.check_root()
        return walk(self._base, self._skipping())

    def is_memory(self, path: VaultPath) -> bool:
        """Whether a scan would take a regular file of that path for a memory."""
        return is_looked_at(self._base, self._skipping(), path)

    def stat(self, path: VaultPath) -> FileStamp | None:
        """The stamp of a regular file; `None` for anything else, also behind a link that is refused.

        Raises `StorageError` where it can't be told: "may not look" is not "is not there".
        """
        try:
            status = os.lstat(locate(self._base, path, follow=True))
        except UnsafePathError:
            return None
        except OSError as error:
            if error.errno in _NOT_THERE:
                return None
            raise StorageError(path, reason_of(error), wanted="read") from error
        return None if kind_of(status.st_mode) else _stamp(path, status)

    def differing(self, stamps: Iterable[FileStamp]) -> list[VaultPath]:
        """Those that do not lie at their very place with that stamp.

        A stamp that is known was taken inside the vault; whatever links lead to now, a file that shows
        it is the same one. So the way to it is not looked at.
        """
        lstat, base = os.lstat, self._base + b"/"
        found: list[VaultPath] = []
        for stamp in stamps:
            try:
                now = lstat(base + stamp.path.encode())
            except (OSError, ValueError):
                found.append(stamp.path)
                continue
            same = (now.st_mtime_ns, now.st_ctime_ns) == (stamp.mtime_ns, stamp.ctime_ns)
            if not same or (now.st_size, now.st_ino) != (stamp.size, stamp.inode):
                found.append(stamp.path)
        return found

    def read(self, path: VaultPath) -> FileBytes | None:
        """The whole file, of a link inside the vault its target.

        Raises `StorageError`: unreadable, too large, no regular file, a link that leaves the vault.
        """
        with disk_errors(path, "read"):
            found = self._read(locate(self._base, path, follow=True), path)
        return None if found is None else FileBytes(_stamp(path, found.status), found.content)

    def real(self, path: VaultPath) -> VaultPath | None:
        """Where the file lies that a path leads to, over links; `None` where there is none."""
        try:
            place = locate(self._base, path, follow=True)
            if kind_of(os.lstat(place).st_mode):
                return None
        except (UnsafePathError, OSError):
            return None
        return VaultPath(place[len(self._base.rstrip(b"/")) + 1 :].decode("utf-8", "surrogateescape"))

    def link_text(self, path: VaultPath) -> bytes | None:
        """What is written in the link of that name; `None` where it is no link of the vault."""
        try:
            return os.readlink(locate(self._base, path, follow=False))
        except (UnsafePathError, OSError):
            return None

    def write(
        self, path: VaultPath, content: bytes, *, replacing: str | None, like: VaultPath | None = None
    ) -> FileStamp:
        """Create (`replacing=None`) or replace the file, atomically and durably.

        A link inside the vault stays one: its target is replaced. A new file gets mode, owner and
        attributes of the file `like`, where that is there.
        """
        if len(content) > self._max_bytes:
            raise too_large(path, len(content), self._max_bytes, wanted="write")
        with disk_errors(path, "write"):
            if replacing is None:
                place = self._create(path, content, like)
            else:
                place = self._replace(path, content, replacing)
            try:
                status = os.lstat(place)
            except FileNotFoundError as error:
                raise ConflictError(path, "somebody deleted it just after it was written") from error
            self._listings.learn_time(status.st_ctime_ns)
            return _stamp(path, status)

    def remove(self, path: VaultPath, *, replacing: str) -> None:
        """Delete the file, durably. Of a link only the link goes; it answers to the sha256 of its
        text (what git keeps of it) as well as to that of the note it leads to."""
        with disk_errors(path, "remove"):
            place = locate(self._base, path, follow=False)
            if os.path.islink(place):
                self._check_link(place, path, replacing)
            else:
                self._check(place, path, replacing)
            os.unlink(place)
            sync_folder(os.path.dirname(place))

    def names_in(self, folder: Namespace) -> frozenset[str]:
        """The names in a folder, case-folded and in NFC; empty where there is no folder.

        Raises `UnsafePathError` for a link that leaves the vault, `VaultUnreadableError` for a
        folder that can't be listed.
        """
        try:
            return self._listings.names(locate_folder(self._base, folder, shown=folder))
        except OSError as error:
            if error.errno in _NOT_THERE:
                return frozenset()
            raise VaultUnreadableError(folder or str(self._root), reason_of(error)) from error

    def spelled(self, folder: Namespace) -> Namespace:
        """The folder by the names of those that are there, where its own differ only in case or form.

        A name that is there as it stands is left, and so is one that several are like.
        """
        found = ""
        for name in folder.split("/"):
            try:
                place = locate_folder(self._base, Namespace(found), shown=folder)
                spelling = self._listings.spelling(place, name.encode())
            except OSError:
                spelling = None
            known = name if spelling is None else spelling.decode("utf-8", "surrogateescape")
            found = f"{found}/{known}" if found else known
        return Namespace(found)

    def sweep(self) -> tuple[str, ...]:
        """Delete temporary files of dead processes; the paths deleted. Under the lock only."""
        with disk_errors(str(self._root), "sweep"):
            return tuple(self._scratch.sweep())

    def facts(self) -> PlaceFacts:
        """The disk and the local folder. Raises `StorageError`."""
        return place_facts(self._base, self._scratch)

    def mend(self) -> tuple[str, ...]:
        """Put the local folder in order; what was done, in words. Under the lock only."""
        return mend_place(self._base, self._scratch)

    def _skipping(self) -> Skipping:
        return skipping(self._base, self._exclude, self._inbox)

    def check_root(self) -> None:
        """Raise `VaultUnreadableError` where the vault was moved away or its disk is not mounted."""
        try:
            os.stat(self._base + b"/" + CONFIG.encode())
        except (FileNotFoundError, NotADirectoryError) as error:
            raise VaultUnreadableError(str(self._root), f"there is no {CONFIG} any more") from error
        except OSError as error:
            raise VaultUnreadableError(str(self._root / CONFIG), reason_of(error)) from error

    def _read(self, place: bytes, path: VaultPath) -> Contents | None:
        return read_whole(place, path, max_bytes=self._max_bytes)

    def _create(self, path: VaultPath, content: bytes, like: VaultPath | None) -> bytes:
        self.check_root()  # or we would make the folders of a vault that is not mounted
        place = locate(self._base, path, follow=False)
        folder = os.path.dirname(place)
        made = self._make(folder)
        written = False
        try:
            before = self._listings.before(folder)
            model = locate(self._base, like, follow=True) if like is not None else None
            put_new(self._scratch, place, content, like=model)
            self._listings.added(place, before)
            written = True
        except FileExistsError as error:
            self._listings.missed(folder)
            raise ConflictError(
                path, "something has that name already", hint="choose another name, or edit what is there"
            ) from error
        finally:
            if not written:
                remove_folders(made)
        return place

    def _make(self, folder: bytes) -> list[bytes]:
        """Make what is missing of a folder, and say what that was, outermost first."""
        if os.path.isdir(folder):
            return []
        above = os.path.dirname(folder)
        before = self._listings.before(above) if os.path.isdir(above) else None
        made = make_folders(folder)
        if before is not None:
            self._listings.added(folder, before)
        return made

    def _replace(self, path: VaultPath, content: bytes, replacing: str) -> bytes:
        place = locate(self._base, path, follow=True)
        before = self._check(place, path, replacing)

        def check() -> None:
            self._check(place, path, replacing)

        put_over(self._scratch, place, content, like=before.status, check=check)
        return place

    def _check(self, place: bytes, path: VaultPath, replacing: str) -> Contents:
        """The file, proven to hold the bytes of that sha256; else `ConflictError`."""
        found = self._read(place, path)
        if found is None:
            raise ConflictError(path, "it is not there any more", expected=replacing)
        version = hashlib.sha256(found.content).hexdigest()
        if version != replacing:
            raise ConflictError(path, "it was changed since it was read", expected=replacing, found=version)
        if not found.status.st_mode & _WRITE_BITS:
            raise StorageError(
                path, "it is write-protected", hint="somebody made it read-only; allow writing it first"
            )
        return found

    def _check_link(self, place: bytes, path: VaultPath, replacing: str) -> None:
        if hashlib.sha256(os.readlink(place)).hexdigest() == replacing:
            return
        target = locate(self._base, path, follow=True)
        found = self._read(target, path)
        version = None if found is None else hashlib.sha256(found.content).hexdigest()
        if version != replacing:
            raise ConflictError(
                path, "the link leads to other text than was read", expected=replacing, found=version
            )


def _stamp(path: VaultPath, status: os.stat_result) -> FileStamp:
    return FileStamp(path, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
