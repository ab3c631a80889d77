"""A broken line of a check in one sentence."""

from __future__ import annotations

from vault_memory.model.hit import Reason
from vault_memory.model.recallcheck.verdict import Broken, CheckResult, Why


def sentence(result: CheckResult, one: Broken) -> str:
    """What was to come back, or not to, and what became of it."""
    at = f"; place {one.place}" if one.place is not None else ""
    score = f"{',' if at else ';'} score {one.score:.2f}" if one.score is not None else ""
    says = _SAYS.get(one.why, f"is left out: {one.why.value}")
    who = result.agent or "the person"
    what = says.format(tokens=f"{result.recall.budget:,}", detail=one.detail, agent=who)
    return f"{_subject(one)} {what}{at}{score}"


def _subject(one: Broken) -> str:
    """What the line names; with the path of its memory, where it names it by something else."""
    if one.path is None or one.path == one.wanted.name:
        return one.wanted.shown
    if one.wanted.is_text:
        return f"{one.wanted.shown} stands in {one.path}, which"
    return f"{one.wanted.shown} ({one.path})"


_SAYS: dict[Why | Reason, str] = {
    Why.CAME_BACK: "came back",
    Why.ABSENT: "is not in the vault{detail}",
    Why.AMBIGUOUS: "fits several memories: {detail}",
    Why.NOWHERE: "stands in no memory",
    Why.HIDDEN: "may not be read by {agent}",
    Why.FILTERED: "is kept out by the filter{detail}",
    Why.UNMATCHED: "does not match the question",
    Why.LATE: "is not {detail}",
    Why.TITLE: "is shown by its title alone, the rest did not fit into {tokens} tokens",
    Why.CUT: "is shown without that part",
    Reason.BUDGET: "did not fit into {tokens} tokens",
    Reason.DUPLICATE: "has the same text as {detail}, which is shown",
    Reason.EXPIRED: "has expired",
    Reason.CONFLICTED: "holds merge markers",
    Reason.CONFLICT_COPY: "is a conflict copy of {detail}",
    Reason.LOW_SCORE: "scores below the minimum",
    Reason.LIMIT: "is past the memories that a recall looks at",
}
