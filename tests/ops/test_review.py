"""Proposals: written beside the vault, and reviewed: what is accepted comes in, and nothing is ever lost."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.ops.proposed import Killed, Scene, begun, stop
from vault_memory.adapters.git.history import GitHistory
from vault_memory.errors import (
    AmbiguousRefError,
    ConflictError,
    GitError,
    NotFoundError,
    PersonOnlyError,
    ProposalGoneError,
    RefusedError,
    UsageError,
)
from vault_memory.model import wirereview
from vault_memory.render.review import render_reviewed

A, B, C = (f"shared/market/{name}.md" for name in ("rsi", "rumour", "later"))
OWL, HERON = "shared/market/owl.md", "shared/market/heron.md"


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return begun(tmp_path / "vault")


@pytest.fixture
def three(scene: Scene) -> Scene:
    """With a proposal of three memories."""
    with scene.proposal() as proposal:
        for title in ("Rsi", "Rumour", "Later"):
            proposal.remember(f"{title} it is", title=title, namespace="market")
    return scene


def test_what_is_proposed_is_on_the_branch_alone_until_it_is_accepted(scene: Scene) -> None:
    before = scene.files()
    with scene.vault() as vault:
        agent = vault.agent("akashi")
        with agent.propose("NVDA RSI!", about="What\nI learned") as proposal:
            written = proposal.remember("RSI above 70", title="Rsi", namespace="market")
            proposal.edit("Owl", importance=0.9)
            proposal.forget("Heron")
            assert written.proposed == proposal.branch == "memory/akashi/nvda-rsi"
            assert {one.path for one in proposal.list()} == {A, OWL}
        assert {one.path for one in agent.list()} == {OWL, HERON}
        [one] = vault.review.proposals(vault.person.scope)
        assert (one.about, one.paths, one.others) == ("What I learned", (HERON, OWL, A), ())
        assert written.commit is not None
        assert scene.git("log", "-1", "--format=%an|%s", written.commit) == "akashi|remember: Rsi"
        assert scene.files() == before
        assert [path for path, _ in vault.review.changes(agent.scope)] == [HERON, OWL, A]
        assert vault.review.changes(vault.agent("bertie").scope) == []
        done = vault.review.decide(vault.person.scope, one)
        assert (done.accepted, done.left, done.closed) == ((HERON, OWL, A), (), one.tip)
        assert {one.path for one in agent.list()} == {OWL, A}
        assert vault.review.proposals(vault.person.scope) == []
    assert scene.git("log", "-1", "--first-parent", "--format=%s|%an") == (
        "review: akashi/nvda-rsi: What I learned|Test Person"
    )
    assert "importance: 0.9" in scene.git("show", f"HEAD:{OWL}")
    assert scene.is_sound()


def test_some_are_accepted_some_taken_back_and_the_rest_stays_open(three: Scene) -> None:
    with three.vault() as vault:
        one = three.the_one(vault)
        done = vault.review.decide(vault.person.scope, one, accept=["Rsi"], reject=[B])
        assert (done.accepted, done.rejected, done.left) == ((A,), (B,), (C,))
        assert three.the_one(vault).paths == (C,)
    assert set(three.files()) == {OWL, HERON, A}
    # Whose memory it is stays with it.
    assert three.git("log", "-1", "--format=%an", "memory/akashi/rsi", "--", C) == "akashi"
    with three.proposal() as proposal:
        assert proposal.remember("Rsi it is", title="Rsi", namespace="market").known
        proposal.remember("One more", namespace="market")
    with three.vault() as vault:
        vault.review.decide(vault.person.scope, three.the_one(vault))
    assert set(three.files()) == {OWL, HERON, A, C, "shared/market/one-more.md"}
    assert three.is_sound()
    assert three.open_ones() == []


def test_what_is_taken_back_alone_leaves_the_rest_open_and_merges_nothing(three: Scene) -> None:
    head = three.git("rev-parse", "HEAD")
    with three.vault() as vault:
        done = vault.review.decide(vault.person.scope, three.the_one(vault), accept=[], reject=[A])
        assert (done.commit, done.left) == (None, (C, B))
        assert three.the_one(vault).paths == (C, B)
        done = vault.review.decide(vault.person.scope, three.the_one(vault), accept=[], reject=[B, C])
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
        vault.review.decide(vault.person.scope, three.the_one(vault), reject=[B])
    assert (three.git("status", "--porcelain"), three.git("diff"), three.git("diff", "--cached")) == before
    assert {A, C} <= set(three.files())


def test_what_lies_in_the_way_of_a_memory_is_not_overwritten(three: Scene) -> None:
    (three.root / A).write_text("a person's own, of the same name\n")
    head, tip = three.git("rev-parse", "HEAD"), three.git("rev-parse", "memory/akashi/rsi")
    with three.vault() as vault, pytest.raises(ConflictError, match="rsi"):
        vault.review.decide(vault.person.scope, three.the_one(vault))
    assert (three.root / A).read_text() == "a person's own, of the same name\n"
    assert three.git("rev-parse", "HEAD") == head
    assert three.git("rev-parse", "memory/akashi/rsi") == tip


def test_what_both_sides_changed_is_told_and_nothing_is_merged(scene: Scene) -> None:
    with scene.proposal() as proposal:
        proposal.edit("Owl", text="The owl flies")
        proposal.remember("Rsi it is", title="Rsi", namespace="market")
    with scene.vault() as vault:
        vault.person.edit("Owl", text="The owl sleeps")
        head = scene.git("rev-parse", "HEAD")
        one = scene.the_one(vault)
        with pytest.raises(ConflictError, match="nothing was merged") as told:
            vault.review.decide(vault.person.scope, one, accept=[OWL])
        assert OWL in told.value.message
        assert scene.the_one(vault) == one
        assert scene.git("rev-parse", "HEAD") == head
        vault.review.decide(vault.person.scope, one, reject=[OWL])
    assert "sleeps" in scene.files()[OWL]
    assert A in scene.files()
    assert scene.is_sound()


@pytest.mark.parametrize("older", ["agent", "person"])
def test_a_memory_that_got_another_name_beside_one_of_that_title_is_told(scene: Scene, older: str) -> None:
    with scene.proposal() as proposal:
        proposal.remember("Later it is", title="Later", namespace="market")
        if older == "agent":
            proposal.remember("agent", title="Rsi", namespace="market")
        with scene.vault() as vault:
            vault.person.remember("person", title="Rsi", namespace="market")
        if older == "person":
            proposal.remember("agent", title="Rsi", namespace="market")
    with scene.vault() as vault:
        done = vault.review.decide(vault.person.scope, scene.the_one(vault), reject=[C])
        assert done.accepted == (A,)
        assert [one.path for one in vault.person.list()] == [HERON, OWL, moved := "shared/market/rsi-2.md", A]
    side, whose = ("ours", "yours") if older == "agent" else ("theirs", "the one proposed")
    assert wirereview.reviewed(done)["apart"] == [{"path": A, "moved_to": moved, "side": side}]
    assert f"Both sides made {A}, two memories: {whose} is now {moved}" in render_reviewed(done, colour=False)
    files = scene.files()
    assert (files[A], files[moved]) == (older, "person" if older == "agent" else "agent")
    assert scene.is_sound()


def test_a_key_that_both_changed_is_named_and_what_was_merged_by_hand_is_closed_as_such(scene: Scene) -> None:
    with scene.proposal() as proposal:
        proposal.edit("Heron", importance=0.9)
    with scene.vault() as vault:
        vault.person.edit("Heron", importance=0.2)
        one = vault.review.find(vault.person.scope, "rsi")
        with pytest.raises(ConflictError, match=r"heron\.md \(both sides changed importance\)"):
            vault.review.decide(vault.person.scope, one)
        scene.git("merge", "--quiet", "--strategy=ours", "memory/akashi/rsi")
        closed = vault.review.close(vault.person.scope, vault.review.find(vault.person.scope, "rsi"))
    assert render_reviewed(closed, colour=False).startswith("✔ closed memory/akashi/rsi (bring it back: ")


def test_keys_that_each_side_changed_are_both_kept(scene: Scene) -> None:
    with scene.proposal() as proposal:
        proposal.edit("Owl", add_tags=["bird"])
    with scene.vault() as vault:
        vault.person.edit("Owl", importance=0.9)
        vault.review.decide(vault.person.scope, scene.the_one(vault))
        memory = vault.person.show("Owl").memory
    assert (memory.front["importance"], memory.front["tags"]) == ("0.9", ["bird"])


def test_a_memory_is_edited_in_the_review_in_the_persons_name(three: Scene) -> None:
    with three.vault() as vault:
        person = vault.person.scope
        one = three.the_one(vault)

        def shorten(file: Path) -> None:
            file.write_text(file.read_text().replace("Rumour it is", "Only a rumour"))

        written = vault.review.edit(person, one, B, shorten)
        assert written.proposed == one.branch
        with pytest.raises(ConflictError, match="changed since you looked"):
            vault.review.decide(person, one)
        vault.review.decide(person, three.the_one(vault))
    assert three.files()[B] == "Only a rumour"
    assert three.git("log", "-1", "--format=%an", "--", B) == "Test Person"


def test_a_worktree_with_what_is_in_no_commit_is_told_of_and_kept(three: Scene) -> None:
    folder = three.root / ".vmem" / "local" / "worktrees" / "akashi" / "rsi"
    (folder / "shared" / "mine.md").write_text("by hand\n")
    with three.vault() as vault:
        for act in (vault.review.decide, vault.review.close):
            with pytest.raises(ConflictError, match="in no commit"):
                act(vault.person.scope, three.the_one(vault))
        shutil.rmtree(folder)
        vault.review.decide(vault.person.scope, three.the_one(vault))
    assert {A, B, C} <= set(three.files())


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
            lambda: vault.review.edit(akashi, theirs, A, lambda _: None),
            lambda: vault.review.push(akashi, theirs),
            lambda: vault.review.close(bertie, theirs),
            lambda: vault.agent("bertie").propose(theirs.branch),
        ):
            with pytest.raises(PersonOnlyError):
                refused()
        closed = vault.review.close(akashi, theirs)
        assert (closed.closed, closed.commit) == (theirs.tip, None)
    assert [one.branch for one in three.open_ones()] == ["memory/bertie/other"]


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
    from vault_memory.vault import Vault

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
        hook = scene.root / ".git" / "hooks" / "pre-commit"
        hook.parent.mkdir(exist_ok=True)
        hook.write_text("#!/bin/sh\necho not today >&2\nexit 1\n")
        hook.chmod(0o755)
        for _ in range(2):  # the second time the text is known there, and still in no commit
            with pytest.raises(GitError, match=r"nothing is proposed.*not today"):
                proposal.remember("Rsi it is", title="Rsi", namespace="market")
        hook.unlink()
        assert proposal.remember("Rsi it is", title="Rsi", namespace="market").known
        assert A in scene.files(proposal.branch)


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
        vault.review.decide(person, one, accept=[], reject=[B])
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
    assert A in three.files("memory/akashi/rsi")


def test_what_another_clone_pushed_is_reviewed_here(three: Scene, tmp_path: Path) -> None:
    three.git("clone", "--quiet", "--bare", str(three.root), str(tmp_path / "hub.git"))
    three.git("clone", "--quiet", str(tmp_path / "hub.git"), str(tmp_path / "clone"))
    (tmp_path / "clone" / ".vmem").mkdir(exist_ok=True)
    (tmp_path / "clone" / ".vmem" / "config.toml").write_text("format = 1\n")
    clone = Scene(tmp_path / "clone", clock=three.clock, ids=three.ids)
    with clone.vault() as vault:
        person = vault.person.scope
        [one] = vault.review.proposals(person)
        assert (one.branch, one.remote, one.paths) == ("memory/akashi/rsi", "origin", (C, A, B))
        assert vault.review.proposals(vault.agent("akashi").scope) == []
        with pytest.raises(UsageError, match="is on origin"):
            vault.review.close(person, one)
        vault.review.decide(person, one, accept=[A], reject=[B])
        left = vault.review.find(person, "rsi")
        assert (left.remote, left.paths) == (None, (C,))
        vault.review.decide(person, left)
        assert vault.review.proposals(person) == []
    assert set(clone.files()) == {OWL, HERON, A, C}


@pytest.mark.parametrize("leave", [False, True], ids=["all decided", "one left"])
def test_a_review_that_was_killed_anywhere_loses_nothing_and_goes_on(tmp_path: Path, leave: bool) -> None:
    template = begun(tmp_path / "template")
    with template.proposal() as proposal:
        for title in ("Rsi", "Rumour", "Later"):
            proposal.remember(f"{title} it is", title=title, namespace="market")
    for at in range(1, 30):
        # A clone of the folder, as deep as git's links allow: the worktree of the first is not its own.
        root = tmp_path / f"vault-{at}"
        shutil.copytree(template.root, root, symlinks=True)
        scene = Scene(root)
        with scene.vault() as vault:
            one = scene.the_one(vault)
            stop(vault, at)
            accept = [A] if leave else [A, C]
            try:
                vault.review.decide(vault.person.scope, one, accept=accept, reject=[B])
            except Killed:
                pass
            else:
                break
        found = [path for one in scene.open_ones() for path in one.paths]
        assert B not in scene.files()
        for path in (A, C):
            assert path in {*scene.files(), *found}, (at, path)
        with scene.vault() as vault:
            names = [path for path in (A, B, C) if path in found]
            accept = [path for path in accept if path in names]
            if accept or B in names:
                out = [path for path in names if path == B]
                vault.review.decide(vault.person.scope, scene.the_one(vault), accept=accept, reject=out)
        wanted = {OWL, HERON, A} | (set() if leave else {C})
        assert set(scene.files()) == wanted, at
        assert [path for one in scene.open_ones() for path in one.paths] == ([C] if leave else [])
        assert scene.is_sound()
    assert at > 6


def test_a_proposal_whose_writer_was_killed_holds_what_was_acknowledged_once(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object, **__: object) -> None:
        raise Killed

    with scene.proposal() as proposal:
        proposal.remember("Rsi it is", title="Rsi", namespace="market")
        with monkeypatch.context() as patch:
            patch.setattr(GitHistory, "commit", killed)
            with pytest.raises(Killed):
                proposal.remember("Rumour it is", title="Rumour", namespace="market")
    with scene.proposal() as proposal:
        written = proposal.remember("Rumour it is", title="Rumour", namespace="market")
        assert written.path == B
    assert set(scene.files("memory/akashi/rsi")) == {OWL, HERON, A, B}
    shutil.rmtree(scene.root / ".vmem" / "local" / "worktrees")
    with scene.proposal() as proposal:
        assert proposal.remember("Rumour it is", title="Rumour", namespace="market").known
        assert {one.path for one in proposal.list()} == {OWL, HERON, A, B}


def test_a_proposal_whose_beginning_was_killed_is_begun_again(scene: Scene) -> None:
    for at in range(1, 9):
        with scene.vault() as vault:
            stop(vault, at)
            try:
                vault.agent("akashi").propose(f"x-{at}", about="why").close()
            except Killed:
                pass
            else:
                break
        with scene.vault() as vault, vault.agent("akashi").propose(f"x-{at}", about="why") as proposal:
            assert proposal.remember(f"Text {at}", namespace="market").commit is not None
    assert at > 2
    assert scene.is_sound()
