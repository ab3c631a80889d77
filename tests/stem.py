"""The process that others are forked from: it has imported all of vmem, and done nothing with it.

`python -m tests.stem FD` takes its orders from that socket, one byte and five descriptors each: the three
streams, a file with the call as JSON, and a pipe on which the number of the process and at last its exit
status are told. It ends when the socket does."""

from __future__ import annotations

import array
import atexit
import codecs
import contextlib
import gc
import importlib
import io
import json
import os
import pkgutil
import selectors
import signal
import socket
import sys
import threading
import time
import traceback
from dataclasses import dataclass, field
from typing import NoReturn

import pygit2

import vault_memory
from vault_memory.__main__ import main as vmem
from vault_memory.adapters.embedders.bundled.embedder import BundledEmbedder

PIECES = 5
UNLIKELY = 120
"""Python's own exit code where its last words could not be written."""

_KEPT: list[object] = []
"""What would close a stream if it went."""

_HEAVY = ("numpy", "numpy.ma", "git", "apsw", "apsw.ext", "regex", "yaml", "rich.console", "rich.progress",
          "rich.markdown", "typer.rich_utils", "json", "sqlite3", "frontmatter",
          "Stemmer", "rich.table", "zoneinfo")  # fmt: skip

_CODECS = ("utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1", "ascii", "idna")
"""Modules too, and whoever a process becomes may not be allowed to read those."""


@dataclass(slots=True)
class Stem:
    """Its orders, and the pipes of the processes that live."""

    orders: socket.socket
    pipes: dict[int, int] = field(default_factory=dict)

    def serve(self) -> None:
        """Fork as ordered, and tell of each end, until nobody can order any more."""
        woken, wake = os.pipe()
        os.set_blocking(woken, False)
        os.set_blocking(wake, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        with selectors.DefaultSelector() as waiting:
            waiting.register(self.orders, selectors.EVENT_READ)
            waiting.register(woken, selectors.EVENT_READ)
            while True:
                for key, _ in waiting.select():
                    if key.fd == woken:
                        with contextlib.suppress(BlockingIOError):
                            os.read(woken, 1 << 16)
                        self._tell_of_ends()
                    elif not self._take({woken, wake, waiting.fileno()}):
                        return

    def _take(self, own: set[int]) -> bool:
        """Take one order; whether there was one."""
        said, pieces = _received(self.orders)
        if not said:
            return False
        *streams, call, pipe = pieces
        pid = os.fork()
        if pid == 0:
            _leave(_become(streams, call, [*own, *pieces, *self.pipes.values(), self.orders.fileno()]))
        self.pipes[pid] = pipe
        os.write(pipe, f"{pid}\n".encode())
        for piece in (*streams, call):
            os.close(piece)
        return True

    def _tell_of_ends(self) -> None:
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    return
                pipe = self.pipes.pop(pid)
                with contextlib.suppress(BrokenPipeError):  # nobody wants to know any more
                    os.write(pipe, f"{os.waitstatus_to_exitcode(status)}\n".encode())
                os.close(pipe)


def _received(orders: socket.socket) -> tuple[bytes, list[int]]:
    found = array.array("i")
    said, more, _, _ = orders.recvmsg(1, socket.CMSG_LEN(PIECES * found.itemsize))
    for _, _, content in more:
        found.frombytes(content)
    return said, list(found)


def _become(streams: list[int], call: int, close: list[int]) -> int:
    """Be that process, to its exit code."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    _open_streams()
    with os.fdopen(os.dup(call), encoding="utf-8", errors="surrogateescape") as told:
        asked = json.load(told)
    for one in close:
        os.close(one)
    if asked["user"] is not None and os.geteuid() == 0:
        os.setgroups([])
        os.setgid(asked["user"])
        os.setuid(asked["user"])
    os.umask(asked["umask"])
    os.chdir(os.fsencode(asked["cwd"]))
    os.environ.clear()
    os.environ.update(asked["environment"])
    time.tzset()
    for level in (pygit2.enums.ConfigLevel.GLOBAL, pygit2.enums.ConfigLevel.XDG):
        # libgit2 has looked at the environment when it was loaded; `None` has it look again.
        pygit2.settings.search_path[level] = None  # type: ignore[assignment]  # as libgit2 has it
    sys.argv = [str(vault_memory.__path__[0]) + "/__main__.py", *asked["argv"]]
    try:
        vmem()
    except SystemExit as ending:
        if ending.code is None or isinstance(ending.code, int):
            return ending.code or 0
        print(ending.code, file=sys.stderr)
        return 1
    except BaseException:  # noqa: BLE001 - as Python itself ends
        traceback.print_exc()
        return 1
    return 0


def _open_streams() -> None:
    """As Python does when it starts: what is known of the old ones does not hold for these."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        old = getattr(sys, name)
        mode = "w" if number else "r"
        new = open(number, mode, encoding=old.encoding, errors=old.errors, closefd=False)  # noqa: SIM115 - open to the end
        if isinstance(new, io.TextIOWrapper) and name == "stderr":
            new.reconfigure(line_buffering=True)
        setattr(sys, name, new)
        _KEPT.append(old)


def _leave(code: int) -> NoReturn:
    """End as Python does, but for taking everything apart."""
    threading._shutdown()  # type: ignore[attr-defined]  # what Python calls at its end
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        code = UNLIKELY
    os._exit(code & 0xFF)


def _import_all() -> None:
    for name in _HEAVY:
        importlib.import_module(name)
    for module in pkgutil.walk_packages(vault_memory.__path__, "vault_memory."):
        if not module.name.endswith("__main__"):
            with contextlib.suppress(ImportError):  # an optional package is not there
                importlib.import_module(module.name)
    for codec in _CODECS:
        codecs.lookup(codec)
    BundledEmbedder().query("heron")  # whoever needs the table has it mapped


def main() -> None:
    """Serve on the descriptor that is the only argument."""
    orders = socket.socket(fileno=int(sys.argv[1]))
    _import_all()
    gc.collect()
    gc.freeze()  # or each process's collections would copy the pages of all that
    if threading.active_count() > 1:
        raise RuntimeError(f"forks don't copy threads: {threading.enumerate()}")
    with orders:
        orders.sendall(b".")
        Stem(orders).serve()


if __name__ == "__main__":
    main()
