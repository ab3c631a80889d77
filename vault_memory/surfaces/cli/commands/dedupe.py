"""`vmem dedupe`: memories that say the same, and merging them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from vault_memory.errors import GitError, NotCommittedError, UsageError
from vault_memory.model import wirededupe
from vault_memory.model.clusters import Cluster, Deduped
from vault_memory.render.dedupe import render_cluster, render_clusters, render_deduped
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import (
    AgentOption,
    JsonOption,
    NamespaceOption,
    RequireCommitOption,
    VaultOption,
)

if TYPE_CHECKING:
    from vault_memory.vault import Vault


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("dedupe")(dedupe)


def dedupe(
    context: typer.Context,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Merge all that lose nothing, without asking.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only list them, on a terminal too.")] = False,
    namespace: NamespaceOption = None,
    require_commit: RequireCommitOption = False,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Merge memories that say the same, in one commit.

    Lists them by namespace, and on a terminal asks about each; elsewhere nothing is merged without --yes,
    which merges those whose texts are the same and whose front matter says nothing more. What stays gets
    the tags of all, the earliest date and the names of the others, so that links still lead there. With
    --agent: only what that agent wrote. vmem undo takes it back.

    [bold]Examples[/bold]

      vmem dedupe
      vmem dedupe --namespace market --dry-run
      vmem dedupe --yes
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    if yes and dry_run:
        raise UsageError("--yes and --dry-run can't be had at once", hint="vmem dedupe --help")
    with call.open() as opened:
        found = opened.upkeep.duplicates.find(call.caller(opened).scope, namespace=namespace)
        call.warn_of_index(opened)
    asks = not (yes or dry_run or call.out.json) and call.is_terminal()
    if asks and any(one.stays is None for one in found):
        agreed = _agreed(call, found)
    else:
        asks = False
        if not call.out.json:
            call.out.result(render_clusters(found, colour=call.out.colour))
        agreed = [one for one in found if one.is_sure and one.stays is None] if yes else []
    if agreed:
        with call.open() as opened:
            _merge(call, opened, found, agreed, require_commit=require_commit)
    elif call.out.json:
        call.out.value(wirededupe.deduped(Deduped(tuple(found))))
    elif asks:
        call.out.result("Nothing was merged.")
    elif found and not dry_run:
        _tell_left(call, found, yes=yes)


def _agreed(call: Call, found: Sequence[Cluster]) -> list[Cluster]:
    """Those that the person at the terminal says yes to, asked one by one."""
    agreed: list[Cluster] = []
    for one in found:
        call.out.result(render_cluster(one, colour=call.out.colour))
        if one.stays is None and typer.confirm("Merge them?", default=False):
            agreed.append(one)
        call.out.result("")
    return agreed


def _merge(
    call: Call, opened: Vault, found: Sequence[Cluster], agreed: Sequence[Cluster], *, require_commit: bool
) -> None:
    done = opened.upkeep.duplicates.merge(call.caller(opened).scope, agreed)
    if call.out.json:
        judged = {one.keep.path: one for one in done.clusters}
        every = tuple(judged.get(one.keep.path, one) for one in found)
        call.out.value(wirededupe.deduped(replace(done, clusters=every)))
    else:
        call.out.result(render_deduped(done, colour=call.out.colour))
        call.out.warn_all(done.notices)
        for one in done.clusters:
            if one.stays:
                call.out.warn(f"not merged into {one.keep.path}: {one.stays}")
        for path, link in done.broken:
            call.out.warn(f"{path}:{link.line} links to {link.target}, which is gone: vmem links {path}")
    if done.reason and not done.merged:
        raise GitError(f"nothing was merged: {done.reason}", hint="vmem status shows how git stands")
    if done.reason and require_commit:
        raise NotCommittedError(done.reason)
    if done.reason and not call.out.json:
        call.out.warn(f"merged, but not committed: {done.reason}")


def _tell_left(call: Call, found: Sequence[Cluster], *, yes: bool) -> None:
    if yes:
        call.out.result("Nothing was merged: vmem dedupe on a terminal asks about each of these.")
    elif any(one.is_sure and one.stays is None for one in found):
        call.out.result(
            "Nothing was merged; vmem dedupe --yes merges those that lose nothing, in one commit."
        )
    else:
        call.out.result("Nothing was merged; vmem dedupe on a terminal asks about each of these.")
