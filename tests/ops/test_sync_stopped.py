"""Every way in which an exchange ends before it is whole: nothing is lost, and the next step is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.gitrun import put_hook, run_git
from tests.ops.clones import Clones, clones, made
from vault_memory.adapters.git.cli import GitProgram, Outcome
from vault_memory.errors import ConflictError, GitError, PersonOnlyError, RemoteError, UsageError
from vault_memory.facets.remote import Way
from vault_memory.model.namespace import Scope

__all__ = ["clones", "made"]


def test_a_persons_change_in_the_way_stops_it_and_nothing_is_overwritten(clones: Clones) -> None:
    one, two = clones.one, clones.two
    two.vault.person.edit("notes/first.md", add_tags=["two"])
    two.whole()
    (one.root / "notes/first.md").write_text("half a thought\n")
    before = one.state()
    for way in Way:
        done = one.sync(way)
        assert isinstance(done.error, ConflictError)
        assert done.error.path == "notes/first.md"
        assert one.state() == before
    one.git("commit", "--quiet", "--all", "--message", "mine")
    assert (one.root / "notes/first.md").read_text() == "half a thought\n"


@pytest.mark.parametrize("way", list(Way))
def test_memories_in_conflict_are_listed_and_nothing_is_changed(clones: Clones, way: Way) -> None:
    one, two = clones.one, clones.two
    one.remember("Rule")
    one.remember("Gone")
    one.whole()
    two.whole()
    two.vault.person.edit("Rule", importance=0.2)
    two.vault.person.forget("Gone")
    two.whole()
    one.vault.person.edit("Rule", importance=0.8)
    one.vault.person.edit("Gone", importance=0.8)
    before = one.state()
    done = one.sync(way)
    assert one.state() == before
    assert isinstance(done.error, ConflictError)
    assert (done.error.exit_code, done.commits_received, done.way) == (75, 0, None)
    told = [(each.title, each.conflict.path, each.conflict.keys) for each in done.conflicts]
    if way is Way.MERGE:
        assert told == [("Gone", "notes/gone.md", ()), ("Rule", "notes/rule.md", ("importance",))]
        assert done.conflicts[0].conflict.why == "changed here, and removed there"
    else:
        assert told == [("Rule", "notes/rule.md", ("importance",))]  # of the first commit that is stuck
    assert f"git {way.value} origin/main" in (done.error.hint or "")
    one.git("checkout", "--quiet", "HEAD~2")
    with pytest.raises(GitError, match="detached"):
        one.sync()


class KilledError(BaseException):
    """Stands for the end of the process."""


@pytest.mark.parametrize(
    ("way", "command"),
    [
        (Way.MERGE, "commit-tree"), (Way.MERGE, "merge"), (Way.MERGE, "push"), (Way.REBASE, "checkout"),
        (Way.REBASE, "update-ref"), (Way.REBASE, "symbolic-ref"),
    ],
)  # fmt: skip
def test_a_kill_after_any_step_loses_nothing_and_the_next_one_goes_on(
    clones: Clones, monkeypatch: pytest.MonkeyPatch, way: Way, command: str
) -> None:
    one, two = clones.one, clones.two
    two.remember("Theirs")
    two.whole()
    one.remember("Mine")
    (one.root / "half.md").write_text("half a thought\n")
    run = GitProgram.run

    def killed(self: GitProgram, *arguments: str, **more: Any) -> Outcome:
        done = run(self, *arguments, **more)
        if command in arguments and not (command == "symbolic-ref" and "-m" not in arguments):
            raise KilledError
        return done

    with monkeypatch.context() as patched:
        patched.setattr(GitProgram, "run", killed)
        with pytest.raises(KilledError):
            one.sync(way)
    one.git("fsck", "--strict", "--no-dangling")
    if command in ("checkout", "update-ref"):  # between two steps HEAD names no branch, and that is told
        with pytest.raises(GitError, match="detached; go to a branch"):
            one.sync(way)
        one.git("switch", "--quiet", "main")
    one.whole(way)
    assert one.titles() == {"first", "Mine", "Theirs", "half"}
    assert one.git("status", "--porcelain") == "?? half.md"


def test_a_remote_that_is_away_leaves_all_committed_here_and_the_next_one_sends_it(clones: Clones) -> None:
    one = clones.one
    one.remember("Mine")
    away = clones.bare.rename(clones.bare.with_name("away.git"))
    before = one.state()
    done = one.sync()
    assert isinstance(done.error, RemoteError)
    assert done.error.exit_code == 70
    assert one.state() == before
    away.rename(clones.bare)
    assert one.whole().commits_sent == 1


def test_a_hook_that_says_no_is_heard_and_what_came_is_here_all_the_same(clones: Clones) -> None:
    one, two = clones.one, clones.two
    two.remember("Theirs")
    two.whole()
    one.remember("Mine")
    refuses = put_hook(clones.bare, "pre-receive", "echo memories are frozen; exit 1")
    done = one.sync()
    assert isinstance(done.error, RemoteError)
    assert "memories are frozen" in done.error.message
    assert (done.commits_received, done.commits_sent) == (1, 0)
    assert one.titles() == {"first", "Theirs", "Mine"}
    assert one.git("status", "--porcelain") == ""
    refuses.unlink()
    assert one.whole().commits_sent == 2


def test_a_branch_that_was_rewritten_is_not_brought_back_by_a_merge(clones: Clones) -> None:
    one, two = clones.one, clones.two
    one.remember("Secret")
    one.whole()
    two.whole()
    two.remember("Mine")
    one.git("reset", "--quiet", "--hard", "HEAD^")
    one.remember("Clean")
    one.git("push", "--quiet", "--force", "origin", "main")
    before = two.state()
    for _ in range(2):  # it is told again, though the second fetch brings nothing new
        done = two.sync()
        assert isinstance(done.error, RemoteError)
        assert "was rewritten: 1 commit that you have is not there" in done.error.message
        assert "vmem sync --rebase keeps your 1 own" in (done.error.hint or "")
        assert two.state() == before
    done = two.whole(Way.REBASE)
    assert done.commits_sent == 1
    assert two.titles() == {"first", "Clean", "Mine"}
    assert two.git("log", "--format=%s") == "remember: Mine\nremember: Clean\nvault"


def test_a_branch_that_is_gone_there_is_not_made_anew_in_silence(clones: Clones) -> None:
    one = clones.one
    run_git(clones.bare, "branch", "--move", "main", "trunk")
    one.remember("Mine")
    done = one.sync()
    assert isinstance(done.error, RemoteError)
    assert "its branch main is gone" in done.error.message
    assert run_git(clones.bare, "for-each-ref", "--format=%(refname)") == "refs/heads/trunk"


def test_where_nothing_can_be_exchanged_it_says_why(clones: Clones, tmp_path: Path) -> None:
    one = clones.one
    with pytest.raises(UsageError, match="no remote is called 'up'"):
        one.sync(remote="up")
    one.git("remote", "rename", "origin", "a")
    one.git("remote", "add", "b", str(clones.bare))
    one.git("branch", "--unset-upstream")
    with pytest.raises(UsageError, match="follows none of the remotes a, b"):
        one.sync()
    assert one.sync(remote="b").error is None
    one.git("remote", "remove", "a")
    one.git("remote", "remove", "b")
    with pytest.raises(GitError, match="no remote"):
        one.sync()
    with pytest.raises(PersonOnlyError, match="only the person"):
        one.vault.remote.sync(Scope("akashi"))
    (one.root / ".git" / "MERGE_HEAD").write_text(one.git("rev-parse", "HEAD") + "\n")
    with pytest.raises(GitError, match="a merge is under way"):
        one.sync()


def test_two_histories_are_not_brought_together(clones: Clones, tmp_path: Path) -> None:
    one = clones.one
    run_git(tmp_path, "init", "--quiet", "--bare", "other.git")
    one.git("remote", "add", "other", str(tmp_path / "other.git"))
    alone = one.git("commit-tree", "HEAD^{tree}", "-m", "another beginning")
    one.git("push", "--quiet", "other", f"{alone}:refs/heads/main")
    before = one.state()
    for way in Way:
        done = one.sync(way, remote="other")
        assert isinstance(done.error, GitError)
        assert done.error.message.startswith("other/main and this branch"), "no hashes of forty digits"
        assert "two histories" in done.error.message
        assert "--allow-unrelated-histories other/main" in str(done.error.hint)
        assert one.state() == before
