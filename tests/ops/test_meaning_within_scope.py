"""Search by meaning within what a caller may read, with an embedder of three made-up directions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import numpy as np

from tests.stand import NOON, ToldClock
from vault_memory.adapters.indexes.sqlite.backend import SqliteIndex
from vault_memory.compose import open_vault
from vault_memory.model.ask import Ask
from vault_memory.model.namespace import PERSON, Scope
from vault_memory.ops.rank import NEAREST, rank
from vault_memory.ops.refresh import refresh
from vault_memory.vault import Vault

if TYPE_CHECKING:
    from vault_memory.model.vector import Vectors

AXES = (("cat", "kitten", "feline"), ("rain", "storm", "downpour"), ("bread", "loaf", "bakery"))


class ThreeAxes:
    """Each text's direction is which of three things it speaks of."""

    id = "three-axes"
    dimensions = 3
    reason = None
    trust = 0.6
    span = (0.1, 0.9)

    def passages(self, texts: Sequence[str]) -> Vectors:
        rows = [[float(any(word in text for word in axis)) for axis in AXES] for text in texts]
        vectors = np.array(rows, dtype=np.float32)
        lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        unit: Vectors = (vectors / lengths).astype(np.float32)
        return unit

    def query(self, text: str) -> Vectors:
        return self.passages([text])


def test_what_others_wrote_takes_no_place_from_what_an_agent_may_read(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    Vault.create(root)
    with Vault.open(root, clock=ToldClock()) as vault:
        vault.agent("mira").remember_many([f"kitten number {n}" for n in range(NEAREST + 50)])
        own = vault.agent("akashi").remember("the feline in the rain", title="Door")
    opened = open_vault(root, clock=ToldClock(NOON + timedelta(hours=1)))
    index = SqliteIndex.open(tmp_path / "index.db", embedder_id="three-axes")
    ports = replace(opened.ports, index=index, embedder=ThreeAxes())
    refresh(ports, ZoneInfo("UTC"), wait=1.0)
    assert len(rank(ports, PERSON, Ask("cat"), now=NOON).hits) > 50
    found = rank(ports, Scope("akashi"), Ask("cat"), now=NOON)
    assert [hit.entry.path for hit in found.hits] == [own.path]
    assert (found.hits[0].parts.meaning or 0) > 0.7
    index.close()
    opened.close()
