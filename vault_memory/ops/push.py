"""Giving a remote a proposal's branch, so that it can be reviewed there."""

from __future__ import annotations

from vault_memory.errors import GitError, RemoteError
from vault_memory.model.branches import Pushed
from vault_memory.model.forge import compare_link
from vault_memory.model.proposals import Proposal, SentProposal
from vault_memory.model.revision import branch_name
from vault_memory.ports import Ports

ORIGIN = "origin"


def push(ports: Ports, proposal: Proposal, remote: str | None) -> SentProposal:
    """Push the branch, never by force. Raises `GitError` where there is no remote, `RemoteError`."""
    name = _remote(ports, remote)
    report = ports.remote.push(name, proposal.branch)
    if report.outcome in (Pushed.BEHIND, Pushed.REFUSED):
        raise RemoteError(
            name,
            f"{report.outcome.value}: {report.words}" if report.words else report.outcome.value,
            hint=f"look at what it has: git fetch {name} {proposal.branch}",
        )
    address, base = ports.remote.url(name), branch_name(ports.history.state().branch)
    link = compare_link(address, base, proposal.branch) if address is not None else None
    return SentProposal(proposal.branch, name, report.outcome is Pushed.TAKEN, link)


def _remote(ports: Ports, asked: str | None) -> str:
    """The remote that is meant."""
    names = list(ports.remote.names())
    upstream = ports.history.upstream()
    followed = [one for one in names if upstream is not None and upstream.name.startswith(f"{one}/")]
    chosen = asked or next(iter([*followed, *(one for one in names if one == ORIGIN)]), None)
    if chosen is None and len(names) == 1:
        chosen = names[0]
    if chosen is None or chosen not in names:
        raise GitError(
            f"there is no remote {asked!r}" if asked else "there is no remote to push to",
            hint=f"there are: {', '.join(names)}" if names else "add one: git remote add origin ADDRESS",
        )
    return chosen
