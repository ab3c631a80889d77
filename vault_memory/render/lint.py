"""What lint found as text for people, as commands for GitHub's log, and as SARIF for code scanners."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from urllib.parse import quote

from vault_memory.model.linted import FixPlan, LintReport, Mend
from vault_memory.model.memory import Finding
from vault_memory.model.rule import Rule, Severity
from vault_memory.model.rules import RULES
from vault_memory.render.github import annotation
from vault_memory.render.style import cells, counted, filled, harmless, styled

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}
_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MOST = 20
"""So many files are named of those that a fix would change."""


def render_findings(
    report: LintReport, findings: Sequence[Finding], *, colour: bool, what: str = "problem"
) -> str:
    """Two lines a finding (what and what to do), and a last one with the count."""
    lines: list[str] = []
    for _, group in groupby(findings, key=lambda one: one.path):
        of_file = list(group)
        width = max(cells(_place(one)) for one in of_file)
        said = ""
        for one in of_file:
            code = styled(one.code, _COLOURS[RULES[one.code].severity], colour=colour)
            lines.append(f"{filled(_place(one), width)}   {code}  {harmless(one.message)}")
            if one.advice and one.advice != said:  # advice on ten like lines is read once
                lines.append(f"{' ' * (width + 3)}{styled(harmless(one.advice), 'dim', colour=colour)}")
            said = one.advice
    lines.append(_count(report, what))
    hidden = {name: count for name, count in report.infos.items() if not _shows(findings, name)}
    if hidden:
        named = ", ".join(f"{count:,} × {name}" for name, count in hidden.items())
        lines.append(f"besides: {named} (no problems; vmem lint --info lists them)")
    return "\n".join(lines)


def _count(report: LintReport, what: str) -> str:
    problems = len(report.problems)
    found = counted(problems, what) if problems else f"no {what}s"
    return f"{found} in {counted(report.files, 'file')}"


def _shows(findings: Sequence[Finding], name: str) -> bool:
    return any(RULES[one.code].name == name for one in findings)


def _place(one: Finding) -> str:
    return f"{harmless(one.path)}:{one.line}"


def render_github(findings: Sequence[Finding], prefix: str) -> str:
    """A workflow command a finding; `prefix` is the vault's place in the repository (`notes/`)."""
    return "\n".join(
        annotation(
            _COMMANDS[RULES[one.code].severity],
            prefix + one.path,
            one.line,
            f"{one.code} {RULES[one.code].name}",
            _sentence(one),
        )
        for one in findings
    )


def _sentence(one: Finding) -> str:
    return f"{one.message}; {one.advice}" if one.advice else one.message


def sarif(findings: Sequence[Finding], prefix: str, version: str) -> dict[str, object]:
    """A SARIF 2.1.0 log of one run."""
    used = sorted({one.code for one in findings})
    driver = {
        "name": "vmem lint",
        "version": version,
        "rules": [_sarif_rule(RULES[code]) for code in used],
    }
    results = [
        {
            "ruleId": one.code,
            "ruleIndex": used.index(one.code),
            "level": _LEVELS[RULES[one.code].severity],
            "message": {"text": _sentence(one)},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {
                            "uri": quote((prefix + one.path).encode("utf-8", "surrogateescape"))
                        },
                        "region": {"startLine": one.line},
                    }
                }
            ],
        }
        for one in findings
    ]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _sarif_rule(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.meaning},
        "fullDescription": {"text": f"{rule.page.why} {rule.page.mend}"},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def render_rule(rule: Rule, *, colour: bool) -> str:
    """A rule's page."""
    page = rule.page
    fix = ", mended by vmem lint --fix" if rule.fixable else ""
    fix += ", looked for only with --rule or --info" if page.slow else ""
    head = styled(f"{rule.code}  {rule.name}", "bold", colour=colour)
    parts = [f"{head}   {rule.severity.value}{fix}", rule.meaning, page.why, page.mend]
    parts += [f"{label}:\n{_indented(text)}" for label, text in (("Bad", page.bad), ("Good", page.good))]
    return "\n\n".join(parts)


def render_rules(rules: Sequence[Rule]) -> str:
    """A line a rule."""
    width = max(len(rule.name) for rule in rules)
    return "\n".join(
        f"{rule.code}  {rule.name:<{width}}  {rule.severity.value:<7}  {rule.meaning}" for rule in rules
    )


def rules_markdown() -> str:
    """Every rule with its page, for docs/lint.md."""
    lines = ["| code | name | severity | meaning |", "|---|---|---|---|"]
    for rule in RULES.values():
        anchor = f"{rule.code}-{rule.name}".lower()
        lines.append(f"| [{rule.code}](#{anchor}) | {rule.name} | {rule.severity.value} | {rule.meaning} |")
    return "\n\n".join(["\n".join(lines), *map(_section, RULES.values())]) + "\n"


def _section(rule: Rule) -> str:
    page = rule.page
    said = [f"{rule.severity.value.capitalize()}."]
    if rule.fixable:
        said.append("`vmem lint --fix` mends it.")
    if page.slow:
        said.append("Looked for only with `--rule` or `--info`.")
    return (
        f"## {rule.code} {rule.name}\n\n{' '.join(said)} {rule.meaning} {page.why}\n\n{page.mend}\n\n"
        f"```text\n{page.bad}\n```\n\nGood:\n\n```text\n{page.good}\n```"
    )


def render_plan(plan: FixPlan, *, colour: bool) -> str:
    """What would be changed, a line a file, and what is left with the reason."""
    lines = []
    if plan.mends:
        lines.append(styled(f"{counted(len(plan.mends), 'file')} can be mended:", "bold", colour=colour))
        lines += _some([f"{mend.path}   {_names(mend)}: {mend.what}" for mend in plan.mends])
    if plan.left:
        lines.append(styled("left as they are:", "bold", colour=colour))
        lines += _some([f"{path}   {reason}" for path, reason in plan.left])
    return "\n".join(lines)


def render_diff(mends: Sequence[Mend], *, colour: bool) -> str:
    """The changes as a patch."""
    from difflib import unified_diff

    styles: dict[str, str] = {"+": "green", "-": "red", "@": "cyan"}
    lines: list[str] = []
    for mend in mends:
        before, after = (_lines(content) for content in (mend.before, mend.after))
        path = harmless(mend.path)
        lines += (
            styled(harmless(line), styles.get(line[:1], ""), colour=colour and line[:1] in styles)
            for line in unified_diff(before, after, f"a/{path}", f"b/{path}", lineterm="", n=2)
        )
    return "\n".join(lines)


def _lines(content: bytes) -> list[str]:
    return content.decode("utf-8", "replace").removeprefix("\ufeff").splitlines()


def _names(mend: Mend) -> str:
    return ", ".join(RULES[code].name for code in mend.codes)


def _some(lines: Sequence[str]) -> list[str]:
    shown = [f"  {harmless(line)}" for line in lines[:MOST]]
    return [*shown, f"  and {len(lines) - MOST:,} more"] if len(lines) > MOST else shown


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.split("\n"))
