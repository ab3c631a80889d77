"""Making a vault: what is there stays as it is, what is new is said, and what can't work is refused first."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from tests.cases.beside_git import Answer, Desk
from tests.gitrun import run_git
from vault_memory.errors import RepositoryShapeError, UsageError
from vault_memory.model.merging.attributes import has_line
from vault_memory.surfaces.cli.app import main
from vault_memory.surfaces.cli.context import World
from vault_memory.vault import Vault


def vmem(*argv: str) -> Answer:
    """A call in this process, without a vault's name."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        code = main(list(argv), world=World())
    return Answer(code, _text(out), _text(err))


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()


def init(*argv: str) -> Answer:
    """`vmem init`."""
    return vmem("init", *argv)


def told(*argv: str) -> Any:
    said = init(*argv, "--json")
    assert said.code == 0, said.err
    return json.loads(said.out)


def everything(root: Path) -> dict[str, bytes | None]:
    """All below the folder but what is git's and vmem's."""
    found = (one for one in root.rglob("*") if not {".git", ".vmem"} & set(one.relative_to(root).parts))
    return {str(one.relative_to(root)): one.read_bytes() if one.is_file() else None for one in found}


@pytest.fixture(autouse=True)
def somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every call is made from a folder of its own."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    return here


def test_a_folder_of_notes_is_adopted_as_it_is(somewhere: Path) -> None:
    (somewhere / "daily" / "deep").mkdir(parents=True)
    (somewhere / ".obsidian").mkdir()
    for name in ("a.md", "daily/b.md", "daily/deep/c.markdown", "daily/picture.png", ".obsidian/x.md"):
        (somewhere / name).write_bytes(f"heron number {name}\r\n".encode())
    (somewhere / ".gitignore").write_bytes(b"*.log\r\n")
    before = everything(somewhere)
    said = init()
    assert said.code == 0
    assert "3 Markdown files that were there are memories now; none was changed.\n" in said.out
    after = everything(somewhere)
    assert {name: one for name, one in after.items() if name != ".gitattributes"} == before
    assert has_line((somewhere / ".gitattributes").read_bytes())
    assert sorted(one.name for one in (somewhere / ".vmem").iterdir()) == [
        ".gitignore", "config.toml", "local",
    ]  # fmt: skip
    assert run_git(somewhere, "status", "--porcelain", ".vmem") == "?? .vmem/"
    desk = Desk(somewhere)
    assert [one["path"] for one in desk.json("list")] == ["a.md", "daily/b.md", "daily/deep/c.markdown"]
    desk.json("remember", "an owl")
    desk.vmem("lint")
    desk.vmem("doctor")
    assert {name: one for name, one in everything(somewhere).items() if name in before} == before
    assert run_git(somewhere, "ls-files") == "notes/an-owl.md"


def test_one_note_and_none_are_said_in_words_of_their_own(somewhere: Path) -> None:
    assert "Markdown file" not in init("none").out
    (somewhere / "one").mkdir()
    (somewhere / "one" / "a.md").write_text("heron\n")
    assert "1 Markdown file that was there is a memory now; none was changed.\n" in init("one").out


def test_making_it_again_changes_nothing_and_says_so(somewhere: Path) -> None:
    first = told()
    assert (first["new"], first["new_repository"], first["adopted"]) == (True, True, 0)
    Desk(somewhere).json("remember", "a heron")
    state = run_git(somewhere, "status", "--porcelain"), run_git(somewhere, "rev-parse", "HEAD")
    again = told()
    assert (again["new"], again["new_repository"], again["adopted"], again["made"]) == (False, False, 1, [])
    assert init().out == f"{somewhere} is a vault already, with 1 memory; nothing was changed.\n"
    assert (run_git(somewhere, "status", "--porcelain"), run_git(somewhere, "rev-parse", "HEAD")) == state


def test_a_clone_that_is_a_vault_is_said_to_be_one(somewhere: Path) -> None:
    init("origin")
    Desk(somewhere / "origin").json("remember", "a heron")
    run_git(somewhere / "origin", "add", "--all")
    run_git(somewhere / "origin", "commit", "--quiet", "--message=vault")
    run_git(somewhere, "clone", "--quiet", "origin", "clone")
    # It works without being made, too.
    run_git(somewhere, "clone", "--quiet", "origin", "other")
    assert Desk(somewhere / "other").recalled("heron") == ["notes/a-heron.md"]
    said = init("clone")
    assert said.out.splitlines() == [
        "clone is a vault already, with 1 memory; new are only .vmem/local/.",
        "Git merges memories by front matter key in this clone from now on.",
    ]
    assert run_git(somewhere / "clone", "status", "--porcelain") == ""


def test_a_clone_without_the_vaults_ignore_file_keeps_the_index_out_of_git(somewhere: Path) -> None:
    init("origin")
    (somewhere / "origin" / ".vmem" / ".gitignore").unlink()
    run_git(somewhere / "origin", "add", ".vmem/config.toml")
    run_git(somewhere / "origin", "commit", "--quiet", "--message=vault")
    run_git(somewhere, "clone", "--quiet", "origin", "clone")
    desk = Desk(somewhere / "clone")
    desk.json("remember", "a heron")
    assert desk.git("status", "--porcelain") == ""
    desk.git("add", "--all")
    assert desk.git("diff", "--cached", "--name-only") == ""


@pytest.mark.parametrize("path", ["", " ", "\t"])
def test_no_folder_is_not_the_working_folder(somewhere: Path, path: str) -> None:
    said = init(path)
    assert said.code == 2
    assert said.err == "vmem: a vault needs a folder\n      vmem init FOLDER   or vmem init . for this one\n"
    with pytest.raises(UsageError):
        Vault.create(path)
    assert list(somewhere.iterdir()) == []


@pytest.mark.parametrize("argv", [("--vault", "", "list"), ("list", "--vault", ""), ("--vault= ", "status")])
def test_an_empty_name_of_a_vault_is_not_the_vault_around(somewhere: Path, argv: tuple[str, ...]) -> None:
    init()
    said = vmem(*argv)
    assert (said.code, said.err) == (2, "vmem: --vault names no folder\n      vmem --vault FOLDER …\n")


@pytest.mark.parametrize("place", ["", "memory", "deep/er/memory"])
def test_a_bare_repository_is_refused_before_anything_is_written(somewhere: Path, place: str) -> None:
    run_git(somewhere, "init", "--quiet", "--bare", "bare.git")
    before = sorted((somewhere / "bare.git").rglob("*"))
    said = init(f"bare.git/{place}")
    assert said.code == 70
    assert "can't be a vault: the repository is bare: it has no working tree to commit from\n" in said.err
    assert "make the vault in an ordinary clone, or in a folder of its own" in said.err
    with pytest.raises(RepositoryShapeError):
        Vault.create(somewhere / "bare.git" / place)
    assert sorted((somewhere / "bare.git").rglob("*")) == before


@pytest.mark.parametrize("place", [".git", ".git/hooks", ".git/new/memory"])
def test_a_git_directory_is_no_place_for_a_vault(somewhere: Path, place: str) -> None:
    run_git(somewhere, "init", "--quiet")
    before = sorted(somewhere.rglob("*"))
    said = init(place)
    assert said.code == 70
    assert "it lies in a repository's own git directory" in said.err
    assert sorted(somewhere.rglob("*")) == before


def test_a_working_tree_elsewhere_is_refused_before_anything_is_written(somewhere: Path) -> None:
    (somewhere / "tree").mkdir()
    run_git(somewhere, "init", "--quiet", "repo")
    run_git(somewhere / "repo", "config", "core.worktree", str(somewhere / "tree"))
    said = init("repo/memory")
    assert said.code == 70
    assert f"the repository's working tree is {somewhere / 'tree'}/, by its core.worktree" in said.err
    assert [one.name for one in (somewhere / "repo").iterdir()] == [".git"]


def test_a_vault_that_is_in_git_and_not_checked_out_is_not_made_anew(somewhere: Path) -> None:
    init()
    run_git(somewhere, "add", "--all")
    run_git(somewhere, "commit", "--quiet", "--message=vault")
    run_git(somewhere, "sparse-checkout", "set", "notes")
    assert not (somewhere / ".vmem" / "config.toml").exists()
    said = init()
    assert said.code == 2
    assert said.err.startswith(f"vmem: {somewhere} is a vault whose folder .vmem/ is not checked out\n")
    run_git(somewhere, "sparse-checkout", "add", ".vmem")
    assert told()["new"] is False


def test_what_keeps_git_from_committing_is_said_at_once(somewhere: Path) -> None:
    run_git(somewhere, "init", "--quiet")
    run_git(somewhere, "commit", "--quiet", "--allow-empty", "--message=one")
    run_git(somewhere, "checkout", "--quiet", "--detach")
    said = init("memory")
    assert said.code == 0
    assert said.out.startswith("Created a vault in memory (in the git repository that is there).\n")
    assert said.err == (
        "vmem: memories are saved and wait for their commits:"
        " HEAD is detached; go to a branch with: git switch BRANCH\n"
    )
    assert told("memory")["blocked"].startswith("HEAD is detached")


def test_a_vault_inside_a_vault_is_made_and_said_to_be_one(somewhere: Path) -> None:
    init()
    said = init("inner")
    assert said.code == 0
    assert said.err == f"vmem: it lies in the vault {somewhere}, which finds its memories too\n"
    assert told("inner")["inside"] == str(somewhere)


def test_what_can_be_no_folder_is_named(somewhere: Path) -> None:
    (somewhere / "file").write_text("x")
    for path in ("file", "file/memory"):
        assert init(path).code == 2
    assert "is a file, and a vault is a folder" in init("file").err
    assert init("a\0b").code == 2
    (somewhere / "round").symlink_to("round")
    assert init("round").code in (2, 74)
    assert sorted(one.name for one in somewhere.iterdir()) == ["file", "round"]
