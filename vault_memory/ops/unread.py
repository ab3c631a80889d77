"""What lies in the vault like a memory and can't be read as one."""

from __future__ import annotations

from vault_memory.errors import StorageError
from vault_memory.model.namespace import Scope
from vault_memory.ports import Ports, Scan


def readable_scan(ports: Ports, scope: Scope) -> Scan:
    """What lies in the vault, as far as the scope may read it."""
    scan = ports.files.scan()
    return Scan(
        tuple(stamp for stamp in scan.stamps if scope.may_read(stamp.path)),
        tuple((path, reason) for path, reason in scan.odd if scope.may_read(path)),
        tuple((path, reason) for path, reason in scan.skipped if scope.may_read(f"{path}/x")),
    )


def unreadable(ports: Ports, scan: Scan) -> list[tuple[str, str]]:
    """(path, reason) of files that the index lacks because they can't be read: too large, no permission."""
    known = ports.index.known_files()
    found: list[tuple[str, str]] = []
    for stamp in scan.stamps:
        if stamp.path not in known:
            try:
                ports.files.read(stamp.path)
            except StorageError as error:
                found.append((stamp.path, error.reason))
    return found
