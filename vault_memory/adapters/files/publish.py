"""Bringing content under its name: temporary file, fsync, name, fsync of the folder."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable

from vault_memory.adapters.files.atomic import copy_attributes, publish_new, sync_folder, write_new
from vault_memory.adapters.files.scratch import Scratch


def put_new(scratch: Scratch, target: bytes, content: bytes) -> None:
    """Create `target` durably; raises `FileExistsError` where anything has that name."""

    def publish(temp: bytes) -> None:
        publish_new(temp, target)

    _put(scratch, target, content, None, publish)


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
    try:
        write_new(temp, content, like=like, folder=folder)
        publish(temp)
    finally:
        with contextlib.suppress(FileNotFoundError):  # renamed to its place, or never made
            os.unlink(temp)
