"""Whether there is search by meaning now, and why not: vectors of one embedder, for all texts or none."""

from __future__ import annotations

from vault_memory.errors import StorageError
from vault_memory.model.namespace import Scope
from vault_memory.model.vectorstate import VectorState
from vault_memory.ports import Ports

ENOUGH = 0.98
"""Where fewer of the texts have vectors, those with one would crowd out the others: keywords only.
Above it, the few that were written just now are found by their words."""


def keyword_only(ports: Ports, scope: Scope) -> str | None:
    """Why only keywords are searched, `None` where meaning is too. Agents are told no counts: they
    would tell of memories that are not for them."""
    if ports.embedder.reason is not None:
        return ports.embedder.reason
    shelf = ports.index.shelf
    if shelf.complete():
        return None
    have, texts = shelf.share()
    if have >= ENOUGH * texts:
        return None
    counts = (
        f"{have:,} of {texts:,} texts have vectors" if scope.agent is None else "not all texts have vectors"
    )
    rest = "vmem embedder build makes the rest" if worker(ports) is None else "the rest are being made"
    return f"{counts} so far; {rest}"


def worker(ports: Ports) -> int | None:
    """The number of another process that makes vectors now, 0 where it is not known, `None` for none."""
    try:
        found = ports.embedding.holder()
    except StorageError:
        return None
    return found[0] if found is not None else None


def vector_state(ports: Ports, scope: Scope) -> VectorState:
    """How far the vectors are."""
    with ports.index.reading():
        has_embedder = ports.embedder.id != "none"
        have, texts = ports.index.shelf.share() if has_embedder else (0, 0)
        kept = {name: count for name, count in ports.index.shelf.kept().items() if name != ports.embedder.id}
        reason = keyword_only(ports, scope)
    is_person = scope.agent is None
    return VectorState(
        embedder=ports.embedder.id,
        keyword_only=reason,
        have=have if is_person and has_embedder else None,
        texts=texts if is_person and has_embedder else None,
        worker=worker(ports),
        kept=kept if is_person else {},
    )
