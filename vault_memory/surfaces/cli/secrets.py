"""`vmem lint --secrets`: what looks like a secret in files, in what is staged, in all of history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vault_memory.errors import CheckFailedError, UsageError
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.linted import nothing, places, tell

HINT = "renew it where it is used, first of all; docs/secrets.md says how it leaves history"


@dataclass(frozen=True, slots=True)
class SecretsAsked:
    """The options as they were given; `others` are those that belong to other forms of the command."""

    paths: tuple[str, ...]
    secrets: bool
    staged: bool
    history: bool
    output: str
    others: Mapping[str, object]


def look(call: Call, asked: SecretsAsked) -> None:
    """Print what is found. Raises `CheckFailedError` where there is anything, `UsageError`."""
    _check(asked)
    if asked.history:
        _history(call)
        return
    with call.open() as opened:
        scope = call.caller(opened).scope
        if asked.staged:
            report = opened.upkeep.secrets.staged(scope)
        else:
            named = places(call, opened, asked.paths)
            lies_elsewhere = asked.paths and not named  # and not: then all of the vault
            report = nothing() if lies_elsewhere else opened.upkeep.secrets.look(scope, paths=named)
    tell(call, report, report.findings, asked.output, None, what="secret")
    if report.findings:
        code = report.findings[0].code
        raise CheckFailedError("lint", len(report.findings), hint=f"vmem lint --explain {code} says more")


def _check(asked: SecretsAsked) -> None:
    if not asked.secrets:
        name = "--history" if asked.history else "--staged"
        raise UsageError(f"{name} belongs to --secrets", hint=f"vmem lint --secrets {name}")
    for name, given in asked.others.items():
        if given:
            raise UsageError(f"{name} does not go with --secrets", hint="vmem lint --secrets [PATH]...")
    if asked.staged and asked.history:
        raise UsageError("--staged and --history can't be had at once", hint="vmem lint --help")
    if asked.paths and (asked.staged or asked.history):
        name = "--history" if asked.history else "--staged"
        raise UsageError(f"{name} takes no files", hint=f"vmem lint --secrets {name}")
    if asked.history and asked.output not in ("text", "json"):
        raise UsageError(f"--history has no form {asked.output!r}", hint="text or json")


def _history(call: Call) -> None:
    from vault_memory.model.wirepast import unearthed
    from vault_memory.render.unearthed import render_unearthed

    with call.open() as opened:
        found = opened.upkeep.secrets.history(call.caller(opened).scope)
    if call.out.json:
        call.out.value(unearthed(found))
    else:
        call.out.warn_all(found.notices)
        call.out.result(render_unearthed(found, colour=call.out.colour))
    if found.found:
        raise CheckFailedError("lint", len(found.found), hint=HINT)
