"""`vmem init`: make a folder a vault."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from vault_memory.config import environ
from vault_memory.config.settings import defaults
from vault_memory.errors import VmemError
from vault_memory.model.revision import branch_name
from vault_memory.render.style import counted, harmless
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import JsonOption

if TYPE_CHECKING:
    from vault_memory.vault import Created

_PLAIN = re.compile(r"[\w@%+=:,./~-]+")
"""A folder that a shell takes as it is, ~ and all."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("init")(init)


def init(
    context: typer.Context,
    path: Annotated[
        str, typer.Argument(metavar="PATH", help="The folder; it is made if it is not there.")
    ] = ".",
    merge_driver: Annotated[
        bool,
        typer.Option(
            " /--no-merge-driver", help="Leave it to git how memories are merged.", show_default=False
        ),
    ] = True,
    json: JsonOption = False,
) -> None:
    """Make a folder a vault.

    No note that lies there is changed, and doing it again is safe. Markdown files that are there already are
    memories from now on. Git is told to merge memories by front matter key: by a line in the vault's
    .gitattributes, and in the settings of this clone. In a clone of a vault, init tells only that clone.

    [bold]Examples[/bold]

      vmem init ~/memory     a new vault with a git repository of its own
      vmem init notes        inside a repository: memories are committed to that one
      vmem init .            in a clone: git merges memories by key there too
    """
    from vault_memory.vault import Vault

    call: Call = context.obj.narrowed(vault=None, agent=None, json=json)
    made = Vault.create(path)
    merges = _merges(call, made) if merge_driver else _Merges()
    if call.out.json:
        call.out.value(
            {
                "path": str(made.root),
                "branch": made.branch and branch_name(made.branch),
                "new_repository": made.new_repository,
                "made": list(made.made),
                "new": made.new,
                "adopted": made.adopted,
                "blocked": made.blocked,
                "inside": made.inside and str(made.inside),
                "merge_driver": merges.by_key,
            }
        )
        return
    shown = harmless(str(made.root) if path == "." else path)
    call.out.result("\n".join(_told(made, merges, shown, _next(made.root, shown))))
    if merges.why_not:
        call.out.warn(f"git merges memories as any text: {merges.why_not}; later: vmem install merge")
    if made.blocked:
        call.out.warn(f"memories are saved and wait for their commits: {made.blocked}")
    if made.inside is not None:
        call.out.warn(f"it lies in the vault {made.inside}, which finds its memories too")


class _Merges(NamedTuple):
    """Whether git merges memories by key in this clone, whether that is new, and why not if it can't."""

    by_key: bool = False
    new: bool = False
    why_not: str | None = None


def _merges(call: Call, made: Created) -> _Merges:
    """Tell git, unless an agent asks, or a vault that was there before has chosen otherwise."""
    from vault_memory.facets.installing.merge import MergeDriverFacet
    from vault_memory.surfaces.cli.installers.ourselves import ourselves

    driver, scope = MergeDriverFacet(made.root), call.asks()
    try:
        if scope.agent is not None or not (made.new or driver.travels()):
            return _Merges()
        done = driver.put(scope, ourselves())
    except VmemError as error:
        return _Merges(why_not=error.message)
    return _Merges(by_key=True, new=done.attributes or done.driver)


def _next(root: Path, folder: str) -> str:
    """What to do now, to be typed where the person stands."""
    try:
        stands_there = environ.working_folder().resolve().is_relative_to(root)
    except OSError:  # there is no working folder any more
        stands_there = False
    typed = folder if _PLAIN.fullmatch(folder) else shlex.quote(folder)
    step = 'vmem remember "…"' if stands_there else f'cd {typed}   then: vmem remember "…"'
    return f"Next: {step}   or open the folder in your editor"


def _told(made: Created, merges: _Merges, folder: str, then: str) -> list[str]:
    if not made.new:
        count = f", with {counted(made.adopted, 'memory', 'memories')}" if made.adopted else ""
        only = f"; new are only {', '.join(made.made)}" if made.made else ""
        if not made.made and not merges.new:
            only = "; nothing was changed"
        told = ["Git merges memories by front matter key in this clone from now on."] if merges.new else []
        return [f"{folder} is a vault already{count}{only}.", *told]
    repository = "a new git repository" if made.new_repository else "in the git repository that is there"
    where = f"{repository}, branch {branch_name(made.branch)}" if made.branch else repository
    lines = [
        f"Created a vault in {folder} ({where}).",
        "  .vmem/config.toml   settings that travel with the vault: commit .vmem/ when you like",
        "  .vmem/local/        the search index; ignored by git, safe to delete",
    ]
    if merges.by_key:
        lines.append("  .gitattributes      memories are merged by front matter key: commit it, too")
    if made.adopted:
        found = counted(made.adopted, "Markdown file")
        are = "is a memory" if made.adopted == 1 else "are memories"
        lines.append(
            f"{found} that {'was' if made.adopted == 1 else 'were'} there {are} now; none was changed."
        )
    inbox = defaults()["inbox"]
    if made.root.name.casefold() == inbox:
        lines.append(f"New memories go to {inbox}/ in it; vmem config inbox . puts them beside the others.")
    return [*lines, then]
