"""`python -m vault_memory` and the script `vmem`."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line in UTF-8, whatever the locale says."""
    if sys.getfilesystemencoding().lower() != "utf-8":
        os.execv(sys.executable, [sys.executable, "-X", "utf8", "-m", "vault_memory", *sys.argv[1:]])  # noqa: S606 - ourselves
    try:
        from vault_memory.surfaces.cli.app import main as run
    except KeyboardInterrupt:
        sys.exit(130)  # while we were still starting: nothing was done
    sys.exit(run())


if __name__ == "__main__":
    main()
