"""Which vaults are adopted, where copies of them lie, and what one of them holds."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from vault_memory.vault import Vault

FOLDER = Path(os.environ.get("REAL_VAULTS") or Path(__file__).parents[3] / "shared" / "data")
VAULTS = ("kepano-vault", "dendron-vault", "mnemonic-notes")
KEYWORDS = {"embedder": "none"}


@dataclass(frozen=True, slots=True)
class Adopted:
    """A vault made of the copy `root` of the folder `original`; `notes` are the Markdown files in that."""

    name: str
    original: Path
    root: Path
    notes: dict[str, bytes]

    def open(self) -> Vault:
        """As its person opens it."""
        return Vault.open(self.root, settings=KEYWORDS)


def notes_below(folder: Path) -> dict[str, bytes]:
    """Every file whose name ends in .md, by plain walking; what is hidden is no note."""
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in folder.rglob("*")
        if file.name.lower().endswith(".md")
        and file.is_file()
        and not any(part.startswith(".") for part in file.relative_to(folder).parts)
    }
