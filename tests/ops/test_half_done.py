"""When something fails in the middle of a write, what was done is kept and the rest leaves no trace."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from tests.byhand import vault_by_hand
from tests.crash.witness import pending
from tests.gitrun import Git
from vault_memory.adapters.files import publish
from vault_memory.adapters.files.atomic import sync_folder
from vault_memory.adapters.files.tree import VaultFiles
from vault_memory.adapters.journal import SqliteJournal
from vault_memory.errors import ConflictError, StorageError
from vault_memory.vault import Vault


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return vault_by_hand(tmp_path / "memory")


def test_a_refused_edit_never_commits_the_persons_version_later(vault: Vault, root: Path, git: Git) -> None:
    written = vault.agent("akashi").remember("the plan", title="Plan", namespace="ops")
    file = root / written.path
    file.write_bytes(file.read_bytes() + b"a draft of mine\n")
    merge = root / ".git" / "MERGE_HEAD"
    merge.write_text(git(root, "rev-parse", "HEAD") + "\n", encoding="utf-8")
    with pytest.raises(ConflictError, match="a change of yours"):
        vault.agent("akashi").edit(written.path, importance=0.9)
    assert pending(root) == 0
    merge.unlink()
    vault.agent("mira").remember("something else", namespace="ops")
    assert git(root, "status", "--porcelain") == f" M {written.path}"


def test_of_a_batch_that_fails_in_the_middle_the_first_stand_and_the_rest_never_began(
    vault: Vault, root: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = VaultFiles.write

    def full_at_the_second(self: VaultFiles, path: str, content: bytes, **options: str | None) -> object:
        if "two" in path:
            raise StorageError(path, "the disk is full")
        return write(self, path, content, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(VaultFiles, "write", full_at_the_second)
    agent = vault.agent("akashi")
    with pytest.raises(StorageError, match="the disk is full"):
        agent.remember_many(
            [{"text": word, "title": word, "namespace": "ops"} for word in ("one", "two", "three")]
        )
    assert git(root, "ls-files", "shared") == "shared/ops/one.md"
    assert git(root, "status", "--porcelain") == ""
    assert pending(root) == 0
    monkeypatch.undo()
    again = agent.remember_many(
        [{"text": word, "title": word, "namespace": "ops"} for word in ("one", "two", "three")]
    )
    assert [one.known for one in again] == [True, False, False]
    assert git(root, "rev-list", "--count", "HEAD") == "4"


def test_a_file_that_got_its_name_before_the_disk_failed_is_committed_all_the_same(
    vault: Vault, root: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(folder: bytes) -> None:
        sync_folder(folder)
        raise OSError(errno.EIO, "input/output error")

    monkeypatch.setattr(publish, "sync_folder", fails)
    with pytest.raises(StorageError):
        vault.agent("akashi").remember("half a word", title="Half", namespace="ops")
    assert (root / "shared/ops/half.md").exists()
    assert git(root, "status", "--porcelain") == ""
    assert pending(root) == 0


def test_a_journal_that_cant_be_written_after_the_commit_takes_nothing_back(
    vault: Vault, root: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: SqliteJournal, numbers: object) -> None:
        raise StorageError("state.db", "the disk is full")

    monkeypatch.setattr(SqliteJournal, "close", full)
    written = vault.agent("akashi").remember("the answer", title="Answer", namespace="ops")
    assert written.commit == git(root, "rev-parse", "HEAD")
    assert pending(root) == 1
    monkeypatch.undo()
    vault.agent("akashi").remember("the question", title="Question", namespace="ops")
    assert pending(root) == 0
    assert git(root, "rev-list", "--count", "HEAD") == "3"
