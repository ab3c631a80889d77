"""What an agent can set or begin by itself loosens no rule of the vault."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ops.proposed import Scene, begun
from vault_memory.config.load import load
from vault_memory.errors import ConfigError, ScopeError
from vault_memory.surfaces.cli.app import main


@pytest.fixture
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    return begun(tmp_path_factory.mktemp("loosening") / "vault", {"embedder": "none"})


def test_a_variable_adds_to_where_is_reviewed_and_takes_nothing_away(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with (scene.root / ".vmem" / "config.toml").open("a") as file:
        file.write('review = ["tides"]\n')
    monkeypatch.setenv("VMEM_REVIEW", "other, tides")
    assert load(scene.root)["review"] == ("shared/tides", "shared/other")
    ask = ["--vault", str(scene.root), "--agent", "akashi", "remember"]
    for namespace in ("tides", "other"):
        assert main([*ask, f"High at noon in {namespace}", "--namespace", namespace]) == 0
        assert "proposed on memory/akashi/" in capsys.readouterr().out
    monkeypatch.setenv("VMEM_REVIEW", "*")
    assert load(scene.root)["review"] == ("shared/tides", "shared")


@pytest.mark.parametrize("name", ["memory/mira/rsi", "origin/memory/mira/rsi"])
def test_a_proposal_is_no_reviewed_branch_whoever_says_so(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("VMEM_REVIEWED_BRANCH", name)
    with pytest.raises(ConfigError, match="reviewed_branch"):
        load(scene.root)
    monkeypatch.setenv("VMEM_REVIEWED_BRANCH", "team/memory")
    assert load(scene.root)["reviewed_branch"] == "team/memory"


def test_who_writes_nothing_begins_no_proposal(scene: Scene, tmp_path: Path) -> None:
    branches = scene.git("branch", "--list")
    with scene.vault(agents={"reader": {"readonly": True}}) as vault:
        agent = vault.agent("reader")
        with pytest.raises(ScopeError):
            agent.propose("notes")
        talk = tmp_path / "talk.txt"
        talk.write_text("User: Decision: we keep the tide tables in UTC, because two ports differ.\n")
        with pytest.raises(ScopeError):
            vault.capture.transcript(talk, "reader", form="text", propose="")
    assert scene.git("branch", "--list") == branches
