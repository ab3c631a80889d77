"""Bringing a checkout forward: what a person has there stays, or is in the way and told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adapters.git.parted import VAULT, Scene
from vault_memory.errors import ConflictError, GitError


@pytest.fixture
def scene(repo: Path) -> Scene:
    return Scene(repo)


def test_forward_leaves_what_the_person_has_staged_changed_and_not_told_git_of(scene: Scene) -> None:
    old = scene.commit({"a.md": "1\n", "staged.md": "1\n", "changed.md": "1\n"})
    new = scene.commit({"a.md": "2\n", "new.md": "new\n"})
    scene.git("reset", "--quiet", "--hard", old)
    scene.put({"staged.md": "mine\n", "untracked.md": "mine\n"})
    scene.git("add", f"{VAULT}/staged.md")
    scene.put({"changed.md": "mine\n", "staged.md": "mine and more\n"})
    scene.merges.forward(new)
    assert scene.git("rev-parse", "main") == new
    assert scene.git("status", "--porcelain").splitlines() == [
        f' M "{VAULT}/changed.md"',
        f'MM "{VAULT}/staged.md"',
        f'?? "{VAULT}/untracked.md"',
    ]
    assert (scene.root / "new.md").read_text() == "new\n"
    assert (scene.root / "a.md").read_text() == "2\n"


def _change(scene: Scene) -> None:
    scene.put({"a.md": "mine\n"})


def _stage(scene: Scene) -> None:
    _change(scene)
    scene.git("add", "--all")


def _stage_and_take_back(scene: Scene) -> None:
    _stage(scene)
    scene.put({"a.md": "1\n"})


def _untracked(scene: Scene) -> None:
    scene.put({"new.md": "mine\n"})


def _ignored(scene: Scene) -> None:
    (scene.repo / ".git" / "info" / "exclude").write_text("new.md\n")
    _untracked(scene)


def _assumed_unchanged(scene: Scene) -> None:
    scene.git("update-index", "--assume-unchanged", f"{VAULT}/a.md")
    _change(scene)


def _folder_is_a_file(scene: Scene) -> None:
    scene.put({"deep": "mine\n"})


def _file_is_a_folder(scene: Scene) -> None:
    scene.put({"new.md/x.txt": "mine\n"})


@pytest.mark.parametrize(
    "work",
    [
        _change, _stage, _stage_and_take_back, _untracked, _ignored, _assumed_unchanged, _folder_is_a_file,
        _file_is_a_folder,
    ],
)  # fmt: skip
def test_forward_refuses_to_overwrite_and_all_is_as_it_was(scene: Scene, work: object) -> None:
    old = scene.commit({"a.md": "1\n", "b.md": "1\n"})
    new = scene.commit({"a.md": "2\n", "b.md": "2\n", "new.md": "new\n", "deep/er.md": "new\n"})
    scene.git("reset", "--quiet", "--hard", old)
    assert callable(work)
    work(scene)
    before = scene.state(), {p: p.read_bytes() for p in scene.root.rglob("*") if p.is_file()}
    with pytest.raises(ConflictError, match="nothing was changed") as caught:
        scene.merges.forward(new)
    assert caught.value.exit_code == 75
    assert (scene.state(), {p: p.read_bytes() for p in scene.root.rglob("*") if p.is_file()}) == before


def test_forward_ends_what_was_cut_short(scene: Scene) -> None:
    """Files of the new commit lie there, and the index is still the old one: nothing is in the way."""
    old = scene.commit({"a.md": "1\n", "gone.md": "1\n", "later.md": "1\n"})
    new = scene.commit({"a.md": "2\n", "gone.md": None, "new.md": "new\n", "later.md": "2\n"})
    scene.git("reset", "--quiet", "--hard", old)
    scene.put({"a.md": "2\n", "gone.md": None, "new.md": "new\n", "mine.md": "mine\n"})
    scene.merges.forward(new)
    assert scene.git("status", "--porcelain") == f'?? "{VAULT}/mine.md"'
    assert scene.git("rev-parse", "HEAD") == new


def test_forward_heeds_no_setting_that_would_make_another_merge_of_it(scene: Scene) -> None:
    old = scene.commit({"a.md": "1\n"})
    new = scene.commit({"a.md": "2\n"})
    scene.git("reset", "--quiet", "--hard", old)
    for key, value in (("branch.main.mergeOptions", "--squash --no-ff"), ("merge.ff", "false")):
        scene.git("config", key, value)
    scene.merges.forward(new)
    assert scene.git("rev-parse", "HEAD") == new
    assert scene.git("status", "--porcelain") == ""


def test_forward_goes_only_on_and_only_on_a_branch(scene: Scene) -> None:
    scene.part({"a.md": "x"}, {"b.md": "x"}, {"c.md": "x"})
    with pytest.raises(ConflictError, match="moved on"):
        scene.merges.forward("side")
    scene.git("switch", "--quiet", "--detach", "side~1")
    with pytest.raises(GitError, match="detached"):
        scene.merges.forward("side")


def test_a_branch_without_a_commit_takes_its_first_ones(scene: Scene) -> None:
    new = scene.commit({"a.md": "x"})
    scene.git("switch", "--quiet", "--orphan", "fresh")
    scene.root.mkdir(exist_ok=True)
    scene.put({"mine.md": "mine\n"})
    scene.merges.forward(new)
    assert scene.git("rev-parse", "fresh") == new
    assert (scene.root / "a.md").read_text() == "x"
    assert (scene.root / "mine.md").read_text() == "mine\n"
