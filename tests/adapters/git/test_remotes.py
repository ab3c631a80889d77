"""The exchange with a remote: what it holds, what it says no to, and that it never waits or asks."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tests.gitrun import put_hook, run_git
from vault_memory.adapters.git.remotes import GitRemote, bare_url, said
from vault_memory.errors import GitError, RemoteError
from vault_memory.model.branches import Followed, Pushed

HERE = Followed("origin", "main")


class Clones:
    """A bare repository, and two clones of it with one commit."""

    def __init__(self, folder: Path) -> None:
        self.bare, self.one, self.two = (folder / name for name in ("bare.git", "one", "two"))
        run_git(folder, "init", "--quiet", "--bare", str(self.bare))
        run_git(folder, "clone", "--quiet", str(self.bare), str(self.one))
        self.commit(self.one, "first")
        run_git(self.one, "push", "--quiet", "origin", "main")
        run_git(folder, "clone", "--quiet", str(self.bare), str(self.two))

    def commit(self, clone: Path, name: str) -> str:
        (clone / f"{name}.md").write_text(name)
        run_git(clone, "add", "--all")
        run_git(clone, "commit", "--quiet", "--message", name)
        return run_git(clone, "rev-parse", "HEAD")

    def hook(self, name: str, script: str) -> None:
        put_hook(self.bare, name, script)


@pytest.fixture
def clones(tmp_path: Path) -> Clones:
    return Clones(tmp_path)


def test_a_push_is_taken_once_and_fetched_by_the_other(clones: Clones) -> None:
    new = clones.commit(clones.one, "second")
    one, two = GitRemote(clones.one), GitRemote(clones.two)
    assert one.push("origin", "main").outcome is Pushed.TAKEN
    assert one.push("origin", "main").outcome is Pushed.NOTHING
    assert two.tip(HERE) != new
    assert two.fetch("origin", "main") is True
    assert two.tip(HERE) == new
    assert two.follows("main") == HERE
    assert not (clones.two / ".git" / "FETCH_HEAD").exists()


def test_who_comes_second_is_told_so_and_nothing_is_overwritten(clones: Clones) -> None:
    first = clones.commit(clones.one, "ones")
    assert GitRemote(clones.one).push("origin", "main").outcome is Pushed.TAKEN
    clones.commit(clones.two, "twos")
    run_git(clones.two, "config", "push.default", "matching")
    run_git(clones.two, "config", "remote.origin.push", "+refs/heads/*:refs/heads/*")
    assert GitRemote(clones.two).push("origin", "main").outcome is Pushed.BEHIND
    assert run_git(clones.bare, "rev-parse", "main") == first


def test_a_hook_of_the_remote_says_no_in_its_own_words(clones: Clones) -> None:
    clones.hook("pre-receive", "echo 'memories need a review'; exit 1")
    clones.commit(clones.one, "second")
    report = GitRemote(clones.one).push("origin", "main")
    assert report.outcome is Pushed.REFUSED
    assert report.words.startswith("memories need a review")
    assert "pre-receive hook declined" in report.words


def test_the_pre_push_hook_of_the_clone_may_say_no_too(clones: Clones) -> None:
    put_hook(clones.one / ".git", "pre-push", "echo not on a Friday >&2\nexit 1")
    clones.commit(clones.one, "second")
    report = GitRemote(clones.one).push("origin", "main")
    assert (report.outcome, report.words) == (Pushed.REFUSED, "not on a Friday")


def test_a_branch_goes_by_another_name_and_one_that_is_not_there_is_told(clones: Clones) -> None:
    run_git(clones.one, "branch", "memory/akashi/x=y.z")
    one = GitRemote(clones.one)
    assert one.push("origin", "memory/akashi/x=y.z", to="proposed").outcome is Pushed.TAKEN
    assert one.follows("memory/akashi/x=y.z") is None
    one.follow("memory/akashi/x=y.z", Followed("origin", "proposed"))
    assert one.follows("memory/akashi/x=y.z") == Followed("origin", "proposed")
    two = GitRemote(clones.two)
    assert two.fetch("origin", "nothing") is False
    assert two.tip(Followed("origin", "proposed")) is not None


def test_a_clone_that_was_told_of_one_branch_fetches_another(clones: Clones) -> None:
    run_git(clones.one, "push", "--quiet", "origin", "main:other")
    run_git(clones.two, "config", "remote.origin.fetch", "+refs/heads/main:refs/remotes/origin/main")
    two = GitRemote(clones.two)
    assert two.fetch("origin", "other") is True
    assert two.tip(Followed("origin", "other")) == two.tip(HERE)


def test_a_rewritten_branch_shows_where_ours_parted_from_it(clones: Clones) -> None:
    old = clones.commit(clones.one, "secret")
    run_git(clones.one, "push", "--quiet", "origin", "main")
    two = GitRemote(clones.two)
    assert two.fetch("origin", "main")
    run_git(clones.two, "merge", "--quiet", "--ff-only", "origin/main")
    mine = clones.commit(clones.two, "mine")
    run_git(clones.one, "reset", "--quiet", "--hard", "HEAD^")
    new = clones.commit(clones.one, "clean")
    run_git(clones.one, "push", "--quiet", "--force", "origin", "main")
    assert two.fetch("origin", "main")
    assert two.tip(HERE) == new
    assert two.parted(HERE, mine) == old
    assert two.parted(Followed("origin", "none"), mine) is None


def test_a_remote_that_is_away_is_an_error_with_a_next_step(clones: Clones) -> None:
    clones.bare.rename(clones.bare.with_name("moved.git"))
    one = GitRemote(clones.one)
    for ask in (lambda: one.fetch("origin", "main"), lambda: one.push("origin", "main")):
        with pytest.raises(RemoteError, match="does not appear to be a git repository") as caught:
            ask()
        assert caught.value.exit_code == 70
        assert "nothing here is lost" in (caught.value.hint or "")


def test_a_remote_that_hangs_is_left_within_the_limit_and_nothing_of_it_lives_on(
    clones: Clones, tmp_path: Path
) -> None:
    hanging = tmp_path / "hang"
    hanging.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nexec sleep 600\n")
    hanging.chmod(0o755)
    for key in ("uploadpack", "receivepack"):
        run_git(clones.one, "config", f"remote.origin.{key}", str(hanging))
    one = GitRemote(clones.one, seconds=0.7)
    for ask in (lambda: one.fetch("origin", "main"), lambda: one.push("origin", "main")):
        with pytest.raises(RemoteError, match=r"did not answer within 0\.7 s"):
            ask()
        number = int((tmp_path / "pid").read_text())
        end = time.monotonic() + 20
        while Path(f"/proc/{number}").exists() and time.monotonic() < end:
            time.sleep(0.01)
        assert not Path(f"/proc/{number}").exists()


def test_it_never_asks_for_a_password_nor_a_passphrase(
    clones: Clones, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An ssh that tells what it was given: batch mode, and what the person has set comes first."""
    ssh = tmp_path / "ssh"
    ssh.write_text(
        f'#!/bin/sh\necho "$@" > {tmp_path}/said\necho "Permission denied (publickey)." >&2; exit 255\n'
    )
    ssh.chmod(0o755)
    run_git(clones.one, "remote", "set-url", "origin", "ssh://git@host.invalid/x.git")
    run_git(clones.one, "config", "core.sshCommand", f"{ssh} -o ConnectTimeout=3")
    with pytest.raises(RemoteError, match="Permission denied") as caught:
        GitRemote(clones.one).fetch("origin")
    assert (caught.value.hint or "").endswith("git fetch origin")
    words = (tmp_path / "said").read_text()
    assert "-o ConnectTimeout=3 -o BatchMode=yes" in words
    monkeypatch.setenv("GIT_SSH_COMMAND", f"{os.devnull}-plink")
    with pytest.raises(RemoteError):
        GitRemote(clones.one).fetch("origin")


@pytest.mark.parametrize("name", ["", "-x", "--upload-pack=touch ran", "nobody", "../one", "ext::sh -c true"])
def test_only_remotes_that_are_known_are_asked(clones: Clones, name: str) -> None:
    one = GitRemote(clones.one)
    assert one.url(name) is None
    with pytest.raises(RemoteError, match="no remote of that name"):
        one.fetch(name)
    with pytest.raises(RemoteError, match="no remote of that name"):
        one.push(name, "main")
    assert not (clones.one / "ran").exists()


def test_an_address_is_told_without_its_password(clones: Clones) -> None:
    run_git(clones.one, "remote", "set-url", "origin", "https://me:hunter2@example.invalid/x.git")
    one = GitRemote(clones.one)
    assert one.names() == ["origin"]
    assert one.url("origin") == "https://example.invalid/x.git"
    assert bare_url("git@host:x.git") == "git@host:x.git"
    assert bare_url("https://a:p@ss@host/x") == "https://host/x"
    assert bare_url("from https://a:b@h/x to ssh://c:d@e@f/y") == "from https://h/x to ssh://f/y"
    assert said("remote: no\nfatal: https://a:b@h/x is away\nhint: x\n") == "no; https://h/x is away"


def test_without_a_repository_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="no git repository"):
        GitRemote(tmp_path).names()
