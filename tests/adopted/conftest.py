"""Vaults that people have kept for years, adopted anew for these tests where copies of them lie at hand."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.adopted.vaults import FOLDER, VAULTS, Adopted, notes_below
from tests.gitrun import run_git
from vault_memory.vault import Vault


@pytest.fixture(scope="session", params=VAULTS)
def adopted(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Adopted:
    """A copy in a git repository of its own, committed, made a vault, never looked into yet. Not to be
    changed by a test."""
    name: str = request.param
    original = FOLDER / name
    if not original.is_dir():
        pytest.skip(f"there is no folder {original}; REAL_VAULTS names the one that holds {name}")
    root = tmp_path_factory.mktemp("adopted") / name
    shutil.copytree(original, root, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    run_git(root, "init", "--quiet", "--initial-branch=main")
    run_git(root, "add", "--all")
    run_git(root, "commit", "--quiet", "--message=as it was")
    Vault.create(root)
    return Adopted(name, original, root, notes_below(original))


@pytest.fixture
def changed(adopted: Adopted, tmp_path: Path) -> Adopted:
    """A clone with a branch `other`, on which two of three notes are deleted, renamed or changed."""
    root = tmp_path / adopted.name
    run_git(tmp_path, "clone", "--quiet", str(adopted.root), str(root))
    Vault.create(root)
    run_git(root, "checkout", "--quiet", "-b", "other")
    for number, path in enumerate(sorted(adopted.notes)):
        file = root / path
        if number % 6 == 0:
            file.unlink()
        elif number % 6 == 1:
            file.rename(file.with_name(f"renamed {number}.md"))
        elif number % 6 < 4:
            file.write_bytes(file.read_bytes() + b"\n\nA line of the other branch, about bitterns.\n")
    run_git(root, "add", "--all", ":(exclude).vmem", ":(exclude).gitignore")
    run_git(root, "commit", "--quiet", "--message=changed")
    return Adopted(adopted.name, adopted.original, root, notes_below(root))
