"""Who may read and write what of the shared namespaces, by the tables of a vault's settings."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from vault_memory.model.lookalike import alike
from vault_memory.model.normalform import normalized
from vault_memory.model.tomlwords import dotted

ALL = "*"
"""Every shared namespace; of agents, those that have no table of their own."""
SHARED = "shared"
NO_RULE: Mapping[str, Any] = {}
_KEPT = 2_000
"""So many folders, or agents, are remembered."""


class Capture(StrEnum):
    """Where what is taken from an agent's session goes, before a person has looked at it."""

    INBOX = "inbox"
    """`private/<agent>/inbox/`"""
    PROPOSE = "propose"
    OFF = "off"


def lies_below(path: str, folder: str) -> bool:
    """Whether a file of that path lies below the folder. A spelling that some system or a reader takes for
    the same folder counts as the same."""
    return f"{alike(path.rpartition('/')[0])}/".startswith(f"{alike(folder)}/")


class Quota(NamedTuple):
    """The most that there may be of an agent's memories, or of those in a namespace; `None`: any number."""

    table: str
    """As the settings call it, e.g. `agents.akashi`."""
    folder: str | None
    """The namespace whose memories count; `None` where it is the agent's own that do."""
    files: int | None
    size: int | None
    """In bytes of the files."""


class _May(NamedTuple):
    """What may be done in one folder. What bars reading bars writing too."""

    read: bool
    write: bool
    reviewed: bool


@dataclass(frozen=True, slots=True)
class Rights:
    """What the tables leave one agent of the shared namespaces; a rule holds for a folder and all below.

    `reads` and `writes` grant, and are `None` where nothing is left out; what is granted is the folder as it
    is spelled. `closed`, `barred` and `reviewed` take away, in every spelling that some system or a reader
    takes for the same folder.
    """

    readonly: bool = False
    reads: tuple[str, ...] | None = None
    writes: tuple[str, ...] | None = None
    closed: tuple[str, ...] = ()
    barred: tuple[str, ...] = ()
    reviewed: tuple[str, ...] = ()
    quotas: tuple[Quota, ...] = ()
    capture: Capture = Capture.INBOX
    _known: dict[str, _May] = field(default_factory=dict, repr=False, compare=False)

    def in_folder(self, folder: str) -> _May:
        """What may be done with the files of a folder outside `private/`; one that is not shared is open."""
        found = self._known.get(folder)
        if found is None:
            if len(self._known) >= _KEPT:
                self._known.clear()
            found = self._known[folder] = self._looked_at(folder)
        return found

    def _looked_at(self, folder: str) -> _May:
        twin = f"{alike(folder)}/"
        if not twin.startswith(f"{SHARED}/"):
            return _May(True, False, False)
        spelled = f"{normalized('NFC', folder)}/"
        read = _is_granted(spelled, self.reads) and not _is_within(twin, self.closed)
        write = (
            read
            and not self.readonly
            and _is_granted(spelled, self.writes)
            and not _is_within(twin, self.barred)
        )
        return _May(read, write, _is_within(twin, self.reviewed))

    @property
    def sight(self) -> Hashable:
        """What tells those apart who see different things; `None` where nothing shared is hidden."""
        return (self.reads, self.closed) if self.reads is not None or self.closed else None

    def sees_all_below(self, folder: str) -> bool:
        """Whether nothing in the folder and below it is hidden."""
        if not self.in_folder(folder).read:
            return False
        twin = f"{alike(folder)}/"
        return not any(one.startswith(twin) for one in self.closed)


ANYTHING = Rights()
"""Of an agent in a vault without any table."""


@dataclass(frozen=True, slots=True)
class Policy:
    """The tables `agents` and `namespaces`, and the setting `review`; `rights` is what follows for an agent.

    `namespaces` are by folder (`shared/ops/db`, and `shared` for all of it), their values as the settings
    have them, and so are those of `agents`.
    """

    agents: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    namespaces: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    review: tuple[str, ...] = ()
    _rights: dict[str, Rights] = field(default_factory=dict, repr=False, compare=False)

    def rights(self, agent: str) -> Rights:
        """Those of that agent, by its own table or else by the one of `*`."""
        found = self._rights.get(agent)
        if found is None:
            if len(self._rights) >= _KEPT:
                self._rights.clear()
            found = self._rights[agent] = self._of(agent)
        return found

    def capture(self, agent: str | None) -> Capture:
        """Where what is captured of that agent's sessions goes; `None` is the person."""
        return Capture.INBOX if agent is None else self.rights(agent).capture

    def _of(self, agent: str) -> Rights:
        table, own = self._table_of(agent)
        folders = self.namespaces.items()
        closed = [name for name, rule in folders if _leaves_out(rule, "readers", agent)]
        barred = [
            name
            for name, rule in folders
            if rule.get("readonly", False) or _leaves_out(rule, "writers", agent)
        ]
        reviewed = [*self.review, *(name for name, rule in folders if rule.get("review") == "required")]
        if own.get("review") == "required":
            reviewed.append(SHARED)
        return Rights(
            readonly=own.get("readonly", False),
            reads=own.get("reads"),
            writes=own.get("writes"),
            closed=_alike(closed),
            barred=_alike(barred),
            reviewed=_alike(reviewed),
            quotas=tuple(self._quotas(table, own)),
            capture=Capture(own.get("capture", Capture.INBOX)),
        )

    def _table_of(self, agent: str) -> tuple[str, Mapping[str, Any]]:
        if agent in self.agents:
            return dotted(("agents", agent)), self.agents[agent]
        return dotted(("agents", ALL)), self.agents.get(ALL, NO_RULE)

    def _quotas(self, table: str, own: Mapping[str, Any]) -> Iterator[Quota]:
        tables: list[tuple[str, str | None, Mapping[str, Any]]] = [(table, None, own)]
        tables += [(_table_named(name), name, rule) for name, rule in self.namespaces.items()]
        for name, folder, rule in tables:
            files, size = rule.get("quota_files"), rule.get("quota_bytes")
            if files is not None or size is not None:
                yield Quota(name, folder, files, size)


OPEN = Policy()
"""That of a vault without any table."""


def policy_from(settings: Mapping[str, Any]) -> Policy:
    """The policy that a vault's settings describe."""
    agents, namespaces, review = settings["agents"], settings["namespaces"], settings["review"]
    return Policy(agents, namespaces, review) if agents or namespaces or review else OPEN


def _table_named(folder: str) -> str:
    """The table of a namespace's rules."""
    return dotted(("namespaces", ALL if folder == SHARED else folder.removeprefix(f"{SHARED}/")))


def _leaves_out(rule: Mapping[str, Any], key: str, agent: str) -> bool:
    named = rule.get(key)
    return named is not None and agent not in named and ALL not in named


def _alike(folders: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({alike(folder) for folder in folders}))


def _is_within(folder: str, folders: Iterable[str]) -> bool:
    return any(folder.startswith(f"{one}/") for one in folders)


def _is_granted(folder: str, folders: Iterable[str] | None) -> bool:
    return folders is None or _is_within(folder, folders)
