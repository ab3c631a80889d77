"""Links: a name for what lies in the vault, nothing for what lies outside; forgetting one harms no note."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cases.doors import Case, Door
from tests.gitrun import Git


@pytest.fixture
def linked(case: Case, tmp_path: Path, git: Git) -> Case:
    """A vault with a link of every kind, all of them in git."""
    case.write("real.md", "---\ntitle: Heron\n---\nheron by the lake\n")
    case.write("birds/owl.md", "owl in the barn\n")
    case.write("private/mira/secret.md", "secret of mira\n")
    for name, target in {
        "leak.md": tmp_path / "outside.md",
        "sub": tmp_path / "beside",
        "loop": Path(),
        "gone.md": Path("nothing"),
        "alias.md": Path("real.md"),
        "twice.md": Path("alias.md"),
        "near": Path("birds"),
        "peek.md": Path("private/mira/secret.md"),
        "hidden.md": Path(".obsidian/app.json"),
        "round.md": Path("round.md"),
    }.items():
        (case.root / name).symlink_to(target)
    git(case.root, "add", "--all")
    git(case.root, "commit", "--quiet", "--message=mine")
    return case


def test_every_note_is_there_once_and_nothing_from_outside(door: Door, linked: Case) -> None:
    assert [one["path"] for one in door.list().value] == [
        "birds/owl.md", "private/mira/secret.md", "real.md",
    ]  # fmt: skip
    for query in ("persimmon", "outside", "beside"):
        assert door.search(query).value["hits"] == []
    for name in ("leak", "leak.md", "sub/note.md", "loop/sub/note", "gone", "hidden", "round.md"):
        assert door.show(name).code == door.edit(name, importance=0.9).code == 3
    assert door.status().value["uncommitted"] == []


@pytest.mark.parametrize("name", ["alias", "alias.md", "twice", "loop/alias.md", "./loop/loop/real.md"])
def test_a_note_is_shown_and_changed_through_its_link_and_the_link_stays(
    door: Door, linked: Case, git: Git, name: str
) -> None:
    assert door.show(name).value["path"] == "real.md"
    assert door.edit(name, importance=0.9).value["path"] == "real.md"
    assert (linked.root / "alias.md").readlink() == Path("real.md")
    assert linked.files()["real.md"] == b"---\ntitle: Heron\nimportance: 0.9\n---\nheron by the lake\n"
    assert git(linked.root, "show", "--name-only", "--format=") == "real.md"
    assert len(door.list().value) == 3
    assert git(linked.root, "status", "--porcelain") == ""


def test_a_note_behind_a_linked_folder_is_itself(door: Door, linked: Case, git: Git) -> None:
    assert door.show("near/owl").value["path"] == "birds/owl.md"
    assert door.forget("near/owl.md").value["path"] == "birds/owl.md"
    assert (linked.root / "near").is_symlink()
    assert git(linked.root, "show", "--name-only", "--format=") == "birds/owl.md"


@pytest.mark.parametrize("name", ["leak", "gone.md", "alias", "twice.md", "hidden.md", "round.md", "peek"])
def test_forgetting_a_link_removes_the_link_alone(
    door: Door, linked: Case, git: Git, tmp_path: Path, name: str
) -> None:
    before = linked.files()
    path = f"{name.removesuffix('.md')}.md"
    target = (linked.root / path).readlink()
    gone = door.forget(name).value
    assert (gone["path"], gone["op"], gone["title"]) == (path, "forget", f"{path} → {target}")
    assert gone["committed"] == git(linked.root, "rev-parse", "HEAD")
    assert not (linked.root / path).is_symlink()
    assert {one: linked.files()[one] for one in before if one != path and one in linked.files()} == {
        one: content for one, content in before.items() if one != path and (linked.root / one).exists()
    }
    assert (linked.root / "real.md").is_file()
    assert (linked.root / "private/mira/secret.md").is_file()
    assert git(linked.root, "show", "--name-status", "--format=") == f"D\t{path}"
    assert git(linked.root, "status", "--porcelain") == ""
    assert len(door.list().value) == 3


def test_a_link_that_never_was_in_git_goes_without_a_commit(door: Door, case: Case, git: Git) -> None:
    door.remember("first")
    head = git(case.root, "rev-parse", "HEAD")
    case.write("real.md", "heron\n")
    (case.root / "alias.md").symlink_to("real.md")
    gone = door.forget("alias.md").value
    assert (gone["committed"], gone["reason"]) == (None, "the link never was in git")
    assert not os.path.lexists(case.root / "alias.md")
    assert git(case.root, "rev-parse", "HEAD") == head
    assert door.status().value["waiting"] == []


def test_a_removed_link_comes_back_by_git_and_never_as_a_note(door: Door, linked: Case, git: Git) -> None:
    assert door.forget("alias").code == 0
    said = linked.vmem("undo")
    assert said.code == 75
    head = git(linked.root, "rev-parse", "--short=12", "HEAD")
    assert f"git checkout {head}^ -- alias.md" in said.err
    assert door.restore("alias.md").code == 3
    assert not os.path.lexists(linked.root / "alias.md")
    git(linked.root, "checkout", "--quiet", "HEAD^", "--", "alias.md")
    assert door.show("alias").value["path"] == "real.md"


def test_a_link_opens_no_private_folder_and_no_foreign_link_is_an_agents_to_remove(
    door: Door, linked: Case
) -> None:
    assert door.show("peek", agent="akashi").code == 3
    assert door.edit("peek", agent="akashi", importance=0.9).code == 3
    assert door.forget("peek", agent="akashi").code == 77
    assert (linked.root / "peek.md").is_symlink()
    (linked.root / "private/mira/out.md").symlink_to("../../real.md")
    assert door.show("private/mira/out", agent="akashi").code == 3
    assert door.forget("private/mira/out", agent="akashi").code == 3
    assert door.forget("private/mira/out", agent="mira").code == 0
    assert (linked.root / "real.md").is_file()


def test_a_memory_called_as_a_link_is_named_by_its_title_where_no_link_lies(door: Door, case: Case) -> None:
    case.write("real.md", "---\ntitle: alias\n---\nheron\n")
    assert door.show("alias").value["path"] == "real.md"
    case.write("other.md", "owl\n")
    (case.root / "alias.md").symlink_to("other.md")
    assert door.show("alias").value["path"] == "other.md"
