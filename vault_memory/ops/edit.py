"""Changing a memory: some keys, the tags, or the text; every other byte stays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import tzinfo

from vault_memory.config.settings import Settings
from vault_memory.errors import ConflictError, MemoryNotFoundError, QuotaError, UsageError
from vault_memory.model.bodysplice import replace_body
from vault_memory.model.draft import Edit
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.memory import Entry
from vault_memory.model.message import commit_message
from vault_memory.model.namespace import Scope
from vault_memory.model.outcome import Written
from vault_memory.model.refreshed import refresh_updated
from vault_memory.model.revision import Op, Operation, author_of, version_of
from vault_memory.model.splice import splice
from vault_memory.model.tagsplice import splice_tags
from vault_memory.ops.quota import check_quotas
from vault_memory.ops.refresh import refresh_paths
from vault_memory.ops.resolve import resolve
from vault_memory.ops.rules import brought_in, check_allowed, check_edit
from vault_memory.ops.told import told_of
from vault_memory.ops.turn import Turn
from vault_memory.ops.write import Step, keep_persons_version, perform
from vault_memory.ports import FileBytes, Ports


def edit(
    ports: Ports,
    settings: Settings,
    scope: Scope,
    ref: str,
    change: Edit,
    *,
    if_match: str | None = None,
    allow_secret: bool = False,
) -> Written:
    """Change one memory. `if_match` is the version the caller has read: another one refuses (75)."""
    check_allowed(scope, allow_secret=allow_secret)
    if not change:
        raise UsageError(
            "there is nothing to change", hint="vmem edit REF --importance 0.8   (vmem edit --help)"
        )
    turn = Turn(ports, settings["lock_seconds"])

    def act() -> Written:
        entry, found = current(ports, scope, ref, if_match)
        check_edit(ports, settings, scope, change, found.content, allow_secret=allow_secret)
        content = _changed(ports, found, change, settings.zone)
        if content == found.content:
            return unchanged(entry, found)
        step = edit_step(settings, scope, entry, before=found.content, after=content, done=False)
        check_quotas(ports, scope, settings.zone, [step])
        keep_persons_version(turn, entry.path, found.content, entry.title)
        [written] = perform(turn, settings.zone, [step])
        return _with_notices(ports, settings, written, before=found.content, after=content)

    [written] = turn.committed([turn.take(act)])
    return written


def edit_in_place(
    ports: Ports,
    settings: Settings,
    scope: Scope,
    ref: str,
    open_editor: Callable[[str], None],
    *,
    if_match: str | None = None,
    allow_secret: bool = False,
) -> Written:
    """Let a person's editor change the file itself, then index and commit what it left.

    `open_editor` is given the vault path and returns when the editor is closed. The lock is not
    held meanwhile: an editor may stay open for hours. What looks like a secret stays in the file and
    is not committed.
    """
    check_allowed(scope, allow_secret=allow_secret)
    turn = Turn(ports, settings["lock_seconds"])

    def ready() -> tuple[Entry, FileBytes]:
        entry, found = current(ports, scope, ref, if_match)
        keep_persons_version(turn, entry.path, found.content, entry.title)
        return entry, found

    def take_in() -> Written:
        after = ports.files.read(entry.path)
        if after is None:
            raise MemoryNotFoundError(ref, hint=f"{entry.path} was removed while the editor was open")
        if after.content == found.content:
            return unchanged(entry, found)
        secret = None if allow_secret else brought_in(ports, after.content, found.content)
        if secret is not None:
            return _left_alone(ports, settings, entry, after, secret)
        step = edit_step(settings, scope, entry, before=found.content, after=after.content, done=True)
        try:
            check_quotas(ports, scope, settings.zone, [step])
        except QuotaError as error:
            return _left_alone(ports, settings, entry, after, error.message)
        [written] = perform(turn, settings.zone, [step])
        return _with_notices(ports, settings, written, before=found.content, after=after.content)

    entry, found = turn.take(ready)
    open_editor(entry.path)
    [written] = turn.committed([turn.take(take_in)])
    return written


def current(ports: Ports, scope: Scope, ref: str, if_match: str | None) -> tuple[Entry, FileBytes]:
    """The memory and its bytes now, checked against scope and the version the caller expects."""
    entry = resolve(ports, scope, ref)
    scope.check_write(entry.path)
    found = ports.files.read(entry.path)
    if found is None:
        raise MemoryNotFoundError(
            ref, hint=f"{entry.path} is gone; vmem restore can bring it back from history"
        )
    version = version_of(found.content)
    if if_match is not None and if_match != version:
        raise ConflictError(
            entry.path,
            "it was changed since you read it",
            expected=if_match,
            found=version,
            hint="read it again with vmem show --json and put your change on top of that version",
        )
    return entry, found


def unchanged(entry: Entry, found: FileBytes, op: Op = Op.EDIT) -> Written:
    """The outcome of a change that left every byte as it was."""
    version = version_of(found.content)
    return Written(op, entry.path, entry.id, entry.title, version, None, "nothing changed", known=True)


def _left_alone(ports: Ports, settings: Settings, entry: Entry, after: FileBytes, reason: str) -> Written:
    """The outcome where a person's own change is in the file and not to be committed."""
    if ports.index.writable:
        refresh_paths(ports, settings.zone, [entry.path])
    left = unchanged(entry, after)
    return replace(left, reason=f"{reason}; take it out, or commit the file yourself", known=False)


def _with_notices(
    ports: Ports, settings: Settings, written: Written, *, before: bytes, after: bytes
) -> Written:
    """The outcome with what is new about the memory and nobody asked for."""
    was, now_is = (parse_memory(written.path, content, zone=settings.zone) for content in (before, after))
    told = told_of(now_is, ports.clock.now(), before=was)
    return replace(written, notices=(*told, *written.notices))


def edit_step(
    settings: Settings,
    scope: Scope,
    entry: Entry,
    *,
    before: bytes,
    after: bytes,
    done: bool,
    op: Op = Op.EDIT,
) -> Step:
    """The step that takes a memory's file from one content to another."""
    title = parse_memory(entry.path, after, zone=settings.zone).title
    operation = Operation(
        op,
        entry.path,
        version_of(after),
        version_of(before),
        commit_message(op, title, memory_id=entry.id, agent=scope.agent),
        author_of(scope),
    )
    return Step(operation, after, entry.id, title, done=done)


def _changed(ports: Ports, found: FileBytes, change: Edit, zone: tzinfo) -> bytes:
    path = found.stamp.path
    content = found.content
    if change.text is not None:
        content = replace_body(path, content, change.text)
    if change.fields:
        content = splice(path, content, change.fields)
    if change.add_tags or change.remove_tags:
        content = splice_tags(path, content, add=change.add_tags, remove=change.remove_tags)
    if content != found.content:
        # The key is refreshed only where a person already keeps it.
        content = refresh_updated(path, content, ports.clock.now(), zone)
    return content
