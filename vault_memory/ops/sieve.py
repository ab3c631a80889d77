"""Which memories a search may find: what the caller may read, and what the filter lets through."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from vault_memory.model.filters.chosen import Filter, Look
from vault_memory.model.memory import Entry
from vault_memory.model.namespace import Scope, VaultPath


@dataclass(slots=True)
class Sieve:
    """Scope first, then the filter; what a caller may not read is neither let through nor counted."""

    scope: Scope
    filter: Filter
    now: datetime
    without: frozenset[VaultPath] = frozenset()
    held_back: set[VaultPath] = field(default_factory=set)
    """Those caught that live and do not fit the filter."""
    undated: set[VaultPath] = field(default_factory=set)
    """Those of them that would fit if they had a date."""
    _asks: bool = field(init=False)
    lets_all: bool = field(init=False)
    """Whether every memory passes: then none need be asked of."""
    _looks: dict[VaultPath, Look] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._asks = bool(self.filter)
        self.lets_all = not self._asks and self.scope.agent is None and not self.without

    def passes(self, entry: Entry) -> bool:
        """Whether the memory may be found."""
        return self._look(entry) is Look.FITS

    def catches(self, entry: Entry) -> bool:
        """The same, and note what the filter holds back."""
        if not self._asks:
            return self._may_be_read(entry)
        look = self._look(entry)
        if look is not Look.FITS and self._may_be_read(entry) and not self.is_expired(entry):
            self.held_back.add(entry.path)
            if look is Look.UNDATED:
                self.undated.add(entry.path)
        return look is Look.FITS

    def is_expired(self, entry: Entry) -> bool:
        """Whether it no longer counts."""
        return entry.expires is not None and entry.expires <= self.now

    def _look(self, entry: Entry) -> Look:
        """What the filter says; a memory is asked for once for each of its passages."""
        if not self._asks:
            return Look.FITS if self._may_be_read(entry) else Look.OUT
        known = self._looks.get(entry.path)
        if known is None:
            known = self.filter.look(entry) if self._may_be_read(entry) else Look.OUT
            self._looks[entry.path] = known
        return known

    def _may_be_read(self, entry: Entry) -> bool:
        return self.scope.may_read(entry.path) and entry.path not in self.without
