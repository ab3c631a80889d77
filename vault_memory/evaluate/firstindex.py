"""A process of its own that indexes a vault for the first time: `python -m …firstindex ROOT EMBEDDER`."""

from __future__ import annotations

import json
import sys
import time

from vault_memory.evaluate.machine import peak_bytes
from vault_memory.vault import Vault


def main(root: str, embedder: str) -> None:
    """Print files, vectors, seconds and the peak of memory as JSON."""
    with Vault.open(root, settings={"embedder": embedder}) as vault:
        started = time.perf_counter()
        report = vault.index.refresh()
        seconds = time.perf_counter() - started
    found = {"added": report.added, "embedded": report.embedded, "seconds": seconds}
    print(json.dumps(found | {"peak_bytes": peak_bytes()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
