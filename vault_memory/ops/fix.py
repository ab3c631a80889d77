"""`lint --fix`: the faults that can be mended without a guess, in one commit that names each file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from vault_memory.config.settings import Settings
from vault_memory.errors import FrontMatterError, StorageError
from vault_memory.model import codes, pages_of_vaults
from vault_memory.model.linted import Fixed, FixPlan, Mend
from vault_memory.model.memory import Entry, Finding
from vault_memory.model.message import batch_message
from vault_memory.model.namespace import Scope, VaultPath
from vault_memory.model.revision import FileState, Op, Operation, author_of, version_of
from vault_memory.model.rules import RULES, find_rule, is_problem
from vault_memory.model.splice import splice
from vault_memory.model.yamlwrite import FieldValue
from vault_memory.ops.lint import first_commit, lint
from vault_memory.ops.quota import check_quotas
from vault_memory.ops.settle import waiting
from vault_memory.ops.turn import Turn
from vault_memory.ops.write import Step, one_commit, perform
from vault_memory.ports import Ports, Progress, no_progress

_MINE = {
    FileState.MODIFIED: "you changed it and have not committed that yet",
    FileState.PARTLY_STAGED: "part of your change to it is staged",
    FileState.UNTRACKED: "git does not have it yet: commit it first",
}
"""Why a file is left as it is that holds a person's own work."""
CHANGED = "it was changed while you decided"

Keys = dict[str, FieldValue]


def fix(
    ports: Ports,
    settings: Settings,
    scope: Scope,
    *,
    paths: Collection[str] = (),
    rules: Iterable[str] = (),
    ignore: Iterable[str] = (),
    agree: Callable[[FixPlan], bool],
    progress: Progress = no_progress,
) -> Fixed:
    """Mend what can be mended, if `agree` says so of the plan. No lock is held while it decides.

    What is no problem (a missing id) is mended only if its rule is named. A file that holds a
    person's uncommitted work is left as it is, and so is one whose front matter can't be changed
    line by line.
    """
    plan = plan_fixes(ports, settings, scope, paths=paths, rules=rules, ignore=ignore)
    if not plan.mends or not agree(plan):
        return Fixed(plan, ())
    turn = Turn(ports, settings["lock_seconds"], progress)

    def act() -> Fixed:
        same = [mend for mend in plan.mends if _content(ports, mend.path) == mend.before]
        gone = tuple((mend.path, CHANGED) for mend in plan.mends if mend not in same)
        left = FixPlan(tuple(same), tuple(sorted((*plan.left, *gone))))
        if not same:
            return Fixed(left, ())
        steps = _steps(ports, scope, same)
        check_quotas(ports, scope, settings.zone, steps)
        return Fixed(left, tuple(perform(turn, settings.zone, steps, whole=True)))

    fixed = turn.take(act)
    return replace(fixed, written=tuple(turn.committed(fixed.written)))


def plan_fixes(
    ports: Ports,
    settings: Settings,
    scope: Scope,
    *,
    paths: Collection[str],
    rules: Iterable[str],
    ignore: Iterable[str],
) -> FixPlan:
    """What would be changed, and what is left, with the reason."""
    named = {find_rule(text).code for text in rules}
    wanted = [code for code in _PUT if code in named or (not named and is_problem(code))]
    if not wanted:
        return FixPlan((), ())
    report = lint(ports, settings, scope, paths=paths, rules=wanted, ignore=ignore)
    by_path: dict[str, list[Finding]] = defaultdict(list)
    for finding in report.findings:
        by_path[finding.path].append(finding)
    mine = _persons_work(ports, scope) if by_path else {}
    mends: list[Mend] = []
    left: list[tuple[str, str]] = []
    for path, findings in by_path.items():
        made = _mend(ports, scope, VaultPath(path), {one.code for one in findings}, mine)
        if isinstance(made, str):
            left.append((path, made))
        else:
            mends.append(made)
    return FixPlan(tuple(mends), tuple(left))


def _mend(
    ports: Ports, scope: Scope, path: VaultPath, found: Collection[str], mine: Mapping[str, str]
) -> Mend | str:
    """The file mended, or why it is left."""
    entry = ports.index.entry(path)
    before = _content(ports, path)
    if entry is None or before is None:
        return "it is gone"
    if version_of(before) != entry.version:
        return "it was changed this moment"
    if not scope.may_write(path):
        return f"{scope.agent} may not write there"
    if path in mine:
        return mine[path]
    if entry.conflicted:
        return "it holds merge markers"
    keys: Keys = {}
    for code in sorted(found):
        put = _PUT[code](ports, entry)
        if isinstance(put, str):
            return put
        keys |= put
    try:
        after = splice(path, before, keys)
    except FrontMatterError as error:
        return f"line {error.line}: {error.reason}"
    what = ", ".join(f"{key} {_shown(value)}" for key, value in keys.items())
    new_id = keys.get("id")
    memory_id = new_id if isinstance(new_id, str) else entry.id
    return Mend(path, tuple(sorted(found)), what, before, after, memory_id, entry.title)


def _new_id(ports: Ports, entry: Entry) -> Keys | str:
    """A new id, where there is none or another file has the same; one that can't be read is a person's."""
    written = next((value for key, value in entry.front.items() if key.casefold() == "id"), "")
    if entry.id is None and written != "":
        return "its id can't be read: mend it in your editor"
    return {"id": ports.ids.new(ports.clock.now())}


def _created(ports: Ports, entry: Entry) -> Keys | str:
    """The time of the first commit, where the key is missing."""
    written = next((value for key, value in entry.front.items() if key.casefold() == "created"), "")
    if written != "":
        return "its created can't be read: mend it in your editor"
    at = first_commit(ports, entry.path, renamed=True)
    return {"created": at} if at is not None else "git knows no first commit of it, so no date for created"


_PUT: dict[str, Callable[[Ports, Entry], Keys | str]] = {
    pages_of_vaults.DUPLICATE_ID: _new_id,
    pages_of_vaults.MISSING_ID: _new_id,
    codes.TTL_WITHOUT_CREATED: _created,
}
"""What each rule that can be mended puts into the front matter, or why it can't."""


def _steps(ports: Ports, scope: Scope, mends: Sequence[Mend]) -> list[Step]:
    """One operation a file, all in one commit."""
    count = f"{len(mends)} file" if len(mends) == 1 else f"{len(mends)} files"
    names = ", ".join(RULES[code].name for code in sorted({code for mend in mends for code in mend.codes}))
    message = batch_message(
        Op.FIX,
        f"{names} in {count}",
        [f"{mend.path}   {' '.join(mend.codes)}: {mend.what}" for mend in mends],
        agent=scope.agent,
    )
    author = author_of(scope)
    steps = [
        Step(
            Operation(
                Op.FIX,
                mend.path,
                version_of(mend.after),
                version_of(mend.before),
                message,
                author,
            ),
            mend.after,
            mend.id,
            mend.title,
        )
        for mend in mends
    ]
    return one_commit(ports, steps)


def _persons_work(ports: Ports, scope: Scope) -> dict[str, str]:
    """The files that hold work of a person's that is in no commit, with what to say of each."""
    if not ports.history.state().exists:
        return {}
    own = {(intent.operation.path, intent.operation.version) for intent in waiting(ports)}
    return {
        path: _MINE[state]
        for path, state in ports.history.uncommitted()
        if state in _MINE
        and scope.may_read(path)
        and (path, version_of(_content(ports, VaultPath(path)))) not in own
    }


def _content(ports: Ports, path: VaultPath) -> bytes | None:
    try:
        found = ports.files.read(path)
    except StorageError:
        return None
    return None if found is None else found.content


def _shown(value: FieldValue) -> str:
    return f"{value:%Y-%m-%dT%H:%M:%SZ}" if isinstance(value, datetime) else str(value)
