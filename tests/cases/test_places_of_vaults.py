"""Where a vault may lie: in a bigger repository, in none, behind a link, with notes that git ignores."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.beside_git import Desk, new_desk, sound, work
from tests.gitrun import run_git
from vault_memory.vault import Vault


def test_a_vault_in_a_subfolder_commits_to_the_repository_around_it(tmp_path: Path) -> None:
    top = tmp_path / "code"
    (top / "deep" / "er").mkdir(parents=True)
    run_git(top, "init", "--quiet")
    (top / "README.md").write_text("# code\n")
    run_git(top, "add", "--all")
    run_git(top, "commit", "--quiet", "--message=code")
    made = Vault.create(top / "deep" / "er" / "memory")
    assert not made.new_repository
    desk = Desk(made.root)
    ferry = desk.json("remember", "Ferries sail north", "--title", "Ferry")
    assert run_git(top, "show", "--format=", "--name-only", "HEAD") == "deep/er/memory/notes/ferry.md"
    assert ferry["path"] == "notes/ferry.md"
    # The repository's other notes are no memories, and no part of the log.
    assert desk.json("search", "code")["hits"] == []
    assert [one["paths"] for one in desk.json("log")] == [["notes/ferry.md"]]
    assert desk.json("log", "Ferry")[0]["commit"] == ferry["committed"]
    (top / "README.md").write_text("# changed\n")
    assert desk.json("status")["uncommitted"] == []
    desk.json("forget", "Ferry")
    desk.json("restore", "Ferry")
    assert (desk.root / "notes/ferry.md").exists()
    sound(top)


def test_one_repository_may_hold_two_vaults(tmp_path: Path) -> None:
    top = tmp_path / "code"
    top.mkdir()
    run_git(top, "init", "--quiet")
    one, two = Desk(Vault.create(top / "one").root), Desk(Vault.create(top / "two").root)
    one.json("remember", "Ferries sail north", "--title", "Ferry")
    two.json("remember", "Trains go south", "--title", "Train")
    assert [each["subject"] for each in one.json("log")] == ["remember: Ferry"]
    assert [each["subject"] for each in two.json("log")] == ["remember: Train"]
    assert one.json("undo")[0]["path"] == "notes/ferry.md"
    assert two.recalled("trains") == ["notes/train.md"]
    sound(top)


def test_a_vault_in_no_repository_saves_and_finds(tmp_path: Path) -> None:
    desk = new_desk(tmp_path / "vault")
    for place in sorted((desk.root / ".git").rglob("*"), reverse=True):
        place.rmdir() if place.is_dir() else place.unlink()
    (desk.root / ".git").rmdir()
    ferry = desk.json("remember", "Ferries sail north", "--title", "Ferry")
    assert ferry["committed"] is None
    assert ferry["reason"] == "no git repository; make one with: git init"
    assert desk.recalled("ferries") == ["notes/ferry.md"]
    assert desk.json("edit", "Ferry", "--importance", "0.9")["reason"] == ferry["reason"]
    assert desk.vmem("remember", "Trains go south", "--require-commit").code == 70
    assert desk.json("forget", "Ferry")["op"] == "forget"
    assert not (desk.root / "notes/ferry.md").exists()
    assert desk.vmem("status").code == 0
    for command in (("log",), ("restore", "Ferry")):
        said = desk.vmem(*command)
        assert said.code == 70
        assert said.err.startswith("vmem: no git repository holds ")
        assert said.err.count("\n") == 2
    undone = desk.vmem("undo")
    assert undone.code == 75
    assert "waits for its commit: no git repository; make one with: git init" in undone.err


def test_in_no_repository_a_change_of_the_persons_stands_in_no_way(tmp_path: Path) -> None:
    desk = new_desk(tmp_path / "vault")
    (desk.root / ".git").rename(tmp_path / "away")
    note = desk.root / "notes" / "tides.md"
    note.parent.mkdir()
    note.write_text("---\ntitle: Tides\n---\nHigh water at six.\n")
    said = desk.vmem("edit", "Tides", "--importance", "0.9", "--json")
    assert (said.code, said.value["committed"]) == (0, None)
    assert "importance: 0.9\n" in note.read_text()


def test_the_cost_of_a_write_does_not_grow_with_what_waits(tmp_path: Path) -> None:
    desk = new_desk(tmp_path / "vault")
    (desk.root / ".git").rename(tmp_path / "away")
    with desk.python() as vault:
        vault.person.remember_many([f"note number {number}" for number in range(300)])
        reads: list[str] = []
        files = vault._opened.ports.files
        real = type(files).read

        def counted(self: object, path: str) -> object:
            reads.append(path)
            return real(files, path)  # type: ignore[arg-type]

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(type(files), "read", counted)
            vault.person.remember("one more")
    assert len(reads) < 20


@pytest.mark.parametrize("rule", ["notes/*.md", "notes/", "*.md", "/notes/ferry.md"])
def test_an_ignored_memory_is_found_and_said_not_to_be_versioned(tmp_path: Path, rule: str) -> None:
    desk = new_desk(tmp_path / "vault")
    (desk.root / ".gitignore").write_text(rule + "\n")
    said = desk.vmem("remember", "Ferries sail north", "--title", "Ferry")
    assert said.code == 0
    assert said.err == "vmem: saved and searchable, but not committed: git's ignore rules keep it out\n"
    assert desk.recalled("ferries") == ["notes/ferry.md"]
    assert desk.waiting() == []
    assert desk.vmem("remember", "Ferries sail south", "-n", "x", "--require-commit").code == (
        70 if rule == "*.md" else 0
    )
    strict = desk.vmem("edit", "Ferry", "--importance", "0.9", "--require-commit", "--json")
    assert strict.code == 70
    assert strict.value["reason"] == "git's ignore rules keep it out"
    assert "importance: 0.9\n" in (desk.root / "notes/ferry.md").read_text()
    gone = desk.json("forget", "Ferry")
    assert gone["committed"] is None
    assert not (desk.root / "notes/ferry.md").exists()
    assert desk.waiting() == []


def test_a_tracked_memory_is_committed_though_a_rule_ignores_it_now(tmp_path: Path) -> None:
    desk = new_desk(tmp_path / "vault")
    desk.json("remember", "Ferries sail north", "--title", "Ferry")
    (desk.root / ".gitignore").write_text("*.md\n")
    assert desk.json("edit", "Ferry", "--importance", "0.9")["committed"]
    assert desk.json("forget", "Ferry")["committed"]
    assert desk.git("ls-files") == ""


def test_a_note_in_a_repository_inside_is_said_not_to_be_versioned_here(tmp_path: Path) -> None:
    desk = new_desk(tmp_path / "vault")
    run_git(desk.root, "init", "--quiet", "shared/other")
    said = desk.json("remember", "Ferries sail north", "--title", "Ferry", "-n", "other")
    assert said["reason"] == "it lies in another git repository (shared/other/)"
    assert desk.waiting() == []
    assert desk.recalled("ferries") == ["shared/other/ferry.md"]


def test_every_spelling_of_the_vaults_path_is_the_same_vault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = new_desk(tmp_path / "real" / "vault")
    (tmp_path / "link").symlink_to(desk.root)
    (tmp_path / "folder").symlink_to(desk.root.parent)
    (desk.root / "notes" / "deep").mkdir(parents=True)
    monkeypatch.chdir(desk.root.parent)
    spellings = [
        str(desk.root), f"{desk.root}/", f"{desk.root}/.", str(tmp_path / "link"), f"{tmp_path}/folder/vault",
        "vault", "./vault", "../real/vault", f"{desk.root}/notes/deep", f"{tmp_path}//real///vault",
    ]  # fmt: skip
    for number, spelling in enumerate(spellings):
        said = Desk(Path(spelling)).vmem("remember", f"Ferry {number} sails", "--require-commit")
        assert (said.code, said.err) == (0, ""), spelling
    assert len(desk.subjects()) == len(spellings)
    assert len(desk.names()) == len(spellings)
    again = Desk(tmp_path / "link").json("remember", "ferry 0 sails")
    assert again["known"]
    for spelling in spellings:
        assert len(Desk(Path(spelling)).json("list")) == len(spellings), spelling
    with Vault.open(tmp_path / "link") as one, Vault.open(desk.root) as two:
        assert one.root == two.root
        one.person.remember("Trains go south", title="Train")
        assert two.person.show("Train").memory.body == "Trains go south\n"
    sound(desk.root)


def test_the_working_folder_or_the_environment_names_the_vault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = new_desk(tmp_path / "vault")
    (desk.root / "notes").mkdir()
    before = work(desk.root)
    assert desk.process("list", cwd=tmp_path, env={"VMEM_VAULT": "/nowhere"}).code == 0
    monkeypatch.setenv("VMEM_VAULT", str(desk.root))
    with Vault.open() as vault:
        assert vault.root == desk.root.resolve()
    monkeypatch.delenv("VMEM_VAULT")
    monkeypatch.chdir(desk.root / "notes")
    with Vault.open() as vault:
        assert vault.root == desk.root.resolve()
    assert work(desk.root) == before
    assert list((desk.root / "notes").iterdir()) == []
