"""Proposing: a branch beside the vault is begun, named, written to and pushed; nothing else is proposed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.gitrun import put_hook
from tests.ops.proposed import RSI, RUMOUR, Scene
from vault_memory.adapters.git.merges import GitMerges
from vault_memory.errors import AmbiguousRefError, GitError, ProposalGoneError, UsageError
from vault_memory.model.branches import Parted
from vault_memory.vault import Vault


def test_names_of_proposals_say_which_or_that_they_do_not(scene: Scene) -> None:
    for agent in ("akashi", "bertie"):
        with scene.proposal("rsi", agent=agent) as proposal:
            assert proposal.begun.new
    with scene.vault() as vault:
        person, akashi = vault.person.scope, vault.agent("akashi")
        with pytest.raises(AmbiguousRefError):
            vault.review.find(person, "rsi")
        assert vault.review.find(person, "bertie/rsi").agent == "bertie"
        for name in ("", "…", "--", "../..", "\x00"):
            with pytest.raises(UsageError, match="letter or a digit"):
                akashi.propose(name)
        with akashi.propose("../../etc/passwd; rm -rf") as proposal:
            assert proposal.branch == "memory/akashi/etc-passwd-rm-rf"
            with pytest.raises(UsageError, match="already"):
                proposal.propose("another")
        with pytest.raises(UsageError, match="writes directly"):
            vault.person.propose()
        with vault.person.propose("bertie/rsi") as proposal:
            assert proposal.remember("By hand").proposed == "memory/bertie/rsi"
        scene.git("branch", "memory/UPPER/x")
        scene.git("branch", "memory/akashi/a/b")
        assert len(vault.review.proposals(person)) == 3


def test_without_a_commit_there_is_nothing_to_begin_from(tmp_path: Path) -> None:
    scene = Scene(tmp_path)
    scene.root.mkdir(exist_ok=True)
    Vault.create(scene.root)
    with scene.vault() as vault:
        assert vault.review.proposals(vault.person.scope) == []
        with pytest.raises(GitError, match="there is no commit yet"):
            vault.agent("akashi").propose("x")


def test_a_proposal_that_holds_nothing_begins_at_head_again(scene: Scene) -> None:
    with scene.proposal():
        pass
    with scene.vault() as vault:
        vault.person.remember("Newer", namespace="market")
    with scene.proposal() as proposal:
        assert "shared/market/newer.md" in {one.path for one in proposal.list()}


def test_a_write_that_git_did_not_commit_is_not_proposed(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scene.proposal() as proposal:
        hook = put_hook(scene.root / ".git", "pre-commit", "echo not today >&2\nexit 1")
        for _ in range(2):  # the second time the text is known there, and still in no commit
            with pytest.raises(GitError, match=r"nothing is proposed.*not today"):
                proposal.remember("Rsi it is", title="Rsi", namespace="market")
        hook.unlink()
        assert proposal.remember("Rsi it is", title="Rsi", namespace="market").known
        assert RSI in scene.files(proposal.branch)


def test_a_proposal_is_pushed_as_it_is_and_never_by_force(three: Scene, tmp_path: Path) -> None:
    with three.vault() as vault:
        person, one = vault.person.scope, three.the_one(vault)
        with pytest.raises(GitError, match="no remote to push to"):
            vault.review.push(person, one)
        three.git("init", "--quiet", "--bare", str(tmp_path / "shared.git"))
        three.git("remote", "add", "hub", str(tmp_path / "shared.git"))
        with pytest.raises(GitError, match="no remote 'nope'"):
            vault.review.push(person, one, "nope")
        sent = vault.review.push(person, one)
        assert (sent.remote, sent.new, sent.link) == ("hub", True, None)
        assert not vault.review.push(person, one).new
        assert three.git("ls-remote", "hub").split() == [one.tip, f"refs/heads/{one.branch}"]
        vault.review.decide(person, one, accept=[], reject=[RUMOUR])
        three.git("update-ref", f"refs/heads/{one.branch}", one.base or "")
        with pytest.raises(GitError, match="hub"):
            vault.review.push(person, three.the_one(vault))
    assert three.git("ls-remote", "hub").split()[0] == one.tip


def test_a_write_to_a_proposal_that_was_just_reviewed_says_so_and_may_be_repeated(three: Scene) -> None:
    with three.proposal() as proposal:
        with three.vault() as vault:
            vault.review.decide(vault.person.scope, three.the_one(vault))
        with pytest.raises(ProposalGoneError, match="was not written"):
            proposal.remember("Too late", namespace="market")
    with three.proposal() as proposal:
        assert proposal.begun.new
        assert proposal.remember("Too late", namespace="market").commit is not None
    assert RSI in three.files("memory/akashi/rsi")


def test_a_proposal_is_found_by_its_name_without_a_look_into_the_others(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("rsi", "other", "third"):
        with scene.proposal(name):
            pass
    looked: list[int] = []
    parted = GitMerges.parted

    def counted(self: GitMerges, head: str, tips: Sequence[str]) -> Mapping[str, Parted]:
        looked.append(len(tips))
        return parted(self, head, tips)

    monkeypatch.setattr(GitMerges, "parted", counted)
    with scene.vault() as vault:
        assert vault.review.find(vault.person.scope, "rsi").name == "rsi"
        assert len(vault.review.proposals(vault.person.scope)) == 3
    assert looked == [1, 3]
