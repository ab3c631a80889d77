"""The files of a vault that are no memories, found as an editor of linked notes finds pictures."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from vault_memory.model.naming import fold_name


class Attachments:
    """Paths of files, whatever their case and Unicode form.

    Where they are not the `whole` of what there is, none is known not to be there."""

    def __init__(self, paths: Iterable[str], *, whole: bool = True) -> None:
        self._whole = whole
        self._by_name: dict[str, list[str]] = {}
        for path in map(fold_name, paths):
            self._by_name.setdefault(path.rpartition("/")[2], []).append(path)

    def has(self, source: str, target: str) -> bool:
        """Whether a link in the file `source` leads to one: a path from its folder or from the root, or the
        end of a path."""
        wanted = fold_name(target.partition("#")[0].strip())
        return not self._whole or self._is_there(fold_name(source).rpartition("/")[0], wanted)

    def _is_there(self, folder: str, wanted: str) -> bool:
        named = self._by_name.get(wanted.rpartition("/")[2], [])
        if not named:
            return False
        beside = posixpath.normpath(posixpath.join(folder, wanted.lstrip("/")))
        if beside in named or posixpath.normpath(wanted.lstrip("/")) in named:
            return True
        if wanted.startswith(("/", "./", "../")):
            return False
        return any(f"/{path}".endswith(f"/{wanted}") for path in named)
