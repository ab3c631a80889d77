"""Where a memory is to go that is moved: from what was typed to a checked path."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable

from vault_memory.errors import UnsafePathError, UsageError
from vault_memory.model.lookalike import alike
from vault_memory.model.namespace import (
    PRIVATE,
    SHARED,
    Namespace,
    Scope,
    VaultPath,
    folder_of,
    is_memory_name,
    namespace_for,
    parse_namespace,
    parse_path,
)
from vault_memory.model.naming import fold_name
from vault_memory.model.normalform import normalized

_OWNED = (PRIVATE, SHARED)


def destination(
    scope: Scope, path: VaultPath, to: str, *, is_folder: Callable[[Namespace], bool]
) -> VaultPath:
    """The path that the memory at `path` gets.

    `to` is a folder (with `/` behind it, or one that is there), which keeps the file's name; a name,
    which keeps its folder; or a path from the root, or with `./` or `../` from the caller's folder.
    The ending may be left out. Raises `UnsafePathError`, `UsageError`, `ScopeError`.
    """
    text = normalized("NFC", to.strip())
    if not text:
        raise UsageError("there is no new place", hint="vmem move REF FOLDER/   or: vmem move REF NAME")
    folder_named = text.endswith(("/", "/.", "/..")) or text in (".", "..")
    place, from_here = _from_root(scope, text)
    if scope.here and place and not from_here and _is_there(scope, f"{scope.here}/{place}", is_folder):
        place = f"{scope.here}/{place}"
    folder_named = folder_named or (not is_memory_name(place) and _is_there(scope, place, is_folder))
    name = path.rpartition("/")[2]
    if folder_named:
        folder = place
    elif "/" in place or from_here:
        folder, _, name = place.rpartition("/")
    else:
        folder, name = str(folder_of(path)), place
    keeps_folder = folder == folder_of(path)
    checked = folder_of(path) if keeps_folder else _checked_folder(scope, folder, is_folder)
    return _named(checked, _checked_name(name, path))


def in_known_folder(path: VaultPath, paths: Iterable[str]) -> VaultPath:
    """The path with its folders spelt as those of the known paths are: names that differ only in case
    or Unicode form are one folder on many machines."""
    known: set[str] = set()
    for one in paths:
        folder = one.rpartition("/")[0]
        while folder and folder not in known:
            known.add(folder)
            folder = folder.rpartition("/")[0]
    spelt = {fold_name(folder): folder for folder in sorted(known, reverse=True)}
    folder = ""
    for segment in path.split("/")[:-1]:
        typed = f"{folder}/{segment}" if folder else segment
        folder = typed if typed in known else spelt.get(fold_name(typed), typed)
    name = path.rpartition("/")[2]
    return VaultPath(f"{folder}/{name}" if folder else name)


def _from_root(scope: Scope, text: str) -> tuple[str, bool]:
    """The place from the vault's root, and whether it was typed from the caller's folder."""
    from_here = text in (".", "..") or text.startswith(("./", "../"))
    if not from_here:
        return text.rstrip("/"), False
    place = posixpath.normpath(posixpath.join(scope.here, text))
    if place == ".." or place.startswith("../"):
        raise UnsafePathError(text, "it leaves the vault")
    return "" if place == "." else place, True


def _is_there(scope: Scope, place: str, is_folder: Callable[[Namespace], bool]) -> bool:
    """Whether a folder is there, as far as the scope may know."""
    try:
        folder = parse_namespace(place)
    except UnsafePathError:
        return False
    return scope.may_read(f"{folder}/x.md") and is_folder(folder)


def _checked_folder(scope: Scope, folder: str, is_folder: Callable[[Namespace], bool]) -> Namespace:
    """Agents write below `shared/` and their own folder, so that is where their folders are meant."""
    if not folder:
        scope.check_write("new.md")
        return Namespace("")
    first = folder.split("/", maxsplit=1)[0]
    if scope.agent is not None or alike(first) in _OWNED:
        return namespace_for(scope, folder, "")
    checked = parse_namespace(folder)
    if any(map(is_memory_name, checked.split("/"))):
        raise UnsafePathError(folder, "it is called like a file, and a folder is wanted")
    shared = Namespace(f"{SHARED}/{checked}")
    return shared if not is_folder(checked) and is_folder(shared) else checked


def _checked_name(name: str, path: VaultPath) -> str:
    if not is_memory_name(name):
        name += "." + path.rpartition(".")[2]
    return str(parse_namespace(name))


def _named(folder: Namespace, name: str) -> VaultPath:
    return parse_path(f"{folder}/{name}" if folder else name)
