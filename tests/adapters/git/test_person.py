"""A person's own work in the repository stays exactly as it was."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.adapters.git.conftest import Bench, MakeBench
from tests.adapters.git.persons import begin_a_second, mess, picture
from tests.gitrun import run_git
from vault_memory.adapters.git import reasons
from vault_memory.model.revision import FileState


def test_staged_half_staged_and_untracked_work_is_as_before(bench: Bench) -> None:
    mess(bench)
    before = picture(bench)
    commit = bench.remember("notes/a.md")
    assert bench.files_in(commit) == ["A notes/a.md"]
    assert picture(bench) == before


def test_the_slow_road_leaves_the_persons_work_alone_too(bench: Bench) -> None:
    mess(bench)
    bench.hook("post-commit", "exit 0")
    before = picture(bench)
    assert bench.files_in(bench.remember("notes/a.md")) == ["A notes/a.md"]
    assert picture(bench) == before


def test_a_file_partly_staged_keeps_its_staged_version(bench: Bench) -> None:
    bench.remember("a.md", "one\n")
    (bench.root / "a.md").write_text("staged\n")
    bench.git("add", "a.md")
    intent = bench.write("a.md", "working\n")
    assert bench.history.file_state(intent.operation.path) is FileState.PARTLY_STAGED
    bench.commit(intent)
    assert bench.git("show", ":a.md") == "staged"
    assert bench.git("show", "HEAD:a.md") == "working"


def test_an_unmerged_file_waits_and_others_do_not(bench: Bench) -> None:
    bench.remember("a.md", "base\n")
    (bench.root / "a.md").write_text("stashed\n")
    bench.git("stash", "--quiet")
    bench.remember("a.md", "newer\n")
    subprocess.run(["git", "stash", "pop"], cwd=bench.root, capture_output=True, check=False)
    before = bench.git("ls-files", "--unmerged")
    assert before
    unmerged, other = bench.write("a.md", "resolved?\n"), bench.write("b.md", "b\n")
    report = bench.commit(unmerged, other)
    assert report.waiting == {unmerged.number: reasons.CONFLICTED}
    assert list(report.commits) == [other.number]
    assert bench.git("ls-files", "--unmerged") == before


def test_without_the_git_program_commits_are_still_made(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    intents = [bench.write(f"{number}.md", str(number)) for number in range(60)]
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(tmp_path))
        assert len(bench.commit(*intents).commits) == 60
    assert bench.git("rev-list", "--count", "HEAD") == "61"
    bench.check_sound()


def test_the_index_of_a_person_who_changed_a_file_in_the_same_instant_stays_true(bench: Bench) -> None:
    """Git tells such a change by the index's time, which our writing moves on."""
    file = bench.root / "racy.md"
    file.write_text("aaaa\n")
    os.utime(file, ns=(10**18, 10**18))
    bench.git("add", "racy.md")
    bench.git("commit", "--quiet", "--message=racy")
    index = bench.root / ".git" / "index"
    stat = file.stat()
    file.write_text("bbbb\n")
    os.utime(file, ns=(10**18, 10**18))
    bench.git("config", "core.trustctime", "false")
    os.utime(index, ns=(10**18, 10**18))
    assert file.stat().st_ino == stat.st_ino
    assert bench.git("status", "--porcelain") == " M racy.md"
    os.utime(index, ns=(10**18, 10**18))
    bench.remember("a.md")
    assert bench.git("status", "--porcelain") == " M racy.md"


def test_import_of_the_adapter_loads_neither_libgit2_nor_gitpython() -> None:
    probe = (
        "import sys, vault_memory.adapters.git.history; print('pygit2' in sys.modules, 'git' in sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True).stdout
    assert out == "False False\n"


def test_a_shared_repository_keeps_its_modes(repo: Path, bench_at: MakeBench) -> None:
    run_git(repo, "config", "core.sharedRepository", "0664")
    run_git(repo, "commit", "--quiet", "--allow-empty", "--message=first")
    (repo / ".git" / "index").chmod(0o664)
    (repo / ".git" / "refs" / "heads" / "main").chmod(0o664)
    bench_at(repo).remember("a.md")
    for name in ("index", "refs/heads/main"):
        assert (repo / ".git" / name).stat().st_mode & 0o777 == 0o664


@pytest.mark.parametrize("again", [False, True], ids=["by the same process", "by another process"])
@pytest.mark.parametrize("between", [False, True], ids=["at once", "after one more commit"])
def test_a_change_of_the_same_length_within_the_second_of_its_commit_stays_visible(
    bench: Bench, bench_at: MakeBench, *, again: bool, between: bool
) -> None:
    """Most gits tell times by the second, and take such a file for clean once the index is of a later one."""
    begin_a_second()
    assert bench.commit(bench.write("a.md", "acknowledged\n")).waiting == {}
    if between:
        assert bench.commit(bench.write("b.md", "another\n")).waiting == {}
    (bench.root / "a.md").write_text("the person's\n")  # in place: the same file, as long as before
    begin_a_second()
    then = bench_at(bench.root) if again else bench
    assert then.commit(then.write("c.md", "a third\n")).waiting == {}
    assert bench.git("status", "--porcelain") == " M a.md"
    assert then.commit(then.write("d.md", "a fourth\n")).waiting == {}
    assert bench.git("status", "--porcelain") == " M a.md"
