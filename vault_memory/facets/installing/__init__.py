"""What vmem adds for other programs, so that they work with a vault, one file each; needs no open vault."""

from __future__ import annotations

from vault_memory.facets.installing.merge import Driver, Installed, MergeDriverFacet

__all__ = ["Driver", "Installed", "MergeDriverFacet"]
