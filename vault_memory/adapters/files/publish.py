"""Bringing content under its name: temporary file, fsync, name, fsync of the folder."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable

from vault_memory.adapters.files.atomic import copy_attributes, publish_new, sync_folder, write_new
from vault_memory.adapters.files.scratch import Scratch


def put_new(
    scratch: Scratch, target: bytes, content: bytes, *, like: bytes | None = None, private: bool = False
) -> None:
    """Create `target` durably, with mode, owner and attributes of the file `like` where that is there; its
    owner's alone to read if `private`.

    Raises `FileExistsError` where anything has that name.
    """
    status: os.stat_result | None = None
    if like is not None:
        with contextlib.suppress(FileNotFoundError):
            found = os.stat(like)
            # One that could not be written to could not be taken back either, if a next step fails.
            status = os.stat_result((found.st_mode | stat.S_IWUSR, *found[1:]))

    def publish(temp: bytes) -> None:
        if like is not None:
            copy_attributes(like, temp)
        if private:
            os.chmod(temp, stat.S_IRUSR | stat.S_IWUSR)
        publish_new(temp, target)

    _put(scratch, target, content, status, publish)


def put_over(
    scratch: Scratch,
    target: bytes,
    content: bytes,
    *,
    like: os.stat_result,
    check: Callable[[], None],
) -> None:
    """Replace `target` durably, keeping mode and owner of `like`.

    `check` is called when all is ready and the exchange comes next; it raises to forbid it.
    """

    def publish(temp: bytes) -> None:
        copy_attributes(target, temp)
        check()
        os.replace(temp, target)

    _put(scratch, target, content, like, publish)


def _put(
    scratch: Scratch,
    target: bytes,
    content: bytes,
    like: os.stat_result | None,
    publish: Callable[[bytes], None],
) -> None:
    folder = os.path.dirname(target)
    try:
        _write_and_publish(scratch.name_for(folder, beside=False), content, like, folder, publish)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        # Two mounts of one file system look the same to stat, and refuse the rename.
        _write_and_publish(scratch.name_for(folder, beside=True), content, like, folder, publish)
    sync_folder(folder)


def _write_and_publish(
    temp: bytes,
    content: bytes,
    like: os.stat_result | None,
    folder: bytes,
    publish: Callable[[bytes], None],
) -> None:
    published = False
    try:
        write_new(temp, content, like=like, folder=folder)
        publish(temp)
        published = True
    finally:
        if not published:
            with contextlib.suppress(FileNotFoundError):  # never made
                os.unlink(temp)
