"""Every shape of repository, for what is reviewed: propose, diff, review, look back, revert, sync."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.beside_git import Desk, sound
from tests.cases.test_shapes_of_repository import SHAPES, origin

__all__ = ["origin"]

CHOSEN = ("a shallow clone", "a sparse checkout", "a linked worktree", "a submodule", "sha256", "a filter")


@pytest.mark.parametrize("shape", CHOSEN)
def test_what_an_agent_proposes_is_reviewed_looked_back_on_and_taken_back(origin: Path, shape: str) -> None:
    desk = Desk(SHAPES[shape](origin))
    if shape == "a sparse checkout":  # a proposal is as sparse as the checkout
        desk.git("sparse-checkout", "add", "shared/notes", "shared/sea")
    desk.json("remember", "An owl in the barn", "--title", "Owl", "-n", "shared/notes")
    known = {one["path"] for one in desk.json("list")}
    before = desk.git("rev-parse", "HEAD")
    status = desk.git("status", "--porcelain")
    for argv in (
        ("remember", "Ferries sail north", "--title", "Ferry", "-n", "sea"),
        ("edit", "Owl", "--importance", "0.9"),
    ):
        assert desk.json("--agent", "akashi", *argv, "--propose=sea")["proposed"] == "memory/akashi/sea"
    assert {one["path"] for one in desk.json("list")} == known
    assert desk.json("status")["proposals"] == 1
    ferry = "shared/sea/ferry.md"
    shown = desk.json("review", "sea")
    assert ferry in {one["path"] for one in shown["diff"]["memories"]}
    done = desk.json("review", "sea", "--accept")
    assert done["committed"] == desk.git("rev-parse", "HEAD")
    assert {one["path"] for one in desk.json("list")} == {*known, ferry}
    assert desk.recalled("ferries") == [ferry]
    in_commit = {
        name for name in desk.git("ls-tree", "-r", "--name-only", before).split("\n") if name[-3:] == ".md"
    }
    assert {one["path"] for one in desk.json("list", "--at", before)} == in_commit
    assert [hit["path"] for hit in desk.json("search", "ferries", "--at", "HEAD")["hits"]] == [ferry]
    desk.json("revert", done["committed"])
    assert {one["path"] for one in desk.json("list")} == known
    assert desk.git("status", "--porcelain") == status
    assert desk.json("status")["proposals"] == 0
    sound(desk.root)
