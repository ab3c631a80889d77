"""`vmem check`: what recall must find, and what it must not, asked again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from vault_memory.errors import CheckFailedError, UsageError
from vault_memory.model import wirechecks
from vault_memory.render import checks as render
from vault_memory.surfaces.cli.complete import agents
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.fields import moment_of
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, VaultOption

if TYPE_CHECKING:
    from vault_memory.model.recallcheck.verdict import CheckReport
    from vault_memory.vault import Vault

FORMATS = ("text", "json", "github")
NONE_YET = 'no checks yet in .vmem/checks.yaml; vmem check --write "QUESTION" adds the present answer as one'


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("check")(check)


def check(
    context: typer.Context,
    question: Annotated[
        list[str] | None,
        typer.Argument(
            help="Only checks whose question holds this; with --write, the question to add.",
            show_default=False,
        ),
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Add the present answer to QUESTION as a check.")
    ] = False,
    first: Annotated[
        int | None,
        typer.Option(
            "--first", help="With --write: so many memories, which must stay the first.", show_default=False
        ),
    ] = None,
    max_tokens: Annotated[
        int | None,
        typer.Option("--max-tokens", "-t", help="With --write: the budget to ask with.", show_default=False),
    ] = None,
    ask_as: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="NAME",
            help="With --write: the agent who is to ask.",
            show_default=False,
            autocompletion=agents,
        ),
    ] = None,
    now: Annotated[
        str | None,
        typer.Option("--now", help="Ask as of this time: age and expiry count from it.", show_default=False),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show every check with its answer, score by score.")
    ] = False,
    output: Annotated[
        str, typer.Option("--format", help="text, json or github (log commands of a workflow).")
    ] = "text",
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Ask the recall checks of the vault, and say what broke.

    A check in .vmem/checks.yaml is a question with the memories that must come back for it, and those
    that must not. Where one does not hold, the exit code is 1, and the answer names what broke and what
    stands in its place. --write adds a check: the best five memories of the answer, or the --first N.

    [bold]Examples[/bold]

      vmem check
      vmem check "NVDA risk" --explain
      vmem check --write "NVDA risk" --first 2 --max-tokens 800
      vmem check --write "how do we deploy" --as akashi
      vmem check --format github        in CI
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json or output == "json")
    if output not in FORMATS:
        raise UsageError(f"no format is called {output!r}", hint=f"available: {', '.join(FORMATS)}")
    if call.out.json and output not in ("text", "json"):
        raise UsageError(f"--json and --format {output} are two answers", hint="give one of them")
    text = " ".join(question or ())
    if write:
        if not text.strip():
            raise UsageError("--write takes a question", hint='vmem check --write "NVDA risk"')
        _refuse({"--now": now, "--explain": explain or None}, "does not go with --write", "vmem check --help")
        with call.open() as opened:
            added = opened.upkeep.checks.add(
                call.asks(), text, agent=ask_as, max_tokens=max_tokens, first=first
            )
        if call.out.json:
            call.out.value(wirechecks.added(added))
        else:
            call.out.warn_all(added.recall.notices)
            call.out.result(render.render_added(added, colour=call.out.colour))
        return
    belongs = {"--first": first, "--max-tokens": max_tokens, "--as": ask_as}
    _refuse(belongs, "belongs to --write", 'vmem check --write "NVDA risk"')
    with call.open() as opened:
        report = _run(call, opened, text or None, now)
    _tell(call, report, output, explain=explain)
    if report.broken:
        hint = "vmem check --explain shows every score" if not explain else None
        raise CheckFailedError("check", len(report.broken), hint=hint)


def _refuse(options: Mapping[str, object], why: str, hint: str) -> None:
    for name, value in options.items():
        if value is not None:
            raise UsageError(f"{name} {why}", hint=hint)


def _run(call: Call, opened: Vault, text: str | None, now: str | None) -> CheckReport:
    at = moment_of("--now", now, opened.settings.zone)
    return opened.upkeep.checks.run(call.caller(opened).scope, text, now=at)


def _tell(call: Call, report: CheckReport, output: str, *, explain: bool) -> None:
    if call.out.json:
        call.out.value(wirechecks.checked(report))
        return
    call.out.warn_all(report.notices)
    if not report.results:
        if not report.left_out:
            call.out.warn(NONE_YET)
    elif output == "github":
        call.out.result(render.render_github_checks(report))
    else:
        call.out.result(render.render_checks(report, explain=explain, colour=call.out.colour))
