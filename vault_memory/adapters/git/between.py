"""Which Markdown files differ between two commits, by the git program."""

from __future__ import annotations

import os

from vault_memory.adapters.git.cli import GitProgram
from vault_memory.adapters.git.locate import Place
from vault_memory.adapters.git.read import note_of
from vault_memory.errors import RevisionNotFoundError
from vault_memory.model.namespace import VaultPath


def changed_between(git: GitProgram, place: Place, older: str | None, newer: str) -> list[VaultPath]:
    """Vault paths, in order; `older=None` is before the first commit. Raises `RevisionNotFoundError`."""
    before = _commit(git, older) if older is not None else _nothing(git)
    options = ["-r", "-z", "--name-only", "--no-renames", "--no-ext-diff", before, _commit(git, newer)]
    below = ["--", place.prefix] if place.prefix else []
    names = git.get("diff-tree", *options, *below).split(b"\0")
    found = (note_of(place, os.fsdecode(name)) for name in names if name)
    return sorted(VaultPath(path) for path in found if path is not None)


def _commit(git: GitProgram, revision: str) -> str:
    asked = git.run("rev-parse", "--quiet", "--verify", "--end-of-options", f"{revision}^{{commit}}")
    if not asked.ok:
        raise RevisionNotFoundError(revision)
    return asked.out.decode("ascii").strip()


def _nothing(git: GitProgram) -> str:
    """The tree without files, as this repository names it."""
    return git.get("hash-object", "-t", "tree", "--stdin").decode("ascii").strip()
