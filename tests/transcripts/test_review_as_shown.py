"""`vmem review`: a yes stands for the proposal as it was shown, and for nothing that came to it since."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer

from tests.ops.proposed import Scene, begun
from vault_memory.errors import ConflictError, UsageError
from vault_memory.render.review import render_steps
from vault_memory.surfaces.cli.context import Call, World
from vault_memory.surfaces.cli.output import Output
from vault_memory.surfaces.cli.reviewing import Walk
from vault_memory.surfaces.cli.streams import Streams

RSI, LATER = "shared/market/rsi.md", "shared/market/later.md"


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    scene = begun(tmp_path / "memory")
    with scene.proposal() as proposal:
        proposal.remember("RSI above 70", title="Rsi", namespace="market")
    return scene


def wrote_on(scene: Scene) -> None:
    with scene.proposal() as proposal:
        proposal.remember("Never shown to anybody", title="Later", namespace="market")


def test_what_is_bound_to_a_commit_is_refused_once_the_branch_has_moved(scene: Scene) -> None:
    [shown] = scene.open_ones()
    assert f"--accept --at {shown.tip[:16]}\n" in render_steps(shown)
    wrote_on(scene)
    before = scene.git("for-each-ref")
    with scene.vault() as vault:
        for name in ("rsi", shown.branch):
            with pytest.raises(ConflictError, match="changed since you looked") as told:
                vault.review.find(vault.person.scope, name, shown.tip[:16])
            assert told.value.hint is not None
            assert "vmem diff " in told.value.hint
        for wrong in ("HEAD", "main", shown.tip[:6], "", "-" + shown.tip[:12]):
            with pytest.raises(UsageError, match="is no commit of a proposal"):
                vault.review.find(vault.person.scope, "rsi", wrong)
        assert scene.git("for-each-ref") == before
        now = scene.the_one(vault)
        assert vault.review.find(vault.person.scope, "rsi", now.tip.upper()[:7]) == now


def test_what_comes_during_a_walk_is_shown_before_anything_is_taken_in(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What an agent writes while the person reads is asked about too, the edited and the new."""
    asked: list[str] = []
    answers = iter(["accept", "accept", "reject"])

    def prompt(text: str, **_: object) -> str:
        asked.append(text)
        if len(asked) == 1:
            with scene.proposal() as proposal:
                proposal.edit("Rsi", importance=0.9)
                proposal.remember("Never shown to anybody", title="Later", namespace="market")
        return next(answers)

    confirmed: list[str] = []

    def confirm(text: str, **_: object) -> bool:
        confirmed.append(text)
        return True

    monkeypatch.setattr(typer, "prompt", prompt)
    monkeypatch.setattr(typer, "confirm", confirm)
    with scene.vault() as vault:
        call = Call(World(), Output(Streams.of_process()), vault=scene.root)
        done = Walk(call, vault, scene.the_one(vault)).go()
    told = capsys.readouterr()
    assert done is not None
    assert (done.accepted, done.rejected) == ((RSI,), (LATER,))
    assert confirmed == ["Take 1 memory in, take 1 memory back?"]
    assert told.out.count("shared/market/rsi.md   added") == 2
    assert "2 of 2   shared/market/later.md" in told.out
    assert "not as you saw it" in told.err
    assert "importance: 0.9" in scene.git("show", f"HEAD:{RSI}")
    assert set(scene.files()) == {RSI, "shared/market/heron.md", "shared/market/owl.md"}
