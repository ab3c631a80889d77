"""`vault.history.log` tells of merges: what they brought, and what they made of a memory themselves."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tests.ops.proposed import Scene
from vault_memory.model.namespace import PERSON, Scope
from vault_memory.model.revision import Revision

OWL = "shared/market/owl.md"


def logged(scene: Scene, scope: Scope, ref: str | None = None) -> Sequence[Revision]:
    with scene.vault() as vault:
        return vault.history.log(scope, ref, limit=None)


def test_an_accepted_proposal_is_in_the_log_with_what_it_brought(scene: Scene) -> None:
    with scene.proposal() as proposal:
        proposal.remember("RSI above 70", title="Rsi", namespace="market")
        proposal.edit("Owl", importance=0.9)
    with scene.vault() as vault:
        done = vault.review.decide(PERSON, scene.the_one(vault))
    newest = logged(scene, PERSON)[0]
    assert newest.commit == done.commit
    assert (newest.subject, newest.paths) == ("review: akashi/rsi", (OWL, "shared/market/rsi.md"))
    # Of one memory that is as the branch had it the merge says nothing new.
    assert [one.subject for one in logged(scene, PERSON, "Owl")] == ["edit: Owl", "remember: Owl"]
    assert done.commit not in {one.commit for one in logged(scene, Scope("mira"))}


def test_what_a_merge_itself_made_of_a_memory_is_in_its_log(scene: Scene) -> None:
    scene.git("branch", "side")
    with scene.vault() as vault:
        vault.person.edit("Owl", text="The owl sleeps")
    scene.git("switch", "--quiet", "side")
    with scene.vault() as vault:
        vault.person.edit("Heron", text="The heron sleeps")
    scene.git("switch", "--quiet", "main")
    scene.git("merge", "--quiet", "--no-ff", "--no-commit", "side")
    file = scene.root / OWL
    file.write_text(file.read_text("utf-8") + "and nobody saw who wrote this\n", "utf-8")
    scene.git("add", OWL)
    scene.git("commit", "--quiet", "--message", "Merge side")
    evil = scene.git("rev-parse", "HEAD")
    of_owl = logged(scene, PERSON, "Owl")
    assert [one.subject for one in of_owl] == ["Merge side", "edit: Owl", "remember: Owl"]
    assert (of_owl[0].commit, of_owl[0].paths) == (evil, (OWL,))
    assert [one.subject for one in logged(scene, PERSON, "Heron")] == ["edit: Heron", "remember: Heron"]
    assert set(logged(scene, PERSON)[0].paths) == {OWL, "shared/market/heron.md"}


def test_a_merge_that_brought_nothing_is_left_out_and_any_number_may_be_asked_for(scene: Scene) -> None:
    scene.git("branch", "side")
    with scene.vault() as vault:
        vault.person.edit("Owl", importance=0.9)
    scene.git("switch", "--quiet", "side")
    with scene.vault() as vault:
        vault.person.edit("Heron", importance=0.9)
    scene.git("switch", "--quiet", "main")
    scene.git("merge", "--quiet", "--strategy", "ours", "--message", "nothing of it", "side")
    with scene.vault() as vault:
        subjects = [one.subject for one in vault.history.log(PERSON, None, limit=sys.maxsize * 8)]
        assert "nothing of it" not in subjects
        assert "nothing of it" not in {one.subject for one in vault.history.log(PERSON, "Owl", limit=9)}


def test_what_a_merge_itself_removed_is_told_as_removed(scene: Scene) -> None:
    scene.git("branch", "side")
    for branch, title in (("main", "Owl"), ("side", "Heron")):
        scene.git("switch", "--quiet", branch)
        with scene.vault() as vault:
            vault.person.edit(title, importance=0.9)
    scene.git("switch", "--quiet", "main")
    scene.git("merge", "--quiet", "--no-ff", "--no-commit", "side")
    scene.git("rm", "--quiet", "--force", OWL)
    scene.git("commit", "--quiet", "--message", "Merge side")
    for ref in (OWL, None):
        newest = logged(scene, PERSON, ref)[0]
        assert (newest.subject, newest.removed) == ("Merge side", frozenset({OWL}))
