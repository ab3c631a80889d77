"""The tables of a TOML text: where each begins and ends, and where its values stand."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field

from vault_memory.config.tomlline import statements


@dataclass(slots=True)
class Table:
    """One table that is written out: `[PATH]` and what stands below it, up to its last value."""

    path: tuple[str, ...]
    line: int
    start: int
    head_end: int
    end: int
    values: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Where the value of each key stands."""


def tables(text: str) -> Iterator[Table]:
    """Each table with a header of its own (those of an array, `[[PATH]]`, included), in order."""
    table: Table | None = None
    for piece in statements(text):
        said = text[piece.start : piece.end].strip("\ufeff \t\r\n")
        if said.startswith("["):
            if table is not None:
                yield table
            path = _path(said)
            table = Table(path, piece.line, piece.start, piece.end, piece.end)
        elif table is not None and said and not said.startswith("#"):
            table.end = piece.end
            if piece.value_start:
                key = text[piece.start : piece.value_start].strip().removesuffix("=").strip(" \t\"'")
                table.values[key] = piece.value_start, piece.value_end
    if table is not None:
        yield table


def _path(header: str) -> tuple[str, ...]:
    """The keys of a header; none where it can't be read."""
    try:
        here: object = tomllib.loads(header)
    except ValueError:
        return ()
    path: list[str] = []
    while isinstance(here, dict | list) and here:
        if isinstance(here, dict):
            [(key, here)] = here.items()
            path.append(key)
        else:
            [here] = here
    return tuple(path)
