"""Finding memories that say the same, and merging them in one commit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from vault_memory.config.settings import Settings
from vault_memory.errors import ConflictError, FrontMatterError, StorageError
from vault_memory.model.clusters import (
    Cluster,
    Deduped,
    clusters,
    earliest,
    names_of_others,
    tags_of_others,
)
from vault_memory.model.expiry import CHANGED, IGNORED, has_expired
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.linkmap import LinkMap, Named, fits_a_link
from vault_memory.model.memory import Link, Memory
from vault_memory.model.message import batch_message
from vault_memory.model.namespace import Namespace, Scope, VaultPath, folder_of
from vault_memory.model.naming import home_of
from vault_memory.model.outcome import Written
from vault_memory.model.revision import Op, Operation, author_of, version_of
from vault_memory.model.splice import splice
from vault_memory.model.tagsplice import splice_tags
from vault_memory.model.yamlwrite import FieldValue
from vault_memory.ops.doubt import doubt_about
from vault_memory.ops.quota import check_quotas
from vault_memory.ops.superseded import superseded
from vault_memory.ops.turn import Turn
from vault_memory.ops.within import folder_named
from vault_memory.ops.write import Step, keep_persons_versions, one_commit, perform
from vault_memory.ports import Ports, Progress, no_progress

SHOWN_FROM = 200
"""From so many memories on, reading them shows its progress."""


def duplicates(
    ports: Ports,
    settings: Settings,
    scope: Scope,
    *,
    namespace: str | None = None,
    progress: Progress = no_progress,
) -> list[Cluster]:
    """The clusters of memories that say the same in one namespace, of those that the caller may merge: an
    agent only its own. What expired, was superseded or is in conflict is in none. Changes nothing."""
    now = ports.clock.now()
    only = folder_named(ports, namespace)
    with ports.index.reading():
        old = superseded(ports, scope)
        entries = [
            entry
            for entry in ports.index.entries(scope, under=only)
            if scope.may_write(entry.path)
            and (scope.agent is None or entry.source_agent == scope.agent)
            and not has_expired(entry, now)
            and entry.path not in old
            and doubt_about(ports, entry) is None
        ]
    homes: dict[Namespace, list[Memory]] = defaultdict(list)
    for done, entry in enumerate(entries, start=1):
        home = home_of(folder_of(entry.path))
        memory = _read(ports, settings, entry.path)
        if memory is not None:
            homes[home].append(memory)
        if len(entries) >= SHOWN_FROM:
            progress("comparing memories", done, len(entries))
    found = [one for home in sorted(homes) for one in clusters(home, homes[home])]
    why = _blocked(ports)
    return [replace(one, stays=why or _ignored(ports, one)) for one in found]


def dedupe(
    ports: Ports,
    settings: Settings,
    scope: Scope,
    listed: Sequence[Cluster],
    *,
    progress: Progress = no_progress,
) -> Deduped:
    """Merge these clusters in one commit, but those that can't be, or of which something changed since.

    The memory that stays gets the tags of all, the earliest `created`, the highest importance, and the names
    of the others as `aliases`. Raises `ScopeError` for what the scope may not write.
    """
    for one in (memory for cluster in listed for memory in (cluster.keep, *cluster.others)):
        scope.check_write(one.path)
    if not listed:
        return Deduped()
    turn = Turn(ports, settings["lock_seconds"], progress)

    def act() -> tuple[Deduped, list[Written]]:
        why = _blocked(ports)
        judged = [
            replace(one, stays=why or _changed_since(ports, one) or _ignored(ports, one)) for one in listed
        ]
        plans, judged, broken = _planned(ports, settings, scope, judged)
        if not plans:
            return Deduped(tuple(judged), reason=why), []
        steps = _steps(scope, plans)
        check_quotas(ports, scope, settings.zone, steps)
        keep_persons_versions(
            turn, [(one.path, one.before, one.title) for plan in plans for one in plan.files]
        )
        written = perform(turn, settings.zone, one_commit(ports, steps), whole=True)
        done = [replace(one, merged=one.stays is None) for one in judged]
        return Deduped(tuple(done), broken=broken), written

    turn.settle()
    done, written = turn.take(act)
    written = turn.committed(written)
    return replace(
        done,
        commit=next((one.commit for one in written if one.commit), None),
        reason=done.reason or next((one.reason for one in written if one.reason), None),
        notices=tuple(dict.fromkeys(notice for one in written for notice in one.notices)),
    )


@dataclass(frozen=True, slots=True)
class _File:
    """One file of a merge: its bytes now and afterwards, `None` for none."""

    path: VaultPath
    id: str | None
    title: str
    before: bytes
    after: bytes | None


@dataclass(frozen=True, slots=True)
class _Merge:
    cluster: Cluster
    files: tuple[_File, ...]


def _planned(
    ports: Ports, settings: Settings, scope: Scope, judged: Sequence[Cluster]
) -> tuple[list[_Merge], list[Cluster], tuple[tuple[VaultPath, Link], ...]]:
    """What to write, the clusters with what stays and why, and the links that it leaves broken."""
    going = [one for one in judged if one.stays is None]
    names, broken = _names(ports, scope, going)
    plans: list[_Merge] = []
    told: list[Cluster] = []
    for one in judged:
        if one.stays is None:
            try:
                plans.append(_merge(ports, settings, one, names[one.keep.path]))
            except (FrontMatterError, StorageError, ConflictError) as error:
                told.append(replace(one, stays=error.message))
                continue
        told.append(one)
    kept = {plan.cluster.keep.path for plan in plans}
    lost = {other.path: one.keep.path for one in going for other in one.others}
    return plans, told, tuple((path, link) for path, link, old in broken if lost[old] in kept)


def _names(
    ports: Ports, scope: Scope, going: Sequence[Cluster]
) -> tuple[dict[VaultPath, list[str]], list[tuple[VaultPath, Link, VaultPath]]]:
    """The names that each memory which stays is to have more, so that the links to those that go lead to it;
    and the links that no name can help, with the memory that each led to."""
    names = {one.keep.path: names_of_others(one) for one in going}
    into = {other.path: one.keep.path for one in going for other in one.others}
    with ports.index.reading():
        entries = ports.index.entries(scope)
        links = [(path, link) for path, link in ports.index.links(scope) if path not in into]
    before = LinkMap.of(entries)
    led = [
        (path, link, old)
        for path, link in links
        if (old := before.resolve(path, link).path) is not None and old in into
    ]

    def after() -> LinkMap:
        return LinkMap(
            Named(one.path, one.title, (*one.aliases, *names.get(one.path, ())), one.id)
            for one in entries
            if one.path not in into
        )

    now = after()
    for path, link, old in led:
        new = names[into[old]]
        if now.resolve(path, link).path != into[old] and link.target not in new and fits_a_link(link.target):
            new.append(link.target)
    now = after()
    return names, [one for one in led if now.resolve(one[0], one[1]).path != into[one[2]]]


def _merge(ports: Ports, settings: Settings, cluster: Cluster, names: Sequence[str]) -> _Merge:
    keep = cluster.keep
    content = _bytes(ports, keep.path)
    after = splice_tags(keep.path, content, add=tags_of_others(cluster))
    keys: dict[str, FieldValue | None] = {}
    born = earliest(cluster)
    if born is not None:
        keys["created"] = born
    weight = max(one.importance for one in cluster.others)
    if weight > keep.importance:
        keys["importance"] = weight
    if names:
        spelled = next((key for key in keep.front if key.casefold() in ("aliases", "alias")), "aliases")
        keys[spelled] = [*keep.aliases, *names]
    after = splice(keep.path, after, keys)
    now = parse_memory(keep.path, after, zone=settings.zone)
    if now.body != keep.body or not set(names) <= set(now.aliases):
        raise FrontMatterError(keep.path, 1, "its front matter can't take the names of the others")
    others = tuple(
        _File(one.path, one.id, one.title, _bytes(ports, one.path), None) for one in cluster.others
    )
    own = () if after == content else (_File(keep.path, keep.id, keep.title, content, after),)
    return _Merge(cluster, (*own, *others))


def _steps(scope: Scope, plans: Sequence[_Merge]) -> list[Step]:
    gone = [(other, plan.cluster.keep) for plan in plans for other in plan.cluster.others]
    what = "1 duplicate" if len(gone) == 1 else f"{len(gone):,} duplicates"
    lines = [
        f"{other.title} ({other.path}{f', {other.id}' if other.id else ''}) into {keep.path}"
        for other, keep in gone
    ]
    message = batch_message(Op.DEDUPE, f"{what} merged", lines, agent=scope.agent)
    return [
        Step(
            Operation(
                Op.DEDUPE, one.path, version_of(one.after), version_of(one.before), message, author_of(scope)
            ),
            one.after,
            one.id,
            one.title,
        )
        for plan in plans
        for one in plan.files
    ]


def _blocked(ports: Ports) -> str | None:
    """Why nothing can be merged now, `None` where git is ready to keep what goes."""
    state = ports.history.state()
    if not state.exists:
        return f"history could not bring it back: {state.blocked}"
    return f"no commit can be made now: {state.blocked}" if state.blocked else None


def _ignored(ports: Ports, cluster: Cluster) -> str | None:
    path = next((one.path for one in cluster.others if ports.history.ignored(one.path)), None)
    return f"{path}: {IGNORED}" if path is not None else None


def _changed_since(ports: Ports, cluster: Cluster) -> str | None:
    """Why the files are not as they were listed, `None` where they are."""
    for one in (cluster.keep, *cluster.others):
        found = None
        with suppress(StorageError):
            found = ports.files.read(one.path)
        if found is None or version_of(found.content) != one.version:
            return f"{one.path}: {CHANGED}"
    return None


def _bytes(ports: Ports, path: VaultPath) -> bytes:
    found = ports.files.read(path)
    if found is None:
        raise ConflictError(path, CHANGED, hint="vmem dedupe lists what is there now")
    return found.content


def _read(ports: Ports, settings: Settings, path: VaultPath) -> Memory | None:
    with suppress(StorageError):
        found = ports.files.read(path)
        if found is not None:
            memory = parse_memory(path, found.content, zone=settings.zone)
            return None if memory.conflicted else memory
    return None
