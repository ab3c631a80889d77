"""Quotas in memories and bytes: what would be too much is refused whole, and less is always possible."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.ops.proposed import Scene, begun
from vault_memory.errors import QuotaError
from vault_memory.model.namespace import Scope
from vault_memory.vault import Vault

BIG = "A sentence that takes some room. " * 30


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return begun(tmp_path / "vault", {"embedder": "none"})


@contextmanager
def refused(scene: Scene, key: str) -> Iterator[list[QuotaError]]:
    """Nothing is written: neither a file nor a commit, and nothing waits."""
    before = scene.git("rev-parse", "HEAD"), scene.git("status", "--porcelain")
    found: list[QuotaError] = []
    with pytest.raises(QuotaError) as caught:
        yield found
    found.append(caught.value)
    assert caught.value.key == key
    assert caught.value.exit_code == 77
    assert (scene.git("rev-parse", "HEAD"), scene.git("status", "--porcelain")) == before
    assert scene.is_sound()


def test_a_batch_that_does_not_fit_is_refused_whole_and_says_how_full_it_is(scene: Scene) -> None:
    with scene.vault(agents={"akashi": {"quota_files": 3}}) as vault:
        agent = vault.agent("akashi")
        agent.remember("The first thing", title="First")
        agent.remember("In a shared place", title="Shared", namespace="ops")
        with refused(scene, "quota_files") as told:
            agent.remember_many(["Second thing", "Third thing"])
        assert (told[0].used, told[0].more, told[0].most, told[0].table) == (2, 2, 3, "agents.akashi")
        assert "2 of 3 memories are there" in told[0].message
        assert "nothing was written" in str(told[0].hint)
        with refused(scene, "quota_files"):
            agent.remember_many(["Second thing", "Third thing"], dry_run=True)
        agent.remember("Second thing", title="Second")
        assert agent.remember("The first thing", title="First").known, "what is there is found"
        with refused(scene, "quota_files"):
            agent.remember("One too many")
        agent.forget("First")
        agent.remember("One that fits now")
        vault.person.remember("The person has no quota", namespace="ops")
        vault.agent("mira").remember("Nor has another agent")


def test_a_namespace_spelled_otherwise_has_the_same_quota(scene: Scene) -> None:
    with scene.vault(namespaces={"tides": {"quota_files": 1}}) as vault:
        agent = vault.agent("akashi")
        agent.remember("The first thing", namespace="Tides")
        with refused(scene, "quota_files"):
            agent.remember("The second thing", namespace="Tides")
        with refused(scene, "quota_files"):
            agent.remember("The second thing", namespace="Tides/below")
        agent.remember("The second thing", namespace="tidesx")
    with scene.vault(namespaces={"ops": {"quota_files": 1}}) as vault:
        vault.agent("akashi").remember("The third thing", namespace="\u043eps")
        with refused(scene, "quota_files"):
            vault.agent("akashi").remember("The fourth thing", namespace="\u043eps")


def test_bytes_are_those_of_the_files_and_less_is_always_possible(scene: Scene) -> None:
    with scene.vault(agents={"*": {"quota_bytes": 2_500}}) as vault:
        agent = vault.agent("akashi")
        one = agent.remember(BIG, title="Big")
        with refused(scene, "quota_bytes") as told:
            agent.edit("Big", text=BIG * 3)
        assert told[0].used == (scene.root / one.path).stat().st_size
        assert told[0].table == 'agents."*"'
        with refused(scene, "quota_bytes"):
            agent.remember(BIG * 2, title="Another", namespace="ops")
    with scene.vault(agents={"*": {"quota_bytes": 10}}) as vault:
        agent = vault.agent("akashi")
        agent.edit("Big", text="Small now")
        agent.edit("Big", text="Less")
        with refused(scene, "quota_bytes"):
            agent.edit("Big", add_tags=["more"])
        agent.forget("Big")


def test_a_namespace_is_counted_whoever_wrote_there(scene: Scene) -> None:
    with scene.vault(namespaces={"ops": {"quota_files": 2}}) as vault:
        vault.person.remember("Of the person", namespace="ops")
        vault.agent("mira").remember("Of mira", namespace="ops/db")
        agent = vault.agent("akashi")
        with refused(scene, "quota_files") as told:
            agent.remember("Of akashi", namespace="ops/db/x")
        assert (told[0].table, told[0].used) == ("namespaces.ops", 2)
        agent.remember("Elsewhere", title="Elsewhere", namespace="opsx")
        with refused(scene, "quota_files"):
            vault.files.move(agent.scope, "Elsewhere", "shared/ops/")
        vault.files.move(agent.scope, "Elsewhere", "shared/market/")


def test_how_full_a_namespace_is_is_no_number_where_some_of_it_is_hidden(scene: Scene) -> None:
    tables = {"ops": {"quota_files": 1}, "ops/keys": {"readers": ["mira"]}}
    with scene.vault(namespaces=tables) as vault:
        vault.agent("mira").remember("A key", namespace="ops/keys")
        with refused(scene, "quota_files") as told:
            vault.agent("akashi").remember("Of akashi", namespace="ops")
        assert told[0].used is None
        assert "it takes 1 memories" in told[0].message


Write = Callable[[Vault, Scope], object]


@pytest.mark.parametrize(
    "write",
    [
        lambda vault, scope: vault.agent("akashi").restore("Gone"),
        lambda vault, scope: vault.agent("akashi").undo(),
        lambda vault, scope: vault.files.link(scope, "Mine", "Owl"),
        lambda vault, scope: vault.agent("akashi").edit("Mine", text=BIG),
        lambda vault, scope: vault.files.move(scope, "Owl", "private/akashi/"),
    ],
    ids=["restore", "undo", "link", "edit", "move"],
)
def test_every_verb_that_makes_it_more_is_held(scene: Scene, write: Write) -> None:
    with scene.vault() as vault:
        vault.agent("akashi").remember("Mine", title="Mine")
        vault.agent("akashi").remember(BIG, title="Gone")
        vault.agent("akashi").forget("Gone")
    tables = {"akashi": {"quota_bytes": 1, "quota_files": 1}}
    with scene.vault(agents=tables) as vault, pytest.raises(QuotaError):
        write(vault, vault.agent("akashi").scope)
    assert scene.is_sound()


def lengthened(file: Path) -> None:
    """What an editor does to it."""
    file.write_text(file.read_text() + BIG)


def test_an_edit_in_an_editor_stays_in_the_file_and_is_not_committed(scene: Scene) -> None:
    with scene.vault(agents={"akashi": {"quota_bytes": 400}}) as vault:
        agent = vault.agent("akashi")
        agent.remember("Mine", title="Mine")
        head = scene.git("rev-parse", "HEAD")
        done = vault.files.edit(agent.scope, "Mine", lengthened)
        assert done.commit is None
        assert "quota_bytes" in str(done.reason)
        assert scene.git("rev-parse", "HEAD") == head


def test_a_batch_that_is_parted_for_review_is_written_whole_or_not_at_all(scene: Scene) -> None:
    batch: list[str | dict[str, object]] = [{"text": "To review", "namespace": "market"}, "Mine"]
    tables: dict[str, object] = {"agents": {"akashi": {"quota_files": 3}}, "review": ["market"]}
    with scene.vault(**tables) as vault:
        agent = vault.agent("akashi")
        agent.remember_many(
            [{"text": "First", "namespace": "market"}, {"text": "Second", "namespace": "market"}]
        )
        assert len(scene.open_ones()[0].paths) == 2
        with pytest.raises(QuotaError):  # the proposal holds two, and would hold three
            agent.remember_many([*batch, {"text": "Another", "namespace": "market"}])
        assert not (scene.root / "private" / "akashi").exists()
        assert len(scene.open_ones()[0].paths) == 2
