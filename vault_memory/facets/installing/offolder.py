"""What is done in a vault's folder without opening it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from vault_memory import compose


@dataclass(frozen=True, slots=True)
class OfFolder:
    """The vault at `root`."""

    root: Path

    @classmethod
    def of(cls, path: str | Path | None = None) -> Self:
        """Of the vault that `path` lies in; without one `VMEM_VAULT`, else the working folder.

        Raises `VaultNotFoundError`."""
        return cls(compose.locate(Path(path) if path is not None else None))
