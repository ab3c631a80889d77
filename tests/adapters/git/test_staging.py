"""The commit under way, as the environment of a hook and git's own index tell it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gitrun import Git
from tests.stand import ToldClock
from vault_memory.adapters.git.staging import GitStaging
from vault_memory.errors import GitCommandError, GitError, RevisionNotFoundError, UsageError
from vault_memory.model.namespace import VaultPath
from vault_memory.model.underway import Form, StagedFile, UnderWay

HOUR_NS = 3600 * 10**9


class FixedClock(ToldClock):
    """A clock whose nanoseconds are told too."""

    def now_ns(self) -> int:
        return int(self.at.timestamp()) * 10**9


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def staging(repo: Path, clock: FixedClock) -> GitStaging:
    return GitStaging(repo, clock=clock)


def staged(repo: Path, git: Git, **files: str) -> None:
    for name, text in files.items():
        (repo / f"{name}.md").write_text(text, encoding="utf-8")
        git(repo, "add", "--", f"{name}.md")


@pytest.mark.parametrize(
    ("index", "form"),
    [
        (".git/index", Form.WHOLE),
        (".git/index.lock", Form.WHOLE),
        (".git/next-index-123.lock", Form.PARTIAL),
        (None, Form.NONE),
    ],
)
def test_the_index_in_use_tells_what_the_commit_takes(
    staging: GitStaging, repo: Path, index: str | None, form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = repo / "notes"
    inner.mkdir()
    for folder in (repo, inner):
        monkeypatch.chdir(folder)
        if index is not None:
            monkeypatch.setenv("GIT_INDEX_FILE", index)  # git names it from the top of the working tree
        assert staging.under_way() == UnderWay(form)
    if index is not None:
        monkeypatch.setenv("GIT_INDEX_FILE", str(repo / index))
        assert staging.under_way() == UnderWay(form)


def test_an_index_of_another_repository_is_refused(
    staging: GitStaging, tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "--quiet")
    monkeypatch.chdir(other)
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")
    with pytest.raises(UsageError, match="another repository"):
        staging.under_way()


def test_a_commit_of_our_own_is_known_without_a_look_at_git(
    tmp_path: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VMEM_OWN_COMMIT", "1")
    assert GitStaging(tmp_path, clock=clock).under_way() == UnderWay(Form.OWN)


def test_without_a_repository_there_is_no_commit(tmp_path: Path, clock: FixedClock) -> None:
    with pytest.raises(GitError, match="no git repository"):
        GitStaging(tmp_path, clock=clock).under_way()


@pytest.mark.parametrize(
    ("date", "back_ns"),
    [
        ("@{now} +0000", 0),
        ("@{minute_ago} +0130", 60 * 10**9),
        ("@{year_ago} +0000", HOUR_NS),
        ("@{year_on} +0000", HOUR_NS),
        ("soon", HOUR_NS),
        (None, HOUR_NS),
    ],
)
def test_what_a_program_may_have_set_aside_is_bounded_by_the_commits_begin(
    staging: GitStaging,
    repo: Path,
    clock: FixedClock,
    date: str | None,
    back_ns: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = int(clock.at.timestamp())
    monkeypatch.chdir(repo)
    monkeypatch.setenv("PRE_COMMIT", "1")
    assert staging.under_way() == UnderWay(Form.CHECK)
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")
    if date is not None:
        year = 365 * 24 * 3600
        said = date.format(now=now, minute_ago=now - 60, year_ago=now - year, year_on=now + year)
        monkeypatch.setenv("GIT_AUTHOR_DATE", said)
    assert staging.under_way().aside_ns == clock.now_ns() - back_ns


def test_amending_is_known_by_the_authors_time_of_head(
    staging: GitStaging, repo: Path, clock: FixedClock, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    staged(repo, git, a="text")
    then = int(clock.at.timestamp()) - 60
    git(repo, "commit", "--quiet", "-m", "a", f"--date=@{then} +0000")
    monkeypatch.chdir(repo)
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")
    for seconds, amends in ((then, True), (then + 30, False), (then + 60, False)):
        monkeypatch.setenv("GIT_AUTHOR_DATE", f"@{seconds} +0000")
        assert staging.under_way().amends is amends


def test_staged_files_are_memories_with_the_bytes_that_git_stores(
    staging: GitStaging, repo: Path, git: Git
) -> None:
    for name in ("a.md", "b/c.markdown", "B.MD", "x.txt", ".hidden/d.md", "odd \n name.md"):
        place = repo / name
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(f"{name}\r\n".encode())
    (repo / "link.md").symlink_to("a.md")
    git(repo, "-c", "core.autocrlf=true", "add", "--", ".")
    (repo / "a.md").write_text("a later word", encoding="utf-8")
    found = {file.path: file.content for file in staging.files()}
    assert found == {
        name: f"{name}\n".encode() for name in ("a.md", "b/c.markdown", "B.MD", "odd \n name.md")
    }


def test_many_files_come_all_and_in_order(staging: GitStaging, repo: Path, git: Git) -> None:
    names = [f"{number:05}.md" for number in range(4100)]
    blob = git(repo, "hash-object", "-w", "--stdin", stdin="text")
    git(repo, "update-index", "--index-info", stdin="".join(f"100644 {blob}\t{name}\n" for name in names))
    assert [file.path for file in staging.files()] == names


def test_files_are_taken_out_and_put_back_as_they_were(staging: GitStaging, repo: Path, git: Git) -> None:
    staged(repo, git, a="one", b="two")
    git(repo, "update-index", "--chmod=+x", "a.md")
    before = git(repo, "ls-files", "--stage")
    files = list(staging.files())
    staging.take_out(files[:1])
    assert git(repo, "ls-files") == "b.md"
    assert (repo / "a.md").exists()
    staging.put_back(files[:1])
    assert git(repo, "ls-files", "--stage") == before


def test_an_index_that_is_locked_says_so(staging: GitStaging, repo: Path, git: Git) -> None:
    staged(repo, git, a="one")
    (repo / ".git/index.lock").touch()
    with pytest.raises(GitCommandError, match=r"index\.lock"):
        staging.take_out(list(staging.files()))


def test_only_what_the_last_commit_holds_is_kept_in_history(
    staging: GitStaging, repo: Path, git: Git
) -> None:
    staged(repo, git, a="one", b="two")
    assert staging.kept(list(staging.files()), amends=False) == frozenset()
    git(repo, "commit", "--quiet", "-m", "first")
    staged(repo, git, b="two and a half", c="three")
    assert staging.kept(list(staging.files()), amends=False) == {"a.md"}
    assert staging.kept(list(staging.files()), amends=True) == frozenset()
    git(repo, "commit", "--quiet", "-m", "second")
    assert staging.kept(list(staging.files()), amends=True) == {"a.md"}


def test_a_working_file_is_compared_as_git_would_store_it(staging: GitStaging, repo: Path, git: Git) -> None:
    git(repo, "config", "core.autocrlf", "true")
    staged(repo, git, a="one\r\n")
    [file] = staging.files()
    assert file.content == b"one\n"
    assert staging.holds(file, b"one\r\n")
    assert staging.holds(file, b"one\n")
    assert not staging.holds(file, b"two\n")


def test_repositories_with_longer_names_of_objects_work_alike(
    tmp_path: Path, clock: FixedClock, git: Git
) -> None:
    root = tmp_path / "sha256"
    root.mkdir()
    git(root, "init", "--quiet", "--object-format=sha256")
    staged(root, git, a="one")
    staging = GitStaging(root, clock=clock)
    [file] = staging.files()
    assert len(file.blob) == 64
    staging.take_out([file])
    assert list(staging.files()) == []
    staging.put_back([file])
    assert list(staging.files()) == [StagedFile(VaultPath("a.md"), file.blob, 0o100644, b"one")]


def test_what_the_index_changes_is_read_with_both_versions(staging: GitStaging, repo: Path, git: Git) -> None:
    staged(repo, git, stays="s\n", edited="old\n", gone="g\n", unstaged="u\n")
    git(repo, "commit", "--quiet", "--message", "first")
    staged(repo, git, edited="new\n", ünew="n\n")
    git(repo, "rm", "--quiet", "gone.md")
    (repo / "unstaged.md").write_text("u2\n")
    (repo / "edited.md").write_text("newer\n")
    (repo / "x.txt").write_text("no memory\n")
    git(repo, "add", "x.txt")
    assert staging.changed("HEAD") == {
        "edited.md": (b"old\n", b"new\n"),
        "gone.md": (b"g\n", None),
        "ünew.md": (None, b"n\n"),
    }
    assert set(staging.changed(None)) == {"stays.md", "edited.md", "unstaged.md", "ünew.md"}
    for nothing in ("nope", "--output=x"):
        with pytest.raises(RevisionNotFoundError):
            staging.changed(nothing)


def test_staged_files_are_read_as_a_checkout_writes_them(staging: GitStaging, repo: Path, git: Git) -> None:
    git(repo, "config", "filter.up.clean", "tr A-Z a-z")
    git(repo, "config", "filter.up.smudge", "tr a-z A-Z")
    (repo / ".gitattributes").write_text("loud.md filter=up\ncrlf.md eol=crlf\n")
    (repo / "loud.md").write_text("HERON AND BITTERN\n" * 9)
    (repo / "crlf.md").write_bytes(b"one\r\ntwo\r\n")
    (repo / "plain.md").write_text("plain\n")
    git(repo, "add", ".gitattributes", "loud.md", "crlf.md", "plain.md")
    assert git(repo, "show", ":loud.md").startswith("heron")
    assert staging.changed(None) == {
        "loud.md": (None, b"HERON AND BITTERN\n" * 9),
        "crlf.md": (None, b"one\r\ntwo\r\n"),
        "plain.md": (None, b"plain\n"),
    }


def test_what_a_merge_left_unresolved_is_no_change_yet(staging: GitStaging, repo: Path, git: Git) -> None:
    staged(repo, git, both="one\n", other="o\n")
    git(repo, "commit", "--quiet", "--message", "first")
    git(repo, "checkout", "--quiet", "-b", "side")
    staged(repo, git, both="two\n")
    git(repo, "commit", "--quiet", "--message", "second")
    git(repo, "checkout", "--quiet", "main")
    staged(repo, git, both="three\n", other="o2\n")
    git(repo, "commit", "--quiet", "--message", "third")
    with pytest.raises(AssertionError, match=r"merge side failed"):
        git(repo, "merge", "side")
    assert staging.changed("HEAD") == {}
    assert staging.changed("HEAD~1") == {"other.md": (b"o\n", b"o2\n")}
