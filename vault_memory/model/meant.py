"""What a person may have meant by a name that no memory has."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

from vault_memory.model.memory import Entry
from vault_memory.model.namespace import without_ending
from vault_memory.model.naming import fold_name

MOST = 3
"""So many are offered."""
FEW = 5_000
"""Up to so many memories, spelling is compared too: it takes long."""
LEAST = 3
"""A name of fewer characters is a part of too many others."""


def hint_for(text: str, entries: Sequence[Entry]) -> str | None:
    """What to try instead, `None` where nothing is like it."""
    folder = text.strip().strip("/")
    if folder and any(entry.path.startswith(f"{folder}/") for entry in entries):
        return f"that is a folder: vmem list --path '{folder}/' shows what is in it"
    near = _near(fold_name(without_ending(folder.rpartition("/")[2])), entries)
    if not near:
        return None
    quoted = [f"'{path}'" for path in near]
    return f"did you mean {' or '.join(quoted)}?   vmem search looks into the texts"


def _near(wanted: str, entries: Sequence[Entry]) -> list[str]:
    """Paths of memories whose name holds the wanted one, else of those that are spelled like it."""
    if len(wanted) < LEAST:
        return []
    called: dict[str, str] = {}
    for entry in entries:
        for name in _names(entry):
            called.setdefault(fold_name(name), entry.path)
    found = sorted((name for name in called if wanted in name), key=lambda name: (len(name), name))
    if not found and len(entries) <= FEW:
        found = difflib.get_close_matches(wanted, called, n=MOST, cutoff=0.7)
    return list(dict.fromkeys(called[name] for name in found))[:MOST]


def _names(entry: Entry) -> Iterator[str]:
    yield without_ending(entry.path.rpartition("/")[2])
    yield entry.title
    yield from entry.aliases
