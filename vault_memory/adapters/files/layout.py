"""The folders that make a vault: finding one, creating one."""

from __future__ import annotations

import os
from pathlib import Path

from vault_memory.adapters.files.atomic import disk_errors, make_folders
from vault_memory.adapters.files.local import IGNORE, LOCAL, MARK, ensure_local
from vault_memory.adapters.files.publish import put_new, put_over
from vault_memory.adapters.files.reading import read_whole
from vault_memory.adapters.files.scratch import Scratch
from vault_memory.config import environ

CONFIG = ".vmem/config.toml"
"""What makes a folder a vault; travels with it."""
_IGNORE_LINE = b"/local"
_LARGEST_IGNORE = 1024 * 1024


def find_vault(start: Path) -> Path | None:
    """The nearest folder that holds `.vmem/config.toml`: `start` itself or one above it, resolved."""
    try:
        start = (environ.working_folder() / start).resolve()
    except (OSError, RuntimeError, ValueError):  # a deleted working folder, a loop of links, a zero byte
        return None
    for folder in (start, *start.parents):
        # Whatever lies there: a vault whose settings are no file must not send a write to an outer one.
        if os.path.lexists(folder / CONFIG):  # unlike Path's, a plain no for what may not be looked at
            return folder
    return None


def vault_below(start: Path) -> Path | None:
    """The only vault directly below a folder, for a hint; `None` for none, for several, and in any doubt."""
    try:
        found = [one for one in start.iterdir() if os.path.lexists(one / CONFIG)]
    except (OSError, ValueError):  # a name with a zero byte is none
        return None
    return found[0] if len(found) == 1 else None


def create_layout(root: Path, config: str) -> tuple[str, ...]:
    """Make `root` a vault with that `config.toml`; what was made or changed, relative to the root.

    Whatever is there already stays as it is. The person's own `.gitignore` is not touched:
    `.vmem/.gitignore` keeps `.vmem/local/` out. Raises `StorageError`.
    """
    made: list[str] = []
    with disk_errors(str(root), "make a vault in"):
        base = os.fsencode(root.resolve())
        make_folders(base + b"/" + MARK.encode())
        scratch = Scratch(base)
        if ensure_local(base + b"/" + LOCAL.encode()):
            made.append(LOCAL + "/")
        if ensure_ignored(scratch, base):
            made.append(IGNORE)
        # The configuration comes last: only with it is the folder a vault, and then a whole one.
        if _create(scratch, base, CONFIG, config.encode()):
            made.append(CONFIG)
    return tuple(sorted(made))


def ensure_ignored(scratch: Scratch, root: bytes) -> bool:
    """Keep the local folder out of git by the vault's own ignore file; whether that was to do."""
    if _create(scratch, root, IGNORE, _IGNORE_LINE + b"\n"):
        return True
    place = root + b"/" + IGNORE.encode()
    found = read_whole(place, IGNORE, max_bytes=_LARGEST_IGNORE)
    if found is None or _IGNORE_LINE in found.content.splitlines():
        return False
    lines = found.content
    glue = b"" if not lines or lines.endswith(b"\n") else b"\n"
    put_over(scratch, place, lines + glue + _IGNORE_LINE + b"\n", like=found.status, check=_no_check)
    return True


def _create(scratch: Scratch, root: bytes, name: str, content: bytes) -> bool:
    place = root + b"/" + name.encode()
    if os.path.lexists(place):
        return False
    try:
        put_new(scratch, place, content)
    except FileExistsError:  # another process makes the same vault
        return False
    return True


def _no_check() -> None:
    """Our own ignore file has no other writer to guard against."""
