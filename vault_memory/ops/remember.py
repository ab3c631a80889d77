"""Writing new memories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from vault_memory.config.settings import Settings
from vault_memory.errors import ConflictError, RefusedError, VmemError
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.generate import new_file
from vault_memory.model.ids import short
from vault_memory.model.memory import Draft, Memory
from vault_memory.model.message import commit_message
from vault_memory.model.namespace import Namespace, Scope, VaultPath, namespace_for
from vault_memory.model.naming import file_name, fold_name, generated_folder, title_of
from vault_memory.model.outcome import NOT_WRITTEN, OnDuplicate, Written
from vault_memory.model.revision import Op, Operation, author_of, version_of
from vault_memory.model.textkey import text_key
from vault_memory.model.unsaid import is_of_the_same, title_is_known, unsaid
from vault_memory.ops.batch import Batch
from vault_memory.ops.changed import changed, told_by_draft
from vault_memory.ops.known import Lookup
from vault_memory.ops.quota import check_quotas
from vault_memory.ops.rules import check_draft
from vault_memory.ops.told import told_of
from vault_memory.ops.turn import Turn
from vault_memory.ops.within import as_spelled, check_place
from vault_memory.ops.write import Step, perform
from vault_memory.ports import Ports, Progress, no_progress

TRIES = 5
"""So often another name is taken when somebody outside vmem takes the one we chose."""


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
    on_duplicate: OnDuplicate = OnDuplicate.KEEP,
) -> list[Written]:
    """Write many memories under one lock. Every draft is checked before the first file exists.

    A text that gives a fact of the same agent's in the same namespace another value names the memory that it
    supersedes. With `saved` their commits are left to whoever commits later, where somebody does.
    """
    namespaces: list[Namespace] = []
    for number, draft in enumerate(drafts, start=1):
        try:
            check_draft(ports, settings, scope, draft, allow_secret=allow_secret)
            folder = as_spelled(ports, namespace_for(scope, draft.namespace, settings["inbox"]))
            check_place(ports, scope, VaultPath(f"{folder}/new.md" if folder else "new.md"))
            namespaces.append(folder)
        except VmemError as error:
            error.item = number
            if len(drafts) > 1:
                error.about(f"memory {number}", number)
            raise
    turn = Turn(ports, settings["lock_seconds"], progress, saved)

    def act() -> list[Written]:
        for attempt in range(TRIES):
            plan = _plan(ports, settings, scope, drafts, namespaces, on_duplicate)
            check_quotas(ports, scope, settings.zone, plan.steps)
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
            outcomes = [
                one if one.known else replace(next(written), supersedes=one.supersedes)
                for one in plan.outcomes
            ]
            return _with_notices(outcomes, plan)
        raise AssertionError("unreachable: the last try returns or raises")

    return turn.committed(turn.take(act))


@dataclass(slots=True)
class _Plan:
    """What to write, and an outcome a draft: known ones as they stand, others as they would be."""

    steps: list[Step] = field(default_factory=list)
    outcomes: list[Written] = field(default_factory=list)
    told: list[tuple[str, ...]] = field(default_factory=list)
    """For each draft what to tell of it."""
    batch: Batch = field(default_factory=Batch)
    taken: dict[Namespace, frozenset[str]] = field(default_factory=dict)

    contents: dict[VaultPath, bytes] = field(default_factory=dict)
    """What will be written, by path."""

    def memory(self, outcome: Written, zone: ZoneInfo) -> Memory:
        """The memory that will be written with that outcome."""
        return parse_memory(outcome.path, self.contents[outcome.path], zone=zone)


def _plan(
    ports: Ports,
    settings: Settings,
    scope: Scope,
    drafts: Sequence[Draft],
    namespaces: Sequence[Namespace],
    on_duplicate: OnDuplicate,
) -> _Plan:
    plan = _Plan()
    now = ports.clock.now()
    lookup = Lookup(ports, scope, settings.zone, now)
    several = len(drafts) > 1
    for number, (draft, namespace) in enumerate(zip(drafts, namespaces, strict=True), start=1):
        key = text_key(draft.text if draft.text.strip() else draft.title or "")
        known = None
        if on_duplicate is not OnDuplicate.NEW:
            known = _known(lookup, plan, namespace, key, draft)
        if known is not None:
            if on_duplicate is OnDuplicate.REFUSE:
                raise _refused(known, number if several else None)
            plan.outcomes.append(known)
            plan.told.append(draft.notices)
            continue
        change = changed(lookup, plan.batch, namespace, draft, replacing=on_duplicate is not OnDuplicate.NEW)
        step = _new_step(ports, scope, replace(draft, supersedes=change.names), namespace, now, plan)
        outcome = Written(
            Op.REMEMBER,
            step.operation.path,
            step.id,
            step.title,
            step.operation.version,
            None,
            NOT_WRITTEN,
            supersedes=change.paths,
        )
        plan.steps.append(step)
        plan.contents[step.operation.path] = step.content or b""
        plan.outcomes.append(outcome)
        plan.told.append(
            (*draft.notices, *change.notices(step.operation.path), *_told_of(step, draft, now, settings))
        )
        if several:
            plan.batch.add(namespace, key, told_by_draft(draft), outcome)
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
        version_of(content),
        None,
        commit_message(Op.REMEMBER, title, memory_id=memory_id, agent=scope.agent),
        author_of(scope),
    )
    return Step(operation, content, memory_id, title)


def _taken(ports: Ports, plan: _Plan, folder: Namespace) -> frozenset[str]:
    if folder not in plan.taken:
        plan.taken[folder] = ports.files.names_in(folder)
    return plan.taken[folder]


def _known(lookup: Lookup, plan: _Plan, namespace: Namespace, key: str, draft: Draft) -> Written | None:
    """The outcome where the namespace holds all that a draft says, by its file as it is now."""
    same = plan.batch.same(namespace, key)
    if same is not None and is_of_the_same(draft, plan.memory(same, lookup.zone)):
        return _seen_again(plan.memory(same, lookup.zone), draft, same)
    if not draft.text.strip():
        return None
    for entry in lookup.ports.index.same_text(namespace, key):
        memory = lookup.read(entry.path) if lookup.scope.may_read(entry.path) else None
        if memory is not None and text_key(memory.body) == key and is_of_the_same(draft, memory):
            return _seen_again(memory, draft)
    nearly = plan.batch.saying(namespace, draft.text)
    if nearly is not None and title_is_known(draft, plan.memory(nearly, lookup.zone)):
        return _seen_again(plan.memory(nearly, lookup.zone), draft, nearly, nearly=True)
    found = lookup.saying(draft.text, namespace)
    return _seen_again(found, draft, nearly=True) if found and title_is_known(draft, found) else None


def _seen_again(
    memory: Memory, draft: Draft, earlier: Written | None = None, *, nearly: bool = False
) -> Written:
    told = unsaid(draft, memory)
    notices = (told,) if told else ()
    if earlier is not None:
        return replace(earlier, known=True, nearly=nearly, notices=notices)
    return Written(
        Op.REMEMBER,
        memory.path,
        memory.id,
        memory.title,
        memory.version,
        None,
        known=True,
        nearly=nearly,
        notices=notices,
    )


def _refused(known: Written, number: int | None) -> RefusedError:
    says = "nearly the same" if known.nearly else "the same"
    error = RefusedError(
        "duplicate",
        f"{known.path} says {says} ({short(known.id) or 'it has no id'})",
        field="text",
        hint="--on-duplicate keep answers with that memory, new writes it all the same",
    )
    error.item = number
    if number is not None:
        error.about(f"memory {number}", number)
    return error
