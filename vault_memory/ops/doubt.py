"""Memories that are not to be taken at their word: conflict copies, and files with merge markers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from vault_memory.model.conflict_copy import copy_of
from vault_memory.model.hit import Dropped, Hit, Reason
from vault_memory.model.memory import Entry
from vault_memory.model.namespace import VaultPath
from vault_memory.ports import Ports


class Doubt(NamedTuple):
    """Why a memory is in doubt, and the path of the file that it is a copy of."""

    reason: Reason
    original: VaultPath | None = None


def doubt_about(ports: Ports, entry: Entry) -> Doubt | None:
    """Whether a memory is in doubt. A copy is only while the original is there."""
    copy = copy_of(entry.path)
    if copy is not None:
        original = ports.index.entry(VaultPath(copy.original))
        if original is not None and (copy.told or _has_its_id(entry, original)):
            return Doubt(Reason.CONFLICT_COPY, original.path)
    return Doubt(Reason.CONFLICTED) if entry.conflicted else None


def without_doubtful(ports: Ports, hits: Sequence[Hit]) -> tuple[list[Hit], list[Dropped]]:
    """The hits to go by, and the others with the reason why a prompt must do without them."""
    sure: list[Hit] = []
    doubtful: list[Dropped] = []
    for hit in hits:
        entry = hit.entry
        if copy_of(entry.path) is None and not entry.conflicted:  # nearly all: dozens an answer
            sure.append(hit)
            continue
        doubt = doubt_about(ports, entry)
        if doubt is None:
            sure.append(hit)
        else:
            doubtful.append(Dropped(hit.entry, hit.score, hit.parts, doubt.reason, instead_of=doubt.original))
    return sure, doubtful


def warnings(ports: Ports, hits: Sequence[Hit]) -> tuple[str, ...]:
    """A word on each hit that is in doubt."""
    found = ((hit.entry.path, doubt_about(ports, hit.entry)) for hit in hits)
    return tuple(
        f"{path} is a conflict copy of {doubt.original}" if doubt.original else f"{path} {doubt.reason.value}"
        for path, doubt in found
        if doubt is not None
    )


def _has_its_id(entry: Entry, original: Entry) -> bool:
    return entry.id is not None and entry.id == original.id
