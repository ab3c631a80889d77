"""Which files of a commit are memories, by the rules of a scan on disk."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from vault_memory.adapters.git.listed import Listed
from vault_memory.model.ignore import ROOM, Rules
from vault_memory.model.namespace import VaultPath
from vault_memory.model.passedover import LARGEST_RULES, RULES_FILE, PassedOver, is_note, rules_in

_NOT_UTF8 = "its name is not valid UTF-8"
_Around = tuple[Rules, ...]


@dataclass(slots=True)
class TreeNotes:
    """What was found: the memories' files in path order, links that have a memory's name, and what is odd or
    was passed over, as a `Scan` names it."""

    notes: list[tuple[VaultPath, Listed]] = field(default_factory=list)
    links: dict[VaultPath, str] = field(default_factory=dict)
    odd: list[tuple[str, str]] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)


def tree_notes(rows: Iterable[Listed], skip: PassedOver, blob: Callable[[str], bytes]) -> TreeNotes:
    """Sort out all files of a commit; `blob` gives the stored bytes of a `.gitignore`."""
    rows = list(rows)
    rules = {os.path.dirname(one.path): one.blob for one in rows if _is_rules(one)}
    looked: dict[bytes, _Around | None] = {}
    found = TreeNotes()

    def look(folder: bytes, name: bytes, outer: _Around) -> _Around | None:
        """The rules for what is in a folder, `None` where it is passed over."""
        path = folder.decode("utf-8", "surrogateescape")
        if folder:
            if name.startswith(b"."):
                return None
            why = skip.folder(name, path, outer)
            if why is not None:
                found.skipped.append((path, why))
                return None
        if folder not in rules:
            return outer
        content = blob(rules[folder])
        base = f"{skip.prefix}{path}/" if path else skip.prefix
        return (rules_in(content if len(content) <= LARGEST_RULES else None, base, ROOM), *outer)

    def rules_of(folder: bytes) -> _Around | None:
        above: _Around | None = skip.around
        names = folder.split(b"/") if folder else []
        for depth in range(len(names) + 1):  # not by recursion: folders may go deeper than Python's stack
            here = b"/".join(names[:depth])
            if here not in looked:
                looked[here] = (
                    None if above is None else look(here, names[depth - 1] if depth else b"", above)
                )
            above = looked[here]
        return above

    for one in rows:
        folder, _, name = one.path.rpartition(b"/")
        around = looked[folder] if folder in looked else rules_of(folder)
        if around is None or not is_note(name):
            continue
        try:
            path = VaultPath(one.path.decode())
        except UnicodeDecodeError:
            found.odd.append((one.path.decode("utf-8", "backslashreplace"), _NOT_UTF8))
            continue
        if one.is_link:
            found.links[path] = one.blob
        elif one.is_file and not skip.file(path):
            found.notes.append((path, one))
    found.notes.sort(key=lambda pair: pair[0])
    found.odd.sort()
    found.skipped.sort()
    return found


def _is_rules(one: Listed) -> bool:
    return one.is_file and (one.path == RULES_FILE or one.path.endswith(b"/" + RULES_FILE))
