"""What the forms of `vmem lint` share: which files are meant, and how findings are printed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory.config import environ
from vault_memory.errors import UsageError
from vault_memory.model import wire
from vault_memory.model.memory import Finding
from vault_memory.model.namespace import PRIVATE, Scope, is_private
from vault_memory.surfaces.cli.context import Call

if TYPE_CHECKING:
    from vault_memory.model.linted import Fixed, LintReport
    from vault_memory.vault import Vault

FORMATS = ("text", "json", "github", "sarif")


def nothing() -> LintReport:
    """What is found in no files."""
    from vault_memory.model.linted import LintReport

    return LintReport((), 0)


def places(call: Call, vault: Vault, texts: Sequence[str]) -> tuple[str, ...]:
    """The files and folders named, as paths of the vault; what lies outside of it is left out.

    They are taken from the working folder, else from the vault's.
    """
    found: list[str] = []
    scope = call.caller(vault).scope
    for text in texts:
        near = Path(os.path.abspath(environ.working_folder() / environ.expanded(Path(text))))
        place = next((one for one in (near, vault.root / text) if os.path.lexists(one)), None)
        if place is None or not text or not _may_be_seen(scope, vault.root, place):
            raise UsageError(f"there is no {text!r}", hint="name files and folders of the vault")
        inside = _inside(vault.root, place)
        if inside is None:
            call.out.warn(f"{text} lies outside of the vault and was left out")
        else:
            found.append(inside)
    return tuple(found)


def _may_be_seen(scope: Scope, root: Path, place: Path) -> bool:
    """Whether the scope may know of a place, by its own path and by where links lead."""
    if scope.agent is None:
        return True
    paths = (one.relative_to(root).as_posix() for one in (place, place.resolve()) if one.is_relative_to(root))
    return all(
        os.path.lexists(root / PRIVATE / scope.agent)
        if "/" not in path and is_private(path)
        else scope.may_read(path) or scope.may_read(f"{path}/x")
        for path in paths
    )


def _inside(root: Path, place: Path) -> str | None:
    """The place as a path of the vault, over links in the folders that lead to it."""
    for one in (place, place.parent.resolve() / place.name, place.resolve()):
        if one == root:
            return ""
        if one.is_relative_to(root):
            return one.relative_to(root).as_posix()
    return None


def tell(
    call: Call,
    report: LintReport,
    findings: Sequence[Finding],
    output: str,
    fixed: Fixed | None,
    what: str = "problem",
) -> None:
    """Print the findings in the form asked for; `what` each of them is called where they are counted."""
    from vault_memory.render import lint as render

    if output == "github":
        call.out.result(render.render_github(findings, report.prefix))
    elif output == "sarif":
        from vault_memory import __version__

        call.out.value(render.sarif(findings, report.prefix, __version__))
    elif call.out.json:
        value = wire.linted(report, findings)
        call.out.value(value | {"fix": wire.fixed(fixed)} if fixed is not None else value)
    else:
        call.out.warn_all(report.notices)
        text = render.render_findings(report, findings, colour=call.out.colour, what=what)
        call.out.result(text)
