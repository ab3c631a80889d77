"""From a folder and its settings to open ports: the only place that picks implementations."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from vault_memory.config import environ
from vault_memory.config.load import load
from vault_memory.config.settings import FORMAT, SETTINGS, Settings
from vault_memory.errors import ClosedError, StorageError, UsageError, VaultNotFoundError
from vault_memory.ports import Clock, Ids, Ports

GIT_LOCK_SECONDS = 5.0
"""The longest wait for a lock of git's: a memory can wait for its commit, the next writer can not."""


@dataclass(slots=True)
class Opened:
    """One vault from its opening to its close: what holds it (`held`), and how to let go (`shut`)."""

    held: Ports
    settings: Settings
    shut: Callable[[], None]
    closed: bool = False
    process: int = field(default_factory=os.getpid)

    @property
    def ports(self) -> Ports:
        """What operations need of the world. Raises `ClosedError` once the vault is closed, and in a
        forked child: SQLite's locks stay with the parent."""
        if self.closed or self.process != os.getpid():
            raise ClosedError(self.held.files.root, forked=not self.closed)
        return self.held

    def close(self) -> None:
        """Let go of all that is open, unless that is the parent's; twice is no fault."""
        if not self.closed and self.process == os.getpid():
            self.shut()
        self.closed = True


@dataclass(frozen=True, slots=True)
class Created:
    """What `create` made: the vault, the repository it lies in, and the files that are new."""

    root: Path
    branch: str | None
    new_repository: bool
    made: tuple[str, ...]


def locate(path: Path | None) -> Path:
    """The root of the vault that `path` lies in; without one `VMEM_VAULT`, else the working folder."""
    from vault_memory.adapters.files.layout import find_vault

    named = path or (Path(text) if (text := environ.vault()) else None)
    start = environ.expanded(named) if named else environ.working_folder()
    root = find_vault(start)
    if root is None:
        raise VaultNotFoundError(start)
    return root


def open_vault(
    root: Path,
    *,
    flags: Mapping[str, object] | None = None,
    clock: Clock | None = None,
    ids: Ids | None = None,
) -> Opened:
    """Open the vault at `root`. Cheap: git, models and journal are only touched when used."""
    from vault_memory.adapters.files.lock import VaultLock
    from vault_memory.adapters.files.tree import VaultFiles
    from vault_memory.adapters.git.history import GitHistory
    from vault_memory.adapters.ids import UlidIds
    from vault_memory.adapters.indexes.sqlite.backend import SqliteIndex
    from vault_memory.adapters.journal import SqliteJournal
    from vault_memory.adapters.scanners import NoRules
    from vault_memory.adapters.tokens import EstimatedTokens
    from vault_memory.plugins import embedder

    settings = load(root, flags=flags)
    local = root / ".vmem" / "local"
    chosen = embedder(settings["embedder"], settings["embedder_model"])
    used_clock = clock or system_clock()
    index = SqliteIndex.open(
        local / "index.db", embedder_id=chosen.id, reading=f"timezone {settings['timezone']}"
    )
    journal = SqliteJournal(local / "state.db")
    ports = Ports(
        files=VaultFiles(root, max_bytes=settings["max_file_bytes"]),
        lock=VaultLock(local / "lock"),
        journal=journal,
        history=GitHistory(
            root,
            clock=used_clock,
            local=local,
            lock_wait=min(settings["lock_seconds"], GIT_LOCK_SECONDS),
            git_timeout=settings["git_seconds"],
        ),
        index=index,
        embedder=chosen,
        clock=used_clock,
        ids=ids or UlidIds(),
        scanner=NoRules(),
        tokens=EstimatedTokens(),
    )

    def shut() -> None:
        try:
            index.close()
        finally:
            journal.close_file()

    return Opened(ports, settings, shut)


def system_clock() -> Clock:
    """Wall time."""
    from vault_memory.adapters.clock import SystemClock

    return SystemClock()


def create(path: Path) -> Created:
    """Make `path` a vault, in the repository it lies in or a new one. Nothing there is changed."""
    from vault_memory.adapters.files.layout import create_layout
    from vault_memory.adapters.git.history import GitHistory
    from vault_memory.adapters.git.init import init_repository

    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise UsageError(f"{path} is a file, and a vault is a folder", hint="vmem init FOLDER") from error
    except OSError as error:
        raise StorageError(str(path), error.strerror or str(error)) from error
    except ValueError as error:
        raise UsageError(f"{str(path)!r} can't be a folder's name", hint="vmem init FOLDER") from error
    root = path.resolve()
    state = GitHistory(root, clock=system_clock()).state()
    branch = state.branch if state.exists else init_repository(root)
    made = create_layout(root, config_text())
    return Created(root, branch, not state.exists, made)


def config_text() -> str:
    """The settings file of a new vault: its format, and the shared settings as comments."""
    lines = [
        "# Settings that travel with the vault. `# key = value` is a default; take the # off to change it.",
        f"format = {FORMAT}",
        "",
    ]
    for row in SETTINGS:
        if row.shared:
            value = json.dumps(row.default)  # of texts, numbers and flags TOML writes just the same
            lines += [f"# {row.doc}", f"# {row.key} = {value}"]
    return "\n".join(lines) + "\n"
