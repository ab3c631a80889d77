"""Pending work: what is not committed, not pushed, faulty or in conflict, whole and in a line."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gitrun import run_git
from tests.stand import CountedIds, ToldClock
from vault_memory.adapters.files.tree import VaultFiles
from vault_memory.model.facts import Upstream
from vault_memory.model.namespace import PERSON, Scope
from vault_memory.ports import Scan
from vault_memory.render.status import render_brief, render_status
from vault_memory.vault import Vault


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    Vault.create(tmp_path / "memory")
    with Vault.open(
        tmp_path / "memory", clock=ToldClock(), ids=CountedIds(), settings={"refresh_seconds": 0.0}
    ) as opened:
        opened.person.remember("first", title="First")
        yield opened


@pytest.fixture
def pushed(vault: Vault, tmp_path: Path) -> Vault:
    run_git(tmp_path, "init", "--quiet", "--bare", "there.git")
    run_git(vault.root, "remote", "add", "origin", str(tmp_path / "there.git"))
    run_git(vault.root, "push", "--quiet", "--set-upstream", "origin", "main")
    return vault


def short(vault: Vault, scope: Scope = PERSON) -> str:
    return render_brief(vault.upkeep.brief(scope), colour=False)


def test_without_an_upstream_nothing_is_said_of_pushing(vault: Vault) -> None:
    status = vault.upkeep.status(PERSON)
    assert status.upstream is None
    assert "push" not in render_status(status, colour=False)
    assert short(vault) == ""


def test_commits_that_are_not_pushed_are_counted_without_a_network(pushed: Vault, tmp_path: Path) -> None:
    assert pushed.upkeep.status(PERSON).upstream == Upstream("origin/main", 0, 0)
    assert short(pushed) == ""
    pushed.person.remember("second")
    pushed.person.remember("third")
    (tmp_path / "there.git").rename(tmp_path / "gone.git")
    status = pushed.upkeep.status(PERSON)
    assert status.upstream == Upstream("origin/main", 2, 0)
    assert "2 commits not pushed to origin/main" in render_status(status, colour=False)
    assert short(pushed) == "memory:main ⇡2"
    run_git(pushed.root, "update-ref", "-d", "refs/remotes/origin/main")
    assert pushed.upkeep.status(PERSON).upstream is None


def test_git_counts_alike_where_only_git_can_read(pushed: Vault) -> None:
    pushed.person.remember("second")
    run_git(pushed.root, "update-index", "--split-index")
    assert pushed.upkeep.status(PERSON).upstream == Upstream("origin/main", 1, 0)


def test_proposals_that_wait_for_review_are_counted_for_those_who_may_see_them(
    pushed: Vault,
) -> None:
    def told(scope: Scope = PERSON) -> int:
        return pushed.upkeep.status(scope).proposals

    assert told() == 0
    for agent, name in (("akashi", "one"), ("akashi", "two"), ("mira", "three")):
        with pushed.agent(agent).propose(name) as proposal:
            proposal.remember(f"{name} it is")
    with pushed.agent("mira").propose("empty"):
        pass  # nothing of it waits: there is nothing to be reviewed
    run_git(pushed.root, "branch", "memory/notes", "memory/mira/three")  # a branch that is no proposal
    run_git(pushed.root, "push", "--quiet", "origin", "memory/mira/three", "memory/mira/three:memory/ann/far")
    seen = [told(), told(Scope("akashi")), told(Scope("mira")), told(Scope("ann"))]
    assert seen == [4, 2, 1, 0]
    run_git(pushed.root, "update-index", "--split-index")  # only git can read it now
    assert [told(), told(Scope("akashi")), told(Scope("mira")), told(Scope("ann"))] == seen
    run_git(pushed.root, "update-index", "--no-split-index")
    shown = render_status(pushed.upkeep.status(PERSON), colour=False)
    assert "\nproposals  4 waiting for review: vmem review\n" in shown
    assert len([one for one in pushed.review.proposals(PERSON) if one.paths]) == 4
    pushed.review.decide(PERSON, pushed.review.find(PERSON, "one"))
    run_git(pushed.root, "merge", "--quiet", "-m", "by hand", "memory/akashi/two")
    assert told() == 2
    pushed.review.close(Scope("mira"), pushed.review.find(Scope("mira"), "three"))
    assert told(Scope("mira")) == 0
    assert told() == 2  # the remote has it still, and it can be reviewed from there


def test_the_short_form_counts_what_the_long_one_lists(vault: Vault) -> None:
    (vault.root / "new.md").write_text("new\n")
    (vault.root / "merge.md").write_text("x\n<<<<<<< a\n=======\n>>>>>>> b\n")
    (vault.root / "notes" / "first.md").unlink()
    status = vault.upkeep.status(PERSON)
    assert len(status.uncommitted) == 3
    assert status.conflicted == ("merge.md",)
    assert status.faults == 1
    assert short(vault) == "memory:main ●3 ✗1"
    run_git(vault.root, "switch", "--quiet", "--detach")
    vault.person.remember("this waits")
    assert short(vault) == "memory:(detached) ●4 ✗1"


def test_what_is_no_memory_is_in_neither(vault: Vault) -> None:
    (vault.root / "docs").mkdir()
    (vault.root / "docs" / "x.md").write_text("left out\n")
    (vault.root / ".vmem" / "config.toml").write_text('format = 1\nexclude = ["docs/"]\n')
    with Vault.open(vault.root) as again:
        assert again.upkeep.status(PERSON).uncommitted == ()
        assert short(again) == ""


def test_an_agent_counts_what_it_may_read(vault: Vault) -> None:
    private = vault.root / "private" / "mira"
    private.mkdir(parents=True)
    (private / "merge.md").write_text("x\n<<<<<<< a\n=======\n>>>>>>> b\n")
    assert short(vault) == "memory:main ●1 ✗1"
    assert short(vault, Scope("akashi")) == ""
    assert vault.upkeep.status(Scope("akashi")).conflicted == ()


def test_the_short_form_looks_at_no_file_where_git_names_nothing_new(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault.upkeep.status(PERSON)
    looked: list[VaultFiles] = []
    scan = VaultFiles.scan

    def seen(self: VaultFiles) -> Scan:
        looked.append(self)
        return scan(self)

    monkeypatch.setattr(VaultFiles, "scan", seen)
    file = vault.root / "notes" / "first.md"
    file.write_text(file.read_text() + "more\n")
    assert short(vault) == "memory:main ●1"
    assert looked == []
    (vault.root / "new.md").write_text("new\n")
    assert short(vault) == "memory:main ●2"
    assert len(looked) == 1


def test_the_age_of_the_index_is_that_of_its_last_change(vault: Vault) -> None:
    status = vault.upkeep.status(PERSON)
    assert status.index_seconds is not None
    assert 0 <= status.index_seconds < 60
    assert "last written just now" in render_status(status, colour=False)
    vault.close()
    past = time.time() - 3 * 86_400 - 60
    os.utime(vault.root / ".vmem" / "local" / "index.db", (past, past))
    with Vault.open(vault.root) as again:
        found = again.upkeep.status(PERSON)
    assert found.index_seconds is not None
    assert "last written 3 days ago" in render_status(found, colour=False)


def test_a_damaged_index_does_not_count_as_clean(vault: Vault) -> None:
    """A prompt answers from the index; one that can't be read is an error, and not an empty line."""
    vault.close()
    (vault.root / ".vmem" / "local" / "index.db").write_bytes(b"nonsense" * 1000)
    with Vault.open(vault.root) as again:
        (vault.root / "new.md").write_text("new\n")
        assert short(again) == "memory:main ●1"
