"""Commits by name and by date, in repositories that libgit2 reads and in one that only git does."""

from __future__ import annotations

import os
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.gitrun import run_git
from vault_memory.adapters.git.points import EMPTY, GitPoints
from vault_memory.errors import GitError, RevisionNotFoundError
from vault_memory.ports import Points

DAY = datetime(2026, 3, 1, 12, tzinfo=UTC)
SHAPES: dict[str, tuple[str, ...]] = {"libgit2": (), "only git": ("--object-format=sha256",)}


def commit(repo: Path, name: str, text: str, day: int) -> str:
    """A commit of one file, on that day of March."""
    (repo / name).parent.mkdir(parents=True, exist_ok=True)
    (repo / name).write_text(text, encoding="utf-8")
    run_git(repo, "add", "--", name)
    when = (DAY + timedelta(days=day - 1)).isoformat()
    subprocess.run(
        ["git", "commit", "-q", "-m", f"day {day}", "--date", when],
        cwd=repo,
        env={**os.environ, "GIT_COMMITTER_DATE": when},
        check=True,
    )
    return run_git(repo, "rev-parse", "HEAD")


@pytest.fixture(scope="module", params=list(SHAPES.values()), ids=list(SHAPES))
def repo(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four commits of which the third changes nothing in the vault, a merged branch beside them, a vault
    in a subfolder that the second brought."""
    folder = tmp_path_factory.mktemp("points") / "repo"
    folder.mkdir()
    run_git(folder, "init", "-q", "-b", "main", *request.param)
    commit(folder, "README.md", "about", 1)
    commit(folder, "brain/a.md", "one", 2)
    run_git(folder, "tag", "v1")
    commit(folder, "README.md", "more", 3)
    run_git(folder, "switch", "-q", "-c", "memory/akashi/side")
    commit(folder, "brain/b.md", "beside", 4)
    run_git(folder, "switch", "-q", "main")
    commit(folder, "brain/a.md", "two", 5)
    run_git(folder, "merge", "-q", "--no-edit", "-m", "merged", "memory/akashi/side")
    return folder


@pytest.fixture
def points(repo: Path) -> Points:
    return GitPoints(repo / "brain")


def test_a_commit_is_found_by_whatever_names_it(repo: Path, points: Points) -> None:
    v1 = run_git(repo, "rev-parse", "v1")
    for name in ("v1", "refs/tags/v1", v1, v1[:12], "main~3", "HEAD~3"):
        assert points.resolve(name).commit == v1
    assert points.resolve("v1").when == DAY + timedelta(days=1)


def test_the_tree_is_the_vaults_own_folder(repo: Path, points: Points) -> None:
    assert points.resolve("v1").tree == run_git(repo, "rev-parse", "v1:brain")
    assert points.resolve("main~2").tree == points.resolve("v1").tree
    assert points.resolve("main~4").tree == EMPTY


@pytest.mark.parametrize(
    "name", ["nope", "", "--all", "-1", "v1..main", "v1:brain", "HEAD@{a", "a\0b", "\udcff", "v1^{tree}"]
)
def test_what_names_no_commit_is_told_as_such(points: Points, name: str) -> None:
    with pytest.raises(RevisionNotFoundError):
        points.resolve(name)


def test_a_date_is_the_last_commit_by_then_along_the_first_parents(repo: Path, points: Points) -> None:
    assert points.at(DAY + timedelta(days=3, hours=1)).commit == run_git(repo, "rev-parse", "main~2")
    assert points.at(DAY + timedelta(days=1)).commit == run_git(repo, "rev-parse", "v1")
    assert points.at(datetime(2099, 1, 1, tzinfo=UTC)).commit == run_git(repo, "rev-parse", "main")
    with pytest.raises(RevisionNotFoundError, match="2026-03-01T11:59:59Z"):
        points.at(DAY - timedelta(seconds=1))


def test_the_line_is_that_of_first_parents_newest_first(repo: Path, points: Points) -> None:
    hashes = run_git(repo, "rev-list", "--first-parent", "main").split()
    assert [one.commit for one in points.line("main")] == hashes
    assert [one.commit for one in points.line("main", after="v1")] == hashes[:-2]
    assert [one.tree for one in points.line("main")] == [points.resolve(one).tree for one in hashes]


def test_it_is_known_what_led_to_a_commit(points: Points) -> None:
    side, main, v1 = (points.resolve(name).commit for name in ("memory/akashi/side", "main", "v1"))
    assert points.leads_to(main, side)
    assert points.leads_to(v1, v1)
    assert not points.leads_to(v1, main)


def test_the_trunk_is_what_the_remotes_head_names(repo: Path, points: Points, tmp_path: Path) -> None:
    assert points.trunk() == "refs/heads/main"
    run_git(tmp_path, "clone", "-q", "--no-local", str(repo), "clone")
    clone = tmp_path / "clone"
    run_git(clone, "switch", "-q", "-c", "work")
    assert GitPoints(clone / "brain").trunk() == "refs/heads/main"
    run_git(clone, "branch", "-q", "-D", "main")
    assert GitPoints(clone / "brain").trunk() == "refs/remotes/origin/main"


def test_without_a_repository_it_is_said(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="no git repository"):
        GitPoints(tmp_path).resolve("HEAD")
