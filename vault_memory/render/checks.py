"""Recall checks as text for people, and as commands for GitHub's log."""

from __future__ import annotations

from collections.abc import Sequence

from vault_memory.model.hit import Item
from vault_memory.model.recallcheck.check import FILE
from vault_memory.model.recallcheck.verdict import Broken, CheckAdded, CheckReport, CheckResult
from vault_memory.model.recallcheck.words import sentence
from vault_memory.render.explain import explain_recall
from vault_memory.render.github import annotation
from vault_memory.render.style import counted, harmless, styled

MOST = 5
"""So many memories are named of those that stand in another's place."""


def render_checks(report: CheckReport, *, explain: bool, colour: bool) -> str:
    """The broken checks with what broke and what displaced it, and a last line with the count; with
    `explain` every check with its answer, score by score."""
    lines: list[str] = []
    for result in report.results if explain else report.broken:
        lines += _check(result, colour=colour)
        if explain:
            lines += _indented(explain_recall(result.recall), 4)
    return "\n".join([*lines, _count(report)])


def render_github_checks(report: CheckReport) -> str:
    """A workflow command for each line of a check that is broken."""
    return "\n".join(
        annotation(
            "error",
            report.prefix + FILE,
            one.wanted.line,
            f"recall check: {result.check.title}",
            _told(result, one),
        )
        for result in report.broken
        for one in result.broken
    )


def render_added(added: CheckAdded, *, colour: bool) -> str:
    """Where the check stands now, and its lines."""
    mark = styled("✔", "green", colour=colour)
    head = f"{mark} {FILE}:{added.check.line}   (it travels with the vault once you commit it)"
    return "\n".join([head, *_indented(added.text, 2)])


def _check(result: CheckResult, *, colour: bool) -> list[str]:
    mark = styled("✔", "green", colour=colour) if result.holds else styled("✘", "red", colour=colour)
    asked = styled(harmless(result.check.title), "bold", colour=colour)
    who = f"as {result.agent}, " if result.agent is not None else ""
    tokens = f"{result.recall.tokens:,} of {result.recall.budget:,} tokens"
    lines = [f"{mark} {FILE}:{result.check.line}   {asked}   ({who}{tokens})"]
    for one in result.broken:
        lines.append(f"    {_side(one)} (line {one.wanted.line}): {harmless(sentence(result, one))}")
        instead = result.in_place_of(one)
        if instead:
            lines.append("      shown in its place:")
            lines += [f"        {_item(item)}" for item in instead[:MOST]]
            if len(instead) > MOST:
                lines.append(f"        and {len(instead) - MOST} more (--explain shows all)")
    return lines


def _told(result: CheckResult, one: Broken) -> str:
    """The same in one line."""
    instead = result.in_place_of(one)
    more = f" and {len(instead) - MOST} more" if len(instead) > MOST else ""
    others = f"; shown in its place: {', '.join(map(_item, instead[:MOST]))}{more}" if instead else ""
    return f"{_side(one)}: {sentence(result, one)}{others}"


def _side(one: Broken) -> str:
    return "must" if one.must else "must not"


def _item(item: Item) -> str:
    return f"{item.hit.score:.2f}  {harmless(item.hit.entry.path)}"


def _count(report: CheckReport) -> str:
    broken, asked = len(report.broken), len(report.results)
    if not broken:
        return f"{counted(asked, 'check')} {'holds' if asked == 1 else 'hold'}"
    return f"{broken:,} of {counted(asked, 'check')} {'is' if broken == 1 else 'are'} broken"


def _indented(text: str, by: int) -> Sequence[str]:
    return [f"{' ' * by}{harmless(line)}" for line in text.splitlines()]
