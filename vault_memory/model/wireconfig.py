"""Settings as JSON."""

from __future__ import annotations

from vault_memory.model.explained import Explained
from vault_memory.model.wire import Json


def setting(one: Explained) -> Json:
    """A setting with its origin, what it means, and every place that sets it."""
    return {
        "key": one.key,
        "value": one.holds.value,
        "origin": one.holds.origin,
        "takes": one.takes,
        "meaning": one.meaning,
        "shared": one.shared,
        "layers": [{"origin": layer.origin, "value": layer.value} for layer in one.layers],
    }
