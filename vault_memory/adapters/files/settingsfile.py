"""A file beside the memories (settings, checks): read, and given new content as a whole, durably."""

from __future__ import annotations

import os
from pathlib import Path

from vault_memory.adapters.files.atomic import disk_errors, make_folders, sync_folder
from vault_memory.adapters.files.publish import put_new, put_over
from vault_memory.adapters.files.reading import read_whole
from vault_memory.adapters.files.scratch import Scratch
from vault_memory.errors import ConflictError, StorageError

_NO_LINK = "put the file itself in its place"
_NO_SETTINGS = "nothing was changed; look at it, a file of settings belongs there"


class _Beside(Scratch):
    """Temporary files in the folder of the file itself: this machine's settings lie in no vault."""

    def name_for(self, folder: bytes, *, beside: bool) -> bytes:  # noqa: ARG002 - there is no other place
        return folder + b"/.vmem-config-%d.tmp" % os.getpid()


def read_own(file: Path, *, vault: Path, most: int) -> bytes | None:
    """A file that travels with the vault, of at most `most` bytes; `None` where nothing is there.

    Never through a link: it comes with the vault and could lead anywhere. Raises `StorageError`.
    """
    with disk_errors(str(file), "read"):
        place = os.fsencode(file)
        if os.path.lexists(place) and _leads_elsewhere(file, vault):
            raise StorageError(str(file), "it is a link", wanted="read", hint=_NO_LINK)
        found = read_whole(place, str(file), max_bytes=most)
        return None if found is None else found.content


def read_theirs(file: Path, *, within: Path | None, most: int) -> bytes | None:
    """A file of settings that is the person's own, of at most `most` bytes; `None` where nothing is there.

    A link is followed: people keep such files elsewhere. One that leads out of the folder `within` is not,
    since that may be somebody else's project. Raises `StorageError`.
    """
    with disk_errors(str(file), "read"):
        if within is not None and _leads_elsewhere(file, within):
            raise StorageError(str(file), "it is a link", wanted="read", hint=_NO_LINK)
        try:
            found = read_whole(os.fsencode(os.path.realpath(file)), str(file), max_bytes=most)
        except StorageError as error:
            raise StorageError(str(file), error.reason, wanted="read", hint=_NO_SETTINGS) from error
        return None if found is None else found.content


def put_settings(
    file: Path,
    content: bytes | None,
    *,
    before: bytes | None,
    vault: Path | None,
    within: Path | None = None,
    private: bool = False,
) -> None:
    """Write the file, if it still holds `before` (`None`: is not there); without content delete it.

    A link is written through, but for one that comes with a vault (`vault` is its root, `within` the
    folder around it that the file belongs to): it could lead anywhere. One that is new is the owner's
    alone to read if `private`.

    Raises `StorageError`, `ConflictError`.
    """
    with disk_errors(str(file), "write"):
        place = os.fsencode(os.path.realpath(file))
        around = within or vault
        if around is not None and _leads_elsewhere(file, around):
            raise StorageError(str(file), "it is a link", hint=_NO_LINK)
        scratch = Scratch(os.fsencode(vault)) if vault is not None else _Beside(b"")
        if content is None:
            if before is None or _now(place) != before:
                raise _changed(file)
            os.unlink(place)
            sync_folder(os.path.dirname(place))
            return
        if before is None:
            make_folders(os.path.dirname(place))
            try:
                put_new(scratch, place, content, private=private)
            except FileExistsError as error:
                raise _changed(file) from error
            return

        def check() -> None:
            if _now(place) != before:
                raise _changed(file)

        put_over(scratch, place, content, like=os.stat(place), check=check)


def _now(place: bytes) -> bytes:
    return Path(os.fsdecode(place)).read_bytes()


def _leads_elsewhere(file: Path, vault: Path) -> bool:
    """Whether the file, or a folder of the vault on the way to it, is a link."""
    return os.path.realpath(file) != os.path.join(os.path.realpath(vault), file.relative_to(vault))


def _changed(file: Path) -> ConflictError:
    return ConflictError(str(file), "it was changed by someone else just now", hint="look at it, then repeat")
