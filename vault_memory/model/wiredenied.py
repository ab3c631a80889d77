"""What agents were refused, as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from vault_memory.model.denied import Denied
from vault_memory.model.wire import Json, moment


def denied(found: Sequence[Denied], omitted: int) -> Json:
    """The refusals, the newest first, and how many more there are."""
    return {
        "denied": [
            {
                "at": moment(one.at),
                "agent": one.agent,
                "wanted": one.wanted.value,
                "what": one.what,
                "door": one.door,
            }
            for one in found
        ],
        "omitted": omitted,
    }
