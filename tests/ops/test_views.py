"""Views: a vault as of a commit, as reviewed, or with proposals in it, answers as it would have there."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.gitrun import Git, run_git
from tests.ops.viewed import KEYWORDS, titles
from tests.stand import NOON, CountedIds, ToldClock
from vault_memory.errors import ReadOnlyError, RevisionNotFoundError, UsageError
from vault_memory.model.namespace import PERSON, Scope
from vault_memory.vault import Vault

AKASHI, MIRA = Scope("akashi"), Scope("mira")


@pytest.fixture
def clock() -> ToldClock:
    return ToldClock(NOON - timedelta(days=100))


@pytest.fixture
def vault(root: Path, clock: ToldClock) -> Iterator[Vault]:
    with Vault.open(root, clock=clock, ids=CountedIds(), settings=KEYWORDS) as opened:
        yield opened


def test_a_question_is_answered_as_it_would_have_been_then(vault: Vault, clock: ToldClock) -> None:
    first = vault.person.remember("the gate code is four", title="Gate", ttl="10d").commit
    clock.move(days=20)
    assert titles(vault, "gate code") == []
    vault.person.remember("the gate is oak", title="Oak gate")
    vault.person.forget("Oak gate")
    last = vault.person.remember("unrelated lemur", title="Lemur").commit
    clock.move(days=30)
    assert first is not None
    assert last is not None
    with vault.history.at(first) as then:
        assert titles(then, "gate code") == ["Gate"]
        assert "today" in str(then.person.recall("gate code"))
        assert then.history.now() == NOON - timedelta(days=100)
        assert [entry.title for entry in then.person.list()] == ["Gate"]
    with vault.history.at("HEAD~1") as then:
        assert titles(then, "gate") == []
        assert [entry.title for entry in then.person.list(expired=True)] == ["Gate"]
    with vault.history.at("HEAD~2") as then:
        assert titles(then, "gate") == ["Oak gate"]
        assert then.person.show("Oak gate").memory.body.strip() == "the gate is oak"
        assert [one.subject for one in then.history.log(PERSON)] == ["remember: Oak gate", "remember: Gate"]
    assert titles(vault, "lemur") == ["Lemur"]


def test_a_date_means_the_end_of_that_day_and_what_ended_by_then_is_gone(
    vault: Vault, clock: ToldClock
) -> None:
    vault.person.remember("the gate code is four", title="Gate", ttl="10d")
    clock.move(days=100)
    for when, found in (("2025-12-04", ["Gate"]), ("2025-12-13", ["Gate"]), ("2025-12-14", []), ("90d", [])):
        with vault.history.at(when) as then:
            assert titles(then, "gate code") == found, when
    with vault.history.at("today") as then:
        assert then.history.now() == clock.now()
    with vault.history.at(datetime(2025, 12, 5, tzinfo=UTC)) as then:
        assert titles(then, "gate code") == ["Gate"]
    with pytest.raises(RevisionNotFoundError, match="2025-12-03T23:59:59Z"):
        vault.history.at("2025-12-03")


def test_a_branch_that_is_called_like_a_date_is_meant_before_the_date(
    vault: Vault, root: Path, git: Git
) -> None:
    vault.person.remember("first lemur", title="First")
    git(root, "branch", "2020-01-01")
    vault.person.remember("second lemur", title="Second")
    with vault.history.at("2020-01-01") as then:
        assert titles(then, "lemur") == ["First"]


@pytest.mark.parametrize("when", ["nope", "", "  ", "--all", "HEAD..", "2019-13-45", "\udcff"])
def test_what_names_no_commit_and_no_date_is_refused_in_words(vault: Vault, when: str) -> None:
    vault.person.remember("lemur")
    with pytest.raises((RevisionNotFoundError, UsageError)) as raised:
        vault.history.at(when)
    assert "2026-11-01" in (raised.value.hint or "")


WRITES: dict[str, Callable[[Vault], object]] = {
    "remember": lambda view: view.agent("akashi").remember("new lemur"),
    "edit": lambda view: view.person.edit("Gate", importance=0.1),
    "forget": lambda view: view.person.forget("Gate"),
    "restore": lambda view: view.person.restore("Oak"),
    "undo": lambda view: view.person.undo(),
    "move": lambda view: view.files.move(PERSON, "Gate", "elsewhere/"),
    "link": lambda view: view.files.link(PERSON, "Gate", "Mine"),
    "gc": lambda view: view.upkeep.gc(PERSON),
    "propose": lambda view: view.agent("akashi").propose("idea").__enter__().remember("idea"),
    "revert": lambda view: view.history.revert(PERSON, "Gate"),
}


def test_every_write_is_refused_and_nothing_is_touched(vault: Vault, root: Path, git: Git) -> None:
    vault.person.remember("the oak gate", title="Oak")
    vault.person.forget("Oak")
    vault.person.remember("the gate is mine", title="Mine")
    vault.person.remember("the gate code is four", title="Gate", ttl="10d")
    (root / "notes" / "draft.md").write_text("uncommitted", encoding="utf-8")
    before = git(root, "status", "--porcelain=v2", "-uall", "--branch"), git(root, "branch", "--list")
    moved = ToldClock(vault.history.now() + timedelta(days=20))
    for trusted in (False, True):
        for name, write in WRITES.items():
            with vault.history.reviewed() if trusted else vault.history.at("HEAD") as view:
                if name == "gc":
                    view._opened.held = replace(view._opened.held, clock=moved)
                with pytest.raises(ReadOnlyError, match="can only be read: nothing was written") as raised:
                    write(view)
                assert raised.value.exit_code == 77, name
    assert before == (
        git(root, "status", "--porcelain=v2", "-uall", "--branch"),
        git(root, "branch", "--list"),
    )


def test_an_agent_sees_neither_others_memories_nor_what_nobody_merged(
    vault: Vault, root: Path, git: Git
) -> None:
    vault.agent("mira").remember("mira's secret lemur", title="Secret", namespace="private/mira")
    vault.person.remember("a lemur for all", title="Shared")
    with vault.history.at("HEAD", scope=AKASHI) as view:
        assert titles(view, "lemur", "akashi") == ["Shared"]
        assert set(titles(view, "lemur", "mira")) == {"Secret", "Shared"}
    main = git(root, "branch", "--show-current")
    for agent in ("akashi", "mira"):
        git(root, "switch", "-q", "-c", f"memory/{agent}/idea", main)
        (root / "shared").mkdir(exist_ok=True)
        (root / "shared" / f"{agent}.md").write_text(f"{agent} proposes a lemur", encoding="utf-8")
        git(root, "add", "shared")
        git(root, "commit", "-q", "-m", f"proposed by {agent}")
    git(root, "switch", "-q", main)
    hidden = git(root, "rev-parse", "memory/mira/idea")
    for name in (hidden, "memory/mira/idea", "memory/mira/idea~0", ":/proposed", "HEAD^{/remember}"):
        with pytest.raises(RevisionNotFoundError, match="git knows no commit"):
            vault.history.at(name, scope=AKASHI)
    with vault.history.at("memory/akashi/idea", scope=AKASHI) as view:
        assert len(view.agent("akashi").list()) == 2
    with vault.history.at(hidden) as view:
        assert "shared/mira.md" in {entry.path for entry in view.person.list()}


def test_the_trusted_view_is_the_reviewed_branch_whatever_is_checked_out(
    vault: Vault, root: Path, git: Git
) -> None:
    vault.person.remember("the reviewed lemur", title="Reviewed")
    main = git(root, "branch", "--show-current")
    git(root, "switch", "-q", "-c", "work")
    vault.agent("akashi").remember("an unreviewed lemur", title="Unreviewed")
    (root / "notes" / "draft.md").write_text("a draft lemur", encoding="utf-8")
    assert len(titles(vault, "lemur")) == 3
    with vault.history.reviewed() as view:
        assert titles(view, "lemur") == ["Reviewed"]
        assert view.history.now() == vault.history.now()
        assert "only what is on the reviewed branch" in view.person.recall("lemur").notices[0]
    git(root, "branch", "-m", main, "blessed")
    with pytest.raises(RevisionNotFoundError) as raised:
        vault.history.reviewed()
    assert "reviewed_branch" in (raised.value.hint or "")
    settings = {**KEYWORDS, "reviewed_branch": "blessed"}
    with Vault.open(root, settings=settings) as named, named.history.reviewed() as view:
        assert titles(view, "lemur") == ["Reviewed"]


def test_its_own_proposals_are_seen_by_the_agent_alone(vault: Vault, root: Path) -> None:
    vault.person.remember("the lemur eats leaves", title="Lemur", namespace="shared/zoo")
    vault.person.remember("the panda eats bamboo", title="Panda", namespace="shared/zoo")
    with vault.agent("akashi").propose("diet") as proposal:
        proposal.remember("the lemur also eats fruit", title="Fruit", namespace="zoo")
        proposal.edit("Lemur", text="the lemur eats few leaves")
        proposal.forget("Panda")
    with vault.history.proposed(AKASHI) as view:
        assert set(titles(view, "lemur eats", "akashi")) == {"Lemur", "Fruit"}
        assert "few leaves" in str(view.agent("akashi").recall("lemur leaves"))
        (root / "shared" / "zoo" / "new.md").write_text("a new lemur", encoding="utf-8")
        assert len(titles(view, "lemur", "akashi")) == 3
        with pytest.raises(ReadOnlyError, match="what is proposed"):
            view.agent("akashi").remember("more")
    for scope in (MIRA, PERSON):
        with vault.history.proposed(scope) as view:
            found = view._caller(scope).recall("what does the lemur eat")
            assert "fruit" not in str(found)
            assert "few leaves" not in str(found)
    assert set(titles(vault, "the lemur eats", "akashi")) >= {"Lemur", "Panda"}


def test_a_vault_without_commits_or_repository_says_so(root: Path, tmp_path: Path) -> None:
    with Vault.open(root, settings=KEYWORDS) as empty, pytest.raises(RevisionNotFoundError):
        empty.history.at("HEAD")
    shutil.rmtree(root / ".git")
    environment = {**os.environ, "GIT_CEILING_DIRECTORIES": str(tmp_path)}
    assert subprocess.run(
        ["git", "status"], cwd=root, env=environment, capture_output=True, check=False
    ).returncode
    with Vault.open(root, settings=KEYWORDS) as bare, pytest.raises(Exception, match="no git repository"):
        bare.history.at("HEAD")


def test_a_shallow_clone_looks_as_far_back_as_it_goes(vault: Vault, root: Path, tmp_path: Path) -> None:
    for number in range(3):
        vault.person.remember(f"lemur number {number}", title=f"Lemur {number}")
    run_git(root, "add", "--all")
    run_git(root, "commit", "-q", "-m", "settings too")
    run_git(tmp_path, "clone", "-q", "--depth", "2", f"file://{root}", "shallow")
    with Vault.open(tmp_path / "shallow", settings=KEYWORDS) as clone:
        with clone.history.at("HEAD~1") as view:
            assert len(view.person.list()) == 3
        with pytest.raises(RevisionNotFoundError):
            clone.history.at("HEAD~2")
