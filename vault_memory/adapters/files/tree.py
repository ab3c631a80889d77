"""The vault's Markdown files on a real file system: the `Files` port."""

from __future__ import annotations

import errno
import hashlib
import os
import unicodedata
from collections.abc import Sequence
from pathlib import Path

from vault_memory.adapters.files.atomic import (
    disk_errors,
    make_folders,
    reason_of,
    remove_folders,
    sync_folder,
)
from vault_memory.adapters.files.facts import mend_place, place_facts
from vault_memory.adapters.files.layout import CONFIG
from vault_memory.adapters.files.place import kind_of, locate, locate_folder
from vault_memory.adapters.files.publish import put_new, put_over
from vault_memory.adapters.files.reading import Contents, read_whole, too_large
from vault_memory.adapters.files.scratch import Scratch
from vault_memory.adapters.files.skipping import skipping
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
        self._check_root()
        return walk(self._base, skipping(self._base, self._exclude, self._inbox))

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
                return _stamp(path, os.lstat(place))
            except FileNotFoundError as error:
                raise ConflictError(path, "somebody deleted it just after it was written") from error

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
            names = os.listdir(locate_folder(self._base, folder, shown=folder))
        except OSError as error:
            if error.errno in _NOT_THERE:
                return frozenset()
            raise VaultUnreadableError(folder or str(self._root), reason_of(error)) from error
        return frozenset(map(_folded, names))

    def spelled(self, folder: Namespace) -> Namespace:
        """The folder by the names of those that are there, where its own differ only in case or form.

        A name that is there as it stands is left, and so is one that several are like.
        """
        found = ""
        for name in folder.split("/"):
            try:
                there = os.listdir(locate_folder(self._base, Namespace(found), shown=folder))
            except OSError:
                there = []
            alike = [
                one.decode("utf-8", "surrogateescape")
                for one in there
                if _folded(one) == _folded(name.encode())
            ]
            known = alike[0] if len(alike) == 1 else name
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

    def _check_root(self) -> None:
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
        self._check_root()  # or we would make the folders of a vault that is not mounted
        place = locate(self._base, path, follow=False)
        made = make_folders(os.path.dirname(place))
        written = False
        try:
            model = locate(self._base, like, follow=True) if like is not None else None
            put_new(self._scratch, place, content, like=model)
            written = True
        except FileExistsError as error:
            raise ConflictError(
                path, "something has that name already", hint="choose another name, or edit what is there"
            ) from error
        finally:
            if not written:
                remove_folders(made)
        return place

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


def _folded(name: bytes) -> str:
    if name.isascii():
        return name.lower().decode("ascii")
    return unicodedata.normalize("NFC", name.decode("utf-8", "surrogateescape").casefold())
