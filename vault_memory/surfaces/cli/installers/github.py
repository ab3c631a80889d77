"""`vmem install github`: a workflow for pull requests."""

from __future__ import annotations

from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.installers import Told
from vault_memory.surfaces.cli.installers.ownfile import told


def github(call: Call, out: bool, *, package: str | None = None) -> Told:
    """The workflow below .github/ at the top of the repository."""
    from vault_memory.facets.installing.forges import ForgesFacet
    from vault_memory.model.pullrequest.workflow import NAME

    forges, scope = ForgesFacet.of(call.vault), call.asks()
    if out:
        return told(NAME, forges.take_out_github(scope), "")
    did = forges.put_github(scope, package, _ours())
    return told(NAME, did, "lints, checks recall, and keeps vmem diff in one comment on each pull request")


def _ours() -> str | None:
    """From where this vmem came, for pip on another machine."""
    from importlib.metadata import PackageNotFoundError, distribution

    from vault_memory.model.pullrequest.whence import PACKAGE, spec_of

    try:
        found = distribution(PACKAGE)
    except PackageNotFoundError:  # it runs from its source
        return None
    return spec_of(found.read_text("direct_url.json"), found.version)
