"""Since when a question no longer finds its memory, asked of real histories."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.gitrun import Git
from tests.stand import NOON, CountedIds, ToldClock
from vault_memory.errors import GitError, MemoryNotFoundError
from vault_memory.model.bisected import Since
from vault_memory.model.namespace import PERSON, Scope
from vault_memory.render.bisected import render_bisected
from vault_memory.vault import Vault


@pytest.fixture
def clock() -> ToldClock:
    return ToldClock(NOON - timedelta(days=100))


@pytest.fixture
def vault(root: Path, clock: ToldClock) -> Iterator[Vault]:
    with Vault.open(root, clock=clock, ids=CountedIds(), settings={"embedder": "none"}) as opened:
        yield opened


def told(vault: Vault, query: str, ref: str, scope: Scope = PERSON) -> str:
    found = vault.history.bisect(scope, query, expect=ref)
    return render_bisected(found, zone=vault.settings.zone)


def grow(vault: Vault, count: int) -> None:
    for number in range(count):
        vault.person.remember(f"filler about gardens, number {number}", title=f"Filler {number}")


def test_the_edit_that_took_the_word_away_is_named(vault: Vault, root: Path, git: Git) -> None:
    grow(vault, 3)
    vault.agent("akashi").remember("never risk more than two percent", title="Risk", namespace="market")
    grow(vault, 5)
    before = git(root, "rev-parse", "HEAD")
    vault.agent("akashi").edit("Risk", text="be careful")
    vault.agent("akashi").edit("Risk", title="Caution")
    lost = git(root, "rev-parse", "HEAD~1")
    vault.files.move(PERSON, "Caution", "shared/market/caution.md")
    grow(vault, 4)
    found = vault.history.bisect(PERSON, "two percent", expect="Caution")
    assert (found.since, found.now) == (Since.LOST, None)
    assert found.last_found is not None
    assert found.first_lost is not None
    assert (found.last_found.point.commit, found.last_found.place) == (before, 1)
    assert (found.first_lost.point.commit, found.first_lost.exists) == (lost, True)
    words = render_bisected(found, zone=vault.settings.zone)
    assert f'"two percent" stopped finding shared/market/caution.md with commit {lost[:7]}.' in words
    assert "akashi: edit: Risk" in words
    assert f"Next: vmem diff {before[:7]} {lost[:7]}" in words
    assert not (root / ".vmem" / "local" / "views").exists() or not list(
        (root / ".vmem" / "local" / "views").iterdir()
    )


def test_a_memory_that_is_gone_is_followed_to_where_it_went(vault: Vault, root: Path, git: Git) -> None:
    vault.person.remember("we deploy on fridays", title="Deploy")
    grow(vault, 3)
    vault.person.forget("Deploy")
    lost = git(root, "rev-parse", "HEAD")
    grow(vault, 6)
    found = vault.history.bisect(PERSON, "when do we deploy", expect="Deploy")
    assert found.first_lost is not None
    assert (found.first_lost.point.commit, found.first_lost.exists) == (lost, False)
    assert "it is not there any more" in render_bisected(found, zone=vault.settings.zone)


def test_what_is_found_still_is_said_and_what_time_alone_took(vault: Vault, clock: ToldClock) -> None:
    vault.person.remember("the gate code is four", title="Gate", ttl="10d")
    assert told(vault, "gate code", "Gate") == (
        '"gate code" finds notes/gate.md as of the last commit, place 1.'
    )
    clock.move(days=30)
    words = told(vault, "gate code", "Gate")
    assert "as of the last commit, place 1" in words
    assert "Of the files as they are now it does not come back" in words
    grow(vault, 1)
    words = told(vault, "gate code", "Gate")
    assert "it has expired by then, which is no commit's doing" in words


def test_what_was_never_found_is_said_with_how_far_was_looked(vault: Vault, root: Path) -> None:
    grow(vault, 3)
    (root / "notes" / "new.md").write_text("an okapi in a gate", encoding="utf-8")
    words = told(vault, "okapi", "notes/new.md")
    assert '"okapi" found notes/new.md at none of the commits that were looked at.' in words
    assert "3 of 3 commits looked at; the memory was there at 0 of them." in words
    assert "Of the files as they are now it comes back, place 1: commit them." in words
    assert "there at 3 of them" in told(vault, "zebra", "Filler 0")


def test_an_agent_is_told_of_its_own_memories_alone(vault: Vault) -> None:
    vault.agent("mira").remember("the lemur sleeps", title="Sleep", namespace="private/mira")
    vault.agent("akashi").remember("the lemur eats", title="Own", namespace="private/akashi")
    vault.agent("akashi").edit("Own", text="nothing")
    with pytest.raises(MemoryNotFoundError):
        vault.history.bisect(Scope("akashi"), "lemur", expect="Sleep")
    words = told(vault, "lemur eats", "Own", Scope("akashi"))
    assert "stopped finding private/akashi/own.md" in words
    assert "edit: Own" not in words


def test_without_a_commit_there_is_nothing_to_look_at(vault: Vault, root: Path) -> None:
    (root / "new.md").write_text("an okapi", encoding="utf-8")
    with pytest.raises(GitError, match="there is no commit to look at yet"):
        vault.history.bisect(PERSON, "okapi", expect="new.md")
