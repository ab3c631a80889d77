"""A process of its own that gives an indexed vault its vectors on one core: `python -m …embedding ROOT`."""

from __future__ import annotations

import json
import os
import sys
import time

from vault_memory.config.settings import BY_KEY
from vault_memory.vault import Vault


def main(root: str) -> None:
    """Print vectors, and seconds on the clock and of CPU, as JSON; loading the table is among them."""
    if sys.platform == "linux":  # elsewhere a process can't be held to a core; the default embedder takes one
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with Vault.open(root, settings={"embedder": BY_KEY["embedder"].default}) as vault:
        started, used = time.perf_counter(), time.process_time()
        made = vault.index.build_vectors()
        seconds, cpu = time.perf_counter() - started, time.process_time() - used
    print(json.dumps({"made": made, "seconds": seconds, "cpu_seconds": cpu}))


if __name__ == "__main__":
    main(sys.argv[1])
