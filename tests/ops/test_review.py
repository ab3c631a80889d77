"""Reviewing a proposal: what is accepted comes in, the rest stays out, and a person's work is as it was."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.ops.proposed import HERON, LATER, OWL, RSI, RUMOUR, Scene
from vault_memory.errors import ConflictError, NotFoundError, PersonOnlyError, RefusedError, UsageError


def test_what_is_proposed_is_on_the_branch_alone_until_it_is_accepted(scene: Scene) -> None:
    before = scene.files()
    with scene.vault() as vault:
        agent = vault.agent("akashi")
        with agent.propose("NVDA RSI!", about="What\nI learned") as proposal:
            written = proposal.remember("RSI above 70", title="Rsi", namespace="market")
            proposal.edit("Owl", importance=0.9)
            proposal.forget("Heron")
            assert written.proposed == proposal.branch == "memory/akashi/nvda-rsi"
            assert {one.path for one in proposal.list()} == {RSI, OWL}
        assert {one.path for one in agent.list()} == {OWL, HERON}
        [one] = vault.review.proposals(vault.person.scope)
        assert (one.about, one.paths, one.others) == ("What I learned", (HERON, OWL, RSI), ())
        assert written.commit is not None
        assert scene.git("log", "-1", "--format=%an|%s", written.commit) == "akashi|remember: Rsi"
        assert scene.files() == before
        assert [path for path, _ in vault.review.changes(agent.scope)] == [HERON, OWL, RSI]
        assert vault.review.changes(vault.agent("bertie").scope) == []
        done = vault.review.decide(vault.person.scope, one)
        assert (done.accepted, done.left, done.closed) == ((HERON, OWL, RSI), (), one.tip)
        assert {one.path for one in agent.list()} == {OWL, RSI}
        assert vault.review.proposals(vault.person.scope) == []
    assert scene.git("log", "-1", "--first-parent", "--format=%s|%an") == (
        "review: akashi/nvda-rsi: What I learned|Test Person"
    )
    assert "importance: 0.9" in scene.git("show", f"HEAD:{OWL}")
    assert scene.is_sound()


def test_some_are_accepted_some_taken_back_and_the_rest_stays_open(three: Scene) -> None:
    with three.vault() as vault:
        one = three.the_one(vault)
        done = vault.review.decide(vault.person.scope, one, accept=["Rsi"], reject=[RUMOUR])
        assert (done.accepted, done.rejected, done.left) == ((RSI,), (RUMOUR,), (LATER,))
        assert three.the_one(vault).paths == (LATER,)
    assert set(three.files()) == {OWL, HERON, RSI}
    # Whose memory it is stays with it.
    assert three.git("log", "-1", "--format=%an", "memory/akashi/rsi", "--", LATER) == "akashi"
    with three.proposal() as proposal:
        assert proposal.remember("Rsi it is", title="Rsi", namespace="market").known
        proposal.remember("One more", namespace="market")
    with three.vault() as vault:
        vault.review.decide(vault.person.scope, three.the_one(vault))
    assert set(three.files()) == {OWL, HERON, RSI, LATER, "shared/market/one-more.md"}
    assert three.is_sound()
    assert three.open_ones() == []


def test_what_is_taken_back_alone_leaves_the_rest_open_and_merges_nothing(three: Scene) -> None:
    head = three.git("rev-parse", "HEAD")
    with three.vault() as vault:
        done = vault.review.decide(vault.person.scope, three.the_one(vault), accept=[], reject=[RSI])
        assert (done.commit, done.left) == (None, (LATER, RUMOUR))
        assert three.the_one(vault).paths == (LATER, RUMOUR)
        done = vault.review.decide(
            vault.person.scope, three.the_one(vault), accept=[], reject=[RUMOUR, LATER]
        )
        assert done.closed is not None
    assert three.open_ones() == []
    assert three.git("rev-parse", "HEAD") == head


def test_a_memory_that_was_moved_comes_in_or_stays_out_with_both_its_places(scene: Scene) -> None:
    with scene.proposal() as proposal:
        proposal.vault.files.move(proposal.scope, "Owl", "shared/ops/")
        proposal.edit("Heron", importance=0.1)
    with scene.vault() as vault:
        vault.review.decide(vault.person.scope, scene.the_one(vault), accept=[HERON])
        assert set(scene.files()) == {OWL, HERON}
        vault.review.decide(vault.person.scope, scene.the_one(vault))
    assert set(scene.files()) == {"shared/ops/owl.md", HERON}


def test_a_persons_work_in_the_checkout_is_as_it_was(three: Scene) -> None:
    owl, heron = three.root / OWL, three.root / HERON
    owl.write_text(owl.read_text() + "\nstaged\n")
    three.git("add", OWL)
    owl.write_text(owl.read_text() + "not staged\n")
    heron.write_text(heron.read_text() + "\nwork\n")
    (three.root / "draft.md").write_text("untracked\n")
    before = three.git("status", "--porcelain"), three.git("diff"), three.git("diff", "--cached")
    with three.vault() as vault:
        vault.review.decide(vault.person.scope, three.the_one(vault), reject=[RUMOUR])
    assert (three.git("status", "--porcelain"), three.git("diff"), three.git("diff", "--cached")) == before
    assert {RSI, LATER} <= set(three.files())


def test_what_lies_in_the_way_of_a_memory_is_not_overwritten(three: Scene) -> None:
    (three.root / RSI).write_text("a person's own, of the same name\n")
    head, tip = three.git("rev-parse", "HEAD"), three.git("rev-parse", "memory/akashi/rsi")
    with three.vault() as vault, pytest.raises(ConflictError, match="rsi"):
        vault.review.decide(vault.person.scope, three.the_one(vault))
    assert (three.root / RSI).read_text() == "a person's own, of the same name\n"
    assert three.git("rev-parse", "HEAD") == head
    assert three.git("rev-parse", "memory/akashi/rsi") == tip


def test_a_memory_is_edited_in_the_review_in_the_persons_name(three: Scene) -> None:
    with three.vault() as vault:
        person = vault.person.scope
        one = three.the_one(vault)

        def shorten(file: Path) -> None:
            file.write_text(file.read_text().replace("Rumour it is", "Only a rumour"))

        written = vault.review.edit(person, one, RUMOUR, shorten)
        assert written.proposed == one.branch
        with pytest.raises(ConflictError, match="changed since you looked"):
            vault.review.decide(person, one)
        vault.review.decide(person, three.the_one(vault))
    assert three.files()[RUMOUR] == "Only a rumour"
    assert three.git("log", "-1", "--format=%an", "--", RUMOUR) == "Test Person"


def test_a_worktree_with_what_is_in_no_commit_is_told_of_and_kept(three: Scene) -> None:
    folder = three.root / ".vmem" / "local" / "worktrees" / "akashi" / "rsi"
    (folder / "shared" / "mine.md").write_text("by hand\n")
    with three.vault() as vault:
        for act in (vault.review.decide, vault.review.close):
            with pytest.raises(ConflictError, match="in no commit"):
                act(vault.person.scope, three.the_one(vault))
        shutil.rmtree(folder)
        vault.review.decide(vault.person.scope, three.the_one(vault))
    assert {RSI, RUMOUR, LATER} <= set(three.files())


def test_other_files_come_in_only_if_that_is_said(three: Scene) -> None:
    folder = three.root / ".vmem" / "local" / "worktrees" / "akashi" / "rsi"
    (folder / "run.sh").write_text("true\n")
    three.git("-C", str(folder), "add", "run.sh")
    three.git("-C", str(folder), "commit", "--quiet", "-m", "by hand")
    with three.vault() as vault:
        one = three.the_one(vault)
        assert one.others == ("run.sh",)
        with pytest.raises(RefusedError, match=r"no memory: run\.sh"):
            vault.review.decide(vault.person.scope, one)
        vault.review.decide(vault.person.scope, one, others=True)
    assert (three.root / "run.sh").read_text() == "true\n"


def test_an_agent_sees_and_closes_its_own_and_decides_on_none(three: Scene) -> None:
    with three.proposal("other", agent="bertie") as proposal:
        proposal.remember("Mine", namespace="market")
    with three.vault() as vault:
        akashi, bertie = vault.agent("akashi").scope, vault.agent("bertie").scope
        theirs = three.the_one(vault)
        assert [one.branch for one in vault.review.proposals(bertie)] == ["memory/bertie/other"]
        with pytest.raises(NotFoundError, match="no open proposal"):
            vault.review.find(bertie, theirs.branch)
        for refused in (
            lambda: vault.review.decide(akashi, theirs),
            lambda: vault.review.edit(akashi, theirs, RSI, lambda _: None),
            lambda: vault.review.push(akashi, theirs),
            lambda: vault.review.close(bertie, theirs),
            lambda: vault.agent("bertie").propose(theirs.branch),
        ):
            with pytest.raises(PersonOnlyError):
                refused()
        closed = vault.review.close(akashi, theirs)
        assert (closed.closed, closed.commit) == (theirs.tip, None)
    assert [one.branch for one in three.open_ones()] == ["memory/bertie/other"]


def test_what_another_clone_pushed_is_reviewed_here(three: Scene, tmp_path: Path) -> None:
    three.git("clone", "--quiet", "--bare", str(three.root), str(tmp_path / "hub.git"))
    three.git("clone", "--quiet", str(tmp_path / "hub.git"), str(tmp_path / "clone"))
    (tmp_path / "clone" / ".vmem").mkdir(exist_ok=True)
    (tmp_path / "clone" / ".vmem" / "config.toml").write_text("format = 1\n")
    clone = Scene(tmp_path / "clone", clock=three.clock, ids=three.ids)
    with clone.vault() as vault:
        person = vault.person.scope
        [one] = vault.review.proposals(person)
        assert (one.branch, one.remote, one.paths) == ("memory/akashi/rsi", "origin", (LATER, RSI, RUMOUR))
        assert vault.review.proposals(vault.agent("akashi").scope) == []
        with pytest.raises(UsageError, match="is on origin"):
            vault.review.close(person, one)
        vault.review.decide(person, one, accept=[RSI], reject=[RUMOUR])
        left = vault.review.find(person, "rsi")
        assert (left.remote, left.paths) == (None, (LATER,))
        vault.review.decide(person, left)
        assert vault.review.proposals(person) == []
    assert set(clone.files()) == {OWL, HERON, RSI, LATER}
