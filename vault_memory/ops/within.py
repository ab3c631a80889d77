"""Which folder a caller means who names one to look in."""

from __future__ import annotations

from vault_memory.model.namespace import PRIVATE, SHARED, Namespace, parse_namespace
from vault_memory.ports import Ports


def folder_named(ports: Ports, asked: str | None) -> Namespace | None:
    """The folder `asked`; where there is none, `shared/<asked>`, so that a memory written with
    `--namespace market` is found with it too. Raises `UnsafePathError`."""
    if not asked:
        return None
    folder = parse_namespace(asked)
    if folder.split("/")[0] in (PRIVATE, SHARED) or ports.files.names_in(folder):
        return as_spelled(ports, folder)
    shared = Namespace(f"{SHARED}/{folder}")
    return as_spelled(ports, shared if ports.files.names_in(shared) else folder)


def as_spelled(ports: Ports, folder: Namespace) -> Namespace:
    """The folder as one that is there spells it: `Notes` for `notes`, which on many machines are one.

    `private/` and `shared/` decide who may read and write, so those are taken as they are.
    """
    first = folder.split("/")[0]
    if not folder or first == PRIVATE:
        return folder
    spelled = ports.files.spelled(folder)
    return folder if first == SHARED and spelled.split("/")[0] != SHARED else spelled
