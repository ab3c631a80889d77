"""Mending what a race or a kill left: the index behind HEAD, a commit half landed, a stale lock."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import pygit2

from vault_memory.adapters.git import gcpid, scratch
from vault_memory.adapters.git.gitindex import Staging
from vault_memory.adapters.git.landing import HOLD, MARKER, Lander, Landing
from vault_memory.adapters.git.locate import Place
from vault_memory.adapters.git.locks import release_if_ours
from vault_memory.adapters.git.opened import Opened
from vault_memory.adapters.git.plan import Part, Step
from vault_memory.adapters.git.recent import FRESH_NS, Recent, RecordFile, key_of
from vault_memory.adapters.git.refs import Move
from vault_memory.adapters.git.rewound import was_rewound
from vault_memory.adapters.git.state import blocked, is_sequence
from vault_memory.adapters.git.trees import Entry, TreeFiles, entry_at, root_of
from vault_memory.adapters.git.working import Working, is_there, read_working
from vault_memory.model.moments import instant
from vault_memory.model.revision import Author

_HALF_OBJECT = "tmp_object_git2_"
_STILL_S = 0.5
"""An object half written by a living process grows more often than this."""


def sweep(place: Place, finish: Callable[[Mapping[str, Any]], None] | None = None) -> None:
    """Remove dead writers' locks, half-written objects and folders.

    `finish` is given each one's marker first: as long as it has not come to its end, the folder stays."""
    with scratch.abandoned(place.commondir) as folders:
        markers = {folder: _marker(folder) for folder in folders}
        # All locks first: what one of them left to finish may need what another holds.
        for folder, marker in markers.items():
            _release(place, folder, marker)
        for folder, marker in markers.items():
            if finish is not None:
                finish(marker)
            _drop_half_objects(place, scratch.begun_ns(folder))
            scratch.remove_tree(folder)


def release(place: Place) -> None:
    """Free dead writers' locks, and leave all else for a sweep."""
    with scratch.abandoned(place.commondir) as folders:
        for folder in folders:
            _release(place, folder, _marker(folder))


def _release(place: Place, folder: str, marker: Mapping[str, Any]) -> None:
    lock = os.path.join(marker.get("gitdir") or place.gitdir, "index.lock")
    for name in ("index", HOLD):
        release_if_ours(lock, os.path.join(folder, name))
    release_if_ours(os.path.join(place.commondir, f"{gcpid.NAME}.lock"), os.path.join(folder, gcpid.FINISHED))
    if marker.get("ref"):
        release_if_ours(os.path.join(place.commondir, marker["ref"] + ".lock"), os.path.join(folder, "ref"))


def _drop_half_objects(place: Place, begun_ns: int) -> None:
    """Delete what libgit2 had not yet given its name when a writer that began then was killed."""
    folder = os.path.join(place.commondir, "objects")
    halves = [os.path.join(folder, name) for name in os.listdir(folder) if name.startswith(_HALF_OBJECT)]
    seen = {half: at for half in halves if (at := _written_ns(half)) is not None and at >= begun_ns}
    if not seen:
        return
    # Another program with libgit2 inside may be writing one just now.
    time.sleep(_STILL_S)
    for half, at in seen.items():
        if _written_ns(half) == at:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(half)


def _written_ns(path: str) -> int | None:
    try:
        return os.stat(path).st_mtime_ns
    except FileNotFoundError:
        return None


def _marker(folder: str) -> dict[str, Any]:
    try:
        with open(os.path.join(folder, MARKER), encoding="utf-8", errors="surrogateescape") as file:
            found = json.load(file)
    except FileNotFoundError:
        return {}
    except ValueError:  # killed while it was written: nothing had been touched yet
        return {}
    return found if isinstance(found, dict) else {}


def finish(lander: Lander, marker: Mapping[str, Any]) -> None:
    """Complete a landing that a kill stopped between index and branch; anything else is left as it is."""
    opened = lander.opened
    if marker.get("gitdir") == opened.place.gitdir and marker.get("new") and not blocked(opened.place):
        files = {path: _staging(file) for path, file in marker["files"].items()}
        tip = opened.tip()
        if tip == marker["old"] and opened.branch() == marker["ref"] and marker["new"] in opened.repo:
            opened.index.load(lander.scratch)
            landed = all(opened.index.entry(path) == staging.entry for path, staging in files.items())
            if landed and files:
                move = Move(marker["ref"], tip, marker["new"], marker["committer"], marker["line"])
                lander.land(lambda _: Landing(move, {}))
        elif tip == marker["new"]:
            wanted = {path: _with_stat(opened, path, staging) for path, staging in files.items()}
            lander.land(lambda _: Landing(None, wanted))


def _staging(file: Mapping[str, Any]) -> Staging:
    entry = Entry(pygit2.Oid(hex=file["blob"]), file["mode"]) if file["blob"] else None
    return Staging(entry, None, frozenset(pygit2.Oid(hex=known) for known in file["over"]), file["absent"])


def _with_stat(opened: Opened, path: str, staging: Staging) -> Staging:
    """With the file's stat, where its bytes are the blob's."""
    working = read_working(opened.place.absolute(path))
    if staging.entry is None or working is None or pygit2.hash(working.content) != staging.entry.oid:
        return staging
    return replace(staging, stat=working.stat)


def recheck(lander: Lander, file: RecordFile, now_ns: int) -> list[tuple[Recent, Working | None]]:
    """Put back index entries that a race took, and name the commits that one took from HEAD.

    Costs two stats when nothing has changed since all was well. Does nothing during a rebase."""
    opened = lander.opened
    record = file.load()
    if is_sequence(opened.place):
        return []
    key, tip = key_of(opened.index.live), opened.tip()
    if tip is None or record.in_order(opened.place):
        return []
    index_ns = key[2] if key is not None else 0
    opened.index.load(lander.scratch)
    head, waits = TreeFiles(opened.repo, root_of(opened.repo, tip)), False
    lost: list[tuple[Recent, Working | None]] = []
    stagings: dict[str, Staging] = {}
    for item in list(record.items.values()):
        full = opened.place.absolute(item.path)
        working = read_working(full)
        if (working.version if working else None) != item.version or (working is None and is_there(full)):
            waits = waits or was_rewound(opened, opened.index.copy, head, item, working)
            continue
        staging = _wanted(item, working)
        there = head.entry(item.path)
        if there == staging.entry:
            if item.fresh(now_ns, index_ns) and _overtaken(opened.index.entry(item.path), staging):
                stagings[item.path] = staging
        elif _overtaken(there, staging) and _just_undone(opened, tip, item):
            lost.append((item, working))
    if stagings:
        lander.land(lambda _: Landing(None, stagings))
    if not lost:
        record.forget_old(now_ns)
        # What a merge took away is put back by those who write files: until then nothing is in order.
        record.index, record.tip = (None if waits else key_of(opened.index.live)), tip
        file.save(record)
    return lost


def _wanted(item: Recent, working: Working | None) -> Staging:
    entry = Entry(pygit2.Oid(hex=item.blob), item.mode) if item.blob else None
    over = frozenset(pygit2.Oid(hex=known) for known in item.over)
    return Staging(entry, working.stat if working else None, over, item.over_absent)


def _overtaken(found: Entry | None, staging: Staging) -> bool:
    """Whether something holds what stood there before our commit."""
    if found is None:
        return staging.over_absent and staging.entry is not None
    return found != staging.entry and found.oid in staging.over


def _just_undone(opened: Opened, tip: str, item: Recent, *, most: int = 100) -> bool:
    """Whether a commit on top of ours took our file back within seconds, as a stale index does."""
    commit = opened.repo[tip]
    for _ in range(most):
        assert isinstance(commit, pygit2.Commit)
        if not commit.parent_ids or commit.parent_ids[0] not in opened.repo:
            return False
        parent = opened.repo[commit.parent_ids[0]]
        assert isinstance(parent, pygit2.Commit)
        before = entry_at(opened.repo, parent.tree_id, item.path)
        if (str(before.oid) if before else None) == item.blob:
            soon = abs(commit.commit_time * 10**9 - item.at_ns) <= FRESH_NS
            return soon and (
                str(parent.id) == item.commit
                or opened.repo.descendant_of(parent.id, pygit2.Oid(hex=item.commit))
            )
        commit = parent
    return False


def again(opened: Opened, lost: Iterable[tuple[Recent, Working | None]]) -> list[Step]:
    """The steps that make lost commits once more, each with its own message and author."""
    parts: dict[str, list[Part]] = {}
    for item, working in lost:
        parts.setdefault(item.commit, []).append(Part(item.path, working, ()))
    steps: list[Step] = []
    for name, files in parts.items():
        commit = opened.repo[name]
        assert isinstance(commit, pygit2.Commit)
        author = Author(commit.author.name, commit.author.email)
        at = instant(commit.author.time)
        steps.append(Step(tuple(files), commit.message, author, at))
    return steps
