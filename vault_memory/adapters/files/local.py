"""The folder `.vmem/local/`: what is of this machine alone, made anew whenever it was deleted."""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path

from vault_memory.adapters.files.atomic import sync_folder
from vault_memory.errors import StorageError

MARK = ".vmem"
"""The folder of ours at the root of a vault."""
IGNORE = ".vmem/.gitignore"
"""What keeps the local folder out of git; travels with the vault."""
LOCAL = ".vmem/local"
"""What git ignores and what may be deleted."""


_OURS = re.compile(
    rb"(?:index|state|uses)\.db.*|(?:denied|hook)\.log(?:\.1)?|hook\.seen.*|resident(?:\.log)?"
    rb"|lock|embedding|commit|capture|worktrees(?:\.lock)?|views|looked|mcp-tokens|vectors\.cache"
    rb"|git-[a-z]+\.json.*|tmp|\.gitignore|lost\+found",
    re.DOTALL,
)
"""What may lie in the folder; whoever puts another file there has to name it here."""


def ensure_local(place: bytes) -> bool:
    """Create the local folder at `place`, closed to other users, where it is missing; whether it was."""
    try:
        os.mkdir(place, 0o700)
    except FileExistsError:
        return False
    sync_folder(os.path.dirname(place))
    return True


def prepare_local(root: Path) -> None:
    """Make the local folder of a vault that is opened, as far as that can be done.

    In a clone the vault's own ignore file may be missing: then one inside the folder keeps a person's
    `git add` from taking the index along. A clone may also bring links along: those in the folder are
    taken away, and where it is one itself it must lead to a folder of ours, else `StorageError`.
    """
    local = os.fsencode(root / LOCAL)
    if os.path.islink(local):
        _check_leads_to_ours(local)
    with contextlib.suppress(OSError):  # a read-only vault is read all the same
        ensure_local(local)
        drop_links(local)
        if not os.path.lexists(root / IGNORE):
            with open(local + b"/.gitignore", "xb") as file:
                file.write(b"*\n")


def _check_leads_to_ours(local: bytes) -> None:
    """Raise `StorageError` where the link leads to a folder with anything else in it."""
    with contextlib.suppress(OSError):  # it leads nowhere: then nothing can be written there either
        strange = sorted(name for name in os.listdir(local) if not _OURS.fullmatch(name))
        if strange:
            raise StorageError(
                LOCAL,
                f"it is a link to a folder that holds other things ({os.fsdecode(strange[0])})",
                hint=f"delete the link {LOCAL}: it is no folder of vmem's, and is made anew",
            )


def drop_links(local: bytes) -> None:
    """Take links away, before anything is written through one of them."""
    with os.scandir(local) as entries:
        links = [entry.path for entry in entries if entry.is_symlink()]
    for link in links:
        os.unlink(link)
