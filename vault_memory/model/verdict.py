"""What a person decides of a proposal: its memories, by the names that a person gives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vault_memory.errors import AmbiguousRefError, NotFoundError
from vault_memory.model.comparison import Difference
from vault_memory.model.namespace import VaultPath

Parts = Mapping[VaultPath, tuple[VaultPath, ...]]
"""Each memory of a proposal by its path, with the files that its change touches: one that moved has two."""
_LEAST = 4
"""Characters of an id that may stand for it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a person decided: of which memories to take in, which to take back; the others stay open.

    `others`: whether files that are no memories come in too."""

    accept: tuple[VaultPath, ...]
    reject: tuple[VaultPath, ...]
    others: bool = False


def parts_of(differences: Sequence[Difference]) -> Parts:
    """The memories that these are about."""
    return {
        VaultPath(one.path): tuple(VaultPath(path) for path in (one.path, one.came_from) if path is not None)
        for one in differences
    }


def verdict_on(
    branch: str,
    differences: Sequence[Difference],
    accept: Sequence[str] | None,
    reject: Sequence[str],
    *,
    others: bool,
) -> Verdict:
    """The verdict by path, id or title; `accept=None` means all that are not rejected.

    Raises `NotFoundError` for a name of none of them, `AmbiguousRefError` for one of several."""
    names: dict[str, list[VaultPath]] = {}
    for one in differences:
        for name in {one.path, one.id or one.path, one.title}:
            names.setdefault(name, []).append(VaultPath(one.path))
    out = _meant(branch, names, reject)
    if accept is not None:
        return Verdict(_meant(branch, names, accept), out, others)
    return Verdict(tuple(path for path in parts_of(differences) if path not in out), out, others)


def _meant(
    branch: str, names: Mapping[str, Sequence[VaultPath]], given: Sequence[str]
) -> tuple[VaultPath, ...]:
    found: list[VaultPath] = []
    for text in given:
        begun = text.upper() if len(text) >= _LEAST else None
        fits = names.get(text.strip().removeprefix("./")) or [
            path
            for name, paths in names.items()
            if begun is not None and name.startswith(begun)
            for path in paths
        ]
        if len(fits) > 1:
            raise AmbiguousRefError(text, [("", "", path) for path in fits])
        if not fits:
            hint = f"name one by its path: vmem review {branch}"
            raise NotFoundError(f"{text!r:.200} is no memory of {branch}", hint=hint)
        found += fits
    return tuple(dict.fromkeys(found))
