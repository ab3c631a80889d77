"""Are disk, local folder, settings and the machine's limits fit for a vault?"""

from __future__ import annotations

from vault_memory.config.load import writable_by_others
from vault_memory.config.settings import DEFAULT
from vault_memory.model.mounts import warning
from vault_memory.model.namespace import VaultPath
from vault_memory.ops.checks.sight import FIX, Sight, Told, counted

ENOUGH = 100 * 2**20
"""Bytes below which a disk is nearly full."""
_UNITS = ((2**40, "TB"), (2**30, "GB"), (2**20, "MB"))


def disk(sight: Sight) -> Told:
    """Its kind, and the room on it. A network disk is no fault; it is told."""
    place = sight.place
    free = f"with {_size(place.free_bytes)} free"
    found = f"on {place.file_system} {free}" if place.file_system else free.removeprefix("with ")
    if sight.ports.files.network_disk:
        found += f"; {warning(sight.ports.files.network_disk)}"
    if place.free_bytes < ENOUGH:
        return found, "free some space: writes need room for a second copy of a file, and for git"
    return found, None


def local(sight: Sight) -> Told:
    """`.vmem/local/`: closed to others, out of git, and without what a kill left."""
    place = sight.place
    mode = place.local_mode
    if mode is not None and mode & 0o007:
        return f".vmem/local/ is open to every user of this machine (mode {mode:o})", FIX
    if mode is not None and mode & 0o700 != 0o700:
        return f".vmem/local/ is closed to you (mode {mode:o})", FIX
    if sight.repo.exists and not sight.ports.history.ignored(VaultPath(".vmem/local/index.db")):
        return (
            "git does not ignore .vmem/local/, which is of this machine alone",
            f"{FIX}   and, if git has it already: git rm -r --cached .vmem/local",
        )
    if place.leftovers:
        return f"{counted(place.leftovers, 'temporary file')} of a vmem that was killed", FIX
    return "of this user alone, and ignored by git", None


def settings(sight: Sight) -> Told:
    """Where they come from, and whether others may write there."""
    origins = {origin for origin in sight.settings.origins.values() if origin != DEFAULT}
    changed = sum(origin != DEFAULT for origin in sight.settings.origins.values())
    loose = writable_by_others(sight.ports.files.root)
    if loose:
        return (
            f"every user of this machine may write {', '.join(map(str, loose))}",
            "; ".join(f"chmod o-w {file}" for file in loose),
        )
    if not changed:
        return "all at their defaults", None
    return f"{changed} not at the default, from {', '.join(sorted(origins))} (vmem config)", None


def watching(sight: Sight) -> Told:
    """Whether a program could watch every folder of the vault."""
    watches, instances = sight.place.watches, sight.place.instances
    if watches is None or instances is None:
        return "this system has no limits on it that need a look", None
    folders = {""}
    for stamp in sight.scan.stamps:
        parts = stamp.path.split("/")[:-1]
        folders.update("/".join(parts[:depth]) for depth in range(1, len(parts) + 1))
    room = f"up to {watches:,} folders, {instances:,} programs at a time"
    if watches < 2 * len(folders):
        return (
            f"the vault has {counted(len(folders), 'folder')}, and the machine can watch {room}",
            "sudo sysctl fs.inotify.max_user_watches=524288   (in /etc/sysctl.d/ for good)",
        )
    return f"{counted(len(folders), 'folder')}; the machine can watch {room}", None


def _size(number: int) -> str:
    for size, unit in _UNITS:
        if number >= size:
            return f"{number / size:,.0f} {unit}" if number >= 10 * size else f"{number / size:.1f} {unit}"
    return f"{number // 1024} KB"
