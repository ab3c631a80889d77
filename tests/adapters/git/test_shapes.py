"""Every shape of repository that git makes: served, or refused in plain words before anything is written."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.adapters.git.conftest import Bench, MakeBench
from tests.adapters.git.persons import seeded
from tests.gitrun import run_git
from vault_memory.adapters.git import reasons
from vault_memory.model.namespace import VaultPath
from vault_memory.model.revision import FileState

GIT = tuple(int(part) for part in run_git(Path.cwd(), "--version").split()[2].split(".")[:2])


def exercise(bench: Bench, folder: str = "") -> None:
    """Remember, edit and forget, one by one and many at once; `folder` is the vault in the repository."""
    first = bench.remember("notes/a.md", "one\n")
    assert bench.files_in(first) == [f"A {folder}notes/a.md"]
    assert bench.history.file_state(bench.write("notes/a.md", "two\n").operation.path) is FileState.MODIFIED
    edit = bench.remember("notes/a.md", "three\n")
    assert bench.history.head_bytes(bench.write("notes/a.md", "three\n").operation.path) == b"three\n"
    assert bench.history.bytes_at(first, bench.write("notes/a.md", "three\n").operation.path) == b"one\n"
    intent = bench.write("b.md", "b\n")
    bench.commit(intent)
    gone = bench.remove("b.md")
    removal = bench.commit(gone).commits[gone.number]
    assert bench.files_in(removal) == [f"D {folder}b.md"]
    assert [found.commit for found in bench.history.log(intent.operation.path, limit=1)] == [removal]
    log = list(bench.history.log(None, limit=3))
    assert [found.paths for found in log] == [("b.md",), ("b.md",), ("notes/a.md",)]
    assert log[2].commit == edit
    state = bench.history.state()
    assert (state.exists, state.branch, state.head, state.blocked) == (
        True,
        bench.git("symbolic-ref", "HEAD"),
        removal,
        None,
    )
    many = [bench.write(f"many/{number}.md", f"{number}\n") for number in range(55)]
    assert bench.commit(*many).waiting == {}
    assert bench.history.file_state(many[0].operation.path) is FileState.CLEAN
    assert bench.history.uncommitted() == []
    assert bench.history.head_time() is not None
    bench.history.heal()
    bench.check_sound()


def test_a_whole_repository(tmp_path: Path, bench_at: MakeBench) -> None:
    exercise(bench_at(seeded(tmp_path / "r")))


def test_a_folder_of_a_bigger_repository(tmp_path: Path, bench_at: MakeBench) -> None:
    vault = seeded(tmp_path / "r") / "docs" / "[vault]*"
    vault.mkdir(parents=True)
    exercise(bench_at(vault), "docs/[vault]*/")


def test_a_linked_worktree(tmp_path: Path, bench_at: MakeBench) -> None:
    main = seeded(tmp_path / "r")
    run_git(main, "worktree", "add", "--quiet", "-b", "side", str(tmp_path / "w"))
    before = (main / ".git" / "index").read_bytes()
    exercise(bench_at(tmp_path / "w"))
    assert (main / ".git" / "index").read_bytes() == before
    assert run_git(main, "rev-list", "--count", "main") == "1"
    assert run_git(main, "reflog", "-1", "--format=%gs", "side").startswith("commit: ")
    assert run_git(main, "status", "--porcelain") == ""


def test_a_separate_git_directory(tmp_path: Path, bench_at: MakeBench) -> None:
    exercise(bench_at(seeded(tmp_path / "r", f"--separate-git-dir={tmp_path / 'elsewhere'}")))


def test_a_submodule(tmp_path: Path, bench_at: MakeBench) -> None:
    inner, outer = seeded(tmp_path / "inner"), seeded(tmp_path / "outer")
    run_git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "sub")
    before = (outer / ".git" / "index").read_bytes()
    exercise(bench_at(outer / "sub"))
    assert (outer / ".git" / "index").read_bytes() == before


def test_a_working_tree_that_configuration_puts_elsewhere_is_refused(
    tmp_path: Path, bench_at: MakeBench
) -> None:
    repo = seeded(tmp_path / "r")
    (tmp_path / "tree").mkdir()
    run_git(repo, "config", "core.worktree", str(tmp_path / "tree"))
    bench = bench_at(repo)
    intent = bench.write("a.md", "x\n")
    assert f"{tmp_path / 'tree'}" in bench.commit(intent).waiting[intent.number]
    assert f"{tmp_path / 'tree'}" in (bench.history.state().blocked or "")


def test_a_shallow_clone_says_that_its_history_begins_later(tmp_path: Path, bench_at: MakeBench) -> None:
    origin = seeded(tmp_path / "origin")
    for number in range(3):
        run_git(origin, "commit", "--quiet", "--allow-empty", f"--message={number}")
    run_git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{origin}", "r")
    bench = bench_at(tmp_path / "r")
    exercise(bench)
    assert [one.cut for one in bench.history.log(None, limit=None)][-2:] == [False, True]
    assert not any(one.cut for one in bench_at(origin).history.log(None, limit=None))


def test_a_partial_clone_with_a_sparse_checkout(tmp_path: Path, bench_at: MakeBench) -> None:
    origin = seeded(tmp_path / "origin")
    (origin / "far").mkdir()
    (origin / "far" / "x.md").write_text("far\n")
    run_git(origin, "add", "far")
    run_git(origin, "commit", "--quiet", "--message=far")
    run_git(origin, "config", "uploadpack.allowFilter", "true")
    run_git(tmp_path, "clone", "--quiet", "--filter=blob:none", "--sparse", f"file://{origin}", "r")
    bench = bench_at(tmp_path / "r")
    run_git(bench.root, "sparse-checkout", "set", "notes", "many")
    exercise(bench)
    assert bench.git("show", "HEAD:far/x.md") == "far"


@pytest.mark.parametrize("kind", ["split", "sparse", "version 4"])
def test_an_index_of_another_kind(tmp_path: Path, bench_at: MakeBench, kind: str) -> None:
    repo = seeded(tmp_path / "r")
    (repo / "far").mkdir()
    (repo / "far" / "x.md").write_text("far\n")
    run_git(repo, "add", "far")
    run_git(repo, "commit", "--quiet", "--message=far")
    if kind == "split":
        run_git(repo, "update-index", "--split-index")
    elif kind == "sparse":
        run_git(repo, "sparse-checkout", "set", "--cone", "--sparse-index", "notes", "many")
        assert b"sdir" in (repo / ".git" / "index").read_bytes()
    else:
        run_git(repo, "update-index", "--index-version=4")
    exercise(bench_at(repo))
    assert run_git(repo, "show", "HEAD:far/x.md") == "far"


def test_a_sha256_repository(tmp_path: Path, bench_at: MakeBench) -> None:
    exercise(bench_at(seeded(tmp_path / "r", "--object-format=sha256")))


def test_a_sha256_repository_tells_how_its_files_stand(tmp_path: Path, bench_at: MakeBench) -> None:
    bench = bench_at(seeded(tmp_path / "r", "--object-format=sha256"))
    names = ("clean.md", "é [x].md", "deep/er/a b.md", "changed.md", "partly.md", "gone.md")
    bench.commit(*(bench.write(name, "one\n") for name in names))
    for name in ("changed.md", "partly.md", "new.md"):
        (bench.root / name).write_text("two\n")
    bench.git("add", "partly.md")
    (bench.root / "partly.md").write_text("three\n")
    (bench.root / "gone.md").unlink()
    states = dict.fromkeys(map(VaultPath, names), FileState.CLEAN) | {
        VaultPath("changed.md"): FileState.MODIFIED,
        VaultPath("partly.md"): FileState.PARTLY_STAGED,
        VaultPath("gone.md"): FileState.MISSING,
        VaultPath("new.md"): FileState.UNTRACKED,
    }
    assert bench.history.file_states(list(states)) == states


def test_a_sha256_repository_knows_what_it_ignores(tmp_path: Path, bench_at: MakeBench) -> None:
    bench = bench_at(seeded(tmp_path / "r", "--object-format=sha256"))
    (bench.root / ".gitignore").write_text("private/\n/:odd.md\n*.tmp.md\n")
    names = {"private/new.md": True, ":odd.md": True, "a.tmp.md": True, "[a].md": False, ":(top)x.md": False}
    assert {name: bench.history.ignored(VaultPath(name)) for name in names} == names
    ignored, kept = bench.write("private/new.md", "x\n"), bench.write("[a].md", "x\n")
    report = bench.commit(ignored, kept)
    assert (list(report.unversioned), list(report.commits)) == ([ignored.number], [kept.number])


def test_a_sha256_repository_runs_hooks_and_waits_for_locks(tmp_path: Path, bench_at: MakeBench) -> None:
    bench = bench_at(seeded(tmp_path / "r", "--object-format=sha256"))
    hook = bench.hook("pre-commit", "echo no >&2\nexit 1")
    intent = bench.write("a.md", "x\n")
    assert bench.commit(intent).waiting == {intent.number: "no"}
    hook.unlink()
    (bench.root / ".git" / "index.lock").touch()
    bench.history._lock_wait = 0.2
    assert "index.lock is held" in bench.commit(intent).waiting[intent.number]
    (bench.root / ".git" / "index.lock").unlink()
    (bench.root / "staged.txt").write_text("the person's\n")
    bench.git("add", "staged.txt")
    assert bench.commit(intent).waiting == {}
    assert bench.git("status", "--porcelain") == "A  staged.txt"


def test_a_sha256_repository_without_the_git_program_says_so(
    tmp_path: Path, bench_at: MakeBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = bench_at(seeded(tmp_path / "r", "--object-format=sha256"))
    intent = bench.write("a.md", "x\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert bench.commit(intent).waiting[intent.number].startswith("git is not on PATH, and only git can read")


def test_a_reftable_repository(tmp_path: Path, bench_at: MakeBench) -> None:
    if GIT < (2, 45):
        pytest.skip("this git makes no reftables")
    exercise(bench_at(seeded(tmp_path / "r", "--ref-format=reftable")))


def test_a_bare_repository_lets_everything_wait(tmp_path: Path, bench_at: MakeBench) -> None:
    run_git(tmp_path, "init", "--quiet", "--bare", "bare.git")
    bench = bench_at(tmp_path / "bare.git")
    intent = bench.write("a.md", "x\n")
    assert bench.commit(intent).waiting == {intent.number: reasons.BARE}
    assert bench.history.state().blocked == reasons.BARE
    bench.history.heal()


def test_a_git_file_that_leads_nowhere_is_named(tmp_path: Path, bench_at: MakeBench) -> None:
    root = tmp_path / "r"
    root.mkdir()
    (root / ".git").write_text("gitdir: /no/where\n")
    bench = bench_at(root)
    intent = bench.write("a.md", "x\n")
    assert "/no/where" in bench.commit(intent).waiting[intent.number]
    assert "/no/where" in (bench.history.state().blocked or "")


@pytest.mark.parametrize("attribute", ["text eol=crlf", "text", "text=auto", "crlf"])
def test_line_ends_are_stored_as_git_stores_them(tmp_path: Path, bench_at: MakeBench, attribute: str) -> None:
    repo = seeded(tmp_path / "r")
    (repo / ".gitattributes").write_text(f"*.md {attribute}\n")
    run_git(repo, "add", ".gitattributes")
    run_git(repo, "commit", "--quiet", "--message=attributes")
    bench = bench_at(repo)
    bench.remember("lf.md", b"one\ntwo\n")
    crlf = bench.write("crlf.md", b"one\r\ntwo\r\n")
    assert bench.commit(crlf).waiting == {}
    assert bench.history.head_bytes(crlf.operation.path) == b"one\ntwo\n"
    assert bench.history.file_state(crlf.operation.path) is FileState.CLEAN
    assert len(bench.commit(crlf).commits) == 1
    assert run_git(repo, "rev-list", "--count", "HEAD") == "4"
    many = [bench.write(f"{number}.md", f"{number}\r\n") for number in range(55)]
    assert bench.commit(*many).waiting == {}
    assert bench.history.head_bytes(many[7].operation.path) == b"7\n"
    bench.check_sound()


def test_a_file_with_crlf_in_history_keeps_it_where_git_would(tmp_path: Path, bench_at: MakeBench) -> None:
    repo = seeded(tmp_path / "r")
    bench = bench_at(repo)
    bench.remember("a.md", b"one\r\n")
    run_git(repo, "config", "core.autocrlf", "true")
    intent = bench.write("a.md", b"one\r\ntwo\r\n")
    bench.commit(intent)
    assert bench.history.head_bytes(intent.operation.path) == b"one\r\ntwo\r\n"
    bench.check_sound()
    os.utime(repo / ".git" / "index")
    assert bench.history.file_state(intent.operation.path) is FileState.CLEAN


def test_a_filter_on_the_path_is_run(tmp_path: Path, bench_at: MakeBench) -> None:
    repo = seeded(tmp_path / "r")
    (repo / ".gitattributes").write_text("secret/*.md filter=rot\n")
    run_git(repo, "add", ".gitattributes")
    run_git(repo, "commit", "--quiet", "--message=attributes")
    for way in ("clean", "smudge"):
        run_git(repo, "config", f"filter.rot.{way}", "tr a-z n-za-m")
    run_git(repo, "config", "filter.rot.required", "true")
    bench = bench_at(repo)
    intent = bench.write("secret/a.md", "hello\n")
    commit = bench.commit(intent).commits[intent.number]
    assert bench.history.head_bytes(intent.operation.path) == b"uryyb\n"
    assert bench.commit(intent).commits == {intent.number: commit}
    assert bench.history.file_state(intent.operation.path) is FileState.CLEAN
    bench.check_sound()
    run_git(repo, "config", "filter.rot.clean", "false")
    refused, plain = bench.write("secret/b.md", "x\n"), bench.write("plain.md", "x\n")
    report = bench.commit(refused, plain)
    assert "rot" in report.waiting[refused.number]
    assert list(report.commits) == [plain.number]


def test_ident_and_encodings_are_gits_business(tmp_path: Path, bench_at: MakeBench) -> None:
    repo = seeded(tmp_path / "r")
    (repo / ".gitattributes").write_text("i.md ident\nu.md working-tree-encoding=UTF-16LE\n")
    run_git(repo, "add", ".gitattributes")
    run_git(repo, "commit", "--quiet", "--message=attributes")
    bench = bench_at(repo)
    identified, encoded = bench.write("i.md", "$Id: 123 $\n"), bench.write("u.md", "hé\n".encode("utf-16-le"))
    assert bench.commit(identified, encoded).waiting == {}
    assert bench.history.head_bytes(identified.operation.path) == b"$Id$\n"
    assert bench.history.head_bytes(encoded.operation.path) == "hé\n".encode()
    bench.check_sound()


def test_a_person_renaming_the_branch_is_followed(bench: Bench) -> None:
    bench.remember("a.md")
    subprocess.run(["git", "branch", "-m", "trunk"], cwd=bench.root, check=True)
    bench.remember("b.md")
    assert bench.history.state().branch == "refs/heads/trunk"
    assert bench.git("rev-list", "--count", "trunk") == "3"


def test_a_repository_made_later_or_anew_is_found(tmp_path: Path, bench_at: MakeBench) -> None:
    bench = bench_at(tmp_path / "r")
    intent = bench.write("a.md", "x\n")
    assert bench.commit(intent).waiting
    for _ in range(2):
        subprocess.run(["rm", "-rf", ".git"], cwd=bench.root, check=True)
        run_git(bench.root, "init", "--quiet")
        assert bench.commit(intent).waiting == {}
    bench.check_sound()
