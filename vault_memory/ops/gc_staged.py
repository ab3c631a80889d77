"""The pre-commit form of collecting: what has expired leaves the commit under way, and the working tree."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from vault_memory.config.settings import Settings
from vault_memory.errors import ConflictError, StorageError
from vault_memory.model.expiry import Collected, Expired, expired_from, has_expired
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.namespace import PERSON, Scope, VaultPath
from vault_memory.model.revision import version_of
from vault_memory.model.underway import Form, StagedFile, UnderWay
from vault_memory.ops.gc import present
from vault_memory.ports import Ports

PARTLY = "this commit takes only the files that it was given by name"
RUN = "no commit is under way; vmem gc removes it"
UNSTAGED = "it holds a change that is not staged: stage it or undo it first"
MAYBE_UNSTAGED = "it changed on disk since this commit began, maybe because a change of yours was set aside"
NEW = "{path}: it has expired, and only this commit brings it into history; a later one removes it"
_UNTOUCHED = {Form.PARTIAL: PARTLY, Form.CHECK: RUN}
"""The forms of commit in which nothing is changed, and why."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A staged memory that has expired, and the sha256 of its working file once that was seen."""

    file: StagedFile
    expired: Expired
    working: str = ""


def gc_staged(ports: Ports, settings: Settings, scope: Scope, *, now: datetime | None = None) -> Collected:
    """Take what has expired by its staged content out of git's index, and delete its file.

    Only what the commit before holds byte for byte, and the working tree too; where one of them has
    to stay, nothing is changed, since that stops the commit. Needs no search index. Raises
    `ClockError` where something would go and the last commit makes the time doubtful, `GitError`,
    and `UsageError` for a commit in another repository.
    """
    at = now or ports.clock.now()
    commit = ports.staging.under_way()
    if commit.form is Form.OWN:
        return Collected(at)
    blocked = ports.history.state().blocked
    if blocked is not None:  # a merge or rebase is no time for it; the next plain commit is
        return Collected(at, notices=(f"nothing is collected now: {blocked}",))
    found = _expired(ports, scope, settings.zone, at)
    if not found:
        return Collected(at)
    present(ports, now)
    kept = ports.staging.kept([one.file for one in found], amends=commit.amends)
    notices = tuple(NEW.format(path=one.file.path) for one in found if one.file.path not in kept)
    old = [one for one in found if one.file.path in kept]
    with ports.lock.held(wait=settings["lock_seconds"]):
        judged = [_judge(ports, commit, one) for one in old]
        stopped = any(one.expired.stays for one in judged)
        gone = {} if stopped else _take_out(ports, judged)
    return Collected(at, tuple(gone.get(one.file.path, one.expired) for one in judged), notices=notices)


def _expired(ports: Ports, scope: Scope, zone: tzinfo, at: datetime) -> list[_Found]:
    found = [
        _Found(file, expired_from(memory))
        for file in _may_end(ports, at)
        if scope.may_write(file.path)
        and has_expired(memory := parse_memory(file.path, file.content, zone=zone), at)
    ]
    if not found:
        return []
    # Git tracks more than what counts as memory: folders of other programs, copies, links.
    memories = {stamp.path for stamp in ports.files.scan().stamps}
    return [one for one in found if one.file.path in memories]


def _may_end(ports: Ports, at: datetime) -> Iterator[StagedFile]:
    """The staged files that may have expired: reading the front matter of all would take too long."""
    lives = _lives(ports, at)
    for file in ports.staging.files():
        lowered = file.content.lower()
        if (b"ttl" in lowered or b"expires" in lowered or b"\0" in lowered) and not lives(file):
            yield file


def _lives(ports: Ports, at: datetime) -> Callable[[StagedFile], bool]:
    """Whether the search index, where there is one, has read those bytes and knows that they live on."""
    with ports.index.reading():
        known = ports.index.known_files()
        ended: Collection[VaultPath] = {entry.path for entry in ports.index.expired(PERSON, at)}

    def lives(file: StagedFile) -> bool:
        seen = known.get(file.path)
        if seen is None or file.path in ended:
            return False
        return seen.version == version_of(file.content)

    return lives


def _judge(ports: Ports, commit: UnderWay, one: _Found) -> _Found:
    """The same with the version of its working file, or with the reason why it is not touched."""
    path = one.file.path
    reason = _UNTOUCHED.get(commit.form)
    if reason is not None:
        return _staying(one, reason)
    try:
        found = ports.files.read(path)
    except StorageError as error:
        return _staying(one, error.message)
    if found is None or not ports.staging.holds(one.file, found.content):
        return _staying(one, UNSTAGED)
    if commit.aside_ns is not None and max(found.stamp.mtime_ns, found.stamp.ctime_ns) >= commit.aside_ns:
        return _staying(one, MAYBE_UNSTAGED)
    return replace(one, working=version_of(found.content))


def _staying(one: _Found, reason: str) -> _Found:
    return replace(one, expired=replace(one.expired, stays=reason))


def _take_out(ports: Ports, going: Sequence[_Found]) -> dict[VaultPath, Expired]:
    """Out of the index first: should the rest fail, the bytes still lie in the working tree."""
    if not going:
        return {}
    ports.staging.take_out([one.file for one in going])
    outcome: dict[VaultPath, Expired] = {}
    for one in going:
        try:
            ports.files.remove(one.file.path, replacing=one.working)
        except (ConflictError, StorageError) as error:
            ports.staging.put_back([one.file])
            outcome[one.file.path] = replace(one.expired, stays=error.message)
        else:
            outcome[one.file.path] = replace(one.expired, removed=True)
    return outcome
