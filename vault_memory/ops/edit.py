"""Changing a memory: some keys, the tags, or the text; every other byte stays."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import tzinfo

from vault_memory.config.settings import Settings
from vault_memory.errors import ConflictError, MemoryNotFoundError, UsageError
from vault_memory.model.bodysplice import replace_body
from vault_memory.model.draft import Edit
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.memory import Entry
from vault_memory.model.message import commit_message
from vault_memory.model.namespace import Scope
from vault_memory.model.outcome import Written
from vault_memory.model.refreshed import refresh_updated
from vault_memory.model.revision import Op, Operation, agent_author
from vault_memory.model.splice import splice
from vault_memory.model.tagsplice import splice_tags
from vault_memory.ops.resolve import resolve
from vault_memory.ops.rules import check_text
from vault_memory.ops.write import Step, keep_persons_version, perform
from vault_memory.ports import FileBytes, Ports


def edit(
    ports: Ports, settings: Settings, scope: Scope, ref: str, change: Edit, *, if_match: str | None = None
) -> Written:
    """Change one memory. `if_match` is the version the caller has read: another one refuses (75)."""
    if not change:
        raise UsageError(
            "there is nothing to change", hint="vmem edit REF --importance 0.8   (vmem edit --help)"
        )
    for text in (change.text or "", *change.add_tags, *(str(value) for value in change.fields.values())):
        check_text(ports, settings, text)
    with ports.lock.held(wait=settings["lock_seconds"]):
        entry, found = current(ports, scope, ref, if_match)
        content = _changed(ports, found, change, settings.zone)
        if content == found.content:
            return unchanged(entry, found)
        keep_persons_version(ports, entry.path, found.content, entry.title)
        step = edit_step(settings, scope, entry, before=found.content, after=content, done=False)
        [written] = perform(ports, settings.zone, [step])
        return written


def edit_in_place(
    ports: Ports,
    settings: Settings,
    scope: Scope,
    ref: str,
    open_editor: Callable[[str], None],
    *,
    if_match: str | None = None,
) -> Written:
    """Let a person's editor change the file itself, then index and commit what it left.

    `open_editor` is given the vault path and returns when the editor is closed. The lock is not
    held meanwhile: an editor may stay open for hours.
    """
    with ports.lock.held(wait=settings["lock_seconds"]):
        entry, found = current(ports, scope, ref, if_match)
        keep_persons_version(ports, entry.path, found.content, entry.title)
    open_editor(entry.path)
    with ports.lock.held(wait=settings["lock_seconds"]):
        after = ports.files.read(entry.path)
        if after is None:
            raise MemoryNotFoundError(ref, hint=f"{entry.path} was removed while the editor was open")
        if after.content == found.content:
            return unchanged(entry, found)
        step = edit_step(settings, scope, entry, before=found.content, after=after.content, done=True)
        [written] = perform(ports, settings.zone, [step])
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
    version = hashlib.sha256(found.content).hexdigest()
    if if_match is not None and if_match != version:
        raise ConflictError(
            entry.path,
            "it was changed since you read it",
            expected=if_match,
            found=version,
            hint="read it again with vmem show --json and put your change on top of that version",
        )
    return entry, found


def unchanged(entry: Entry, found: FileBytes) -> Written:
    """The outcome of a change that left every byte as it was."""
    version = hashlib.sha256(found.content).hexdigest()
    return Written(Op.EDIT, entry.path, entry.id, entry.title, version, None, "nothing changed", known=True)


def edit_step(
    settings: Settings, scope: Scope, entry: Entry, *, before: bytes, after: bytes, done: bool
) -> Step:
    """The step that takes a memory's file from one content to another."""
    title = parse_memory(entry.path, after, zone=settings.zone).title
    operation = Operation(
        Op.EDIT,
        entry.path,
        hashlib.sha256(after).hexdigest(),
        hashlib.sha256(before).hexdigest(),
        commit_message(Op.EDIT, title, memory_id=entry.id, agent=scope.agent),
        agent_author(scope.agent) if scope.agent is not None else None,
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
