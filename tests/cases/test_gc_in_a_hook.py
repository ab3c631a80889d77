"""What has expired leaves with a person's own commit, and nothing of theirs goes with it."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from pathlib import Path

import pytest

from tests.cases.hooks import COMMAND, PAST, Ended, Hooked

GONE = "1 expired memory removed, to leave with the commit:\n  notes/old.md   expires 2001-02-03, since"


@pytest.fixture
def hooked(tmp_path: Path, home: Path) -> Hooked:
    """A vault with one memory that has expired and one that has not; the hook is in place."""
    made = Hooked.made(tmp_path / "memory")
    made.put("notes/old.md")
    made.put("notes/new.md", "expires: 2900-01-01")
    made.commit_all("notes")
    made.install()
    return made


def staged_gc(hooked: Hooked, *arguments: str) -> Ended:
    return hooked.run(sys.executable, "-m", "vault_memory", "gc", "--staged", *arguments)


def test_a_removal_becomes_part_of_the_commit_under_way(hooked: Hooked) -> None:
    hooked.work()
    ended = hooked.commit("-m", "work")
    assert ended.code == 0
    assert ended.said.startswith(GONE)
    assert hooked.in_head() == ["notes/new.md"]
    assert hooked.git("log", "--format=%s").splitlines() == ["work", "notes", "first"]
    assert not (hooked.root / "notes/old.md").exists()
    assert hooked.state() == ""


def test_a_commit_of_all_that_changed_takes_it_along(hooked: Hooked) -> None:
    hooked.put("notes/new.md", "expires: 2900-01-01", "new words")
    assert hooked.commit("-a", "-m", "all").code == 0
    assert hooked.in_head() == ["notes/new.md"]
    assert hooked.state() == ""


def test_it_needs_no_search_index_and_makes_none_wrong(hooked: Hooked) -> None:
    shutil.rmtree(hooked.root / ".vmem/local")
    hooked.work()
    assert hooked.commit("-m", "work").code == 0
    assert hooked.in_head() == ["notes/new.md"]


def test_a_known_index_does_not_hide_what_expired(hooked: Hooked) -> None:
    assert hooked.run(sys.executable, "-m", "vault_memory", "list").code == 0
    hooked.work()
    assert hooked.commit("-m", "work").said.startswith(GONE)


def test_a_commit_of_files_by_name_is_stopped_and_nothing_changes(hooked: Hooked) -> None:
    hooked.work()
    hooked.put("notes/new.md", "expires: 2900-01-01", "new words")
    before = hooked.state()
    ended = hooked.commit("-m", "one", "notes/new.md")
    assert ended.code == 1
    assert "notes/old.md   expires 2001-02-03" in ended.said
    assert "this commit takes only the files that it was given by name" in ended.said
    assert "git commit --no-verify" in ended.said
    assert hooked.state() == before
    assert (hooked.root / "notes/old.md").exists()
    assert hooked.commit("--no-verify", "-m", "one", "notes/new.md").code == 0


def test_an_unstaged_change_stops_the_commit_and_stays(hooked: Hooked) -> None:
    hooked.put("notes/older.md")
    hooked.commit_all("older")
    mine = hooked.put("notes/old.md", "expires: 2900-01-01")
    hooked.work()
    before = hooked.state()
    ended = hooked.commit("-m", "work")
    assert ended.code == 1
    assert "it holds a change that is not staged: stage it or undo it first" in ended.said
    assert hooked.state() == before, "one that stays keeps the others too: the commit is stopped anyway"
    hooked.git("add", "--", "notes/old.md")
    assert hooked.commit("-m", "work").code == 0
    assert mine.read_text(encoding="utf-8").startswith("---\nexpires: 2900")
    assert hooked.in_head() == ["notes/new.md", "notes/old.md"]


def test_the_staged_words_count_and_not_those_of_the_working_tree(hooked: Hooked) -> None:
    hooked.put("notes/new.md", PAST)
    hooked.work()
    hooked.put("notes/old.md", "expires: 2900-01-01")
    hooked.git("add", "--", "notes/old.md")
    assert hooked.commit("-m", "work").code == 0
    assert hooked.in_head() == ["notes/new.md", "notes/old.md"]


def test_what_only_this_commit_brings_into_history_is_left_for_a_later_one(hooked: Hooked) -> None:
    hooked.put("notes/imported.md")
    hooked.git("add", "--", "notes/imported.md")
    ended = hooked.commit("-m", "import")
    assert ended.code == 0
    assert "notes/imported.md: it has expired, and only this commit brings it into history" in ended.said
    assert hooked.in_head() == ["notes/imported.md", "notes/new.md"]
    assert hooked.commit("--allow-empty", "-m", "later").code == 0
    assert hooked.in_head() == ["notes/new.md"]
    assert hooked.git("show", "HEAD~1:notes/imported.md") == f"---\n{PAST}\n---\ntext"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells since when git has been running")
def test_a_slow_hook_behind_a_commit_of_the_same_second_is_no_amending(hooked: Hooked) -> None:
    """Git's hooks are told when the commit began, which is then the author's time of HEAD too."""
    hooked.hook("pre-commit", f"sleep 4\nexec {COMMAND}")
    hooked.put("notes/brought.md")
    hooked.git("add", "--", "notes/brought.md")
    soon = int(time.time()) + 2
    hooked.git("commit", "--quiet", "--no-verify", "-m", "brought", f"--date=@{soon} +0000")
    hooked.work()
    while time.time() < soon:
        time.sleep(0.01)
    assert hooked.commit("-m", "work").said.startswith("2 expired memories removed")
    assert hooked.in_head() == ["notes/new.md"]


def test_amending_the_commit_that_brought_it_does_not_take_it_out_of_history(hooked: Hooked) -> None:
    hooked.put("notes/brought.md")
    hooked.git("add", "--", "notes/brought.md")
    # An author's time of long ago: within two seconds of a commit, amending it can't be told.
    hooked.git("commit", "--quiet", "--no-verify", "-m", "brought", "--date=2025-01-01T00:00:00Z")
    ended = hooked.commit("--amend", "-m", "brought, in other words")
    assert ended.code == 0
    assert "notes/brought.md: it has expired" in ended.said
    assert hooked.in_head() == ["notes/brought.md", "notes/new.md"]


def test_a_vault_below_the_top_is_found_from_a_hook_of_the_whole_repository(
    tmp_path: Path, home: Path
) -> None:
    hooked = Hooked.made(tmp_path / "project", below="docs/memory")
    hooked.put("notes/old.md")
    (hooked.top / "README.md").write_text(f"---\n{PAST}\n---\nno memory\n", encoding="utf-8")
    hooked.commit_all("notes")
    hooked.install(f"{COMMAND} --vault docs/memory")
    (hooked.top / "src").mkdir()
    hooked.work()
    assert hooked.commit("-m", "work", cwd=hooked.top / "src").code == 0
    assert hooked.git("ls-files", "*.md") == "README.md"


def test_a_linked_worktree_changes_its_own_index_only(hooked: Hooked, tmp_path: Path) -> None:
    hooked.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "side"))
    side = Hooked(tmp_path / "side", tmp_path / "side")
    side.work()
    assert side.commit("-m", "work").code == 0
    assert side.in_head() == ["notes/new.md"]
    assert hooked.state() == ""
    assert (hooked.root / "notes/old.md").exists()


def test_a_vault_in_another_repository_is_not_touched(hooked: Hooked, tmp_path: Path) -> None:
    other = Hooked.made(tmp_path / "project")
    other.install(f"{COMMAND} --vault '{hooked.root}'")
    other.work()
    ended = other.commit("-m", "work")
    assert ended.code == 1
    assert "the commit under way is in another repository" in ended.said
    assert "--vault FOLDER" in ended.said
    assert hooked.state() == ""


def test_links_copies_and_folders_of_other_programs_are_not_memories(hooked: Hooked) -> None:
    (hooked.root / "notes/link.md").symlink_to("old.md")
    for name in ("node_modules/x/old.md", ".obsidian/old.md", "notes/~$old.md", "notes/old.txt"):
        hooked.put(name)
    hooked.git("add", "--force", "--", ".")
    hooked.git("commit", "--quiet", "--no-verify", "-m", "other things")
    hooked.work()
    assert hooked.commit("-m", "work").code == 0
    assert set(hooked.git("ls-files", "-z", "--", "*old*", "*link*").strip("\0").split("\0")) == {
        "node_modules/x/old.md", ".obsidian/old.md", "notes/~$old.md", "notes/old.txt", "notes/link.md",
    }  # fmt: skip


def test_names_that_are_patterns_to_git_are_taken_as_they_are(hooked: Hooked) -> None:
    for name in ("notes/[a]*.md", "notes/:(exclude)x.md", "notes/日本 \t\n.md"):
        hooked.put(name)
    kept = hooked.put("notes/abc.md", "title: lives")
    hooked.commit_all("odd names")
    hooked.work()
    assert hooked.commit("-m", "work").code == 0
    assert hooked.in_head() == ["notes/abc.md", "notes/new.md"]
    assert kept.exists()


def test_line_ends_that_git_changes_are_no_unstaged_change(hooked: Hooked) -> None:
    hooked.git("config", "core.autocrlf", "true")
    (hooked.root / "notes/old.md").unlink()
    hooked.git("checkout", "--", "notes/old.md")
    assert b"\r\n" in (hooked.root / "notes/old.md").read_bytes()
    hooked.work()
    assert hooked.commit("-m", "work").code == 0
    assert hooked.in_head() == ["notes/new.md"]


def test_a_merge_under_way_is_left_alone(hooked: Hooked) -> None:
    hooked.git("checkout", "--quiet", "-b", "side")
    hooked.put("notes/side.md", "title: side")
    hooked.commit_all("side")
    hooked.git("checkout", "--quiet", "main")
    hooked.put("notes/main.md", "title: main")
    hooked.commit_all("main")
    hooked.git("merge", "--quiet", "--no-commit", "--no-ff", "side")
    ended = hooked.commit("-m", "merged")
    assert ended.code == 0
    assert "nothing is collected now: a merge is under way" in ended.said
    assert "notes/old.md" in hooked.in_head()


@pytest.mark.parametrize("when", ["2001-02-03T23:59:59Z", "2001-02-04T00:00:00Z"])
def test_the_time_can_be_named(hooked: Hooked, when: str) -> None:
    ended = staged_gc(hooked, "--now", when, "--json")
    assert ended.code == 0
    value = json.loads(ended.said)
    assert value["now"] == when
    expected = ["notes/old.md"] if when.endswith("00Z") else []
    assert [one["path"] for one in value["expired"] if one["removed"]] == expected
    assert hooked.git("diff", "--cached", "--name-only") == "".join(expected)


def test_a_clock_that_jumped_stops_the_commit_only_where_something_would_go(
    hooked: Hooked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2005-01-01T00:00:00Z")
    hooked.git("commit", "--quiet", "--no-verify", "--allow-empty", "-m", "long ago")
    monkeypatch.delenv("GIT_COMMITTER_DATE")
    hooked.work()
    before = hooked.state()
    ended = hooked.commit("-m", "work")
    assert ended.code == 1
    assert "the last commit is of 2005-01-01 00:00 UTC" in ended.said
    assert "--now 2" in ended.said
    assert hooked.state() == before
    hooked.git("rm", "--quiet", "notes/old.md")
    assert hooked.commit("-m", "work").code == 0


def test_at_the_prompt_it_prepares_the_next_commit(hooked: Hooked) -> None:
    ended = staged_gc(hooked)
    assert ended.said.startswith(GONE)
    assert hooked.state() == "D  notes/old.md"
    again = staged_gc(hooked)
    assert (again.code, again.said) == (0, "")
    hooked.git("restore", "--staged", "--worktree", "notes/old.md")
    assert (hooked.root / "notes/old.md").exists()


def test_an_agent_takes_out_only_what_it_may_write(hooked: Hooked) -> None:
    hooked.put("shared/ops/old.md")
    hooked.put("private/mira/old.md")
    hooked.commit_all("agents")
    assert staged_gc(hooked, "--agent", "akashi").code == 0
    assert hooked.state() == "D  shared/ops/old.md"


def test_vmems_own_commits_are_not_held_up_by_the_hook(hooked: Hooked) -> None:
    said = hooked.run(sys.executable, "-m", "vault_memory", "remember", "A new thought", "--require-commit")
    assert said.code == 0, said.said
    assert "notes/old.md" in hooked.in_head()
    said = hooked.run(sys.executable, "-m", "vault_memory", "gc", "--yes", "--require-commit")
    assert said.code == 0, said.said
    assert hooked.in_head() == ["notes/a-new-thought.md", "notes/new.md"]


def test_a_file_that_can_not_be_deleted_stays_in_the_commit(hooked: Hooked) -> None:
    hooked.put("notes/older.md")
    hooked.commit_all("older")
    (hooked.root / "notes/old.md").chmod(0o444)
    ended = staged_gc(hooked)
    assert ended.code == 1
    assert "it is write-protected" in ended.said
    assert hooked.state() == "D  notes/older.md"
    assert (hooked.root / "notes/old.md").exists()


def test_outside_of_a_repository_it_says_so(hooked: Hooked, tmp_path: Path) -> None:
    (hooked.top / ".git").rename(tmp_path / "elsewhere")
    ended = staged_gc(hooked)
    assert ended.code == 70
    assert "no git repository holds" in ended.said


# The pre-commit program sets unstaged changes aside before it runs its hooks, and brings them back after.


@pytest.fixture
def programmed(tmp_path: Path, home: Path) -> Hooked:
    """The same vault, with the hook run by the pre-commit program."""
    made = Hooked.made(tmp_path / "memory")
    made.put("notes/old.md")
    made.put("notes/new.md", "expires: 2900-01-01")
    made.commit_all("notes")
    made.install_program()
    long_ago = 1_000_000_000
    os.utime(made.root / "notes/old.md", (long_ago, long_ago))
    return made


def settle(hooked: Hooked) -> None:
    """Let the clock move past the second in which the files were made."""
    stamp = (hooked.root / "notes/old.md").stat().st_ctime
    hooked.run(sys.executable, "-c", f"import time; time.sleep(max(0, {int(stamp)} + 1.1 - time.time()))")


def test_the_pre_commit_program_lets_it_leave_with_the_commit(programmed: Hooked) -> None:
    settle(programmed)
    unstaged = programmed.put("notes/new.md", "expires: 2900-01-01", "a person's words")
    programmed.work()
    ended = programmed.commit("-m", "work")
    assert ended.code == 0, ended.said
    assert "Passed" in ended.said
    assert programmed.in_head() == ["notes/new.md"]
    assert programmed.state() == " M notes/new.md"
    assert "a person's words" in unstaged.read_text(encoding="utf-8")


def test_a_change_that_the_program_set_aside_is_not_lost(programmed: Hooked) -> None:
    settle(programmed)
    mine = programmed.put("notes/old.md", PAST, "a person's words")
    programmed.work()
    ended = programmed.commit("-m", "work")
    assert ended.code == 1
    assert "maybe because a change of yours was set aside" in ended.said
    assert "a person's words" in mine.read_text(encoding="utf-8")
    assert programmed.state().splitlines() == ["M  code.txt", " M notes/old.md"]


def test_a_run_of_the_program_without_a_commit_only_checks(programmed: Hooked) -> None:
    for arguments in ((), ("--all-files",)):
        ended = programmed.run(sys.executable, "-m", "pre_commit", "run", *arguments)
        assert ended.code == 1
        assert "no commit is under way; vmem gc removes it" in ended.said
        assert programmed.state() == ""


def test_the_program_in_vmems_own_commits_holds_nothing_up(programmed: Hooked) -> None:
    said = programmed.run(
        sys.executable, "-m", "vault_memory", "remember", "A new thought", "--require-commit"
    )
    assert said.code == 0, said.said
