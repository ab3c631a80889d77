"""What of a folder is memory: not what is hidden, foreign, ignored or left over; always what vmem wrote."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.doors import Case, Door, Python
from tests.gitrun import Git
from vault_memory.vault import Vault

LEFTOVERS = (
    "plan.md~", ".plan.md.swp", ".plan.md.swo", ".#plan.md", "#plan.md#", "4913", "plan.md.tmp", "~$plan.md",
    "plan.md.part", "plan.md.crdownload", "plan.md.bak", "plan.md.orig", "plan.md.rej", "plan.md.kate-swp",
    "plan.md___jb_tmp___", "plan.md.sb-1a2b3c4d-Xy9", ".syncthing.plan.md.tmp", "~syncthing~plan.md.tmp",
    "._plan.md", ".DS_Store", "Thumbs.db", "desktop.ini", ".~lock.plan.md#", ".stfolder/x.md",
    ".stversions/plan.md", ".trash/plan.md", ".Trash-1000/plan.md", ".dropbox.cache/plan.md",
    "lost+found/x.md", "$RECYCLE.BIN/x.md", "@eaDir.md~",
)  # fmt: skip


def test_what_editors_and_sync_tools_leave_is_no_memory_and_in_no_commit(
    door: Door, case: Case, git: Git
) -> None:
    case.write("plan.md", "the heron plan\n")
    for name in LEFTOVERS:
        case.write(name, "the heron plan of a leftover\n")
    assert [one["path"] for one in door.list().value] == ["plan.md"]
    assert [hit["path"] for hit in door.search("heron").value["hits"]] == ["plan.md"]
    for name in LEFTOVERS:
        assert door.show(name).code == door.edit(name, importance=0.9).code == door.forget(name).code == 3
    assert door.edit("plan", importance=0.9).code == 0
    assert door.remember("new", namespace="ops").code == 0
    assert door.forget("plan").code == 0
    committed = set(git(case.root, "log", "--name-only", "--format=").split("\n")) - {""}
    assert committed == {"plan.md", "shared/ops/new.md"}
    assert all((case.root / name).read_bytes() == b"the heron plan of a leftover\n" for name in LEFTOVERS)
    assert door.status().value["uncommitted"] == []


def test_a_vault_below_hidden_folders_is_a_vault_like_any_other(tmp_path: Path, git: Git) -> None:
    root = tmp_path / ".vmem" / "node_modules" / "vault"
    case = Case(Vault.create(root).root)
    door = Python(case)
    case.write("in.md", "heron\n")
    for name in (".obsidian/a.md", ".trash/a.md", "node_modules/deep/a.md"):
        case.write(name, "heron\n")
    case.write("_templates/in.md", "heron\n")
    assert [one["path"] for one in door.list().value] == ["_templates/in.md", "in.md"]
    written = door.remember("an owl", namespace="birds").value
    assert git(root, "show", "--name-only", "--format=") == written["path"]


@pytest.fixture
def ignoring(case: Case) -> Case:
    """A code repository with notes in it."""
    case.write(".gitignore", "build/\nvendor\nprivate/*.md\nshared/\nnotes/\n/drafts/\n")
    case.write("README.md", "heron of the readme\n")
    case.write("docs/guide.md", "heron of the guide\n")
    for name in (
        "build/a.md",
        "docs/build/a.md",
        "vendor/deep/a.md",
        "node_modules/x/README.md",
        "drafts/a.md",
    ):
        case.write(name, "heron of others\n")
    return case


def test_folders_that_git_ignores_are_not_searched_and_doctor_names_them(door: Door, ignoring: Case) -> None:
    assert [one["path"] for one in door.list().value] == ["README.md", "docs/guide.md"]
    assert {hit["path"] for hit in door.search("heron").value["hits"]} == {"README.md", "docs/guide.md"}
    assert door.show("build/a.md").code == 3
    said = ignoring.vmem("doctor")
    assert (
        "2 Markdown files; not looked into: build/: git ignores it; docs/build/: git ignores it;"
        " drafts/: git ignores it; node_modules/: never holds notes; vendor/: git ignores it"
    ) in said.out
    assert {one["path"] for one in door.status().value["uncommitted"]} == {"README.md", "docs/guide.md"}


@pytest.mark.parametrize("agent", ["akashi", None])
@pytest.mark.parametrize("namespace", ["shared/x", "shared/node_modules", "private/akashi", None])
def test_what_vmem_writes_is_found_though_git_ignores_its_folder(
    door: Door, ignoring: Case, agent: str | None, namespace: str | None
) -> None:
    fields = {} if namespace is None else {"namespace": namespace}
    written = door.remember("an owl in the barn", agent=agent, **fields).value
    for _ in range(2):
        assert [hit["path"] for hit in door.search("owl").value["hits"]] == [written["path"]]
    assert door.edit(written["id"], importance=0.9).value["path"] == written["path"]
    ignored = not written["path"].startswith("private/akashi")
    assert written["reason"] == ("git's ignore rules keep it out" if ignored else None)


def test_the_setting_leaves_more_out_and_brings_back_what_git_ignores(
    door: Door, ignoring: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(door.list().value) == 2
    config = ignoring.root / ".vmem" / "config.toml"
    before = config.read_text(encoding="utf-8")
    config.write_text(f'{before}exclude = ["docs/", "!/drafts/"]\n', encoding="utf-8")
    assert [one["path"] for one in door.list().value] == ["README.md", "drafts/a.md"]
    assert door.edit("drafts/a.md", importance=0.9).value["reason"] == "git's ignore rules keep it out"
    config.write_text(before, encoding="utf-8")
    assert [one["path"] for one in door.list().value] == ["README.md", "docs/guide.md"]
    monkeypatch.setenv("VMEM_EXCLUDE", "docs/, README.md")
    assert door.list().value == []
    monkeypatch.setenv("VMEM_EXCLUDE", "")
    assert len(door.list().value) == 2


@pytest.mark.parametrize("value", ['"docs/"', "[1, 2]", "true", '{"a" = 1}'])
def test_a_setting_that_is_no_list_of_lines_is_named(case: Case, value: str) -> None:
    with (case.root / ".vmem" / "config.toml").open("a", encoding="utf-8") as file:
        file.write(f"exclude = {value}\n")
    said = case.vmem("list")
    if value == '"docs/"':  # one line is a list of one
        assert said.code == 0
        return
    assert said.code == 78
    assert "exclude" in said.err
    assert "it takes a list of lines as in a .gitignore" in said.err


def test_a_rule_that_comes_later_takes_the_notes_out_of_the_answers_and_back(door: Door, case: Case) -> None:
    case.write("old/a.md", "heron of old\n")
    assert len(door.search("heron").value["hits"]) == 1
    case.write(".gitignore", "old/\n")
    assert door.search("heron").value["hits"] == []
    assert door.show("old/a.md").code == 3
    case.write(".gitignore", "")
    assert len(door.search("heron").value["hits"]) == 1
