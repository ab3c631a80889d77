"""Git merges memories by the driver that `vmem install merge` sets up, in clones that were told and not."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases.doors import REPOSITORY, Case, Ran
from tests.gitrun import Git, run_git
from vault_memory.model.merging.attributes import has_line, with_line, without_line
from vault_memory.surfaces.cli.app import main
from vault_memory.vault import Vault

NOTE = """---
title: Heron
importance: 0.5
tags: [birds]
# mind the ttl
ttl: 90d
---
The heron stands.

It is grey.
"""


@pytest.fixture
def told(case: Case, monkeypatch: pytest.MonkeyPatch) -> Case:
    """A vault with one note, in a clone whose git merges by vmem."""
    monkeypatch.setenv("PYTHONPATH", str(REPOSITORY))
    assert case.vmem("install", "merge").code == 0
    case.write("notes/heron.md", NOTE)
    commit(case.root)
    return case


def commit(root: Path) -> None:
    run_git(root, "add", "--all")
    run_git(root, "commit", "--quiet", "--message", "notes")


def on_a_branch(
    case: Case, theirs: Callable[[str], str], ours: Callable[[str], str], name: str = "notes/heron.md"
) -> None:
    """One changes the note on a branch, another one on main."""
    before = (case.root / name).read_text(encoding="utf-8")
    for branch, change in (("side", theirs), ("main", ours)):
        run_git(case.root, "switch", "--quiet", *(["--create"] if branch == "side" else []), branch)
        changed = change(before)
        assert changed != before
        case.write(name, changed)
        commit(case.root)


def merge(root: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["git", *(command or ("merge", "--no-edit", "side"))],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )


def test_two_people_tag_a_memory_and_weigh_it_and_nothing_is_in_conflict(told: Case) -> None:
    on_a_branch(
        told,
        lambda text: text.replace("[birds]", "[birds, ops]").replace("is grey", "is grey and tall"),
        lambda text: text.replace("[birds]", "[birds, water]").replace("0.5", "0.9  # sure"),
    )
    assert merge(told.root).returncode == 0
    expected = NOTE.replace("[birds]", "[birds, water, ops]").replace("0.5", "0.9  # sure")
    assert (told.root / "notes/heron.md").read_text() == expected.replace("is grey", "is grey and tall")
    assert run_git(told.root, "status", "--porcelain") == ""


def test_a_rebase_and_a_cherry_pick_merge_alike(told: Case) -> None:
    on_a_branch(
        told,
        lambda text: text.replace("[birds]", "[birds, ops]"),
        lambda text: text.replace("[birds]", "[birds, water]"),
    )
    assert merge(told.root, "cherry-pick", "side").returncode == 0
    assert "tags: [birds, water, ops]" in (told.root / "notes/heron.md").read_text()
    run_git(told.root, "switch", "--quiet", "side")
    assert merge(told.root, "rebase", "main~1").returncode == 0
    assert "tags: [birds, water, ops]" in (told.root / "notes/heron.md").read_text()


def test_a_real_conflict_waits_for_a_person_and_is_not_recalled_meanwhile(told: Case) -> None:
    on_a_branch(told, lambda text: text.replace("0.5", "0.1"), lambda text: text.replace("0.5", "0.9"))
    done = merge(told.root)
    assert done.returncode == 1
    assert "notes/heron.md: both sides changed importance" in done.stderr + done.stdout
    file = told.root / "notes/heron.md"
    markers = "<<<<<<< ours\nimportance: 0.9\n=======\nimportance: 0.1\n>>>>>>> theirs\n"
    assert file.read_text() == NOTE.replace("0.5", "0.9").replace("---\nThe", f"---\n{markers}The")
    assert run_git(told.root, "status", "--porcelain").startswith("UU notes/heron.md")
    recalled = told.vmem("recall", "heron", "--json").value
    assert recalled["memories"] == []
    assert "merge-conflict" in [one["rule"] for one in told.vmem("lint", "--json").value["findings"]]
    file.write_text(file.read_text().replace(markers, ""))
    commit(told.root)
    assert [one["path"] for one in told.vmem("recall", "heron", "--json").value["memories"]] == [
        "notes/heron.md"
    ]


def test_a_clone_that_was_not_told_merges_as_git_does(
    told: Case, tmp_path_factory: pytest.TempPathFactory, git: Git
) -> None:
    on_a_branch(
        told,
        lambda text: text.replace("[birds]", "[birds, ops]"),
        lambda text: text.replace("[birds]", "[birds, water]"),
    )
    clone = tmp_path_factory.mktemp("clone")
    git(clone, "clone", "--quiet", str(told.root), ".")
    done = merge(clone, "merge", "--no-edit", "origin/side")
    assert done.returncode == 1
    assert "<<<<<<< HEAD\ntags: [birds, water]" in (clone / "notes/heron.md").read_text()


@pytest.mark.parametrize("name", ["a b/it's $HOME `x`.md", "重启/ä.md", "-n.md"])
def test_a_name_of_any_kind_is_merged(told: Case, name: str) -> None:
    told.write(name, NOTE)
    commit(told.root)
    on_a_branch(
        told,
        lambda text: text.replace("[birds]", "[birds, ops]"),
        lambda text: text.replace("[birds]", "[birds, water]"),
        name,
    )
    assert merge(told.root).returncode == 0
    assert "tags: [birds, water, ops]" in (told.root / name).read_text()


def test_what_is_no_text_is_left_to_the_person(told: Case) -> None:
    (told.root / "bin.md").write_bytes(b"\x00one")
    commit(told.root)
    for branch, content in (("side", b"\x00two"), ("main", b"\x00three")):
        run_git(told.root, "switch", "--quiet", *(["--create"] if branch == "side" else []), branch)
        (told.root / "bin.md").write_bytes(content)
        commit(told.root)
    done = merge(told.root)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert (told.root / "bin.md").read_bytes() == b"\x00three"


def test_it_is_installed_once_and_taken_out_whole(case: Case, git: Git) -> None:
    file = case.root / ".gitattributes"
    file.write_text("*.png binary", encoding="utf-8")
    first, second = case.vmem("install", "merge"), case.vmem("install", "merge", "--json")
    assert first.out.startswith("Git merges memories by key from now on.\n")
    assert (second.value["attributes_changed"], second.value["driver_changed"]) == (False, False)
    remark = "# Memories are merged by front matter key: vmem install merge"
    assert file.read_text() == f"*.png binary\n{remark}\n*.md merge=vmem\n"
    assert git(case.root, "config", "--local", "merge.vmem.driver").endswith("--size %L --path %P")
    assert case.vmem("install", "merge", "--uninstall").code == 0
    assert file.read_text() == "*.png binary\n"
    again = case.vmem("install", "merge", "--uninstall")
    assert again.out == "The merge driver is not installed; nothing was changed.\n"
    assert "merge.vmem" not in git(case.root, "config", "--local", "--list")


def test_an_agent_may_not_say_what_git_runs(case: Case) -> None:
    for more in ([], ["--uninstall"]):
        ran: Ran = case.vmem("--agent", "akashi", "install", "merge", *more)
        assert (ran.code, ran.out) == (77, "")
    assert not (case.root / ".gitattributes").exists()


def test_a_link_in_the_place_of_the_attributes_leads_nowhere(case: Case) -> None:
    outside = case.root.parent / "outside.md"
    before = outside.read_bytes()
    (case.root / ".gitattributes").symlink_to(outside)
    assert case.vmem("install", "merge").code == 74
    assert outside.read_bytes() == before
    assert "merge.vmem" not in run_git(case.root, "config", "--local", "--list")


def test_without_a_repository_there_is_nothing_to_install(tmp_path: Path) -> None:
    Vault.create(tmp_path)
    shutil.rmtree(tmp_path / ".git")
    case = Case(tmp_path)
    ran = case.vmem("install", "merge")
    assert (ran.code, ran.out) == (70, "")
    assert not (case.root / ".gitattributes").exists()


def test_files_that_are_not_there_are_said_so(case: Case, tmp_path: Path) -> None:
    ran = case.vmem("git-merge", *(str(tmp_path / name) for name in ("a", "b", "c")))
    assert (ran.code, ran.out) == (74, "")


@pytest.mark.parametrize("content", [None, b"", b"*.md text\n", b"*.md text", b"a\r\n*.md  merge=vmem \r\n"])
def test_the_line_comes_and_goes_and_leaves_the_others(content: bytes | None) -> None:
    after = with_line(content)
    assert has_line(after)
    assert with_line(after) == after
    gone = without_line(after)
    assert not has_line(gone)
    assert gone.rstrip() == (content or b"").replace(b"*.md  merge=vmem \r\n", b"").rstrip()


def test_git_is_told_by_init_and_a_clone_by_init_there(
    case: Case, tmp_path_factory: pytest.TempPathFactory, git: Git
) -> None:
    away = tmp_path_factory.mktemp("away")
    folder = away / "new"
    made = case.vmem("init", str(folder), "--json").value
    assert made["merge_driver"] is True
    assert has_line((folder / ".gitattributes").read_bytes())
    commit(folder)
    clone = away / "clone"
    git(away, "clone", "--quiet", str(folder), str(clone))
    told = case.vmem("init", str(clone))
    assert "Git merges memories by front matter key in this clone from now on." in told.out
    assert git(clone, "config", "merge.vmem.driver") == git(folder, "config", "merge.vmem.driver")
    assert git(clone, "status", "--porcelain") == ""
    assert case.vmem("init", str(clone)).out.endswith("nothing was changed.\n")


def test_init_leaves_it_to_git_where_it_is_told_to_or_an_agent_asks_or_a_vault_chose_so(
    case: Case, tmp_path_factory: pytest.TempPathFactory, git: Git
) -> None:
    away = tmp_path_factory.mktemp("away")
    for options in (["init", "--no-merge-driver"], ["--agent", "akashi", "init"]):
        folder = away / options[0]
        assert case.vmem(*options, str(folder), "--json").value["merge_driver"] is False
        assert case.vmem("init", str(folder)).code == 0
        assert not (folder / ".gitattributes").exists()
        assert "merge.vmem" not in git(folder, "config", "--local", "--list")


def test_what_keeps_git_from_being_told_keeps_nobody_from_a_vault(
    case: Case, tmp_path_factory: pytest.TempPathFactory
) -> None:
    away = tmp_path_factory.mktemp("away")
    folder = away / "new"
    folder.mkdir()
    (folder / ".gitattributes").symlink_to(case.root.parent / "outside.md")
    made = case.vmem("init", str(folder))
    assert made.code == 0
    assert made.out.startswith(f"Created a vault in {folder}")
    assert "later: vmem install merge" in made.err


def test_without_a_repository_there_is_nobody_to_tell(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "alone"
    Vault.create(root)
    shutil.rmtree(root / ".git")
    assert main(["--vault", str(root), "install", "merge"]) == 70
    said = capsys.readouterr().err
    assert f"no git repository holds {root}" in said
    assert "make one with: git init" in said


def test_two_memories_of_one_name_are_told_as_such_and_none_is_lost(told: Case) -> None:
    note = '---\nid: "01K8ZQ4T7R3M5N9V2XW6Y0ABC{0}"\ntitle: Rule\n---\nnumber {0}\n'
    for branch, number in (("side", 1), ("main", 2)):
        run_git(told.root, "switch", "--quiet", *(["--create"] if branch == "side" else []), branch)
        told.write("rule.md", note.format(number))
        commit(told.root)
    done = merge(told.root)
    assert done.returncode == 1
    assert "rule.md: both sides made a memory of that name, and they are two" in done.stderr + done.stdout
    text = (told.root / "rule.md").read_text()
    assert "number 1" in text
    assert "number 2" in text
    named = [(one["path"], one["rule"]) for one in told.vmem("lint", "--json").value["findings"]]
    assert ("rule.md", "merge-conflict") in named
    run_git(told.root, "checkout", "--ours", "--", "rule.md")
    told.write("rule-2.md", run_git(told.root, "show", ":3:rule.md") + "\n")
    commit(told.root)
    paths = [one["path"] for one in told.vmem("list", "--json").value]
    assert {"rule.md", "rule-2.md"} <= set(paths)
    named = [one["path"] for one in told.vmem("lint", "--json").value["findings"]]
    assert not {"rule.md", "rule-2.md"} & set(named)
