"""Branches with links, settings or secrets of others: nothing outside is touched, nothing comes in unseen."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.gitrun import run_git
from tests.ops.proposed import Scene, begun
from vault_memory.adapters.files.lock import VaultLock
from vault_memory.adapters.git.merges import GitMerges
from vault_memory.adapters.git.worktrees import GitWorktrees
from vault_memory.errors import (
    ConflictError,
    GitError,
    LockedError,
    MemoryNotFoundError,
    ProposalGoneError,
    RefusedError,
    RevisionNotFoundError,
    StorageError,
)
from vault_memory.facets.upkeep import UpkeepFacet
from vault_memory.model.health import Flushed
from vault_memory.model.namespace import Scope

BRANCH = "memory/akashi/rsi"
WORKTREES = ".vmem/local/worktrees"


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    scene = begun(tmp_path / "vault")
    scene.git("add", "--all")
    scene.git("commit", "--quiet", "-m", "settings")
    return scene


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A person's folder that is none of the vault's business."""
    folder = tmp_path / "outside"
    (folder / "rsi").mkdir(parents=True)
    (folder / "rsi" / "diary.txt").write_text("mine")
    (folder / ".gone-1-rsi").mkdir()
    return folder


def is_untouched(outside: Path) -> bool:
    below = sorted(str(one.relative_to(outside)) for one in outside.rglob("*"))
    return below == [".gone-1-rsi", "rsi", "rsi/diary.txt"]


def push_by_hand(scene: Scene, tmp_path: Path, change: Callable[[Path], None]) -> None:
    """A branch that somebody has made with git alone."""
    beside = tmp_path / "beside"
    scene.git("worktree", "add", "--quiet", "-b", BRANCH, str(beside))
    change(beside)
    run_git(beside, "add", "--force", "--all")
    run_git(beside, "commit", "--quiet", "-m", "by hand")
    scene.git("worktree", "remove", "--force", str(beside))


@pytest.mark.parametrize("linked", [f"{WORKTREES}/akashi", f"{WORKTREES}/akashi/rsi"])
def test_a_link_in_the_folder_of_worktrees_is_not_followed(scene: Scene, outside: Path, linked: str) -> None:
    link = scene.root / linked
    link.parent.mkdir(parents=True)
    link.symlink_to(outside)
    with pytest.raises(StorageError, match="link"), scene.proposal():
        pass
    assert is_untouched(outside)
    assert scene.open_ones() == []
    link.unlink()
    with scene.proposal() as proposal:
        proposal.remember("RSI above 70", title="Rsi", namespace="market")


def test_a_link_is_not_followed_to_take_a_worktree_away(scene: Scene, outside: Path) -> None:
    with scene.proposal() as proposal:
        proposal.remember("RSI above 70", title="Rsi", namespace="market")
    folder = scene.root / WORKTREES / "akashi"
    shutil.rmtree(folder)
    folder.symlink_to(outside)
    with scene.vault() as vault:
        with pytest.raises(StorageError, match="link"):
            vault.review.decide(vault.person.scope, scene.the_one(vault))
        with pytest.raises(StorageError, match="link"):
            vault.review.close(vault.person.scope, scene.the_one(vault))
    assert is_untouched(outside)


def a_link_for_the_folder_of_ours(beside: Path, outside: Path) -> None:
    shutil.rmtree(beside / ".vmem")
    (beside / ".vmem").symlink_to(outside)


def a_link_for_the_local_folder(beside: Path, outside: Path) -> None:
    (beside / ".vmem" / "local").symlink_to("../../../..")  # that of the vault itself


def a_local_folder(beside: Path, outside: Path) -> None:
    (beside / ".vmem" / "local").mkdir()
    (beside / ".vmem" / "local" / "state.db").write_bytes(b"another's")


@pytest.mark.parametrize(
    "brought", [a_link_for_the_folder_of_ours, a_link_for_the_local_folder, a_local_folder]
)
def test_a_branch_that_brings_what_is_of_this_machine_is_never_worked_on_and_can_be_closed(
    scene: Scene, tmp_path: Path, outside: Path, brought: Callable[[Path, Path], None]
) -> None:
    push_by_hand(scene, tmp_path, lambda beside: brought(beside, outside))
    with pytest.raises(GitError, match=r"\.vmem") as told, scene.proposal() as proposal:
        proposal.remember("RSI above 70", title="Rsi", namespace="market")
    assert "--close" in str(told.value.hint)
    assert is_untouched(outside)
    with scene.vault() as vault:
        assert vault.upkeep.flush(vault.person.scope).waiting == ()
        vault.review.close(vault.person.scope, scene.the_one(vault))
    assert scene.open_ones() == []


@pytest.mark.parametrize("settings", ["format = 999\n", "garb[\n"], ids=["newer", "broken"])
def test_settings_that_a_branch_brings_count_for_nothing_before_they_are_taken_in(
    scene: Scene, tmp_path: Path, settings: str
) -> None:
    def change(beside: Path) -> None:
        (beside / ".vmem" / "config.toml").write_text(settings)
        (beside / "shared" / "market" / "rsi.md").write_text("RSI\n")

    push_by_hand(scene, tmp_path, change)
    with scene.proposal() as proposal:
        proposal.remember("RSI above 70", title="Rsi", namespace="market")
    with scene.vault() as vault:
        vault.review.decide(vault.person.scope, scene.the_one(vault), reject=["Rsi"], accept=())
        vault.review.close(vault.person.scope, scene.the_one(vault))
    assert scene.open_ones() == []


def test_a_link_in_place_of_a_memory_never_comes_in_unseen(scene: Scene, tmp_path: Path) -> None:
    def change(beside: Path) -> None:
        (beside / "shared" / "market" / "rsi.md").write_text("RSI\n")
        (beside / "shared" / "market" / "link.md").symlink_to("/etc/passwd")
        owl = beside / "shared" / "market" / "owl.md"
        owl.unlink()
        owl.symlink_to("heron.md")

    push_by_hand(scene, tmp_path, change)
    with scene.vault() as vault:
        one = scene.the_one(vault)
        assert one.others == ("shared/market/link.md", "shared/market/owl.md")
        with pytest.raises(RefusedError, match=r"link\.md"):
            vault.review.decide(vault.person.scope, one)
        vault.review.decide(vault.person.scope, one, others=True)
    assert (scene.root / "shared" / "market" / "link.md").is_symlink()


@pytest.fixture
def berties(scene: Scene) -> Scene:
    with scene.proposal("plan", "bertie") as proposal:
        proposal.remember("The crocodile waits", title="Croc", namespace="market")
    return scene


def test_an_agent_compares_nothing_with_anothers_proposal(berties: Scene) -> None:
    tip = berties.git("rev-parse", "memory/bertie/plan")
    with berties.vault() as vault:
        akashi = vault.agent("akashi").scope
        for name in ("memory/bertie/plan", tip, tip[:10]):
            for what in ([name], [f"main...{name}"], [f"{name}...main"], ["main", name], [name, "main"]):
                with pytest.raises((RevisionNotFoundError, MemoryNotFoundError)):
                    vault.files.diff(akashi, *what)
            with pytest.raises(RevisionNotFoundError):
                vault.files.diff(akashi, name, staged=True)


def test_an_agent_compares_its_own_proposal_and_the_person_every_one(berties: Scene) -> None:
    with berties.vault() as vault:
        bertie, person = vault.agent("bertie").scope, vault.person.scope
        for scope in (bertie, person):
            [one] = vault.files.diff(scope, "main...memory/bertie/plan").differences
            assert one.title == "Croc"
            [one] = vault.review.compare(scope, vault.review.find(scope, "plan")).differences
            assert one.title == "Croc"


def test_of_two_reviews_at_once_the_second_says_that_it_has_changed(
    berties: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = GitWorktrees.whole

    def whole(self: GitWorktrees, branch: str, folder: Path) -> Path | None:
        found = plain(self, branch, folder)
        monkeypatch.setattr(GitWorktrees, "whole", plain)
        with berties.vault() as other:
            other.review.decide(other.person.scope, berties.the_one(other, "plan"))
        return found

    with berties.vault() as vault:
        one = berties.the_one(vault, "plan")
        monkeypatch.setattr(GitWorktrees, "whole", whole)
        with pytest.raises(ConflictError, match="has changed since"):
            vault.review.decide(vault.person.scope, one)
    assert berties.is_sound()
    assert berties.open_ones() == []


def test_a_review_that_comes_between_a_write_and_its_commit_is_named(
    berties: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = UpkeepFacet.flush

    def flush(self: UpkeepFacet, scope: Scope) -> Flushed:
        monkeypatch.setattr(UpkeepFacet, "flush", plain)
        with berties.vault() as vault:
            vault.review.decide(vault.person.scope, berties.the_one(vault, "plan"))
        return plain(self, scope)

    with berties.proposal("plan", "bertie") as proposal:
        monkeypatch.setattr(UpkeepFacet, "flush", flush)
        with pytest.raises(ProposalGoneError):
            proposal.remember("The crocodile waits", title="Croc", namespace="market")
    assert "shared/market/croc.md" in berties.files()


def test_the_checkout_goes_forward_while_no_vmem_writes(
    berties: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    free: list[str] = []
    plain = GitMerges.forward

    def forward(self: GitMerges, commit: str) -> None:
        local = berties.root / ".vmem" / "local"

        def look() -> None:
            for name in ("commit", "lock"):
                try:
                    with VaultLock(local / name).held(wait=0):
                        free.append(name)
                except LockedError:
                    continue

        other = threading.Thread(target=look)
        other.start()
        other.join()
        plain(self, commit)

    monkeypatch.setattr(GitMerges, "forward", forward)
    with berties.vault() as vault:
        done = vault.review.decide(vault.person.scope, berties.the_one(vault, "plan"))
    assert done.commit is not None
    assert free == []
