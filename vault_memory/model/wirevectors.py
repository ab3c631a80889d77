"""JSON of how far the vectors of a vault are."""

from __future__ import annotations

from vault_memory.model.vectorstate import VectorState


def vectors(one: VectorState) -> dict[str, object]:
    """How far the vectors are."""
    return {
        "embedder": one.embedder,
        "keyword_only": one.keyword_only,
        "texts": one.texts,
        "with_vectors": one.have,
        "worker": one.worker,
        "kept": [{"embedder": name, "vectors": count} for name, count in one.kept.items()],
    }
