"""From a folder and its settings to open ports: the only place that picks implementations."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from vault_memory.config import environ
from vault_memory.config.door import door_now
from vault_memory.config.load import load, survey
from vault_memory.config.settings import FLAG, Settings
from vault_memory.errors import ClosedError, VaultNotFoundError
from vault_memory.model.namespace import Scope, Wanted, parse_agent
from vault_memory.model.policy import Policy, policy_from
from vault_memory.model.weights import Weights, weights_from
from vault_memory.ports import Clock, Denials, Ids, Lock, Looks, Ports, Watch

if TYPE_CHECKING:
    from vault_memory.adapters.git.history import GitHistory
    from vault_memory.adapters.git.mergedriver import MergeDriver
    from vault_memory.model.merging.memory import MergeLines
    from vault_memory.ports.branches import Merges, Points, Remote, Worktrees
    from vault_memory.ports.past import Past
    from vault_memory.ports.transcripts import Cursors, Distiller, Transcripts
    from vault_memory.viewing import Views

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
    views: Views | None = None
    """Where views of it are kept open, in a process that lives long."""
    weights: Weights = field(init=False)
    """How much each ingredient of the ranking counts, by the settings."""
    policy: Policy = field(init=False)
    """Who may read and write what, by the settings."""

    def __post_init__(self) -> None:
        self.weights = weights_from(self.settings.values)
        self.policy = policy_from(self.settings.values)

    def scope(self, agent: str | None) -> Scope:
        """What that agent, or the person, may read and write here: the one place that says it, for whichever
        door the question comes by. Raises `UnsafePathError` for a name that is none."""
        return Scope(
            None if agent is None else parse_agent(agent), policy=self.policy, noted=self._note_denial
        )

    def _note_denial(self, agent: str, wanted: Wanted, what: str) -> None:
        from vault_memory.model.denied import Denied

        self.held.denials.note(Denied(self.held.clock.now(), agent, wanted, what, door_now()))

    @property
    def ports(self) -> Ports:
        """What operations need of the world. Raises `ClosedError` once the vault is closed, and in a
        forked child: SQLite's locks stay with the parent."""
        if self.closed or self.process != os.getpid():
            raise ClosedError(self.held.files.root, forked=not self.closed)
        return self.held

    def keep_answers(self) -> None:
        """Give the same answer to the same question as long as it holds: for a process that lives long."""
        from vault_memory.adapters.answers import KeptAnswers

        self.held = replace(self.held, answers=KeptAnswers())

    def unnoted(self) -> Opened:
        """The same vault, where nothing is noted of what is recalled, since nobody is given it. One of
        the two is to be closed."""
        from vault_memory.adapters.views.uses import NothingUsed

        return replace(self, held=replace(self.held, uses=NothingUsed()))

    def keeps_its_model(self) -> bool:
        """Whether the settings still name the embedder that the vault was opened with."""
        now = survey(self.held.files.root)[0]
        return all(
            self.settings.origins.get(key) == FLAG or now[key] == self.settings[key]
            for key in ("embedder", "embedder_model")
        )

    def close(self) -> None:
        """Let go of all that is open, unless that is the parent's; twice is no fault."""
        if not self.closed and self.process == os.getpid():
            if self.views is not None:
                self.views.close()
            self.shut()
        self.closed = True


def locate(path: Path | None) -> Path:
    """The root of the vault that `path` lies in; without one `VMEM_VAULT`, else the working folder."""
    from vault_memory.adapters.files.layout import find_vault, vault_below

    named = path or (Path(text) if (text := environ.vault()) else None)
    start = environ.expanded(named) if named else environ.working_folder()
    root = find_vault(start)
    if root is None:
        raise VaultNotFoundError(start, vault_below(start))
    return root


def vault_around() -> Path | None:
    """The root of the vault that the working folder lies in, `None` where it lies in none."""
    from vault_memory.adapters.files.layout import find_vault

    return find_vault(environ.working_folder())


def try_embedder(name: str, model: str, threads: int) -> None:
    """Turn a text into a vector. Raises `UnknownPluginError`, and what the embedder raises."""
    from vault_memory.plugins import embedder

    embedder(name, model, threads).query("Does this model load?")


def open_vault(
    root: Path,
    *,
    flags: Mapping[str, object] | None = None,
    settings: Settings | None = None,
    clock: Clock | None = None,
    ids: Ids | None = None,
    apart: bool = False,
) -> Opened:
    """Open the vault at `root`. Cheap: git, models and journal are only touched when used.

    With `settings` those alone count, and nothing is read. With `apart` a process of its own makes the
    commits, once there are any.
    """
    from vault_memory.adapters.files.local import LOCAL, prepare_local
    from vault_memory.adapters.files.lock import VaultLock
    from vault_memory.adapters.files.tree import VaultFiles
    from vault_memory.adapters.git.staging import GitStaging
    from vault_memory.adapters.git.tracked import check_local
    from vault_memory.adapters.ids import UlidIds
    from vault_memory.adapters.indexes.sqlite.backend import SqliteIndex
    from vault_memory.adapters.journal import SqliteJournal
    from vault_memory.adapters.tokens import EstimatedTokens
    from vault_memory.adapters.uses import GatheredUses
    from vault_memory.plugins import embedder, reranker, scanner

    settings = settings or load(root, flags=flags)
    local = root / ".vmem" / "local"
    chosen = embedder(settings["embedder"], settings["embedder_model"], settings["model_threads"])
    counter = EstimatedTokens()
    used_clock = clock or system_clock()
    check_local(root, LOCAL)
    prepare_local(root)
    network = _network(local, settings)
    index = SqliteIndex.open(
        local / "index.db",
        embedder_id=chosen.id,
        reading=f"timezone {settings['timezone']}, tokens by {counter.name}",
        shared_memory=network is None,
    )
    journal = SqliteJournal(local / "state.db", shared_memory=network is None)
    git = _history(root, settings, used_clock, apart=apart)
    uses = GatheredUses(local / "uses.db", kept=settings["traces"])
    ports = Ports(
        files=VaultFiles(
            root,
            max_bytes=settings["max_file_bytes"],
            exclude=settings["exclude"],
            inbox=settings["inbox"],
            network_disk=network,
        ),
        lock=VaultLock(local / "lock"),
        journal=journal,
        history=git,
        staging=GitStaging(root, clock=used_clock, git_timeout=settings["git_seconds"]),
        index=index,
        embedder=chosen,
        embedding=VaultLock(local / "embedding", command="vmem embedder build"),
        reranker=reranker(settings["reranker"], settings["reranker_model"], settings["model_threads"]),
        clock=used_clock,
        ids=ids or UlidIds(),
        scanner=scanner(settings["secret_scanner"], settings["allow_secrets"]),
        tokens=counter,
        committing=VaultLock(local / "commit"),
        uses=uses,
        **_branches(root, settings, used_clock),
    )

    return Opened(ports, settings, partial(shut, index.close, journal.close_file, git.close, uses.close))


class _Branches(TypedDict):
    """The ports for branches, merges and remotes, and for lists of this machine, by names in `Ports`."""

    points: Points
    merges: Merges
    worktrees: Worktrees
    remote: Remote
    looks: Looks
    denials: Denials


def _branches(root: Path, settings: Settings, clock: Clock) -> _Branches:
    from vault_memory.adapters.files.denials import DenialFiles
    from vault_memory.adapters.files.lock import VaultLock
    from vault_memory.adapters.files.looks import LookFiles
    from vault_memory.adapters.git.merges import GitMerges
    from vault_memory.adapters.git.points import GitPoints
    from vault_memory.adapters.git.remotes import GitRemote
    from vault_memory.adapters.git.worktrees import GitWorktrees

    local, limit = root / ".vmem" / "local", settings["git_seconds"]
    lock = VaultLock(local / "worktrees.lock")
    return {
        "points": GitPoints(root, git_timeout=limit),
        "merges": GitMerges(root, clock=clock, git_timeout=limit),
        "worktrees": GitWorktrees(
            root, lock=lock, wait=settings["lock_seconds"], clock=clock, git_timeout=limit
        ),
        "remote": GitRemote(root, seconds=settings["remote_seconds"], git_timeout=limit),
        "looks": LookFiles(local),
        "denials": DenialFiles(local),
    }


def _history(root: Path, settings: Settings, clock: Clock, *, apart: bool) -> GitHistory:
    from vault_memory.adapters.git.history import GitHistory

    kind = GitHistory
    if apart:
        from vault_memory.adapters.git.apart import HistoryApart

        kind = HistoryApart
    return kind(
        root,
        clock=clock,
        local=root / ".vmem" / "local",
        lock_wait=min(settings["lock_seconds"], GIT_LOCK_SECONDS),
        git_timeout=settings["git_seconds"],
    )


def watch(opened: Opened) -> Watch:
    """What hears of changes to the files of an open vault. Nothing is begun yet."""
    from vault_memory.adapters.files.watch.vault import watch_vault

    held, settings = opened.held, opened.settings
    return watch_vault(
        held.files.root,
        exclude=settings["exclude"],
        inbox=settings["inbox"],
        scan=held.files.scan,
        now_ns=held.clock.now_ns,
    )


def resident_lock(root: Path) -> Lock:
    """What the one resident of the vault at `root` holds as long as it lives."""
    from vault_memory.adapters.files.lock import VaultLock

    return VaultLock(root / ".vmem" / "local" / "resident", command="vmem daemon run")


def line_merger(size: int) -> MergeLines:
    """Git's own merge of lines, with markers of that size."""
    from vault_memory.adapters.git.mergelines import merge_lines

    return partial(merge_lines, size=size)


def merge_driver(root: Path, settings: Settings) -> MergeDriver:
    """What git runs there to merge memories."""
    from vault_memory.adapters.git.mergedriver import MergeDriver

    return MergeDriver(str(root), timeout=float(settings["git_seconds"]))


def top_of(root: Path) -> Path | None:
    """The working tree of the repository that the vault at `root` lies in, `None` where there is none."""
    from vault_memory.adapters.git.locate import find

    place = find(Path(os.path.realpath(root)))
    return Path(place.workdir) if place is not None and place.workdir is not None else None


def past(root: Path) -> Past:
    """All that git holds of the vault at `root`."""
    from vault_memory.adapters.git.past import GitPast

    return GitPast(root)


def capturing(opened: Opened) -> tuple[Transcripts, Cursors, Lock, Distiller | None]:
    """What a capture reads beside the vault: transcripts, up to where they were captured, the lock that one
    capture holds at a time, and the person's command, if there is one."""
    from vault_memory.adapters.distiller import CommandDistiller
    from vault_memory.adapters.files.lock import VaultLock
    from vault_memory.adapters.journal.cursors import SqliteCursors
    from vault_memory.adapters.transcripts import TranscriptFiles

    held, settings = opened.ports, opened.settings
    local = held.files.root / ".vmem" / "local"
    command = settings["capture_command"]
    return (
        TranscriptFiles(),
        SqliteCursors(local / "state.db", shared_memory=_network(local, settings) is None),
        VaultLock(local / "capture", command="vmem capture"),
        CommandDistiller(command, settings["capture_seconds"]) if command else None,
    )


def shut(*closing: Callable[[], None]) -> None:
    """Close all of them, the last one first, whatever one of them raises."""
    with ExitStack() as stack:
        for close in closing:
            stack.callback(close)


def _network(local: Path, settings: Settings) -> str | None:
    """What network disk the folder lies on, `None` for none."""
    from vault_memory.adapters.files.disk import network_disk

    if settings["disk"] == "network":
        return "by the setting disk"
    return network_disk(local) if settings["disk"] == "auto" else None


def system_clock() -> Clock:
    """Wall time."""
    from vault_memory.adapters.clock import SystemClock

    return SystemClock()
