"""From the table of settings and what was read to what `vmem config` tells of each."""

from __future__ import annotations

from vault_memory.config.settings import SETTINGS, Setting, Settings
from vault_memory.model.explained import Explained, Layer
from vault_memory.model.tomlwords import toml


def explained(settings: Settings, row: Setting) -> Explained:
    """One setting with every place that sets it."""
    return Explained(
        key=row.key,
        takes=row.form,
        meaning=row.doc,
        shared=row.shared,
        layers=tuple(Layer(origin, _plain(given), toml(given)) for origin, given in settings.layers[row.key]),
        by_variable=row.names is None,
    )


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def all_explained(settings: Settings) -> list[Explained]:
    """Every setting, in the order of the table."""
    return [explained(settings, row) for row in SETTINGS]
