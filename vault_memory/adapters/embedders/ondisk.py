"""A model on this disk: found when it is first asked after, loaded when it is first wanted, once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from vault_memory.adapters.embedders.folders import FoundModel
from vault_memory.errors import EmbedderUnavailableError, PluginError
from vault_memory.model.advice import advised

AnyEngine = TypeVar("AnyEngine")
"""What runs a model that is loaded; used by one thread at a time."""


@dataclass(frozen=True, slots=True)
class Kind(Generic[AnyEngine]):
    """What one sort of model is to be told by, found by and loaded by."""

    name: str
    """The provider's, and the first word of the id."""
    missing: Callable[[], PluginError | None]
    """What is not installed, `None` where all is; imports nothing."""
    find: Callable[[str], FoundModel]
    """The folder of a model named by folder or name. Raises `EmbedderUnavailableError`."""
    load: Callable[[FoundModel], AnyEngine]
    """Raises `EmbedderUnavailableError`, or `MissingExtraError`."""


class ModelOnDisk(Generic[AnyEngine]):
    """One model. Making it costs nothing; `reason` reads small files and imports nothing heavy."""

    def __init__(self, kind: Kind[AnyEngine], model: str) -> None:
        self._kind = kind
        self._asked = model
        # A tokenizer can't be used by two threads at once: held while the model is loaded, and while it runs.
        self._lock = threading.RLock()
        self._engine: AnyEngine | None = None
        self._failure: PluginError | None = None

    @property
    def reason(self) -> str | None:
        """Why it can't be used, and what mends that: no package, no model, or one that did not load."""
        found = self._failure or self._found
        return advised(found) if isinstance(found, PluginError) else None

    @cached_property
    def _found(self) -> FoundModel | PluginError:
        try:
            return self._kind.missing() or self._kind.find(self._asked)
        except EmbedderUnavailableError as error:
            return error

    def _here(self) -> FoundModel:
        """Where it lies; raises what `reason` tells."""
        found = self._failure or self._found
        if isinstance(found, PluginError):
            raise found
        return found

    def _loaded(self) -> AnyEngine:
        """The model, loaded once; a failure to load is kept, so that it is not tried each time."""
        with self._lock:
            found = self._here()
            if self._engine is None:
                try:
                    self._engine = self._kind.load(found)
                except PluginError as error:
                    self._failure = error
                    raise
            return self._engine
