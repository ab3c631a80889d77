"""History and status as a person would ask for them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.adapters.git.conftest import Bench, MakeBench
from tests.gitrun import run_git
from vault_memory.adapters.git.init import init_repository
from vault_memory.errors import GitError, RevisionNotFoundError
from vault_memory.model.namespace import VaultPath
from vault_memory.model.revision import FileState, Op


def subjects(bench: Bench, path: str | None = None, limit: int | None = None) -> list[str]:
    chosen = VaultPath(path) if path is not None else None
    return [found.subject for found in bench.history.log(chosen, limit=limit)]


def test_a_revision_tells_all_that_its_commit_says(bench: Bench) -> None:
    intent = bench.write("notes/ünï.md", "x\n", agent="akashi")
    commit = bench.commit(intent).commits[intent.number]
    (found,) = bench.history.log(None, limit=1)
    assert (found.commit, found.author, found.email) == (commit, "akashi", "akashi@agents.invalid")
    assert (found.op, found.agent, found.memory_id) == (Op.REMEMBER, "akashi", "01K8ZQ4T7R3M5N9V2XW6Y0ABCD")
    assert (found.paths, found.undoes) == (("notes/ünï.md",), None)
    assert found.when == datetime(2026, 11, 29, 10, 15, tzinfo=UTC)


def test_only_commits_of_markdown_in_the_vault_are_listed(tmp_path: Path, bench_at: MakeBench) -> None:
    run_git(tmp_path, "init", "--quiet", "r")
    (tmp_path / "r" / "vault").mkdir()
    bench, outer = bench_at(tmp_path / "r" / "vault"), bench_at(tmp_path / "r")
    bench.remember("a.md")
    outer.remember("outside.md")
    outer.remember("vaults/b.md")
    (bench.root / ".hidden").mkdir()
    for name in ("code.py", ".hidden/c.md"):
        (bench.root / name).write_text("x\n")
        bench.git("add", "--force", name)
        bench.git("commit", "--quiet", "--message", name)
    assert subjects(bench) == ["remember: a.md"]
    assert next(bench.history.log(None, limit=None)).paths == ("a.md",)
    assert len(subjects(outer)) == 3


def test_a_renamed_file_is_followed(bench: Bench) -> None:
    bench.remember("old.md", "one\ntwo\nthree\n")
    (bench.root / "sub").mkdir()
    bench.git("mv", "old.md", "sub/new.md")
    bench.git("commit", "--quiet", "--message=moved")
    bench.remember("sub/new.md", "one\ntwo\nthree\nfour\n")
    bench.remember("other.md")
    found = list(bench.history.log(VaultPath("sub/new.md"), limit=None))
    assert [revision.subject for revision in found] == ["edit: sub/new.md", "moved", "remember: old.md"]
    assert [revision.paths for revision in found] == [("sub/new.md",), ("sub/new.md",), ("old.md",)]


def test_a_limit_stops_early_and_leaves_no_process_behind(bench: Bench) -> None:
    bench.commit(*(bench.write(f"{number}.md", str(number)) for number in range(200)))
    assert subjects(bench, limit=2) == ["remember: 199.md", "remember: 198.md"]
    listing = bench.history.log(None, limit=None)
    next(listing)
    listing.close()  # type: ignore[attr-defined]
    assert len(subjects(bench)) == 201


def test_the_log_tells_of_each_commit_what_it_left_without_a_file(bench: Bench) -> None:
    bench.remember("a.md")
    bench.git("mv", "a.md", "b.md")
    (bench.root / "c d.md").write_text("x\n")
    bench.git("add", "c d.md")
    bench.git("commit", "--quiet", "--message=moved")
    bench.git("rm", "--quiet", "c d.md")
    bench.git("commit", "--quiet", "--message=removed")
    removed, moved, made, _ = bench.history.log(None, limit=None)
    assert [one.paths for one in (removed, moved, made)] == [
        ("c d.md",),
        ("a.md", "b.md", "c d.md"),
        ("a.md",),
    ]
    assert [set(one.removed) for one in (removed, moved, made)] == [{"c d.md"}, {"a.md"}, set()]


def test_a_log_is_not_changed_by_the_persons_taste(bench: Bench) -> None:
    bench.remember("a.md")
    for key, value in {
        "log.showSignature": "true",
        "log.decorate": "full",
        "color.ui": "always",
        "diff.renames": "copies",
        "format.pretty": "oneline",
        "log.date": "relative",
        "core.quotePath": "true",
        "i18n.logOutputEncoding": "latin1",
    }.items():
        bench.git("config", key, value)
    intent = bench.write("é.md", "x\n")
    bench.commit(intent)
    assert subjects(bench) == ["remember: é.md", "remember: a.md", "first"]


def test_there_is_no_log_before_the_first_commit(repo: Path, bench_at: MakeBench) -> None:
    bench = bench_at(repo)
    assert subjects(bench) == []
    assert bench.history.head_time() is None
    assert bench.history.head_bytes(VaultPath("a.md")) is None


def test_without_a_repository_or_without_git_the_error_says_so(
    tmp_path: Path, bench: Bench, bench_at: MakeBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(GitError, match="no git repository"):
        subjects(bench_at(tmp_path / "plain"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitError, match="git is not on PATH"):
        subjects(bench)


def test_bytes_are_read_as_of_any_commit(bench: Bench) -> None:
    first = bench.remember("a.md", "one\n")
    bench.remember("a.md", "two\n")
    path = VaultPath("a.md")
    assert bench.history.bytes_at(first, path) == b"one\n"
    assert bench.history.bytes_at("HEAD~1", path) == b"one\n"
    assert bench.history.bytes_at("HEAD", VaultPath("none.md")) is None
    for unknown in ("nonsense", "0" * 40, "-x", ""):
        with pytest.raises(RevisionNotFoundError):
            bench.history.bytes_at(unknown, path)


def test_heads_time_is_its_commit_time(bench: Bench) -> None:
    seconds = int(bench.git("show", "--format=%ct", "-s"))
    assert bench.history.head_time() == datetime.fromtimestamp(seconds, UTC)


def test_uncommitted_notes_are_listed_with_their_state(bench: Bench) -> None:
    for name in ("clean", "changed", "staged", "partly", "gone"):
        bench.remember(f"{name}.md", "one\n")
    (bench.root / "changed.md").write_text("two\n")
    (bench.root / "staged.md").write_text("two\n")
    (bench.root / "partly.md").write_text("two\n")
    bench.git("add", "staged.md", "partly.md")
    (bench.root / "partly.md").write_text("three\n")
    (bench.root / "gone.md").unlink()
    (bench.root / "new folder").mkdir()
    (bench.root / "new folder" / "new.md").write_text("x\n")
    (bench.root / "script.py").write_text("x\n")
    expected = {
        "changed.md": FileState.MODIFIED,
        "gone.md": FileState.MISSING,
        "new folder/new.md": FileState.UNTRACKED,
        "partly.md": FileState.PARTLY_STAGED,
        "staged.md": FileState.MODIFIED,
    }
    assert dict(bench.history.uncommitted()) == expected
    for path, state in expected.items():
        assert bench.history.file_state(VaultPath(path)) is state
    assert bench.history.file_state(VaultPath("clean.md")) is FileState.CLEAN
    everything = {
        VaultPath(path): state for path, state in (expected | {"clean.md": FileState.CLEAN}).items()
    }
    assert bench.history.file_states(list(everything)) == everything


def test_the_states_of_one_file_between_head_index_and_disk(bench: Bench) -> None:
    path, file = VaultPath("a.md"), bench.root / "a.md"
    assert bench.history.file_state(path) is FileState.MISSING
    file.write_text("one\n")
    assert bench.history.file_state(path) is FileState.UNTRACKED
    bench.git("add", "--intent-to-add", "a.md")
    assert bench.history.file_state(path) is FileState.UNTRACKED
    bench.git("add", "a.md")
    assert bench.history.file_state(path) is FileState.MODIFIED
    file.write_text("two\n")
    assert bench.history.file_state(path) is FileState.PARTLY_STAGED
    file.write_text("one\n")
    bench.git("commit", "--quiet", "--message=a")
    assert bench.history.file_state(path) is FileState.CLEAN
    bench.git("rm", "--quiet", "--cached", "a.md")
    assert bench.history.file_state(path) is FileState.PARTLY_STAGED


def test_an_unmerged_file_is_no_clean_one(bench: Bench) -> None:
    bench.remember("a.md", "base\n")
    bench.git("branch", "side")
    bench.remember("a.md", "main\n")
    bench.git("checkout", "--quiet", "side")
    bench.remember("a.md", "side\n")
    with pytest.raises(AssertionError):
        bench.git("merge", "main")
    assert bench.history.file_state(VaultPath("a.md")) is FileState.PARTLY_STAGED


@pytest.mark.parametrize("chosen", [None, "trunk"])
def test_a_new_repository_has_the_branch_that_the_person_wants(
    tmp_path: Path, home: Path, chosen: str | None
) -> None:
    (home / ".gitconfig").write_text(f"[init]\n\tdefaultBranch = {chosen}\n" if chosen else "")
    wanted = chosen or "main"
    assert init_repository(tmp_path / "deep" / "vault") == wanted
    assert run_git(tmp_path / "deep" / "vault", "symbolic-ref", "HEAD") == f"refs/heads/{wanted}"
    assert run_git(tmp_path / "deep" / "vault", "status", "--porcelain") == ""
