"""`vmem lint`: what is wrong in the files, and mending what can be mended without a guess."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from vault_memory.errors import CheckFailedError, UsageError
from vault_memory.model import wire
from vault_memory.model.memory import Finding
from vault_memory.surfaces.cli.complete import lint_rules
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.linted import FORMATS, nothing, places, tell
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, VaultOption

if TYPE_CHECKING:
    from vault_memory.model.linted import Fixed, FixPlan, LintReport
    from vault_memory.vault import Vault

ALL = "all"
UNDECIDED = "nothing was changed; vmem lint --fix --yes does it"

NOTHING_TO_MEND = "There is nothing to mend without a guess."


@dataclass(frozen=True, slots=True)
class Asked:
    """Where to look, and for which rules."""

    paths: tuple[str, ...]
    rules: tuple[str, ...]
    ignore: tuple[str, ...]
    info: bool

    def shown(self, report: LintReport) -> Sequence[Finding]:
        """Problems, and the rest only if asked for."""
        return report.findings if self.info or self.rules else report.problems


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("lint")(lint)


def lint(
    context: typer.Context,
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="[PATH]...", help="Only these files and folders.")
    ] = None,
    rule: Annotated[
        list[str] | None,
        typer.Option(
            "--rule",
            help="Look for this rule alone: a code or a name. May be repeated.",
            autocompletion=lint_rules,
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option("--ignore", help="Leave this rule out. May be repeated.", autocompletion=lint_rules),
    ] = None,
    info: Annotated[
        bool, typer.Option("--info", help="List what is worth a word and no problem, too.")
    ] = False,
    output: Annotated[
        str,
        typer.Option("--format", help="text, json, github (log commands of a workflow) or sarif."),
    ] = "text",
    fix: Annotated[
        bool, typer.Option("--fix", help="Mend what can be mended without a guess, in one commit.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="With --fix: show the changes, and make none.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="With --fix: do not ask.")] = False,
    explain: Annotated[
        str | None,
        typer.Option(
            "--explain",
            help="Explain this rule; 'all' lists them.",
            show_default=False,
            autocompletion=lint_rules,
        ),
    ] = None,
    secrets: Annotated[
        bool,
        typer.Option("--secrets", help="Look for secrets alone: quick, needs no index, in any file named."),
    ] = False,
    staged: Annotated[
        bool, typer.Option("--staged", help="With --secrets: in what the commit under way changes.")
    ] = False,
    history: Annotated[
        bool, typer.Option("--history", help="With --secrets: in every version that git still has.")
    ] = False,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Name what is wrong in the files, with line and cure.

    Errors and warnings are problems, and with any the exit code is 1. What is only worth a word (a note
    without an id, a link to a note that is yet to be written) is counted, and listed with --info.
    Nothing is changed without --fix, and then only what needs no guess; a missing id is put in only
    with --rule missing-id.

    [bold]Examples[/bold]

      vmem lint
      vmem lint notes/plan.md shared/market
      vmem lint --explain VM012
      vmem lint --fix --dry-run
      vmem lint --fix --rule missing-id
      vmem lint --format sarif > lint.sarif
      vmem lint --secrets --history
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json or output == "json")
    if output not in FORMATS:
        raise UsageError(f"no format is called {output!r}", hint=f"available: {', '.join(FORMATS)}")
    if call.out.json and output not in ("text", "json"):
        raise UsageError(f"--json and --format {output} are two answers", hint="give one of them")
    if explain is not None:
        _explain(call, explain)
        return
    if secrets or staged or history:
        from vault_memory.surfaces.cli.secrets import SecretsAsked, look

        others = {"--rule": rule, "--ignore": ignore, "--info": info, "--fix": fix}
        look(call, SecretsAsked(tuple(paths or ()), secrets, staged, history, output, others))
        return
    if (dry_run or yes) and not fix:
        raise UsageError(f"{'--dry-run' if dry_run else '--yes'} belongs to --fix", hint="vmem lint --fix")
    with call.open() as opened:
        asked = Asked(places(call, opened, paths or []), tuple(rule or ()), tuple(ignore or ()), info)
        if paths and not asked.paths:  # and not: then all of the vault
            tell(call, nothing(), (), output, None)
            return
        fixed = _fix(call, opened, asked, dry_run=dry_run, yes=yes) if fix else None
        report = opened.upkeep.lint(
            call.caller(opened).scope,
            paths=asked.paths,
            rules=asked.rules,
            ignore=asked.ignore,
            everything=info,
        )
    if not dry_run or call.out.json:
        tell(call, report, asked.shown(report), output, fixed)
    if fixed is not None and not call.out.json:
        _tell_plan(call, fixed, dry_run=dry_run)
    if report.problems:
        code = report.problems[0].code
        raise CheckFailedError("lint", len(report.problems), hint=f"vmem lint --explain {code} says more")


def _explain(call: Call, text: str) -> None:
    from vault_memory.model.rules import RULES, find_rule
    from vault_memory.render import lint as render

    rules = list(RULES.values()) if text.strip().lower() == ALL else [find_rule(text)]
    if call.out.json:
        call.out.value([wire.rule(one) for one in rules])
    elif len(rules) > 1:
        call.out.result(render.render_rules(rules))
    else:
        call.out.result(render.render_rule(rules[0], colour=call.out.colour))


def _fix(call: Call, vault: Vault, asked: Asked, *, dry_run: bool, yes: bool) -> Fixed:
    from vault_memory.render import lint as render

    def agree(plan: FixPlan) -> bool:
        if dry_run:
            return False
        if yes or call.out.json or not call.is_terminal():
            return yes
        call.out.result(render.render_plan(plan, colour=call.out.colour))
        return typer.confirm(f"Mend {'it' if len(plan.mends) == 1 else 'them'} in one commit?", default=False)

    fixed = vault.upkeep.fix(
        call.caller(vault).scope, paths=asked.paths, rules=asked.rules, ignore=asked.ignore, agree=agree
    )
    if call.out.json:
        return fixed
    if dry_run:
        call.out.result(render.render_diff(fixed.plan.mends, colour=call.out.colour))
    elif fixed.written:
        call.wrote(fixed.written, require_commit=False, many=True)
    return fixed


def _tell_plan(call: Call, fixed: Fixed, *, dry_run: bool) -> None:
    """What was left, and what would be done if somebody agreed."""
    from vault_memory.render import lint as render

    undecided = bool(fixed.plan.mends) and not fixed.written and not dry_run and not call.is_terminal()
    if dry_run and not fixed.plan.mends:
        call.out.result(NOTHING_TO_MEND)
    plan = fixed.plan if undecided else replace(fixed.plan, mends=())
    call.out.result(render.render_plan(plan, colour=call.out.colour))
    if undecided:
        call.out.warn(UNDECIDED)
