"""Writing new memories."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from vault_memory.config.settings import Settings
from vault_memory.errors import ConflictError, StorageError, VmemError
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.generate import new_file
from vault_memory.model.memory import Draft, Entry
from vault_memory.model.message import commit_message
from vault_memory.model.namespace import Namespace, Scope, VaultPath, namespace_for
from vault_memory.model.naming import file_name, fold_name, generated_folder, title_of
from vault_memory.model.outcome import NOT_WRITTEN, Written
from vault_memory.model.revision import Op, Operation, agent_author
from vault_memory.model.textkey import text_key
from vault_memory.ops.rules import check_draft
from vault_memory.ops.told import told_of
from vault_memory.ops.turn import Turn
from vault_memory.ops.within import as_spelled
from vault_memory.ops.write import Step, perform
from vault_memory.ports import Ports, Progress, no_progress

TRIES = 5
"""So often another name is taken when somebody outside vmem takes the one we chose."""


def remember(
    ports: Ports,
    settings: Settings,
    scope: Scope,
    draft: Draft,
    *,
    dry_run: bool = False,
    allow_secret: bool = False,
    saved: bool = False,
) -> Written:
    """Write one memory, unless its namespace already holds the same text."""
    [written] = remember_many(
        ports, settings, scope, [draft], dry_run=dry_run, allow_secret=allow_secret, saved=saved
    )
    return written


def remember_many(
    ports: Ports,
    settings: Settings,
    scope: Scope,
    drafts: Sequence[Draft],
    *,
    dry_run: bool = False,
    allow_secret: bool = False,
    saved: bool = False,
    progress: Progress = no_progress,
) -> list[Written]:
    """Write many memories under one lock. Every draft is checked before the first file exists.

    With `saved` their commits are left to whoever commits later, where somebody does.
    """
    namespaces: list[Namespace] = []
    for number, draft in enumerate(drafts, start=1):
        try:
            check_draft(ports, settings, scope, draft, allow_secret=allow_secret)
            namespaces.append(as_spelled(ports, namespace_for(scope, draft.namespace, settings["inbox"])))
        except VmemError as error:
            error.item = number
            if len(drafts) > 1:
                error.about(f"memory {number}", number)
            raise
    turn = Turn(ports, settings["lock_seconds"], progress, saved)

    def act() -> list[Written]:
        for attempt in range(TRIES):
            plan = _plan(ports, settings, scope, drafts, namespaces)
            if dry_run:
                return _with_notices(plan.outcomes, plan)
            try:
                written = iter(perform(turn, settings.zone, plan.steps))
            except ConflictError:
                # A person's program took the name between our look and our write. What was
                # written before it stands and is found again as known text.
                if attempt == TRIES - 1:
                    raise
                continue
            return _with_notices([one if one.known else next(written) for one in plan.outcomes], plan)
        raise AssertionError("unreachable: the last try returns or raises")

    return turn.committed(turn.take(act))


@dataclass(slots=True)
class _Plan:
    """What to write, and an outcome a draft: known ones as they stand, others as they would be."""

    steps: list[Step] = field(default_factory=list)
    outcomes: list[Written] = field(default_factory=list)
    told: list[tuple[str, ...]] = field(default_factory=list)
    """For each draft what to tell of it."""
    keys: dict[tuple[Namespace, str], Written] = field(default_factory=dict)
    taken: dict[Namespace, frozenset[str]] = field(default_factory=dict)


def _plan(
    ports: Ports, settings: Settings, scope: Scope, drafts: Sequence[Draft], namespaces: Sequence[Namespace]
) -> _Plan:
    plan = _Plan()
    now = ports.clock.now()
    for draft, namespace in zip(drafts, namespaces, strict=True):
        key = (namespace, text_key(draft.text if draft.text.strip() else draft.title or ""))
        known = plan.keys.get(key) or _known(ports, settings, namespace, key[1], draft)
        if known is not None:
            plan.outcomes.append(replace(known, known=True))
            plan.told.append(draft.notices)
            continue
        step = _new_step(ports, scope, draft, namespace, now, plan)
        outcome = Written(
            Op.REMEMBER, step.operation.path, step.id, step.title, step.operation.version, None, NOT_WRITTEN
        )
        plan.steps.append(step)
        plan.outcomes.append(outcome)
        plan.told.append((*draft.notices, *_told_of(step, draft, now, settings)))
        plan.keys[key] = outcome
    return plan


def _told_of(step: Step, draft: Draft, now: datetime, settings: Settings) -> tuple[str, ...]:
    """Only what a person typed can be faulty, or over already."""
    if step.content is None or (draft.header is None and draft.expires is None):
        return ()
    return told_of(parse_memory(step.operation.path, step.content, zone=settings.zone), now)


def _with_notices(outcomes: Sequence[Written], plan: _Plan) -> list[Written]:
    return [
        replace(one, notices=(*told, *one.notices)) for one, told in zip(outcomes, plan.told, strict=True)
    ]


def _new_step(
    ports: Ports, scope: Scope, draft: Draft, namespace: Namespace, now: datetime, plan: _Plan
) -> Step:
    memory_id = ports.ids.new(now)
    title = draft.title if draft.title and draft.title.strip() else title_of(draft.text)
    folder = generated_folder(namespace, now, lambda place: len(_taken(ports, plan, place)))
    taken = _taken(ports, plan, folder)
    name = file_name(title, taken, memory_id)
    plan.taken[folder] = taken | {fold_name(name)}
    content = new_file(draft, memory_id=memory_id, title=title, agent=scope.agent, created=now)
    operation = Operation(
        Op.REMEMBER,
        VaultPath(f"{folder}/{name}" if folder else name),
        hashlib.sha256(content).hexdigest(),
        None,
        commit_message(Op.REMEMBER, title, memory_id=memory_id, agent=scope.agent),
        agent_author(scope.agent) if scope.agent is not None else None,
    )
    return Step(operation, content, memory_id, title)


def _taken(ports: Ports, plan: _Plan, folder: Namespace) -> frozenset[str]:
    if folder not in plan.taken:
        plan.taken[folder] = ports.files.names_in(folder)
    return plan.taken[folder]


def _known(ports: Ports, settings: Settings, namespace: Namespace, key: str, draft: Draft) -> Written | None:
    """The first memory of the namespace with the same text whose file still says so."""
    if not draft.text.strip():
        return None
    for entry in ports.index.same_text(namespace, key):
        if _still_says(ports, settings, entry, key):
            return Written(Op.REMEMBER, entry.path, entry.id, entry.title, entry.version, None, known=True)
    return None


def _still_says(ports: Ports, settings: Settings, entry: Entry, key: str) -> bool:
    """The index may be behind: an edited or expired text must not swallow a new one."""
    if entry.expires is not None and entry.expires <= ports.clock.now():
        return False
    try:
        found = ports.files.read(entry.path)
    except StorageError:
        return False
    return (
        found is not None
        and text_key(parse_memory(entry.path, found.content, zone=settings.zone).body) == key
    )
