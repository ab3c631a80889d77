"""Whether what is about to be written fits into the quotas that the vault's settings give."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

from vault_memory.errors import QuotaError
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.namespace import Scope, Wanted, owner_of
from vault_memory.model.policy import Quota, lies_below
from vault_memory.ops.write import Step
from vault_memory.ports import Ports


def check_quotas(ports: Ports, scope: Scope, zone: tzinfo, steps: Sequence[Step]) -> None:
    """Raise `QuotaError` where the steps together would make more of it than a quota allows; nothing has been
    written then. What makes it no more is let through, whatever there is. The person has no quota."""
    for quota in scope.rights.quotas:
        more = [_growth(ports, scope, zone, quota, step) for step in steps]
        files, size = (sum(column) for column in zip(*more, strict=True)) if more else (0, 0)
        asks = [
            ("quota_files", quota.files, 0, files),
            ("quota_bytes", quota.size, 1, size),
        ]
        if not any(most is not None and grown > 0 for _, most, _, grown in asks):
            continue
        used = _used(ports, scope, quota)
        for key, most, column, grown in asks:
            if most is not None and grown > 0 and used[column] + grown > most:
                raise _refused(scope, quota, key, used[column], grown, most)


def _used(ports: Ports, scope: Scope, quota: Quota) -> tuple[int, int]:
    assert scope.agent is not None
    if quota.folder is None:
        return ports.index.size_of_agent(scope.agent)
    return ports.index.size_below(quota.folder)


def _growth(ports: Ports, scope: Scope, zone: tzinfo, quota: Quota, step: Step) -> tuple[int, int]:
    """By how many memories and bytes the step makes it more (or less)."""
    path = step.operation.path
    if quota.folder is not None:
        if not lies_below(path, quota.folder):
            return 0, 0
        entry = ports.index.entry(path)
        before = entry is not None
        after = step.content is not None
    else:
        is_own = owner_of(path) == scope.agent
        entry = ports.index.entry(path)
        before = entry is not None and (is_own or entry.source_agent == scope.agent)
        after = step.content is not None and (
            is_own or parse_memory(path, step.content, zone=zone).source_agent == scope.agent
        )
    was = entry.size if before and entry is not None else 0
    now = len(step.content or b"") if after else 0
    return int(after) - int(before), now - was


def _refused(scope: Scope, quota: Quota, key: str, used: int, more: int, most: int) -> QuotaError:
    assert scope.agent is not None
    scope.noted(scope.agent, Wanted.QUOTA, f"{quota.table} {key}")
    # What lies in a folder that is hidden is counted, and is not to be told by a number.
    known = quota.folder is None or scope.rights.sees_all_below(quota.folder)
    return QuotaError(scope.agent, quota.table, key, used=used if known else None, more=more, most=most)
