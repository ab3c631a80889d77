"""What search by meaning costs, with the default embedder: the vectors, and questions answered with them."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

from vault_memory.config.settings import BY_KEY
from vault_memory.evaluate import figures
from vault_memory.evaluate.figures import Figure
from vault_memory.evaluate.probes import WITHOUT_A_LOOK, expect, new_process, reads, whole
from vault_memory.evaluate.synthetic import Author
from vault_memory.vault import Progress, Vault

EMBEDDER = str(BY_KEY["embedder"].default)

MOST = 10
"""New processes at the most that are started on one of the larger vaults."""
CACHED_FROM = 1_000
"""Made-up vaults of so many memories have a `vectors.cache`; a smaller one does well without."""


def meaning(
    root: Path, folder: Path, author: Author, size: int, rounds: int, queries: int, progress: Progress
) -> list[Figure]:
    """Measure it on a vault that is indexed without vectors, and leave its index as it was.

    `folder` holds no settings.
    """
    local, aside = _local(root), folder / "without-vectors"
    shutil.copytree(local, aside)
    found = _embedding(root, folder, size, progress)
    found += new_process(root, folder, min(rounds, MOST), progress)
    found += _cache(root, size)
    with Vault.open(root, settings=WITHOUT_A_LOOK | {"embedder": EMBEDDER}) as vault:
        agent = vault.agent("akashi")
        found += reads(agent, author, size, queries, progress, mode=figures.MEANING)
    shutil.rmtree(local)
    found += _first_index(root, folder, size, progress)
    shutil.rmtree(local)
    aside.rename(local)
    return found


def _embedding(root: Path, folder: Path, size: int, progress: Progress) -> list[Figure]:
    """From the texts in the index to vectors in it, by a process of its own."""
    index = _local(root) / "index.db"
    before = index.stat().st_size
    argv = [sys.executable, "-m", "vault_memory.evaluate.embedding", str(root)]
    said = json.loads(whole(argv, folder, f"making the vectors of {size:,} memories", progress))
    expect(said["made"] >= size, f"{said['made']} vectors were made of {size} memories")
    return [
        figures.one(figures.EMBED, size, "s", said["seconds"]),
        figures.one(figures.EMBED_CPU, size, "s", said["cpu_seconds"]),
        figures.one(figures.VECTORS_SIZE, size, "MB", (index.stat().st_size - before) / 1_000_000),
    ]


def _cache(root: Path, size: int) -> list[Figure]:
    """The size of the file from which a new process takes all vectors at once, where there is one."""
    cache = _local(root) / "vectors.cache"
    if cache.exists():
        return [figures.one(figures.CACHE_SIZE, size, "MB", cache.stat().st_size / 1_000_000)]
    expect(size < CACHED_FROM, "a new process would have to read every vector")
    return []


def _first_index(root: Path, folder: Path, size: int, progress: Progress) -> list[Figure]:
    """As `first_index` of the probes, with vectors for all texts."""
    argv = [sys.executable, "-m", "vault_memory.evaluate.firstindex", str(root), EMBEDDER]
    said = json.loads(whole(argv, folder, f"indexing {size:,} memories with vectors", progress))
    expect(said["added"] == size, f"{said['added']} of {size} memories were indexed")
    expect(said["embedded"] >= size, f"{said['embedded']} vectors were made of {size} memories")
    return [
        figures.one(figures.FIRST_INDEX_VECTORS, size, "s", said["seconds"]),
        figures.one(figures.FIRST_INDEX_VECTORS_MEMORY, size, "MB", said["peak_bytes"] / 1_000_000),
    ]


def _local(root: Path) -> Path:
    return root / ".vmem" / "local"
