"""Reviewing what both sides changed: it is merged by key, or told, and nothing is lost."""

from __future__ import annotations

import pytest

from tests.ops.proposed import HERON, LATER, OWL, RSI, Scene
from vault_memory.errors import ConflictError
from vault_memory.model import wirereview
from vault_memory.render.review import render_reviewed


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
    assert RSI in scene.files()
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
        done = vault.review.decide(vault.person.scope, scene.the_one(vault), reject=[LATER])
        assert done.accepted == (RSI,)
        assert [one.path for one in vault.person.list()] == [
            HERON,
            OWL,
            moved := "shared/market/rsi-2.md",
            RSI,
        ]
    side, whose = ("ours", "yours") if older == "agent" else ("theirs", "the one proposed")
    assert wirereview.reviewed(done)["apart"] == [{"path": RSI, "moved_to": moved, "side": side}]
    assert f"Both sides made {RSI}, two memories: {whose} is now {moved}" in render_reviewed(
        done, colour=False
    )
    files = scene.files()
    assert (files[RSI], files[moved]) == (older, "person" if older == "agent" else "agent")
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
