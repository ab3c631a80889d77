"""A setting as `vmem config` explains it: its value, where that comes from, and what it means."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Layer:
    """One place that sets a setting. `value` is plain (text, number, flag, list), `written` is TOML."""

    origin: str
    value: object
    written: str


@dataclass(frozen=True, slots=True)
class Explained:
    """One setting, explained."""

    key: str
    takes: str
    meaning: str
    shared: bool
    """Whether it may travel with a vault; the others are this machine's alone."""
    layers: tuple[Layer, ...]
    """Every place that sets it, the default first; the last one wins."""
    by_variable: bool = True
    """Whether the environment may set it."""

    @property
    def holds(self) -> Layer:
        """The one that wins."""
        return self.layers[-1]
