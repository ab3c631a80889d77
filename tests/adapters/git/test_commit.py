"""One operation, one commit, one file; and nothing else changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adapters.git.conftest import Bench, MakeBench, WallClock, sha256
from tests.gitrun import run_git
from vault_memory.adapters.git.history import GitHistory
from vault_memory.model.namespace import VaultPath
from vault_memory.model.revision import EDITED_SINCE, FILE_IS_BACK, Author, FileState, Op


def test_a_commit_holds_one_file_with_author_committer_and_message(bench: Bench) -> None:
    intent = bench.write("shared/market/rsi.md", "RSI > 70\n", agent="akashi")
    commit = bench.commit(intent).commits[intent.number]
    assert commit == bench.git("rev-parse", "HEAD")
    assert bench.files_in(commit) == ["A shared/market/rsi.md"]
    assert bench.git("show", "--format=%an <%ae>", "-s") == "akashi <akashi@agents.invalid>"
    assert bench.git("show", "--format=%cn <%ce>", "-s") == "Test Person <person@example.invalid>"
    assert bench.git("show", "--format=%aI", "-s") == "2026-11-29T10:15:00+00:00"
    assert bench.git("show", "--format=%B", "-s") == intent.operation.message.rstrip("\n") + "\n"
    bench.check_sound()


def test_the_person_is_the_author_of_what_names_no_agent(bench: Bench) -> None:
    bench.remember("a.md")
    assert bench.git("show", "--format=%an", "-s") == "Test Person"


def test_git_sees_the_file_clean_without_reading_it_again(bench: Bench) -> None:
    bench.remember("a.md")
    assert bench.git("diff-files") == ""
    assert bench.git("diff-index", "--cached", "HEAD") == ""
    mtime = (bench.root / "a.md").stat().st_mtime_ns
    assert f"mtime: {mtime // 10**9}:{mtime % 10**9}" in bench.git("ls-files", "--debug", "a.md")


def test_a_batch_makes_a_commit_for_each_operation_in_order(bench: Bench) -> None:
    intents = [bench.write(f"notes/{name}.md", name) for name in "cab"]
    report = bench.commit(*intents)
    log = bench.git("log", "--reverse", "--format=%H", "HEAD~3..").split()
    assert [report.commits[intent.number] for intent in intents] == log
    assert [bench.files_in(commit) for commit in log] == [
        ["A notes/c.md"],
        ["A notes/a.md"],
        ["A notes/b.md"],
    ]
    bench.check_sound()


def test_a_removal_takes_its_empty_folders_along(bench: Bench) -> None:
    bench.remember("a/b/c/only.md")
    intent = bench.remove("a/b/c/only.md")
    commit = bench.commit(intent).commits[intent.number]
    assert bench.files_in(commit) == ["D a/b/c/only.md"]
    assert bench.git("ls-tree", "-d", "HEAD") == ""
    bench.check_sound()


def test_an_edit_keeps_the_mode_of_the_file(bench: Bench) -> None:
    bench.remember("run.md")
    (bench.root / "run.md").chmod(0o755)
    intent = bench.write("run.md", "changed\n")
    (bench.root / "run.md").chmod(0o755)
    bench.commit(intent)
    assert bench.git("ls-tree", "HEAD", "run.md").startswith("100755")
    bench.check_sound()


def test_the_first_commit_of_a_repository_is_made(repo: Path, bench_at: MakeBench) -> None:
    bench = bench_at(repo)
    assert bench.history.state().head is None
    commit = bench.remember("a.md")
    assert (repo / ".git" / "HEAD").read_text() == "ref: refs/heads/main\n"
    assert bench.history.state().head == commit == bench.git("rev-parse", "main")
    assert bench.git("log", "--format=%gs", "--walk-reflogs") == "commit (initial): remember: a.md"
    bench.check_sound()


def test_reflogs_of_branch_and_head_tell_of_the_commit(bench: Bench) -> None:
    commit = bench.remember("a.md")
    for ref in ("HEAD", "main"):
        assert bench.git("rev-parse", f"{ref}@{{0}}") == commit
        assert bench.git("reflog", "-1", "--format=%gs", ref) == "commit: remember: a.md"


def test_no_reflog_is_written_where_the_person_wants_none(repo: Path, bench_at: MakeBench) -> None:
    run_git(repo, "config", "core.logAllRefUpdates", "false")
    bench = bench_at(repo)
    bench.remember("a.md")
    assert not (repo / ".git" / "logs").exists()


def test_a_packed_branch_moves_on(bench: Bench) -> None:
    bench.git("pack-refs", "--all")
    old = bench.git("rev-parse", "HEAD")
    bench.remember("a.md")
    assert bench.git("rev-parse", "HEAD~1") == old
    bench.check_sound()


@pytest.mark.parametrize(
    "name",
    [
        "[a].md",
        ":(exclude)x.md",
        "*.md",
        "a b.md",
        "ünï 重启.md",
        '"q".md',
        "back\\slash.md",
        "-n.md",
        "é.md",
    ],
)
def test_every_name_is_taken_literally(bench: Bench, name: str) -> None:
    (bench.root / "a.md").write_text("a person's own\n")
    commit = bench.remember(f"notes/{name}")
    assert bench.git("show", "--format=", "--name-only", "-z", commit) == f"notes/{name}\0"
    assert bench.git("status", "--porcelain") == "?? a.md"
    assert bench.history.head_bytes(bench.write(f"notes/{name}", "new\n").operation.path) == b"text\n"
    found = bench.history.log(VaultPath(f"notes/{name}"), limit=None)
    assert [revision.commit for revision in found] == [commit]


def test_a_file_edited_since_waits(bench: Bench) -> None:
    intent = bench.write("a.md", "ours\n")
    (bench.root / "a.md").write_text("the person's\n")
    report = bench.commit(intent)
    assert (report.commits, report.waiting) == ({}, {intent.number: EDITED_SINCE})
    assert bench.git("rev-list", "--count", "HEAD") == "1"


def test_a_removed_file_that_is_back_waits(bench: Bench) -> None:
    bench.remember("a.md")
    intent = bench.remove("a.md")
    (bench.root / "a.md").write_text("again\n")
    assert bench.commit(intent).waiting == {intent.number: FILE_IS_BACK}


def test_a_folder_in_place_of_the_file_lets_that_one_wait_alone(bench: Bench) -> None:
    bench.remember("a.md", "one\n")
    gone, other = bench.write("a.md", "two\n"), bench.write("b.md", "b\n")
    (bench.root / "a.md").unlink()
    (bench.root / "a.md").mkdir()
    (bench.root / "a.md" / "inside.md").write_text("theirs\n")
    report = bench.commit(gone, other)
    assert report.waiting == {gone.number: EDITED_SINCE}
    assert bench.files_in(report.commits[other.number]) == ["A b.md"]


def test_a_version_that_was_overtaken_is_closed_with_the_later_commit(bench: Bench) -> None:
    first, second = bench.write("a.md", "one\n"), bench.write("a.md", "two\n")
    report = bench.commit(first, second)
    assert report.commits[first.number] == report.commits[second.number] == bench.git("rev-parse", "HEAD")
    assert bench.git("rev-list", "--count", "HEAD") == "2"


def test_an_operation_that_never_reached_its_file_does_not_hide_the_one_before(bench: Bench) -> None:
    first = bench.write("a.md", "one\n")
    second = bench.intent(Op.FORGET, "a.md", None, sha256(b"one\n"))
    report = bench.commit(first, second)
    assert bench.files_in(report.commits[first.number]) == ["A a.md"]
    assert report.waiting == {second.number: FILE_IS_BACK}


def test_what_head_holds_already_is_reported_with_its_commit(bench: Bench) -> None:
    intent = bench.write("a.md", "text\n")
    commit = bench.commit(intent).commits[intent.number]
    bench.remember("b.md")
    head = bench.git("rev-parse", "HEAD")
    assert bench.commit(intent).commits == {intent.number: commit}
    assert bench.git("rev-parse", "HEAD") == head


def test_remembered_and_forgotten_before_any_commit_leaves_no_commit(bench: Bench) -> None:
    intents = (bench.write("a.md", "one\n"), bench.remove("a.md"))
    report = bench.commit(*intents)
    assert set(report.commits) == {intent.number for intent in intents}
    assert bench.git("rev-list", "--count", "HEAD") == "1"


def test_an_ignored_file_is_not_versioned_but_a_tracked_one_is(bench: Bench) -> None:
    bench.remember("private/kept.md")
    (bench.root / ".gitignore").write_text("private/\n")
    bench.git("add", ".gitignore")
    bench.git("commit", "--quiet", "--message=ignore")
    new, old = bench.write("private/new.md", "x"), bench.write("private/kept.md", "changed\n")
    report = bench.commit(new, old)
    assert list(report.unversioned) == [new.number]
    assert list(report.commits) == [old.number]
    assert bench.history.ignored(new.operation.path)
    assert not bench.history.ignored(old.operation.path)


def test_a_file_behind_a_link_is_committed_under_its_real_name(bench: Bench) -> None:
    (bench.root / "real").mkdir()
    (bench.root / "linked").symlink_to("real")
    commit = bench.remember("linked/a.md")
    assert bench.files_in(commit) == ["A real/a.md"]


def test_a_file_behind_a_link_out_of_the_repository_is_not_versioned(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (bench.root / "linked").symlink_to(tmp_path / "elsewhere")
    intent = bench.write("linked/a.md", "x")
    assert list(bench.commit(intent).unversioned) == [intent.number]


def test_a_file_in_a_repository_inside_this_one_is_not_versioned(bench: Bench) -> None:
    (bench.root / "inner").mkdir()
    run_git(bench.root / "inner", "init", "--quiet")
    intent = bench.write("inner/deep/a.md", "x")
    assert "inner/" in bench.commit(intent).unversioned[intent.number]


def test_an_outer_gits_environment_has_no_say(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    run_git(other, "init", "--quiet")
    places = {
        "GIT_DIR": other / ".git",
        "GIT_WORK_TREE": other,
        "GIT_INDEX_FILE": other / "index",
        "GIT_OBJECT_DIRECTORY": other / ".git" / "objects",
        "GIT_PREFIX": "sub/",
        "GIT_COMMON_DIR": other / ".git",
    }
    with monkeypatch.context() as patch:
        for name, place in places.items():
            patch.setenv(name, str(place))
        commit = bench.remember("a.md")
        assert [revision.commit for revision in bench.history.log(None, limit=1)] == [commit]
        assert bench.history.uncommitted() == []
        intents = [bench.write(f"many/{number}.md", str(number)) for number in range(60)]
        assert len(bench.commit(*intents).commits) == 60
        assert bench.history.file_state(intents[0].operation.path) is FileState.CLEAN
    assert not (other / "index").exists()
    assert [path.name for path in other.iterdir()] == [".git"]
    bench.check_sound()


def test_the_given_identity_stands_in_for_the_persons(bench: Bench) -> None:
    bench.history = GitHistory(bench.root, clock=WallClock(), identity=Author("CI", "ci@example.invalid"))
    bench.remember("a.md")
    assert bench.git("show", "--format=%an %ce", "-s") == "CI ci@example.invalid"


def test_a_commit_whose_record_cant_be_kept_is_told_all_the_same(bench: Bench) -> None:
    (bench.root / ".vmem" / "local" / "git-recent.json.new").mkdir()
    assert bench.remember("a.md") == bench.git("rev-parse", "HEAD")
    assert bench.remember("b.md") == bench.git("rev-parse", "HEAD")
    bench.check_sound()
