"""Commits of ours that a merge which found no way took from the working tree, though not from the branch.

`git merge` reads HEAD and the index when it begins. Where no strategy comes to an end it sets index and files
back to that HEAD: what was committed in between stays in the branch, and its files go as if they had never
been there. Whoever commits all then deletes them.
"""

from __future__ import annotations

from collections.abc import Iterator

import pygit2

from vault_memory.adapters.git.gitindex import has_no_stat, live_index, staged_entry
from vault_memory.adapters.git.givenup import told_again
from vault_memory.adapters.git.opened import Opened
from vault_memory.adapters.git.recent import Recent, Record, key_of
from vault_memory.adapters.git.state import blocked
from vault_memory.adapters.git.trees import Entry, TreeFiles, root_of
from vault_memory.adapters.git.working import Working, is_there, read_working
from vault_memory.model.revision import ThrownAway, version_of


def rewound(opened: Opened, record: Record, now_ns: int) -> Iterator[ThrownAway]:
    """The recent commits that HEAD has, where index and file are as they were before.

    That nobody wishes so soon: who deletes a file, or takes it back, leaves the index as it is. Who stages
    that too, within the same seconds, has to do it again. A few stats where the index is as we left it."""
    key, tip = key_of(opened.index.live), opened.tip()
    if key is None or tip is None or record.index == key or blocked(opened.place):
        return
    fresh = [item for item in record.items.values() if item.fresh(now_ns, key[2])]
    index, head = live_index(opened.index.live), TreeFiles(opened.repo, root_of(opened.repo, tip))
    for item in fresh:
        working = read_working(opened.place.absolute(item.path))
        if was_rewound(opened, index, head, item, working):
            before = version_of(working.content if working is not None else None)
            yield from told_again(opened, item, before)


def was_rewound(
    opened: Opened, index: pygit2.Index, head: TreeFiles, item: Recent, working: Working | None
) -> bool:
    """Whether this is so of one commit, `working` being its file now."""
    if (working.version if working else None) == item.version:
        return False
    if working is None and is_there(opened.place.absolute(item.path)):
        return False
    return (
        _is_before(item, pygit2.hash(working.content) if working is not None else None)
        and head.entry(item.path) == _entry(item)
        and _is_staged_so(index, item)
    )


def _is_staged_so(index: pygit2.Index, item: Recent) -> bool:
    """Whether the index has been set back too. Where something of the person's was staged, git has made it of
    HEAD again: then the entry has no stat of a file, which it keeps where only the file was changed. Of what
    we have removed it has none, and the file may be back by a person's wish."""
    staged = staged_entry(index, item.path)
    if staged == _entry(item):
        return staged is not None and has_no_stat(index, item.path)
    return _is_before(item, staged.oid if staged is not None else None)


def _is_before(item: Recent, blob: pygit2.Oid | None) -> bool:
    """Whether the blob, `None` for no file, is what there was before the commit."""
    if blob is None:
        return item.over_absent and item.blob is not None
    return str(blob) != item.blob and str(blob) in item.over


def _entry(item: Recent) -> Entry | None:
    return Entry(pygit2.Oid(hex=item.blob), item.mode) if item.blob is not None else None
