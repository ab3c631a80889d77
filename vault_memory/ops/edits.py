"""Committing what a person has edited, under their own name: one commit that holds just those files."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace

from vault_memory.config.settings import Settings
from vault_memory.errors import GitError, LockedError, StorageError
from vault_memory.model.change import Touch
from vault_memory.model.edits import Kept
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.memory import Memory
from vault_memory.model.message import batch_message, commit_message
from vault_memory.model.namespace import VaultPath, owner_of, without_ending
from vault_memory.model.revision import EDITED_SINCE, FILE_IS_BACK, Intent, Op, Operation, version_of
from vault_memory.ops.rules import brought_in
from vault_memory.ports import Ports

STAGED = "part of it is staged, or a merge left it unresolved: that commit is yours to make"
MARKERS = "a merge left its markers in it"
BUSY = "another vmem is writing"
_NO_MATTER = (EDITED_SINCE, FILE_IS_BACK)
"""Saved again this moment: it comes with the next burst."""
_NAMED = 3
"""So many titles stand in the subject."""


@dataclass(frozen=True, slots=True)
class _Edit:
    """A file as a person left it; `content` is `None` where they deleted it."""

    path: VaultPath
    content: bytes | None
    new: bool = False

    @property
    def version(self) -> str | None:
        return version_of(self.content)

    @property
    def touch(self) -> Touch:
        if self.content is None:
            return Touch.REMOVED
        return Touch.ADDED if self.new else Touch.CHANGED


def keep_edits(ports: Ports, settings: Settings, *, wait: float) -> Kept:
    """Commit every memory that a person created, changed, moved or deleted and did not commit.

    Left as they are: what is staged, what a merge has not done with, what holds a secret, what vmem wrote
    itself and commits itself. Nothing in the working tree is touched. Waits `wait` seconds for each lock.
    """
    blocked = ports.history.state().blocked
    if blocked is not None:
        return Kept(reason=blocked)
    try:
        found = ports.history.unstaged()
    except GitError as error:
        return Kept(reason=error.message)
    left = [(path, STAGED) for path in found.staged if ports.files.is_memory(path)]
    paths = [path for path in found.free if ports.files.is_memory(path)]
    if not paths:
        return Kept(left=tuple(left))
    try:
        with ExitStack() as committing:
            with ports.lock.held(wait=wait):
                edits = _edits(ports, paths, left)
                # From here on no other commit comes between, and nobody who writes has to wait.
                committing.enter_context(ports.committing.held(wait=wait))
            return _commit(ports, settings, edits, left)
    except LockedError:
        return Kept(reason=BUSY)


def _edits(ports: Ports, paths: Sequence[VaultPath], left: list[tuple[VaultPath, str]]) -> list[_Edit]:
    """The files as they are, without those that vmem itself left so. The caller holds the lock."""
    own = {
        (intent.operation.path, intent.operation.version)
        for intent in ports.journal.pending()
        if intent.operation.op is not Op.PERSON
    }
    edits: list[_Edit] = []
    for path in paths:
        try:
            found = ports.files.read(path)
        except StorageError as error:
            left.append((path, error.reason))
            continue
        edit = _Edit(path, None if found is None else found.content)
        if (path, edit.version) not in own:
            edits.append(edit)
    return edits


def _commit(
    ports: Ports, settings: Settings, edits: Sequence[_Edit], left: list[tuple[VaultPath, str]]
) -> Kept:
    taken: list[_Edit] = []
    memories: dict[VaultPath, Memory] = {}
    for edit in edits:
        before = ports.history.head_bytes(edit.path)
        if edit.content is not None and edit.content == before:
            continue  # of vmem's own, and committed after git was asked
        reason = None
        if edit.content is not None:
            memory = memories[edit.path] = parse_memory(edit.path, edit.content, zone=settings.zone)
            reason = MARKERS if memory.conflicted else brought_in(ports, edit.content, before)
        if reason is not None:
            left.append((edit.path, reason))
        elif edit.content is not None or before is not None:  # else it came and went
            taken.append(replace(edit, new=before is None))
    if not taken:
        return Kept(left=tuple(left))
    # Removals last, as with all that holds several files.
    taken.sort(key=lambda edit: edit.content is None)
    message = _message(taken, memories)
    batch = ports.ids.new(ports.clock.now())
    intents = [
        # They never enter the journal, which counts from 1: nobody finishes what a person did.
        Intent(-number, Operation(Op.PERSON, edit.path, edit.version, None, message, None, batch), None, now)
        for now in (ports.clock.now(),)
        for number, edit in enumerate(taken)
    ]
    report = ports.history.commit(intents)
    said = report.waiting | report.unversioned
    left += [
        (edit.path, said[-number])
        for number, edit in enumerate(taken)
        if said.get(-number, EDITED_SINCE) not in _NO_MATTER
    ]
    done = [edit for number, edit in enumerate(taken) if -number in report.commits]
    commit = next(iter(report.commits.values()), None)
    return Kept(commit, tuple((edit.touch, edit.path) for edit in done), tuple(sorted(left)))


def _message(edits: Sequence[_Edit], memories: dict[VaultPath, Memory]) -> str:
    titles = [_title(edit, memories) for edit in edits]
    if len(edits) == 1:
        return commit_message(Op.PERSON, titles[0])
    what = f"{len(edits)} notes"
    # An agent may see the subject because of one of the files, and not know of another.
    if not any(owner_of(edit.path) for edit in edits):
        what += f": {', '.join(dict.fromkeys(titles[:_NAMED]))}{', …' if len(titles) > _NAMED else ''}"
    return batch_message(Op.PERSON, what, [f"{edit.path}   {edit.touch.value}" for edit in edits])


def _title(edit: _Edit, memories: dict[VaultPath, Memory]) -> str:
    memory = memories.get(edit.path)
    return memory.title if memory is not None else without_ending(edit.path.rpartition("/")[2])
