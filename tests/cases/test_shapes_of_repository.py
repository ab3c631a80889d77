"""Every shape of repository, from end to end: remember, edit, recall, log, forget, undo, status."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases.beside_git import Desk, sound
from tests.gitrun import run_git
from vault_memory.vault import Vault

POINTER = (
    "version https://git-lfs.github.com/spec/v1\n"
    "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
)


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    """A repository that is a vault with two memories, and serves clones of every kind."""
    root = Vault.create(tmp_path / "origin").root
    desk = Desk(root)
    desk.json("remember", "First of all", "--title", "First")
    desk.json("remember", "Second of all", "--title", "Second", "-n", "far")
    desk.git("add", "--all")
    desk.git("commit", "--quiet", "--message=the vault's settings")
    desk.git("config", "uploadpack.allowFilter", "true")
    return root


def clone(origin: Path, *options: str) -> Path:
    run_git(origin.parent, "clone", "--quiet", *options, f"file://{origin}", "clone")
    return origin.parent / "clone"


def sparse(origin: Path) -> Path:
    root = clone(origin, "--filter=blob:none", "--sparse")
    run_git(root, "sparse-checkout", "set", ".vmem", "notes")
    return root


def worktree(origin: Path) -> Path:
    run_git(origin, "worktree", "add", "--quiet", "-b", "side", str(origin.parent / "side"))
    return origin.parent / "side"


def submodule(origin: Path) -> Path:
    outer = origin.parent / "outer"
    run_git(origin.parent, "init", "--quiet", "outer")
    run_git(
        outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", f"file://{origin}", "sub"
    )
    return outer / "sub"


def made(*options: str) -> Callable[[Path], Path]:
    def make(origin: Path) -> Path:
        root = origin.parent / "made"
        given = [option.format(tmp=origin.parent) for option in options]
        run_git(origin.parent, "init", "--quiet", *given, "made")
        return Vault.create(root).root

    return make


def crlf(origin: Path) -> Path:
    root = clone(origin)
    (root / ".gitattributes").write_text("*.md text eol=crlf\n")
    run_git(root, "add", "--all")
    run_git(root, "commit", "--quiet", "--message=line ends")
    return root


def filtered(origin: Path) -> Path:
    root = clone(origin)
    (root / ".gitattributes").write_text("*.md filter=rot\n")
    for way in ("clean", "smudge"):
        run_git(root, "config", f"filter.rot.{way}", "tr a-z n-za-m")
    run_git(root, "add", "--renormalize", ".")
    run_git(root, "add", ".gitattributes")
    run_git(root, "commit", "--quiet", "--message=a filter")
    return root


SHAPES: dict[str, Callable[[Path], Path]] = {
    "itself": lambda origin: origin,
    "a clone": clone,
    "a shallow clone": lambda origin: clone(origin, "--depth=1"),
    "a partial clone": lambda origin: clone(origin, "--filter=blob:none"),
    "a sparse checkout": sparse,
    "a linked worktree": worktree,
    "a submodule": submodule,
    "an unborn branch": made(),
    "a git directory elsewhere": made("--separate-git-dir={tmp}/elsewhere"),
    "sha256": made("--object-format=sha256"),
    "line ends as on Windows": crlf,
    "a filter": filtered,
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_verb_works_and_leaves_nothing_behind(origin: Path, shape: str) -> None:
    desk = Desk(SHAPES[shape](origin))
    known = len(desk.json("list"))
    before = run_git(origin, "rev-parse", "main"), (origin / ".git" / "index").read_bytes()
    ferry = desk.json("remember", "Ferries sail north", "--title", "Ferry")
    assert ferry["committed"] == desk.git("rev-parse", "HEAD")
    assert desk.json("edit", "Ferry", "--importance", "0.9")["committed"] == desk.git("rev-parse", "HEAD")
    assert desk.recalled("ferries") == ["notes/ferry.md"]
    assert [one["op"] for one in desk.json("log", "Ferry")] == ["edit", "remember"]
    assert desk.json("forget", "Ferry")["committed"] == desk.git("rev-parse", "HEAD")
    assert desk.json("restore", "Ferry")["committed"] == desk.git("rev-parse", "HEAD")
    assert desk.vmem("undo").code == 0
    assert not (desk.root / "notes" / "ferry.md").exists()
    status = desk.json("status")
    assert (status["waiting"], status["uncommitted"], status["notices"]) == ([], [], [])
    assert len(desk.json("list")) == known
    assert desk.vmem("doctor").code == 0
    with desk.python() as vault:
        owl = vault.person.remember("An owl in the barn", title="Owl")
        assert owl.commit == desk.git("rev-parse", "HEAD")
    # No index, no lock, no journal in any repository or in another's working tree.
    for place in (desk.root, origin):
        seen = run_git(place, "status", "--porcelain", "--untracked-files=all").splitlines()
        assert [line for line in seen if ".vmem/local" in line or "lock" in line] == []
    assert not [name for name in desk.git("ls-files").splitlines() if "local" in name or "index.db" in name]
    if shape != "itself":
        assert run_git(origin, "rev-parse", "main") == before[0]
        assert (origin / ".git" / "index").read_bytes() == before[1]
    sound(desk.root)


def test_the_log_of_a_shallow_clone_says_where_it_begins(origin: Path) -> None:
    Desk(origin).json("edit", "First", "--importance", "0.9")
    desk = Desk(clone(origin, "--depth=1"))
    desk.json("remember", "Ferries sail north", "--title", "Ferry")
    assert [one["cut"] for one in desk.json("log")] == [False, True]
    assert [one["cut"] for one in desk.json("log", "First")] == [True]
    assert [one["cut"] for one in desk.json("log", "Ferry")] == [False]
    words = "history begins here: the clone is shallow (git fetch --unshallow brings the rest)"
    assert words in desk.vmem("log", "First").out
    assert words not in desk.vmem("log", "Ferry").out
    desk.git("fetch", "--quiet", "--unshallow")
    assert [one["cut"] for one in desk.json("log", "First")] == [False, False]


def test_outside_a_sparse_checkout_nothing_is_taken_for_deleted(origin: Path) -> None:
    desk = Desk(sparse(origin))
    assert [one["path"] for one in desk.json("list")] == ["notes/first.md"]
    assert desk.json("status")["uncommitted"] == []
    written = desk.json("remember", "Ferries sail north", "-n", "far")
    assert written["committed"]
    desk.git("sparse-checkout", "reapply")
    assert [one["path"] for one in desk.json("list")] == ["notes/first.md"]
    desk.json("remember", "An owl in the barn")
    assert {"shared/far/second.md", written["path"]} <= set(
        desk.git("ls-tree", "-r", "--name-only", "HEAD").splitlines()
    )
    desk.git("sparse-checkout", "add", "shared")
    assert written["path"] in {one["path"] for one in desk.json("list")}


def test_a_pointer_of_lfs_is_no_text(origin: Path) -> None:
    root = clone(origin)
    (root / ".gitattributes").write_text("*.md filter=lfs diff=lfs merge=lfs -text\n")
    (root / "notes" / "pointer.md").write_text(POINTER)
    (root / "notes" / "about.md").write_text(f"A pointer of LFS looks so:\n\n{POINTER}")
    desk = Desk(root)
    for word in ("git-lfs", "sha256", "12345"):
        assert {hit["path"] for hit in desk.json("search", word)["hits"]} <= {"notes/about.md"}
    assert desk.json("show", "notes/pointer.md")["text"] == ""
    [finding] = desk.json("show", "notes/pointer.md")["findings"]
    assert (finding["code"], finding["line"]) == ("VM004", 1)
    assert desk.json("show", "notes/about.md")["findings"] == []
    refused = desk.vmem("edit", "notes/pointer.md", "--importance", "0.9")
    assert refused.code == 65
    assert "fetch the text: git lfs install, then git lfs pull" in refused.err
    assert (root / "notes" / "pointer.md").read_text() == POINTER


def test_where_the_filter_of_lfs_is_missing_a_memory_is_saved_and_waits(origin: Path) -> None:
    root = clone(origin)
    (root / ".gitattributes").write_text("*.md filter=lfs -text\n")
    desk = Desk(root)
    for way in ("clean", "smudge"):
        desk.git("config", f"filter.lfs.{way}", "git-lfs-that-is-not-there %f")
    desk.git("config", "filter.lfs.required", "true")
    written = desk.json("remember", "Ferries sail north", "--title", "Ferry")
    assert written["committed"] is None
    assert "git-lfs-that-is-not-there" in written["reason"]
    assert desk.recalled("ferries") == ["notes/ferry.md"]
    assert desk.waiting() == ["notes/ferry.md"]
    desk.git("config", "--remove-section", "filter.lfs")
    assert desk.json("remember", "An owl in the barn")["committed"]
    assert desk.waiting() == []


def test_a_vault_in_a_bare_repository_lets_memories_wait_and_says_why(origin: Path) -> None:
    run_git(origin.parent, "clone", "--quiet", "--bare", str(origin), "bare.git")
    bare = origin.parent / "bare.git"
    shutil.copytree(origin / ".vmem", bare / ".vmem", ignore=shutil.ignore_patterns("local"))
    desk = Desk(bare)
    written = desk.json("remember", "Ferries sail north")
    assert written["reason"] == "the repository is bare: it has no working tree to commit from"
    assert desk.recalled("ferries") == ["notes/ferries-sail-north.md"]
    for command in (("doctor",), ("status",), ("lint",), ("log",), ("list",)):
        said = desk.vmem(*command)
        assert "bug" not in said.err, said.err
    assert "the repository is bare" in desk.vmem("doctor").out


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_a_repository_of_another_owner_is_read_and_left_alone(origin: Path) -> None:
    subprocess.run(["chown", "-R", "65534", str(origin)], check=True)
    desk = Desk(origin)
    head = (origin / ".git" / "refs" / "heads" / "main").read_bytes()
    advice = f"git config --global --add safe.directory {origin}"
    written = desk.json("remember", "Ferries sail north", "--title", "Ferry")
    assert written["committed"] is None
    assert written["reason"].endswith(advice)
    assert advice in desk.json("status")["git"]
    assert desk.recalled("ferries") == ["notes/ferry.md"]
    assert (origin / ".git" / "refs" / "heads" / "main").read_bytes() == head
    assert advice in desk.vmem("doctor").out
    assert [one["title"] for one in desk.json("list")] == ["Ferry", "First", "Second"]
    subprocess.run(["chown", "-R", "0", str(origin)], check=True)
    assert desk.json("remember", "An owl in the barn")["committed"]
    assert desk.waiting() == []


def test_a_repository_inside_the_vault_keeps_its_own_history(origin: Path) -> None:
    inner = origin / "inner"
    run_git(origin, "init", "--quiet", "inner")
    (inner / "note.md").write_text("---\ntitle: Inner\n---\nheron in another repository\n")
    run_git(inner, "add", "--all")
    run_git(inner, "commit", "--quiet", "--message=theirs")
    desk = Desk(origin)
    head = run_git(inner, "rev-parse", "HEAD")
    assert desk.recalled("heron") == ["inner/note.md"]
    changed = desk.json("edit", "Inner", "--importance", "0.9")
    assert changed["reason"] == "it lies in another git repository (inner/)"
    assert run_git(inner, "rev-parse", "HEAD") == head
    assert run_git(inner, "status", "--porcelain") == " M note.md"
    assert desk.waiting() == []
