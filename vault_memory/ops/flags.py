"""Flags on what a comparison found: what a reviewer should look at in each memory."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import tzinfo

from vault_memory.model.comparison import Compared, Difference
from vault_memory.model.flags.beside import Held, flags_beside
from vault_memory.model.flags.flag import Flag, Sides
from vault_memory.model.flags.table import flags_of, in_order
from vault_memory.model.namespace import Scope, VaultPath
from vault_memory.ops.beside import others
from vault_memory.ports import Ports


def flagged(
    ports: Ports,
    scope: Scope,
    zone: tzinfo,
    found: Sequence[Compared],
    texts: dict[VaultPath, tuple[str, str]],
    *,
    elsewhere: Collection[VaultPath],
) -> tuple[Difference, ...]:
    """The differences with their flags, whose messages repeat no secret.

    `texts` are the whole files of each, before and after. Changed memories are also held against those that
    did not change, as they lie in the vault, but for the paths `elsewhere`."""
    now = ports.clock.now()

    def secrets(text: str, known: str) -> list[tuple[str, int]]:
        return ports.scanner.scan(text, known=known)

    held = [
        Held(one.after, one.before) for one in found if one.after is not None and not one.after.conflicted
    ]
    touched = {path for one in found for path in (one.difference.path, one.difference.came_from) if path}
    with ports.index.reading():
        shelf = others(ports, scope, zone, now=now, without={*map(VaultPath, touched), *elsewhere})
        beside = flags_beside(held, shelf)
    differences = []
    for one in found:
        old, new = texts[VaultPath(one.difference.path)]
        flags = [*flags_of(Sides(one.before, one.after, old, new, now, secrets))]
        flags += beside.get(VaultPath(one.difference.path), [])
        masked = [_masked(ports, each) for each in flags]
        differences.append(replace(one.difference, flags=in_order(masked)))
    return tuple(differences)


def _masked(ports: Ports, one: Flag) -> Flag:
    return replace(one, message=ports.scanner.mask(one.message))
