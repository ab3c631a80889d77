"""Vaults whose files a person has put there and committed by hand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.gitrun import run_git
from vault_memory.vault import Vault


def vault_by_hand(folder: Path, files: Mapping[str, str] | None = None) -> Path:
    """A new vault in which these notes lie, all of it in one commit of the person's; its folder."""
    root = Vault.create(folder).root
    for name, text in (files or {}).items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    run_git(root, "add", "--all")
    run_git(root, "commit", "--quiet", "--message", "By hand")
    return root
