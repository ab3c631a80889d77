"""How the one comment on a pull request is known again."""

from __future__ import annotations

MARK = "<!-- vmem diff -->"
"""The first line of `vmem diff --markdown`, which forges do not show."""
NOTHING = "<h3>No memory differs"
"""How a line of it begins where there is nothing to say. What stands in memories can't begin a line so."""
