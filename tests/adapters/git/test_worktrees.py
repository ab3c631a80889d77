"""Private worktrees: made, found again, made anew after a kill or a deletion, and never another's."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.gitrun import put_hook, run_git
from tests.stand import ToldClock
from vault_memory.adapters.files.lock import VaultLock
from vault_memory.adapters.git.worktrees import GitWorktrees
from vault_memory.errors import ConflictError, GitError
from vault_memory.model.namespace import VaultPath
from vault_memory.model.revision import agent_author

BRANCH = "memory/akashi/rsi"


class Scene:
    """A repository with a vault in it, two notes, and the worktrees of that vault."""

    def __init__(self, root: Path, prefix: str = "") -> None:
        self.root = root
        self.vault = root / prefix if prefix else root
        self.prefix = prefix
        (self.vault / ".vmem" / "local").mkdir(parents=True)
        (self.vault / ".vmem" / "config.toml").write_text("format = 1\n")
        (self.vault / ".vmem" / ".gitignore").write_text("/local\n")
        run_git(root, "init", "--quiet", "--initial-branch=main")
        self.commit("shared/a.md", "one\n")
        self.start = self.commit("shared/b.md", "two\n")
        self.folder = self.vault / ".vmem" / "local" / "worktrees" / "akashi" / "rsi"
        lock = VaultLock(self.vault / ".vmem" / "local" / "worktrees.lock")
        self.trees = GitWorktrees(self.vault, lock=lock, wait=5, clock=ToldClock())

    def commit(self, path: str, text: str | None, *, at: Path | None = None) -> str:
        root = at or self.root
        file = root / self.prefix / path
        if text is None:
            file.unlink()
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        run_git(root, "add", "--all", "--", f"{self.prefix}/{path}".lstrip("/"))
        run_git(root, "commit", "--quiet", "-m", path)
        return run_git(root, "rev-parse", "HEAD")

    def open(self) -> Path:
        return self.trees.open(BRANCH, self.folder, start=self.start)

    def tip(self) -> str:
        return run_git(self.root, "rev-parse", BRANCH)

    def files(self, commit: str) -> dict[str, str]:
        listed = run_git(self.root, "ls-tree", "-r", "--name-only", commit, "--", "shared").split("\n")
        return {name: run_git(self.root, "show", f"{commit}:{name}") for name in listed if name}


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path / "repo")


def test_a_worktree_is_made_once_with_its_branch_and_the_checkout_stays(scene: Scene) -> None:
    assert scene.trees.whole(BRANCH, scene.folder) is None
    vault = scene.open()
    assert (vault / "shared" / "b.md").read_text() == "two\n"
    new = scene.commit("shared/c.md", "three\n", at=scene.folder)
    (vault / "shared" / "draft.md").write_text("in no commit\n")
    assert scene.open() == vault == scene.trees.whole(BRANCH, scene.folder)
    assert (vault / "shared" / "draft.md").exists()
    assert scene.tip() == new
    assert run_git(scene.root, "rev-parse", "HEAD") == scene.start
    assert run_git(scene.root, "status", "--porcelain") == "?? .vmem/"
    [found] = scene.trees.branches("memory/")
    assert (found.name, found.tip, found.about) == (BRANCH, new, "")


def _locked_while_it_was_made(scene: Scene) -> None:
    (scene.root / ".git" / "worktrees" / "rsi" / "locked").write_text("initializing")
    (scene.folder / "shared" / "b.md").unlink()


def _deleted(scene: Scene) -> None:
    shutil.rmtree(scene.folder)


def _without_its_link(scene: Scene) -> None:
    (scene.folder / ".git").unlink()


def _without_gits_folder(scene: Scene) -> None:
    shutil.rmtree(scene.root / ".git" / "worktrees")


def _half_removed(scene: Scene) -> None:
    scene.folder.rename(scene.folder.with_name(".gone-1-rsi"))


def _without_its_index(scene: Scene) -> None:
    (scene.root / ".git" / "worktrees" / "rsi" / "index").unlink()


def _a_file_in_its_place(scene: Scene) -> None:
    shutil.rmtree(scene.folder)
    scene.folder.mkdir()
    (scene.folder / "stray.txt").write_text("what a kill left\n")


@pytest.mark.parametrize(
    "hurt",
    [
        _locked_while_it_was_made,
        _deleted,
        _without_its_link,
        _without_gits_folder,
        _half_removed,
        _without_its_index,
        _a_file_in_its_place,
    ],
)
def test_what_is_left_half_made_or_half_removed_is_made_anew(
    scene: Scene, hurt: Callable[[Scene], None]
) -> None:
    scene.open()
    tip = scene.commit("shared/c.md", "three\n", at=scene.folder)
    hurt(scene)
    assert scene.trees.whole(BRANCH, scene.folder) is None
    vault = scene.open()
    assert (vault / "shared" / "c.md").read_text() == "three\n"
    assert scene.tip() == tip
    assert run_git(scene.folder, "status", "--porcelain", "--untracked-files=no") == ""
    assert [one.name for one in scene.folder.parent.iterdir()] == ["rsi"]


def test_a_copied_vault_has_worktrees_of_its_own(scene: Scene, tmp_path: Path) -> None:
    scene.open()
    shutil.copytree(scene.root, tmp_path / "copy", symlinks=True)
    copy = tmp_path / "copy"
    folder = copy / scene.folder.relative_to(scene.root)
    trees = GitWorktrees(copy, lock=VaultLock(tmp_path / "lock"), wait=5, clock=ToldClock())
    assert trees.whole(BRANCH, folder) is None
    trees.open(BRANCH, folder, start=scene.start)
    run_git(folder, "commit", "--quiet", "--allow-empty", "-m", "in the copy")
    assert run_git(copy, "rev-parse", BRANCH) != scene.tip() == scene.start
    assert scene.trees.whole(BRANCH, scene.folder) is not None


def test_a_branch_that_is_checked_out_elsewhere_is_left_to_whoever_did(scene: Scene, tmp_path: Path) -> None:
    run_git(scene.root, "branch", BRANCH)
    run_git(scene.root, "worktree", "add", "--quiet", str(tmp_path / "mine"), BRANCH)
    with pytest.raises(GitError, match="is checked out in"):
        scene.open()
    with pytest.raises(GitError, match="is checked out in"):
        scene.trees.drop(BRANCH, scene.folder, tip=scene.start)
    assert scene.tip() == scene.start


def test_a_worktree_in_which_somebody_went_to_another_branch_is_not_touched(scene: Scene) -> None:
    scene.open()
    run_git(scene.folder, "switch", "--quiet", "-c", "mine")
    (scene.folder / "shared" / "mine.md").write_text("a person's\n")
    with pytest.raises(GitError, match="is not on its branch"):
        scene.open()
    assert (scene.folder / "shared" / "mine.md").exists()


def test_a_vault_in_a_folder_of_the_repository_is_one_in_the_worktree_too(tmp_path: Path) -> None:
    scene = Scene(tmp_path / "repo", "notes/memory")
    vault = scene.open()
    assert vault == scene.folder / "notes" / "memory"
    assert (vault / "shared" / "a.md").read_text() == "one\n"
    assert (vault / ".vmem" / "config.toml").read_text() == "format = 1\n"  # in no commit here


def test_no_hook_of_a_persons_checkouts_runs(scene: Scene) -> None:
    put_hook(scene.root / ".git", "post-checkout", f"touch '{scene.root}/ran'")
    scene.open()
    assert not (scene.root / "ran").exists()


def test_a_name_that_git_does_not_take_is_refused(scene: Scene) -> None:
    for branch in ("memory/a/x..y", "memory/a/-x.lock", "memory/a/x y", "memory/a/@{u}"):
        with pytest.raises(GitError, match="git takes no branch"):
            scene.trees.open(branch, scene.folder, start=scene.start)
    run_git(scene.root, "branch", "memory/akashi")  # in the way of all below it
    with pytest.raises(GitError, match="a branch is called memory/akashi,"):
        scene.open()


def test_files_are_as_in_another_commit_and_nothing_else_is(scene: Scene) -> None:
    scene.open()
    scene.commit("shared/a.md", "one, changed\n", at=scene.folder)
    scene.commit("shared/b.md", None, at=scene.folder)
    scene.commit("shared/b.md/below.md", "a folder now\n", at=scene.folder)
    tip = scene.commit("shared/c.md", "three\n", at=scene.folder)
    paths = [VaultPath(f"shared/{name}") for name in ("b.md", "b.md/below.md", "c.md")]
    made = scene.trees.as_in(
        tip, scene.start, paths, message="review: back\n\nVmem-Op: review\n", author=agent_author("mira")
    )
    assert scene.files(made) == {"shared/a.md": "one, changed", "shared/b.md": "two"}
    assert run_git(scene.root, "log", "-1", "--format=%P|%an|%cn|%s", made) == (
        f"{tip}|mira|Test Person|review: back"
    )
    assert scene.tip() == tip


def test_a_sealed_merge_has_both_as_parents_and_the_files_of_theirs(scene: Scene) -> None:
    scene.open()
    tip = scene.commit("shared/c.md", "three\n", at=scene.folder)
    made = scene.trees.sealed(scene.start, tip, message="review: akashi/rsi")
    assert run_git(scene.root, "log", "-1", "--format=%P", made) == f"{scene.start} {tip}"
    assert scene.files(made) == scene.files(tip)


def test_a_branch_is_moved_and_dropped_only_from_where_it_was_seen(scene: Scene) -> None:
    scene.open()
    scene.trees.describe(BRANCH, "what it is about")
    assert scene.trees.branches("memory/akashi/")[0].about == "what it is about"
    tip = scene.commit("shared/c.md", "three\n", at=scene.folder)
    with pytest.raises(ConflictError, match="something was added"):
        scene.trees.drop(BRANCH, scene.folder, tip=scene.start)
    scene.trees.leave(scene.folder)
    with pytest.raises(ConflictError, match="something was added"):
        scene.trees.advance(BRANCH, scene.start, scene.start)
    scene.trees.advance(BRANCH, tip, scene.start)
    assert scene.tip() == scene.start
    scene.open()
    scene.trees.drop(BRANCH, scene.folder, tip=scene.start)
    assert scene.trees.branches("memory/") == []
    assert not scene.folder.exists()
    assert run_git(scene.root, "config", "--local", "--list").count("branch.") == 0
    with pytest.raises(ConflictError, match="the branch is gone"):
        scene.trees.drop(BRANCH, scene.folder, tip=scene.start)


def test_without_a_repository_there_are_no_proposals(tmp_path: Path) -> None:
    trees = GitWorktrees(tmp_path, lock=VaultLock(tmp_path / "lock"), wait=1, clock=ToldClock())
    assert list(trees.branches("memory/")) == []
    with pytest.raises(GitError, match="no git repository"):
        trees.open(BRANCH, tmp_path / "x", start="HEAD")
