"""What a clone brings along in the local folder is not taken for this machine's own."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.gitrun import run_git
from vault_memory.errors import StorageError
from vault_memory.vault import Vault

INDEX = ".vmem/local/index.db"


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    root = tmp_path / "theirs"
    Vault.create(root)
    with Vault.open(root, settings={"embedder": "none"}) as vault:
        vault.person.remember("The harbour closes at ten", title="Harbour")
    with closing(sqlite3.connect(root / INDEX)) as index, index:
        index.execute("UPDATE memories SET title = 'Forged'")
    return root


@pytest.mark.parametrize("shape", ["plain", "version 4", "split", "subfolder"])
def test_an_index_that_came_with_the_repository_is_refused_until_it_is_taken_out(
    theirs: Path, tmp_path: Path, shape: str
) -> None:
    top = theirs
    if shape == "subfolder":
        top = tmp_path / "top"
        top.mkdir()
        run_git(top, "init", "-q")
        theirs.rename(top / "memory")
        run_git(top / "memory", "log", "-1")
        (top / "memory" / ".git").rename(tmp_path / "its-own")
    run_git(top, "add", "--force", "--", f"memory/{INDEX}" if shape == "subfolder" else INDEX)
    run_git(top, "add", ".")
    run_git(top, "commit", "-qm", "all")
    clone = tmp_path / "clone"
    run_git(tmp_path, "clone", "-q", str(top), str(clone))
    if shape == "version 4":
        run_git(clone, "update-index", "--index-version", "4")
    if shape == "split":
        run_git(clone, "update-index", "--split-index")
    root = clone / "memory" if shape == "subfolder" else clone
    with pytest.raises(StorageError, match="came with the repository") as raised:
        Vault.open(root, settings={"embedder": "none"})
    assert "git rm -r -f .vmem/local" in str(raised.value.hint)
    run_git(root, "rm", "-r", "-f", "-q", ".vmem/local")
    with Vault.open(root, settings={"embedder": "none"}) as vault:
        assert [one.title for one in vault.person.list()] == ["Harbour"]
        assert vault.person.remember("The ferry sails at nine").commit is not None


def test_a_local_folder_of_this_machine_is_none_that_came_along(theirs: Path) -> None:
    run_git(theirs, "update-index", "--index-version", "4")
    with Vault.open(theirs, settings={"embedder": "none"}) as vault:
        assert len(vault.person.list()) == 1
