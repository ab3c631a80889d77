"""Every step by which the adapters change the disk, seen from outside; a process can die right after any.

A step is a call of the operating system that changes something, a file written by Python and closed, a
commit of SQLite's, an object or index written by libgit2, a git command begun or come to its end.
Nothing in the product knows of this: the functions are exchanged in a process that is about to die.
"""

from __future__ import annotations

import builtins
import io
import os
import signal
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import apsw
import pygit2

CALLS = (
    "fsync", "fdatasync", "rename", "replace", "link", "symlink", "unlink", "remove", "mkdir", "rmdir",
    "write", "truncate", "ftruncate", "chmod", "fchmod", "setxattr", "utime",
)  # fmt: skip
"""Functions of `os` that change the disk."""

FROM_TO = ("rename", "replace", "link", "symlink")
"""Those whose second argument is the name that is new."""

UNSEEN = frozenset({"fsync", "fdatasync"})
"""Those that change nothing that another process could see."""

REPOSITORY_CALLS = ("create_blob", "create_commit", "set_head")

_WAL_PAGES = 1000
"""SQLite's own measure for moving its log into the file, which a hook of ours puts out of force."""


@dataclass(slots=True)
class Steps:
    """Counts the steps of this process and kills it after the one numbered `last` (from 1)."""

    last: int | None = None
    told: list[str] = field(default_factory=list)

    def took(self, what: str, where: object = "") -> None:
        """A step has just been taken."""
        self.told.append(f"{what} {_shown(where)}".rstrip())
        if len(self.told) == self.last:
            os.kill(os.getpid(), signal.SIGKILL)

    def watch(self) -> None:
        """Exchange every function that takes a step, in this process for good."""
        for name in CALLS:
            setattr(os, name, self._after(getattr(os, name), name))
        self._watch_opening()
        self._watch_git()
        apsw.connection_hooks.append(self._watch_sqlite)

    def _after(self, real: Callable[..., Any], name: str) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            result = real(*arguments, **options)
            self.took(name, arguments[1] if name in FROM_TO else arguments[0] if arguments else "")
            return result

        return call

    def _watch_opening(self) -> None:
        open_number, open_file = os.open, io.open

        def by_number(path: Any, flags: int, *more: Any, **options: Any) -> int:
            fd = open_number(path, flags, *more, **options)
            if flags & os.O_CREAT:
                self.took("create", path)
            return fd

        def by_file(file: Any, mode: str = "r", *more: Any, **options: Any) -> Any:
            opened = open_file(file, mode, *more, **options)
            if not set(mode) & set("wxa+") or os.fstat(opened.fileno()).st_nlink == 0:
                return opened
            if not isinstance(file, int):
                self.took("create", file)
            name = _shown(file)
            return _Closing(opened, lambda: self.took("close", name))

        os.open = by_number
        io.open = builtins.open = by_file

    def _watch_git(self) -> None:
        for name in REPOSITORY_CALLS:
            real = getattr(pygit2.Repository, name)
            setattr(pygit2.Repository, name, self._after(real, f"git {name}"))
        builder = pygit2.Repository.TreeBuilder
        pygit2.Repository.TreeBuilder = lambda *arguments: _Tree(builder(*arguments), self)  # type: ignore[method-assign, assignment]
        pygit2.Index.write = self._after(pygit2.Index.write, "git index")  # type: ignore[method-assign]
        pygit2.init_repository = self._after(pygit2.init_repository, "git init")
        begin, wait = subprocess.Popen.__init__, subprocess.Popen.wait

        def begun(process: subprocess.Popen[bytes], arguments: Any, *more: Any, **options: Any) -> None:
            begin(process, arguments, *more, **options)
            self.took("start", arguments)

        def waited(process: subprocess.Popen[bytes], *arguments: Any, **options: Any) -> int:
            known = process.returncode is not None
            code = wait(process, *arguments, **options)
            if not known:
                self.took("end", process.args)
            return code

        subprocess.Popen.__init__ = begun  # type: ignore[method-assign, assignment]
        subprocess.Popen.wait = waited  # type: ignore[method-assign, assignment]

    def _watch_sqlite(self, connection: apsw.Connection) -> None:
        name = Path(connection.filename).name

        def committed(db: apsw.Connection, schema: str, pages: int) -> int:
            self.took("commit", name)
            if pages >= _WAL_PAGES:
                db.wal_checkpoint(schema)
            return apsw.SQLITE_OK

        def finished(event: dict[str, Any]) -> None:
            if "journal_mode" in event["sql"]:
                self.took("journal mode", name)

        connection.set_wal_hook(committed)
        connection.trace_v2(apsw.SQLITE_TRACE_PROFILE, finished)


class _Closing:
    """An open file that says when it was closed, which is when its bytes are under its name."""

    def __init__(self, file: Any, closed: Callable[[], None]) -> None:
        self._file = file
        self._closed = closed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if not self._file.closed:
            self._file.close()
            self._closed()


class _Tree:
    """A tree builder that says when it has written."""

    def __init__(self, builder: Any, steps: Steps) -> None:
        self._builder = builder
        self._steps = steps

    def __getattr__(self, name: str) -> Any:
        return getattr(self._builder, name)

    def __len__(self) -> int:
        return len(self._builder)

    def write(self) -> Any:
        written = self._builder.write()
        self._steps.took("git tree")
        return written


def _shown(where: object) -> str:
    if isinstance(where, (list, tuple)):
        return " ".join(str(word) for word in where[1:3])
    if isinstance(where, int):
        link = Path(f"/proc/self/fd/{where}")
        return link.readlink().name if link.is_symlink() else ""
    if isinstance(where, (str, bytes, os.PathLike)):
        return Path(os.fsdecode(where)).name
    return ""
