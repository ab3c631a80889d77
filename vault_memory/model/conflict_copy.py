"""Whether a file's name says that it is a copy that a sync tool, a merge or a backup left of another."""

from __future__ import annotations

import re
from collections.abc import Container
from functools import lru_cache
from typing import NamedTuple

from vault_memory.model.namespace import without_ending

_DAY = r"\d{4}-?\d\d-?\d\d"
_TOLD = re.compile(
    rf"""(?:
      \.sync-conflict-\d{{8}}-\d{{6}}(?:-[A-Z0-9]{{7}})?                # Syncthing
    | [ ]\((?:[^()]*[ ])?conflicted[ ]copy(?:[ ][^()]*)?\)              # Dropbox, Nextcloud, Obsidian
    | [ ]\((?:[^()]*[ ])?(?:case|encoding)[ ]conflict(?:[ ]\d+)?\)      # Dropbox
    | [ ]\(sfconflict[ ][^()]*\)                                        # Seafile
    | [ ][(\[]conflict(?:ed)?(?:[ ]\d[\d -]*)?[)\]]                     # pCloud and others
    | [._-]conflict[._-]{_DAY}[\d_T.-]*                                 # ownCloud
    | \.conflict                                                        # Resilio
    | _(?:BACKUP|BASE|LOCAL|REMOTE)_\d+                                 # git mergetool
    | \.(?:backup|bak)(?:[._-]?\d{{1,3}})?
    | [._ -](?:backup|bak)[._ -]?{_DAY}[\d_T.-]*                        # MEMORY.backup-2026-03-01.md
    )\Z""",
    re.IGNORECASE | re.VERBOSE,
)
"""What stands between the original's name and its ending, where a tool's own words say what it is."""
_MAYBE = re.compile(
    r"(?: ?\([1-9]\d?\)| (?:- )?copy(?: \(?\d{1,2}\)?)?| [2-9]|[._ -](?:backup|bak))\Z", re.IGNORECASE
)
"""What file managers and browsers add, and people too: only the content tells."""


_SIGN = re.compile(r"[ (]|conflict|backup|bak|base|local|remote").search
"""Without one of these a name is ordinary, and that is told in no time."""


class CopyOf(NamedTuple):
    """The file that a copy is of; `told` where the name alone says so, else the content has to."""

    original: str
    told: bool


@lru_cache(8_192)  # asked for every memory that is found
def copy_of(path: str) -> CopyOf | None:
    """What the file would be a copy of, if that is there; `None` for an ordinary name."""
    folder, slash, name = path.rpartition("/")
    stem = without_ending(name)
    folded = stem.casefold()
    if _SIGN(folded) is None:
        return None
    ending = name[len(stem) :]
    for pattern, told in ((_TOLD, True), (_MAYBE, False)):
        found = pattern.search(stem)
        if found is not None and found.start() > 0:
            return CopyOf(f"{folder}{slash}{stem[: found.start()]}{ending}", told)
    return None


def told_copy(path: str, known: Container[str]) -> str | None:
    """The original of a file whose name alone says that it is a copy, where `known` holds it."""
    found = copy_of(path)
    return found.original if found is not None and found.told and found.original in known else None
