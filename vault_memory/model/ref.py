"""What a person may have meant by the name they typed for a memory."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass

from vault_memory.errors import UnsafePathError, UsageError
from vault_memory.model.ids import ALPHABET
from vault_memory.model.namespace import VaultPath, is_memory_name, parse_path
from vault_memory.model.normalform import normalized

MIN_PREFIX = 4
"""Fewer characters of an id are no reference: too many memories begin alike."""

_PREFIX = re.compile(f"[0-7][{ALPHABET}]{{{MIN_PREFIX - 1},25}}", re.IGNORECASE | re.ASCII)
_HERE = re.compile(r"^(?:\./+)+")
_PLACE = re.compile(r"(?i)(.+\.(?:md|markdown))(?:#L[0-9]+(?:-L?[0-9]+)?|:[0-9]+(?::[0-9]+)?)$")


@dataclass(frozen=True, slots=True)
class Ref:
    """A name as typed and what it can mean, in the order to try; each is literal, no wildcards.

    `paths` come first, since a path is the most exact name. Then `id`: the whole text of an id,
    of whatever form (people write their own). Then `id_prefix`: the beginning of a ULID in upper
    case, or `None` where it can't be one. Last `title`.
    """

    text: str
    paths: tuple[VaultPath, ...]
    id: str
    id_prefix: str | None
    title: str


def parse_ref(text: str, here: str = "", root: str = "") -> Ref:
    """Read a name: a path (with or without `.md` or `./`), an id, an id's beginning, a title.

    A path is from the folder `here`, else from the vault's root, or begins with the folder of the vault
    on the disk, `root`. A place as search prints it
    (`note.md:9`, `note.md#L9`) names its file. Raises `UsageError` for an empty name.
    """
    name = text.strip()
    if not name:
        raise UsageError(
            "a memory's name is empty", hint="name it by path, id or its beginning, title, alias or file name"
        )
    within = name[len(root) + 1 :] if root and name.startswith(f"{root}/") else ""
    return Ref(text, _paths(within, "") if within else _paths(name, here), name, id_prefix_of(name), name)


def id_prefix_of(name: str) -> str | None:
    """The beginning of a ULID in upper case, `None` where the name can't be one."""
    return name.upper() if _PREFIX.fullmatch(name) else None


def _paths(name: str, here: str) -> tuple[VaultPath, ...]:
    place = _PLACE.fullmatch(name)
    written = [name, place[1]] if place else [name]
    # Only Markdown files are memories, so the usual ending may be left out.
    candidates = [one if is_memory_name(one) else f"{one}.md" for one in written]
    if here:
        from_here = [posixpath.normpath(f"{here}/{one}") for one in candidates if not one.startswith("/")]
        candidates = [*from_here, *candidates]
    found: list[VaultPath] = []
    for candidate in candidates:
        path = _HERE.sub("", candidate)
        for form in (path, normalized("NFC", path), normalized("NFD", path)):
            try:
                found.append(parse_path(form))
            except UnsafePathError:
                continue  # no place in a vault, so the text must mean something else
    return tuple(dict.fromkeys(found))
