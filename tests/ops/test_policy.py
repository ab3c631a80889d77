"""Where the setting `review` says so, agents propose, by whatever verb they write."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.ops.proposed import REVIEWED, Scene, begun
from vault_memory.config.load import load
from vault_memory.errors import (
    ConfigError,
    MemoryNotFoundError,
    RefusedError,
    ReviewRequiredError,
    ScopeError,
    UnsafePathError,
)
from vault_memory.live.handle import LiveVault
from vault_memory.model.namespace import Scope
from vault_memory.model.policy import lies_below
from vault_memory.vault import Vault

OWL, HERON, RSI = (f"shared/market/{name}.md" for name in ("owl", "heron", "rsi"))
TODAY = "memory/akashi/2026-03-14"


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return begun(tmp_path / "vault", REVIEWED)


def test_an_agents_writes_there_become_todays_proposal_and_say_so(scene: Scene) -> None:
    before = scene.git("rev-parse", "HEAD")
    with scene.vault() as vault:
        agent = vault.agent("akashi")
        made = agent.remember("RSI above 70", title="Rsi", namespace="market")
        changed = agent.edit("Owl", importance=0.9)
        gone = agent.forget("Heron")
        again = agent.edit("Rsi", add_tags=["nvda"])  # only the proposal has it
        assert [one.proposed for one in (made, changed, gone, again)] == [TODAY] * 4
        assert [one.path for one in (made, changed, gone, again)] == [RSI, OWL, HERON, RSI]
        assert scene.git("rev-parse", "HEAD") == before
        assert {one.path for one in agent.list()} == {OWL, HERON}
        with pytest.raises(MemoryNotFoundError, match="Heron") as told:
            agent.edit("Heron", importance=0.1)
        assert TODAY in str(told.value.hint)
        with pytest.raises(MemoryNotFoundError, match="nope"):
            agent.edit("nope", importance=0.1)
    [one] = scene.open_ones()
    assert set(one.paths) == {RSI, OWL, HERON}


def test_elsewhere_an_agent_writes_directly_and_the_person_everywhere(scene: Scene) -> None:
    with scene.vault() as vault:
        agent = vault.agent("akashi")
        written = [
            agent.remember("Mine"),
            agent.remember("In another folder", namespace="ops"),
            agent.remember("Nearly the same folder", namespace="marketing"),
            vault.person.remember("By a person", namespace="market"),
            vault.person.edit("Owl", importance=0.1),
        ]
    assert [one.proposed for one in written] == [None] * 5
    assert scene.open_ones() == []


def test_what_was_merged_after_the_proposal_of_the_day_began_can_be_changed_in_it(scene: Scene) -> None:
    with scene.vault() as vault:
        akashi = vault.agent("akashi")
        akashi.remember("Gaps close by noon", title="Gaps", namespace="market")
        vault.person.remember("Two percent at most", title="Sizing", namespace="market")
        edited = akashi.edit("Sizing", importance=0.2)
        assert edited.proposed is not None
        with pytest.raises(MemoryNotFoundError):
            akashi.edit("Nothing of that name", importance=0.2)
        [proposal] = vault.review.proposals(vault.person.scope)
    assert sorted(proposal.paths) == ["shared/market/gaps.md", "shared/market/sizing.md"]
    assert "shared/market/sizing.md" in scene.files(edited.proposed)
    said = scene.git("log", "-1", "--merges", "--format=%s %an", edited.proposed)
    assert said.strip() == "review: catch up with what was merged akashi"


def test_a_batch_is_parted_once_all_of_it_is_checked(scene: Scene) -> None:
    with scene.vault() as vault:
        agent = vault.agent("akashi")
        batch: list[str | dict[str, object]] = [
            {"text": "One", "namespace": "market"},
            {"text": "Two", "namespace": "ops"},
            {"text": "The owl sits", "title": "Owl", "namespace": "market"},
            "Three",
        ]
        with pytest.raises(RefusedError) as told:
            agent.remember_many([*batch, {"text": "password = hunter2hunter2!x", "namespace": "market"}])
        assert told.value.item == 5
        assert scene.open_ones() == []
        dry = agent.remember_many(batch, dry_run=True)
        assert [one.proposed for one in dry] == [TODAY, None, None, None]
        assert scene.open_ones() == []
        done = agent.remember_many(batch)
    assert [one.proposed for one in done] == [TODAY, None, None, None]
    assert [one.known for one in done] == [False, False, True, False]
    assert [one.path for one in done] == [one.path for one in dry]


def test_in_a_vault_that_is_kept_open_it_is_the_same(scene: Scene) -> None:
    config = scene.root / ".vmem" / "config.toml"
    config.write_text('format = 1\nembedder = "none"\nreview = ["*"]\n')
    with LiveVault(scene.root, clock=scene.clock, ids=scene.ids) as live:
        with live.writing() as vault:
            written = vault.agent("akashi").remember("RSI above 70", title="Rsi", namespace="market")
            assert (written.proposed, written.path) == (TODAY, RSI)
            assert vault.agent("akashi").edit("Owl", importance=0.9).proposed == TODAY
            assert vault.agent("akashi").remember("Mine", wait="saved").proposed is None
        with live.reading() as vault:
            assert {one.path for one in vault.person.list()} >= {OWL, HERON}
            assert RSI not in {one.path for one in vault.person.list()}


@pytest.mark.parametrize(
    "write",
    [
        lambda vault, scope: vault.agent("akashi").restore("shared/market/crane.md"),
        lambda vault, scope: vault.agent("akashi").undo(),
        lambda vault, scope: vault.files.edit(scope, "Owl", lambda file: file.unlink()),
        lambda vault, scope: vault.files.link(scope, "Owl", "Heron"),
        lambda vault, scope: vault.files.move(scope, "Owl", "shared/ops/"),
        lambda vault, scope: vault.files.move(scope, "Mine", "shared/market/"),
    ],
    ids=["restore", "undo", "edit in place", "link", "move away", "move there"],
)
def test_every_other_writing_verb_is_refused_there_with_the_next_step(
    scene: Scene, write: Callable[[Vault, Scope], object]
) -> None:
    with scene.vault(review=[]) as vault:  # before it was said
        vault.agent("akashi").remember("Mine", title="Mine")
        vault.agent("akashi").remember("The crane", title="Crane", namespace="market")
        vault.agent("akashi").forget("Crane")
    head = scene.git("rev-parse", "HEAD")
    with scene.vault() as vault:
        scope = vault.agent("akashi").scope
        with pytest.raises(ReviewRequiredError, match="is reviewed first") as told:
            write(vault, scope)
        assert "--propose" in str(told.value.hint)
        assert isinstance(told.value, ScopeError)
    assert scene.git("rev-parse", "HEAD") == head
    assert scene.is_sound()


def test_a_link_for_a_folder_leads_no_agent_to_where_it_may_not_write(scene: Scene) -> None:
    for name, target in (("way", "market"), ("notes", "../notes")):
        (scene.root / "shared" / name).symlink_to(target)
    (scene.root / "notes").mkdir()
    with scene.vault() as vault:
        agent = vault.agent("akashi")
        agent.remember("Mine", title="Mine")
        for name in ("way", "way/below", "notes"):
            with pytest.raises(UnsafePathError, match="it is a link"):
                agent.remember("Round about", namespace=name)
            with pytest.raises(UnsafePathError, match="it is a link"):
                vault.files.move(agent.scope, "Mine", f"shared/{name}/mine.md")
        assert vault.person.remember("By a person", namespace="way").path == "shared/way/by-a-person.md"


def test_what_sweeps_over_many_memories_leaves_those_to_the_person(scene: Scene) -> None:
    with scene.vault() as vault:
        vault.person.remember("Old", title="Old", namespace="market", ttl="1d")
        vault.agent("akashi").remember("Old of mine", title="Mine", ttl="1d")
    scene.clock.move(days=3)
    with scene.vault() as vault:
        done = vault.upkeep.gc(vault.agent("akashi").scope)
        assert [one.path for one in done.removed] == ["private/akashi/mine.md"]
        assert [one.path for one in vault.upkeep.gc(vault.person.scope).removed] == ["shared/market/old.md"]


@pytest.mark.parametrize(
    ("lines", "folders"),
    [
        (["market", "shared/ops"], ("shared/market", "shared/ops")),
        (["*"], ("shared",)),
        (["shared"], ("shared",)),
        ("market, ops/live", ("shared/market", "shared/ops/live")),
        ([], ()),
    ],
)
def test_the_setting_names_shared_folders(lines: object, folders: tuple[str, ...]) -> None:
    assert load(None, flags={"review": lines})["review"] == folders
    assert load(None, flags={"review": folders})["review"] == folders


@pytest.mark.parametrize("line", ["private/akashi", "Private", "../x", "a//b", 7])
def test_what_names_no_shared_folder_is_refused(line: object) -> None:
    with pytest.raises((ConfigError, UnsafePathError)):
        load(None, flags={"review": [line]})


def test_a_spelling_that_leads_to_the_same_folder_somewhere_lies_below_it_too() -> None:
    folder = "shared/Märkte"
    for path in ("shared/Märkte/x.md", "shared/MÄRKTE/a/x.md", "shared/Ma\u0308rkte/x.md"):
        assert lies_below(path, folder), path
    for path in ("shared/Märkte.md", "shared/Märkte2/x.md", "shared/x.md", "private/akashi/Märkte/x.md"):
        assert not lies_below(path, folder), path
    assert lies_below("shared/x.md", "shared")
    assert not lies_below("private/akashi/x.md", "shared")
