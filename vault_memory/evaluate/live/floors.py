"""The least that each thing can take here, measured in the run whose figures are held against it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from vault_memory.config import environ
from vault_memory.evaluate.live.usage import memory_mb

_LINE = b'{"do":"state"}' + b" " * 100 + b"\n"
HEARD_WITHIN = 5.0
"""Seconds after which the system is taken to say nothing."""
QUIET = 0.05
"""Seconds in which what was told of before has come."""


def round_trips(count: int, folder: Path) -> tuple[float, ...]:
    """Milliseconds that a short line takes to another process and back."""
    ours, theirs = socket.socketpair()
    argv = [sys.executable, "-m", "vault_memory.evaluate.live.echo"]
    with (
        ours,
        theirs,
        subprocess.Popen(
            argv, stdin=theirs.fileno(), env=environ.without_settings(folder), start_new_session=True
        ) as peer,
    ):
        theirs.close()
        ours.settimeout(60)
        took = [_once(ours) for _ in range(count + 1)]
        ours.close()
        peer.wait()
    return tuple(took[1:])  # the first waited for the process to start


def _once(peer: socket.socket) -> float:
    started = time.perf_counter()
    peer.sendall(_LINE)
    peer.recv(len(_LINE))
    return (time.perf_counter() - started) * 1000


def walk(root: Path) -> float:
    """Milliseconds to name every Markdown file below the folder, and ask each for its size and times."""
    started = time.perf_counter()
    for entry in _entries(os.fspath(root)):
        entry.stat(follow_symlinks=False)
    return (time.perf_counter() - started) * 1000


def _entries(folder: str) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as found:
        for entry in found:
            if entry.is_dir(follow_symlinks=False):
                if not entry.name.startswith("."):
                    yield from _entries(entry.path)
            elif entry.name.endswith(".md"):
                yield entry


def idle_memory() -> float | None:
    """Megabytes that a Python holds which only waits; `None` where the system does not tell."""
    with subprocess.Popen(
        [sys.executable, "-c", "print(flush=True); input()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as idle:
        assert idle.stdin is not None
        assert idle.stdout is not None
        idle.stdout.readline()
        found = memory_mb(idle.pid)
        idle.stdin.write(b"\n")
        idle.stdin.flush()
    return found


def commits(count: int, folder: Path) -> tuple[float, ...]:
    """Milliseconds that libgit2 takes for a file's commit, and the branch, where there is nothing else."""
    import pygit2

    with tempfile.TemporaryDirectory(prefix="commits-", dir=folder) as name:
        repository = pygit2.init_repository(name, bare=True)
        who = pygit2.Signature("vmem bench", "bench@vmem.invalid", 0, 0)
        parents: list[pygit2.Oid] = []
        took: list[float] = []
        for number in range(count):
            started = time.perf_counter()
            tree = repository.TreeBuilder()
            tree.insert("memory.md", repository.create_blob(b"%d\n" % number), pygit2.enums.FileMode.BLOB)
            parents = [repository.create_commit("refs/heads/main", who, who, "made", tree.write(), parents)]
            took.append((time.perf_counter() - started) * 1000)
        repository.free()
    return tuple(took)


def heard(count: int, folder: Path) -> tuple[float, ...]:
    """Milliseconds from before a file is moved into a watched folder until the system has told of it; fewer
    samples where it does not tell."""
    from watchdog.events import FileSystemEvent, FileSystemEventHandler
    from watchdog.observers import Observer

    told = threading.Event()

    class Heard(FileSystemEventHandler):
        def on_any_event(self, event: FileSystemEvent) -> None:  # noqa: ARG002 - of whatever, it is told
            told.set()

    took: list[float] = []
    with tempfile.TemporaryDirectory(prefix="heard-", dir=folder) as name:
        watched = Path(name) / "watched"
        watched.mkdir()
        observer = Observer()
        observer.schedule(Heard(), os.fspath(watched))
        observer.start()
        for number in range(count):
            aside = Path(name) / f"{number}.md"
            aside.write_bytes(b"a note\n")
            time.sleep(QUIET)
            told.clear()
            started = time.perf_counter()
            aside.rename(watched / aside.name)
            if told.wait(HEARD_WITHIN):
                took.append((time.perf_counter() - started) * 1000)
        time.sleep(QUIET)
        observer.stop()
        observer.join()
    return tuple(took)
