"""Which folder a caller means who names one to look in."""

from __future__ import annotations

from vault_memory.errors import UnsafePathError
from vault_memory.model.namespace import PRIVATE, SHARED, Namespace, Scope, VaultPath, parse_namespace
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


def check_place(ports: Ports, scope: Scope, path: VaultPath) -> None:
    """Raise `ScopeError` where the scope may not write the file, and `UnsafePathError` where an agent would
    write it through a link for one of its folders: what lies there may be another's, or be reviewed first."""
    scope.check_write(path)
    if scope.agent is None:
        return
    folders = path.split("/")[:-1]
    ways = (VaultPath("/".join(folders[:depth])) for depth in range(1, len(folders) + 1))
    linked = next((way for way in ways if ports.files.link_text(way) is not None), None)
    if linked is not None:
        raise UnsafePathError(linked, "it is a link", hint="name the folder that it leads to")
