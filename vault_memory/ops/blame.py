"""Whose each line of a memory is."""

from __future__ import annotations

from vault_memory.errors import MemoryNotFoundError
from vault_memory.model.blame import Blame, BlamedLine, Origin
from vault_memory.model.namespace import Scope, VaultPath
from vault_memory.model.parse import read_parts
from vault_memory.ops.resolve import resolve
from vault_memory.ports import Ports


def blame(ports: Ports, scope: Scope, ref: str) -> Blame:
    """The lines of its file as they lie there now, each with the commit that brought it in.

    What came from a place that the scope may not read is nobody's. Raises `MemoryNotFoundError`, `GitError`.
    """
    entry = resolve(ports, scope, ref)
    found = ports.files.read(entry.path)
    if found is None:
        raise MemoryNotFoundError(ref, hint=f"its file is gone; vmem log {entry.path} shows what was done")
    origins = _origins(ports, entry.path, found.content)
    commits = dict.fromkeys(one.commit for one in origins if one.commit and _may_know(scope, one))
    revisions = ports.history.revisions([commit for commit in commits if commit])
    body = read_parts(found.content)[0].body_line
    lines = [
        BlamedLine(
            number,
            one.text,
            number < body,
            revisions.get(one.commit) if one.commit is not None else None,
            one.commit is not None,
        )
        for number, one in enumerate(origins, 1)
    ]
    return Blame(entry.path, entry.id, entry.title, tuple(lines))


def _origins(ports: Ports, path: VaultPath, content: bytes) -> list[Origin]:
    if ports.history.head_bytes(path) is not None:
        return ports.history.blame(path)
    text = content.decode("utf-8", "replace").replace("\r\n", "\n")
    lines = text.removesuffix("\n").split("\n") if text else []
    return [Origin(line, None, path) for line in lines]


def _may_know(scope: Scope, origin: Origin) -> bool:
    return origin.path is None or scope.may_read(VaultPath(origin.path))
