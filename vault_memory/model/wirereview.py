"""Proposals and what became of them as JSON."""

from __future__ import annotations

from vault_memory.model.comparison import Comparison
from vault_memory.model.proposals import Begun, Proposal, Reviewed, SentProposal
from vault_memory.model.wire import Json, moment
from vault_memory.model.wirediff import comparison
from vault_memory.model.wiresync import apart


def begun(one: Begun, folder: str) -> Json:
    """A proposal that can be written to; `folder` is the vault's in its worktree."""
    return {"branch": one.branch, "new": one.new, "about": one.about or None, "folder": folder}


def proposal(one: Proposal) -> Json:
    """An open proposal; `memories` are the paths of those that it would change."""
    return {
        "branch": one.branch,
        "agent": one.agent,
        "name": one.name,
        "about": one.about or None,
        "commit": one.tip,
        "base": one.base,
        "when": moment(one.when),
        "memories": list(one.paths),
        "others": list(one.others),
        "remote": one.remote,
    }


def shown(one: Proposal, found: Comparison) -> Json:
    """The same with all that is different."""
    return {**proposal(one), "diff": comparison(found)}


def reviewed(one: Reviewed) -> Json:
    """What a review did; `committed` is the merge, `closed` the last commit of a branch that is gone;
    `apart` are memories that got another name, `ours` the person's."""
    return {
        "branch": one.branch,
        "accepted": list(one.accepted),
        "rejected": list(one.rejected),
        "open": list(one.left),
        "committed": one.commit,
        "closed": one.closed,
        "apart": [apart(each) for each in one.apart],
        "notices": list(one.notices),
    }


def sent(one: SentProposal) -> Json:
    """A proposal that a remote has now; `link` compares it there, or is null."""
    return {"branch": one.branch, "remote": one.remote, "sent": one.new, "link": one.link}
