"""Taking back a merge: all that it brought in goes in one commit, and what came later stays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.ops.proposed import Scene, begun
from vault_memory.model.namespace import PERSON
from vault_memory.model.reverted import Became, Reverted
from vault_memory.surfaces.cli.app import main

HERON, OWL, RSI, RUMOUR = (f"shared/market/{name}.md" for name in ("heron", "owl", "rsi", "rumour"))


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    """A vault into which a proposal was merged that makes, edits, removes and moves."""
    scene = begun(tmp_path / "vault")
    with scene.vault() as vault:
        vault.person.remember("The wren sings", title="Wren", namespace="market")
    with scene.proposal() as proposal:
        proposal.remember("RSI above 70", title="Rsi", namespace="market")
        proposal.remember("It is said", title="Rumour", namespace="market")
        proposal.edit("Owl", importance=0.9, text="The owl sits\n\nIt is wrong")
        proposal.forget("Heron")
        proposal.vault.files.move(proposal.scope, "Wren", "shared/ops/")
    with scene.vault() as vault:  # the person's branch goes on meanwhile
        vault.person.remember("mine", title="Mine", namespace="market")
        vault.review.decide(PERSON, scene.the_one(vault))
    return scene


def became(done: Reverted) -> dict[str, Became]:
    return {one.path: one.became for one in done.files}


def test_all_that_a_merge_brought_in_goes_in_one_commit_and_another_brings_it_back(
    scene: Scene,
) -> None:
    merge, before = scene.git("rev-parse", "HEAD"), scene.files("HEAD^1")
    merged = scene.files()
    with scene.vault() as vault:
        told = vault.history.revert(PERSON, merge, dry_run=True)
        done = vault.history.revert(PERSON, merge[:10])
        assert became(told) == became(done) == {
            HERON: Became.RESTORED, OWL: Became.CHANGED, RSI: Became.REMOVED, RUMOUR: Became.REMOVED,
            "shared/market/wren.md": Became.MOVED,
        }  # fmt: skip
        assert [one.commit for one in done.revisions] == [merge]
        assert [one.kept for one in done.files] == [None] * 5
        assert vault.history.revert(PERSON, merge).commit is None  # it is no longer in effect
        assert vault.person.recall("RSI above 70").hits == ()
    assert scene.files() == before
    assert scene.git("rev-parse", "HEAD^") == merge
    assert scene.git("log", "-1", "--format=%s") == "revert: review: akashi/rsi"
    with scene.vault() as vault:
        assert done.commit is not None
        vault.history.revert(PERSON, done.commit)
        assert scene.files() == merged
        vault.person.undo()
        assert scene.files() == before
    assert scene.is_sound()


def test_what_came_after_the_merge_stays_and_is_named_where_it_is_in_the_way(scene: Scene) -> None:
    merge = scene.git("rev-parse", "HEAD")
    with scene.vault() as vault:
        vault.agent("mira").edit("Owl", add_tags=["seen"])
        vault.person.edit("Rumour", text="It is said, and I have looked it up")
        vault.person.remember("later", title="Later", namespace="market")
        done = vault.history.revert(PERSON, merge)
    kept = {one.path: one.kept for one in done.files if one.kept}
    assert kept == {RUMOUR: "it is new, and was edited since by Test Person"}
    files = scene.files()
    assert (files[OWL], files[RUMOUR]) == ("The owl sits", "It is said, and I have looked it up")
    assert "tags: [seen]" in (scene.root / OWL).read_text()
    assert "importance" not in (scene.root / OWL).read_text()
    assert RSI not in files
    assert "shared/market/later.md" in files


def test_a_line_that_was_merged_later_and_began_before_is_kept(scene: Scene) -> None:
    merge = scene.git("rev-parse", "HEAD")
    scene.git("checkout", "--quiet", "-b", "side", "HEAD^1")
    with scene.vault() as vault:
        vault.person.edit("Owl", title="Great owl")
        vault.person.remember("beside", title="Beside", namespace="market")
    scene.git("checkout", "--quiet", "main")
    scene.git("merge", "--quiet", "-m", "side", "side")
    with scene.vault() as vault:
        done = vault.history.revert(PERSON, merge)
    assert became(done)[OWL] is Became.CHANGED
    text = (scene.root / OWL).read_text()
    assert "title: Great owl" in text
    assert "wrong" not in text
    assert "importance" not in text
    assert {"shared/market/beside.md", "shared/market/mine.md", HERON} <= set(scene.files())
    assert RSI not in scene.files()


def test_a_merge_that_a_conflict_was_decided_in_goes_with_that_decision(scene: Scene) -> None:
    """Whoever made the merge, and whatever it holds that neither side had."""
    scene.git("checkout", "--quiet", "-b", "side")
    owl = scene.root / OWL
    owl.write_text(owl.read_text().replace("sits", "flies"))
    scene.git("commit", "--quiet", "-am", "theirs")
    scene.git("checkout", "--quiet", "main")
    owl.write_text(owl.read_text().replace("sits", "sleeps"))
    scene.git("commit", "--quiet", "-am", "ours")
    scene.git("merge", "--quiet", "-s", "ours", "--no-commit", "side")
    owl.write_text(owl.read_text().replace("sleeps", "flies asleep"))
    scene.git("commit", "--quiet", "-am", "decided")
    with scene.vault() as vault:
        assert became(vault.history.revert(PERSON, "HEAD")) == {OWL: Became.CHANGED}
    assert "The owl sleeps" in owl.read_text()


def test_the_command_takes_a_merge_and_one_of_another_branch_is_told_apart(
    scene: Scene, capsys: pytest.CaptureFixture[str]
) -> None:
    merge = scene.git("rev-parse", "HEAD")
    assert main(["--vault", str(scene.root), "revert", merge[:7], "--dry-run", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["commit"] for one in told["commits"]] == [merge]
    scene.git("checkout", "--quiet", "-b", "elsewhere", "HEAD^1")
    assert main(["--vault", str(scene.root), "revert", merge[:7]]) == 3
    said = capsys.readouterr().err
    assert f"no commit of this branch changed memories and is, or touched, '{merge[:7]}'" in said
