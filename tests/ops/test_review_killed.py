"""Proposing and reviewing, killed anywhere: what was acknowledged is there once, and it goes on."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.ops.proposed import HERON, LATER, OWL, RSI, RUMOUR, Killed, Scene, begun, propose_three, stop
from vault_memory.adapters.git.history import GitHistory


@pytest.mark.parametrize("leave", [False, True], ids=["all decided", "one left"])
def test_a_review_that_was_killed_anywhere_loses_nothing_and_goes_on(tmp_path: Path, leave: bool) -> None:
    template = begun(tmp_path / "template")
    propose_three(template)
    for at in range(1, 30):
        # A clone of the folder, as deep as git's links allow: the worktree of the first is not its own.
        root = tmp_path / f"vault-{at}"
        shutil.copytree(template.root, root, symlinks=True)
        scene = Scene(root)
        with scene.vault() as vault:
            one = scene.the_one(vault)
            stop(vault, at)
            accept = [RSI] if leave else [RSI, LATER]
            try:
                vault.review.decide(vault.person.scope, one, accept=accept, reject=[RUMOUR])
            except Killed:
                pass
            else:
                break
        found = [path for one in scene.open_ones() for path in one.paths]
        assert RUMOUR not in scene.files()
        for path in (RSI, LATER):
            assert path in {*scene.files(), *found}, (at, path)
        with scene.vault() as vault:
            names = [path for path in (RSI, RUMOUR, LATER) if path in found]
            accept = [path for path in accept if path in names]
            if accept or RUMOUR in names:
                out = [path for path in names if path == RUMOUR]
                vault.review.decide(vault.person.scope, scene.the_one(vault), accept=accept, reject=out)
        wanted = {OWL, HERON, RSI} | (set() if leave else {LATER})
        assert set(scene.files()) == wanted, at
        assert [path for one in scene.open_ones() for path in one.paths] == ([LATER] if leave else [])
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
        assert written.path == RUMOUR
    assert set(scene.files("memory/akashi/rsi")) == {OWL, HERON, RSI, RUMOUR}
    shutil.rmtree(scene.root / ".vmem" / "local" / "worktrees")
    with scene.proposal() as proposal:
        assert proposal.remember("Rumour it is", title="Rumour", namespace="market").known
        assert {one.path for one in proposal.list()} == {OWL, HERON, RSI, RUMOUR}


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
