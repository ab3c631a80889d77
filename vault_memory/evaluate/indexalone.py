"""The index without files: postings and vectors of made-up passages, put straight into a sidecar."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory.evaluate.figures import Figure, one
from vault_memory.evaluate.meaning import EMBEDDER
from vault_memory.evaluate.probes import WARM_UP, WITHOUT_A_LOOK, timed
from vault_memory.evaluate.synthetic import Author, path_of
from vault_memory.model import bm25
from vault_memory.model.change import FileStamp, Upsert
from vault_memory.model.namespace import PERSON, VaultPath
from vault_memory.model.parse import parse_memory
from vault_memory.model.passage import passage_terms
from vault_memory.model.query import parse
from vault_memory.vault import Progress, Vault

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FILLED = "index alone (so many passages): filling it, a thousand passages"
SIZE = "index alone (so many passages): its file"
LENGTHS = "index alone (so many passages): lengths of all passages, first time"
POSTINGS = "index alone (so many passages): postings of two or three words"
SCORES = "index alone (so many passages): scores of these passages"
FIRST_NEAREST = "index alone (so many passages): nearest by vector, first time"
NEAREST = "index alone (so many passages): nearest by vector"
AT_A_TIME = 1_000
"""Memories put in by one transaction."""
NEIGHBOURS = 100


def index_alone(
    folder: Path, author: Author, passages: int, queries: int, progress: Progress
) -> list[Figure]:
    """Fill an index with that many passages, each with a vector of chance, and ask it.

    The figures count passages. Making and reading the texts is left out of the time that filling takes.
    """
    root = folder / "index-alone"
    Vault.create(root)
    try:
        with Vault.open(root, settings=WITHOUT_A_LOOK | {"embedder": EMBEDDER}) as vault:
            return _measured(vault, author, passages, queries, progress)
    finally:
        shutil.rmtree(root)


def _measured(vault: Vault, author: Author, passages: int, queries: int, progress: Progress) -> list[Figure]:
    import numpy as np

    index, dimensions = vault.index.opened.ports.index, vault.index.opened.ports.embedder.dimensions
    chance = np.random.default_rng(author.seed)
    held = memories = 0
    filling: list[float] = []
    for batch in _batches(vault, author, passages):
        progress(f"filling an index of {passages:,} passages", held, passages)
        hashes = [each.passage.text_hash for upsert in batch for each in upsert.passages]
        vectors = _units(chance, len(hashes), dimensions)
        rows = {text_hash: row.tobytes() for text_hash, row in zip(hashes, vectors, strict=True)}
        filling.append(timed(partial(index.apply, batch, vectors=rows))[0] * 1000 / len(hashes))
        held, memories = held + len(hashes), memories + len(batch)
    index.shelf.settle()
    progress(f"filling an index of {passages:,} passages", passages, passages)
    lengths = timed(partial(index.corpus, PERSON))[0]
    corpus = index.corpus(PERSON)
    postings: list[float] = []
    scores: list[float] = []
    nearest: list[float] = []
    for number in range(WARM_UP + queries):
        progress(f"asking an index of {passages:,} passages", number, WARM_UP + queries)
        query = parse(author.query(number, memories))
        took, found = timed(partial(index.postings, query.terms))
        postings.append(took)
        scores.append(timed(partial(bm25.score, query, corpus, found))[0])
        nearest.append(timed(partial(index.nearest, _units(chance, 1, dimensions), NEIGHBOURS))[0])
    progress(f"asking an index of {passages:,} passages", WARM_UP + queries, WARM_UP + queries)
    file = vault.root / ".vmem" / "local" / "index.db"
    return [
        Figure(FILLED, held, "ms", tuple(filling)),
        one(SIZE, held, "MB", file.stat().st_size / 1_000_000),
        one(LENGTHS, held, "ms", lengths),
        Figure(POSTINGS, held, "ms", tuple(postings[WARM_UP:])),
        Figure(SCORES, held, "ms", tuple(scores[WARM_UP:])),
        one(FIRST_NEAREST, held, "ms", nearest[0]),
        Figure(NEAREST, held, "ms", tuple(nearest[WARM_UP:])),
    ]


def _batches(vault: Vault, author: Author, passages: int) -> Iterator[list[Upsert]]:
    """Memories until they have that many passages, the last cut short by none."""
    held = number = 0
    while held < passages:
        batch: list[Upsert] = []
        while held < passages and len(batch) < AT_A_TIME:
            content = author.file(number)
            path = VaultPath(path_of(number))
            memory = parse_memory(path, content, zone=vault.settings.zone)
            upsert = Upsert(
                FileStamp(path, len(content), 1, 1, number + 1), True, memory, passage_terms(memory)
            )
            batch.append(upsert)
            held, number = held + len(upsert.passages), number + 1
        yield batch


def _units(chance: np.random.Generator, count: int, dimensions: int) -> NDArray[np.float32]:
    """Vectors of length one in directions of chance."""
    import numpy as np

    found = chance.standard_normal((count, dimensions), dtype=np.float32)
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    return found
