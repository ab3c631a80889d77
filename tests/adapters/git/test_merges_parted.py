"""What branches have that did not lead to HEAD: told of all of them at once, by a handful of git commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adapters.git.parted import VAULT, Scene
from vault_memory.adapters.git.cli import GitProgram
from vault_memory.model.branches import Parted

MANY = 40


@pytest.fixture
def scene(repo: Path) -> Scene:
    return Scene(repo)


def parted(scene: Scene, *names: str, head: str = "main") -> list[Parted]:
    tips = [scene.git("rev-parse", name) for name in names]
    found = scene.merges.parted(scene.git("rev-parse", head), tips)
    return [found[tip] for tip in tips]


def test_each_is_held_against_the_commit_where_it_parted(scene: Scene) -> None:
    scene.part({"a.md": "x"}, {"b.md": "y"}, {"c.md": "z", "a.md": None, "run.sh": "true"})
    scene.git("branch", "behind", "main~1")
    scene.git("switch", "--quiet", "--create", "further", "side")
    scene.commit({"d.md": "d"})
    (scene.repo / "beside.md").write_text("not in the vault")
    scene.commit({})
    side, behind, head, further = parted(scene, "side", "behind", "main", "further")
    base = scene.git("rev-parse", "main~1")
    assert (side.base, side.paths, side.others) == (base, ("a.md", "c.md"), (f"{VAULT}/run.sh",))
    assert f"{side.when:%s}" == scene.git("show", "-s", "--format=%ct", "side")
    assert (behind.base, behind.paths, behind.others) == (base, (), ())
    assert (head.base, head.paths) == (scene.git("rev-parse", "main"), ())
    assert (further.base, further.paths) == (base, ("a.md", "c.md", "d.md"))
    assert further.others == ("beside.md", f"{VAULT}/run.sh")


def test_a_link_that_has_a_memorys_name_is_told_as_what_it_is(scene: Scene) -> None:
    scene.part({"a.md": "x"}, {}, {})
    scene.git("switch", "--quiet", "side")
    (scene.root / "link.md").symlink_to("a.md")
    scene.commit({"b.md": "y"})
    [side] = parted(scene, "side")
    assert (side.paths, side.others) == (("b.md", "link.md"), (f"{VAULT}/link.md",))


def test_one_that_took_heads_line_in_since_parted_where_it_did_so_last(scene: Scene) -> None:
    scene.part({"a.md": "x"}, {"b.md": "y"}, {"c.md": "z"})
    scene.git("switch", "--quiet", "side")
    scene.git("merge", "--quiet", "--no-edit", "main")
    scene.commit({"d.md": "d"})
    [side] = parted(scene, "side")
    assert (side.base, side.paths) == (scene.git("rev-parse", "main"), ("c.md", "d.md"))
    assert side.base == scene.merges.base("main", "side")


def test_one_of_another_history_has_no_base(scene: Scene) -> None:
    scene.commit({"a.md": "x"})
    scene.git("switch", "--quiet", "--orphan", "other")
    scene.commit({"b.md": "x"})
    [other] = parted(scene, "other")
    assert (other.base, other.paths, other.others) == (None, (), ())


def test_no_branch_is_nothing(scene: Scene) -> None:
    assert scene.merges.parted(scene.commit({"a.md": "x"}), ()) == {}


def test_many_branches_take_no_more_commands_than_few(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    scene.commit({"a.md": "x"})
    head = scene.git("rev-parse", "HEAD")
    tree = scene.git("rev-parse", "HEAD^{tree}")
    tips = [scene.git("commit-tree", tree, "-p", head, "-m", f"proposal {number}") for number in range(MANY)]
    asked: list[str] = []
    run = GitProgram.run

    def counted(self: GitProgram, *arguments: str, **options: object) -> object:
        asked.append(arguments[0])
        return run(self, *arguments, **options)  # type: ignore[arg-type]  # handed on as they came

    monkeypatch.setattr(GitProgram, "run", counted)
    assert {one.base for one in scene.merges.parted(head, tips[:2]).values()} == {head}
    few = len(asked)
    assert {one.base for one in scene.merges.parted(head, tips).values()} == {head}
    assert 0 < few == len(asked) - few
