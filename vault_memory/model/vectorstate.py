"""How far the vectors of a vault are: whose they are, how many texts have one, and who makes the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class VectorState:
    """Counts are those of the whole vault; `None` where they are not for the one who asks."""

    embedder: str
    """The id of the embedder that is set."""
    keyword_only: str | None
    """Why there is no search by meaning now, `None` where there is."""
    have: int | None
    """Texts with a vector of it."""
    texts: int | None
    worker: int | None
    """The number of the process that makes the rest now; 0 where it is not known."""
    kept: Mapping[str, int]
    """Vectors of other embedders that are kept for a way back, by their ids."""
