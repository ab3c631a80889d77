"""Lets everyone work on one vault for some minutes and kills them at random, then looks for what was lost.

Agents write by the resident's socket, by commands and by Python; readers hold every answer against what was
acknowledged before; a person commits, stashes, switches branches and rebases beside them, an editor saves,
gc removes; the resident and the writers are killed at random moments, and the next call goes on. In the end
everything that was acknowledged must be there, once, and nothing else.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.machine import furnish, move_in
from tests.soak.checks import flat
from tests.soak.end import in_words
from tests.soak.run import Soak


def main() -> int:
    """Soak one vault; 1 where anything was wrong, and then the vault is kept."""
    options = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    options.add_argument("--seconds", type=float, default=300.0, help="how long they work (300)")
    options.add_argument("--kills", type=int, default=20, help="how often somebody is killed (20)")
    options.add_argument("--seed", type=int, help="draw as in that run")
    options.add_argument("--no-resident", action="store_true", help="all open the vault themselves")
    given = options.parse_args()
    seed = given.seed if given.seed is not None else random.SystemRandom().getrandbits(32)
    home = Path(tempfile.mkdtemp(prefix="vmem-soak-"))
    print(f"seed {seed}, in {home}", flush=True)
    move_in(furnish(home / "home"))
    (home / "run").mkdir(mode=0o700)
    os.environ["XDG_RUNTIME_DIR"] = str(home / "run")
    soak = Soak(home, seed, with_resident=not given.no_resident)
    soak.run(given.seconds, given.kills)
    print(in_words(soak))
    faults = list(soak.known.faults)
    if soak.resident.weights:
        longest = max(soak.resident.weights.values(), key=len)
        told, grown = flat(longest)
        print(f"the resident that lived longest: {told}")
        faults += grown
    for fault, times in Counter(faults).items():
        print(f"FAULT: {fault}" + (f" ({times} times)" if times > 1 else ""))
    if faults:
        print(f"{len(faults)} faults; the vault is kept in {home}")
        return 1
    shutil.rmtree(home)
    print("nothing was lost")
    return 0


if __name__ == "__main__":
    sys.exit(main())
