"""Giving a memory another place or name: its id and its text stay, and its history follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from vault_memory.config.settings import Settings
from vault_memory.errors import ConflictError, MemoryNotFoundError, UnsafePathError, UsageError
from vault_memory.model.destination import destination, in_known_folder
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.linkmap import LinkMap, Named
from vault_memory.model.linksplice import rewrite_file_links, rewrite_links
from vault_memory.model.memory import Entry, Link
from vault_memory.model.message import commit_message
from vault_memory.model.namespace import Namespace, Scope, VaultPath, folder_of, without_ending
from vault_memory.model.naming import fold_name, free_name
from vault_memory.model.outcome import Moved, Written
from vault_memory.model.relink import Relinking, carried_along
from vault_memory.model.revision import Op, Operation, author_of, version_of
from vault_memory.ops.edit import current, unchanged
from vault_memory.ops.quota import check_quotas
from vault_memory.ops.resolve import link_named
from vault_memory.ops.rules import check_texts
from vault_memory.ops.turn import Turn
from vault_memory.ops.within import check_place
from vault_memory.ops.write import Step, keep_persons_versions, one_commit, perform
from vault_memory.ports import FileBytes, Ports


@dataclass(frozen=True, slots=True)
class _Change:
    """One file whose links change: the bytes it has and gets, how many links, and which could not."""

    entry: Entry
    before: bytes
    after: bytes
    count: int
    left: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class _Going:
    """A move that is decided: its steps, and what is to be told of the links."""

    start: VaultPath
    end: VaultPath
    steps: list[Step]
    touched: Sequence[tuple[VaultPath, Link]]
    changes: Sequence[_Change]
    written: Sequence[Written] = ()
    """What came of the steps, where they are done."""


def move(
    ports: Ports, settings: Settings, scope: Scope, ref: str, to: str, *, update_links: bool = True
) -> Moved:
    """Move one memory, in one commit with the links that lead to it, or stand in it (`update_links`).

    Either all of it is done or nothing. Raises `ConflictError` where the place is taken.
    """
    turn = Turn(ports, settings["lock_seconds"])
    going = turn.take(lambda: _begin(turn, settings, scope, ref, to, update_links=update_links))
    if isinstance(going, Moved):
        return going
    written = going.written
    if not written:  # it lies aside, and the commit of that had its time
        turn = Turn(ports, settings["lock_seconds"])
        written = turn.take(lambda: _carry_out(turn, settings, going.steps))
    return _moved(turn.committed(written), going.start, going.end, going.touched, going.changes)


def _begin(
    turn: Turn, settings: Settings, scope: Scope, ref: str, to: str, *, update_links: bool
) -> _Going | Moved:
    """Decide on the move and carry it out; or the half of it, where the file has to be laid aside first."""
    ports = turn.ports
    _refuse_link(ports, scope, ref)
    entry, found = current(ports, scope, ref, None)
    check_texts(ports, settings, scope, [("name", to)], known=entry.path)
    entries = ports.index.entries(scope)
    end = destination(scope, entry.path, to, is_folder=lambda folder: bool(ports.files.names_in(folder)))
    end = in_known_folder(end, (one.path for one in entries))
    if end == entry.path:
        return Moved(unchanged(entry, found, Op.MOVE), entry.path)
    check_place(ports, scope, end)
    _refuse_taken(ports, entry, end)
    title = parse_memory(end, found.content, zone=settings.zone).title
    after = [Named(end, title, one.aliases, one.id) if one.path == entry.path else one for one in entries]
    relinking = Relinking(LinkMap.of(entries), LinkMap.of(after), entry.path, end)
    touched = relinking.touched(ports.index.links(scope))
    changes: list[_Change] = []
    if update_links:
        mine = {one.path: one for one in entries if scope.may_write(one.path)}
        paths = dict.fromkeys([*(path for path, _ in touched if path in mine), entry.path])
        changes = [_relinked(ports, relinking, mine[path]) for path in paths]
    steps = _steps(scope, entry, found, entry.path, end, title, changes)
    check_quotas(ports, scope, settings.zone, steps)
    _keep_persons(turn, entry, found, changes)
    if _is_one_file(ports, entry, end):
        third = _aside(turn, settings, scope, entry, found)
        return _Going(
            entry.path, end, _steps(scope, entry, found, third, end, title, changes), touched, changes
        )
    return _Going(entry.path, end, steps, touched, changes, _carry_out(turn, settings, steps))


def _carry_out(turn: Turn, settings: Settings, steps: Sequence[Step]) -> list[Written]:
    return perform(turn, settings.zone, one_commit(turn.ports, steps), whole=True)


def _refuse_link(ports: Ports, scope: Scope, ref: str) -> None:
    """A link has no bytes of its own that could keep their history."""
    link = link_named(ports, scope, ref)
    if link is not None:
        raise ConflictError(
            link[0],
            f"it is a link to {link[1].decode('utf-8', 'backslashreplace')}, not a memory",
            hint=f"move the link with git mv {link[0]} …, or name the memory itself",
        )


def _is_one_file(ports: Ports, entry: Entry, end: VaultPath) -> bool:
    """Whether both names are one to this file system, and differ in case or Unicode form alone."""
    now, then = ports.files.stat(entry.path), ports.files.stat(end)
    return (
        fold_name(entry.path) == fold_name(end)
        and now is not None
        and then is not None
        and now.inode == then.inode
        and ports.index.entry(end) is None
    )


def _aside(turn: Turn, settings: Settings, scope: Scope, entry: Entry, found: FileBytes) -> VaultPath:
    """Give the file a third name, for a commit of its own: from there it can get the one that is wanted.

    To such a file system the removal of the old name would be that of the new one.
    """
    folder, _, name = entry.path.rpartition("/")
    third = free_name(f"{without_ending(name)}-renamed", turn.ports.files.names_in(Namespace(folder)), "move")
    path = VaultPath(f"{folder}/{third}" if folder else third)
    _carry_out(turn, settings, _steps(scope, entry, found, entry.path, path, entry.title, []))
    return path


def _refuse_taken(ports: Ports, entry: Entry, end: VaultPath) -> None:
    """Names that differ only in case or Unicode form are one name on many machines."""
    start = entry.path
    if fold_name(start) == fold_name(end):
        there = ports.files.stat(end) is not None or ports.files.link_text(end) is not None
        taken = there and not _is_one_file(ports, entry, end)
    else:
        taken = fold_name(end.rpartition("/")[2]) in ports.files.names_in(folder_of(end))
    if taken:
        raise ConflictError(
            end,
            "something is called so there already",
            hint="choose another name; nothing was moved",
        )
    if ports.history.ignored(end) and not ports.history.ignored(start):
        raise UsageError(
            f"git ignores {end}: the memory would leave history with that move",
            hint="choose another place, or change .gitignore first; nothing was moved",
        )


def _relinked(ports: Ports, relinking: Relinking, entry: Entry) -> _Change:
    found = ports.files.read(entry.path)
    if found is None:
        raise MemoryNotFoundError(entry.path, hint="it was removed this moment; try again")
    new = rewrite_links(
        entry.path, found.content, lambda link, form: relinking.target(entry.path, link, form)
    )
    if entry.path != relinking.start:
        return _Change(entry, found.content, new.content, new.changed, new.left)
    files = rewrite_file_links(new.content, partial(_carried, ports, relinking))
    return _Change(entry, found.content, files.content, new.changed + files.changed, new.left + files.left)


def _carried(ports: Ports, relinking: Relinking, link: Link, form: str) -> tuple[str, bool] | None:
    """The new target of a link to a picture or another file that lies where the note's link says."""
    carried = carried_along(link, form, relinking.start, relinking.end)
    if carried is None:
        return None
    place, target = carried
    folder, name = folder_of(place), place.rpartition("/")[2]
    try:
        is_there = fold_name(name) in ports.files.names_in(ports.files.spelled(folder))
    except UnsafePathError:  # behind a link that leaves the vault
        return None
    return (target, False) if is_there else None


def _keep_persons(turn: Turn, entry: Entry, found: FileBytes, changes: Sequence[_Change]) -> None:
    others = [one for one in changes if one.entry.path != entry.path and one.count]
    keep_persons_versions(
        turn,
        [
            (entry.path, found.content, entry.title),
            *((one.entry.path, one.before, one.entry.title) for one in others),
        ],
    )


def _steps(
    scope: Scope,
    entry: Entry,
    found: FileBytes,
    start: VaultPath,
    end: VaultPath,
    title: str,
    changes: Sequence[_Change],
) -> list[Step]:
    """The new file, the files whose links change, and the removal of the old one at `start`."""
    message = commit_message(Op.MOVE, title, memory_id=entry.id, agent=scope.agent)
    author = author_of(scope)

    def step(
        path: VaultPath, before: bytes | None, after: bytes | None, memory_id: str | None, title: str
    ) -> Step:
        operation = Operation(Op.MOVE, path, version_of(after), version_of(before), message, author)
        return Step(operation, after, memory_id, title)

    own = next((one.after for one in changes if one.entry.path == entry.path), found.content)
    return [
        replace(step(end, None, own, entry.id, title), like=start),
        *(
            step(one.entry.path, one.before, one.after, one.entry.id, one.entry.title)
            for one in changes
            if one.entry.path != entry.path and one.count
        ),
        step(start, found.content, None, entry.id, entry.title),
    ]


def _moved(
    written: Sequence[Written],
    start: VaultPath,
    end: VaultPath,
    touched: Sequence[tuple[VaultPath, Link]],
    changes: Sequence[_Change],
) -> Moved:
    changed = {one.entry.path: one for one in changes}

    def now(path: VaultPath) -> VaultPath:
        return end if path == start else path

    broken = [(now(path), link) for path, link in touched if path not in changed]
    broken += [(now(path), link) for path, one in changed.items() for link in one.left]
    return Moved(
        next(one for one in written if one.path == end),
        start,
        tuple((now(path), one.count) for path, one in changed.items() if one.count),
        tuple(sorted(broken, key=lambda one: (one[0], one[1].line))),
    )
