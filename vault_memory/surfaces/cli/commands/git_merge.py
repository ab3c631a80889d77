"""`vmem git-merge`: what git runs to merge two versions of a memory."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from vault_memory.errors import CheckFailedError
from vault_memory.render.style import harmless

_APART = (
    "keep both: git checkout --ours -- {0}   git show :3:{0} > NEW-NAME.md   then git add them"
    " (vmem sync does so by itself where both sides made the file)"
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("git-merge")(git_merge)


def git_merge(
    base: Annotated[Path, typer.Argument(help="The version that both come from.")],
    ours: Annotated[Path, typer.Argument(help="Our version; the result takes its place.")],
    theirs: Annotated[Path, typer.Argument(help="Their version.")],
    size: Annotated[int, typer.Option("--size", min=1, max=100, help="How long git's markers are.")] = 7,
    path: Annotated[str, typer.Option("--path", help="What the file is called.")] = "",
) -> None:
    """Merge two versions of a memory, front matter by key.

    Git runs it where `vmem install merge` has told it to. Tags and other lists get what either side added
    and lose what either took out; of two times of an update the later one stays; each other key is as the
    side has it that changed it. What both have changed otherwise stands in the text between markers, and
    the exit code is 1, so that git leaves the file for you to resolve; front matter stays valid all the time.

    [bold]Examples[/bold]

      vmem git-merge base.md ours.md theirs.md
    """
    from vault_memory.facets.merging import merge_files

    name = path or str(ours)
    merged = merge_files(base, ours, theirs, path=name, size=size)
    if merged.clean:
        return
    if merged.mixed is not None:
        raise CheckFailedError(f"{harmless(name)}: {merged.mixed}", 1, hint=_APART.format(shlex.quote(name)))
    both = [harmless(one.key) for one in merged.clashes] + ["the same lines"] * merged.lines
    raise CheckFailedError(
        f"{harmless(name)}: both sides changed {', '.join(both)}",
        len(both),
        hint="decide what stands between the markers in its text, then: git add",
    )
