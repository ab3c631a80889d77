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
        return folder
    shared = Namespace(f"{SHARED}/{folder}")
    return shared if ports.files.names_in(shared) else folder
