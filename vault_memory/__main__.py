"""`python -m vault_memory` and the script `vmem`."""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False  # as in config/given.py
if TYPE_CHECKING:
    from collections.abc import Callable


def main() -> None:
    """Run the command line in UTF-8, whatever the locale says: by the vault's resident, else here."""
    if sys.getfilesystemencoding().lower() != "utf-8":
        os.execv(sys.executable, [sys.executable, "-P", "-X", "utf8", "-m", "vault_memory", *sys.argv[1:]])  # noqa: S606 - ourselves
    # This process makes objects by the ten thousand, its modules among them, and ends: looking for cycles
    # in these would take a fifth of the time that a list of fifty thousand memories takes.
    gc.set_threshold(200_000, 50, 1000)
    if "hook" in sys.argv:
        from vault_memory.surfaces.hook.guard import guarded

        guarded(sys.argv[1:])  # does not come back from a hook
    try:
        from vault_memory.surfaces.resident import quick

        code = _delivered(quick.answered)
        if code not in (None, quick.UNSURE):
            sys.exit(code)
        from vault_memory.surfaces.cli.app import main as run
        from vault_memory.surfaces.cli.context import World
    except KeyboardInterrupt:
        sys.exit(130)  # while we were still starting: nothing was done
    sys.exit(run(world=World(again=code is not None)))


def _delivered(answered: Callable[[list[str]], int | None]) -> int | None:
    """What the resident's answer comes to, where it can't be printed too."""
    try:
        return answered(sys.argv[1:])
    except OSError as error:
        from vault_memory.surfaces.cli.app import undelivered

        return undelivered(sys.argv[1:], error)


if __name__ == "__main__":
    main()
