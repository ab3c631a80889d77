"""`vault.files.diff`: since HEAD, of one memory, between commits, and never another's private notes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gitrun import run_git
from tests.stand import CountedIds, ToldClock
from vault_memory.errors import GitError, MemoryNotFoundError, RevisionNotFoundError, UsageError
from vault_memory.model.comparison import Comparison
from vault_memory.model.namespace import PERSON, Scope
from vault_memory.vault import Vault


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    Vault.create(tmp_path / "memory")
    with Vault.open(
        tmp_path / "memory", clock=ToldClock(), ids=CountedIds(), settings={"refresh_seconds": 0.0}
    ) as opened:
        yield opened


def told(found: Comparison) -> list[tuple[str, str]]:
    return [(one.path, one.how.value) for one in found.differences]


def test_before_the_first_commit_every_note_is_new(vault: Vault) -> None:
    (vault.root / "a.md").write_text("a\n")
    assert told(vault.files.diff(PERSON)) == [("a.md", "added")]
    assert told(vault.files.diff(PERSON, "a")) == [("a.md", "added")]


def test_without_arguments_it_is_what_head_does_not_have(vault: Vault) -> None:
    vault.person.remember("first", title="First")
    vault.person.remember("second", title="Second")
    assert told(vault.files.diff(PERSON)) == []
    (vault.root / "notes" / "first.md").unlink()
    (vault.root / "new.md").write_text("new\n")
    (vault.root / "README.txt").write_text("no memory\n")
    (vault.root / ".hidden.md").write_text("no memory\n")
    second = vault.root / "notes" / "second.md"
    second.write_text(second.read_text() + "more\n")
    run_git(vault.root, "add", "notes/second.md")
    assert told(vault.files.diff(PERSON)) == [
        ("new.md", "added"),
        ("notes/first.md", "removed"),
        ("notes/second.md", "edited"),
    ]


def test_of_one_memory_it_is_what_is_not_committed_else_its_last_commit(vault: Vault) -> None:
    vault.person.remember("first", title="First")
    [born] = vault.files.diff(PERSON, "First").differences
    assert born.how.value == "added"
    vault.person.edit("First", importance=0.9)
    vault.person.remember("other", title="Other")
    found = vault.files.diff(PERSON, "First")
    assert [key.key for key in found.differences[0].keys] == ["importance"]
    assert found.older == f"{found.newer}^"
    file = vault.root / "notes" / "first.md"
    file.write_text(file.read_text() + "more\n")
    found = vault.files.diff(PERSON, "First")
    assert (found.older, found.newer, found.differences[0].keys) == ("HEAD", "files", ())
    assert found.differences[0].lines[-1] == "+more"


def test_of_a_memory_that_was_moved_or_removed_it_is_that(vault: Vault) -> None:
    vault.person.remember("first", title="First")
    vault.files.move(PERSON, "First", "archive/")
    [one] = vault.files.diff(PERSON, "First").differences
    assert (one.how.value, one.path, one.came_from) == ("moved", "archive/first.md", "notes/first.md")
    (vault.root / "archive" / "first.md").unlink()
    assert told(vault.files.diff(PERSON, "archive/first.md")) == [("archive/first.md", "removed")]
    run_git(vault.root, "checkout", "--", "archive/first.md")
    vault.person.forget("First")
    assert told(vault.files.diff(PERSON, "archive/first.md")) == [("archive/first.md", "removed")]


def test_between_commits_or_a_commit_and_the_files(vault: Vault) -> None:
    vault.person.remember("first", title="First")
    vault.person.remember("second", title="Second")
    vault.person.edit("First", importance=0.9)
    run_git(vault.root, "tag", "v1")
    (vault.root / "new.md").write_text("new\n")
    assert told(vault.files.diff(PERSON, "HEAD~1")) == [("new.md", "added"), ("notes/first.md", "edited")]
    assert told(vault.files.diff(PERSON, "HEAD~2", "v1")) == [
        ("notes/first.md", "edited"),
        ("notes/second.md", "added"),
    ]
    assert told(vault.files.diff(PERSON, "v1", "HEAD~2")) == [
        ("notes/first.md", "edited"),
        ("notes/second.md", "removed"),
    ]
    assert told(vault.files.diff(PERSON, "HEAD~1..v1")) == [("notes/first.md", "edited")]


def test_a_memory_is_meant_before_a_commit_of_that_name(vault: Vault) -> None:
    vault.person.remember("about the branch", title="main")
    vault.person.remember("other", title="Other")
    found = vault.files.diff(PERSON, "main")
    assert told(found) == [("notes/main.md", "added")]
    assert found.notices == (
        "this is the memory called 'main'; of the commit of that name: vmem diff main~0",
    )
    assert vault.files.diff(PERSON, "Other").notices == ()
    assert vault.files.diff(PERSON, "main~0").older == "main~0"
    assert told(vault.files.diff(PERSON, "main", "HEAD")) == []


def test_what_names_nothing_is_said(vault: Vault) -> None:
    vault.person.remember("first")
    with pytest.raises(MemoryNotFoundError):
        vault.files.diff(PERSON, "nope")
    with pytest.raises(RevisionNotFoundError):
        vault.files.diff(PERSON, "HEAD", "nope")
    with pytest.raises(RevisionNotFoundError):
        vault.files.diff(PERSON, "--output=/tmp/x", "HEAD")
    with pytest.raises(UsageError):
        vault.files.diff(PERSON, "a", "b", "c")


def test_an_agent_never_sees_anothers_private_notes(vault: Vault) -> None:
    vault.agent("mira").remember("mira's plan", title="Plan")
    vault.agent("akashi").remember("akashi's plan", title="Plan")
    vault.agent("mira").remember("for all", title="Shared", namespace="all")
    (vault.root / "private" / "mira" / "new.md").write_text("also mira's\n")
    akashi = Scope("akashi")
    assert told(vault.files.diff(akashi)) == []
    assert told(vault.files.diff(akashi, "HEAD~2", "HEAD")) == [
        ("private/akashi/plan.md", "added"),
        ("shared/all/shared.md", "added"),
    ]
    with pytest.raises(MemoryNotFoundError):
        vault.files.diff(akashi, "private/mira/plan.md")
    with pytest.raises(MemoryNotFoundError):
        vault.files.diff(akashi, "private/mira/new.md")


def test_what_left_a_private_folder_is_new_to_the_others(vault: Vault) -> None:
    vault.agent("mira").remember("a secret plan", title="Plan")
    vault.files.move(PERSON, "Plan", "shared/all/")
    [one] = vault.files.diff(Scope("akashi"), "HEAD~1", "HEAD").differences
    assert (one.how.value, one.path, one.came_from) == ("added", "shared/all/plan.md", None)


def test_a_vault_below_the_repositorys_top_sees_its_own_files(tmp_path: Path) -> None:
    (tmp_path / "repo" / "docs").mkdir(parents=True)
    run_git(tmp_path / "repo", "init", "--quiet", "--initial-branch=main")
    Vault.create(tmp_path / "repo" / "docs")
    with Vault.open(tmp_path / "repo" / "docs", clock=ToldClock(), ids=CountedIds()) as vault:
        vault.person.remember("first", title="First")
        (tmp_path / "repo" / "outside.md").write_text("outside\n")
        run_git(tmp_path / "repo", "add", "outside.md")
        run_git(tmp_path / "repo", "commit", "--quiet", "-m", "outside")
        vault.person.remember("second", title="Second")
        assert told(vault.files.diff(PERSON, "HEAD~2", "HEAD")) == [("notes/second.md", "added")]


def test_without_a_repository_the_reason_is_said(vault: Vault) -> None:
    shutil.rmtree(vault.root / ".git")
    with pytest.raises(GitError, match="no git repository"):
        vault.files.diff(PERSON)
