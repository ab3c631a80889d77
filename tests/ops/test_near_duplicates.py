"""What a namespace says already is seen again, a fact's new value takes the old one's place, and no text is
lost without a word."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stand import CountedIds, ToldClock
from vault_memory.errors import RefusedError, UsageError
from vault_memory.model.outcome import OnDuplicate
from vault_memory.vault import Vault


@pytest.fixture
def vault(tmp_path: Path, clock: ToldClock) -> Iterator[Vault]:
    root = Vault.create(tmp_path / "memory").root
    with Vault.open(root, clock=clock, ids=CountedIds()) as vault:
        yield vault


def test_fifty_forms_of_one_text_are_one_memory(vault: Vault) -> None:
    agent = vault.agent("akashi")
    forms = [
        "Uses  port 8080",
        "uses port 8080.",
        "- Uses port 8080",
        "USES PORT `8080`!",
        "Uses the port 8080",
    ]
    written = [agent.remember(forms[at % 5], namespace="ops") for at in range(50)]
    assert {one.id for one in written} == {written[0].id}
    assert [one.known for one in written] == [False] + [True] * 49
    assert [one.nearly for one in written[:5]] == [False, False, True, True, True]
    assert len(agent.list()) == 1


def test_the_same_body_in_two_namespaces_is_two_memories(vault: Vault) -> None:
    agent = vault.agent("akashi")
    paths = [
        agent.remember(text, namespace=name).path
        for name, text in (("a", "Uses port 1"), ("b", "uses port 1"))
    ]
    assert paths == ["shared/a/uses-port-1.md", "shared/b/uses-port-1.md"]
    assert not any(one.supersedes for one in agent.remember_many([{"text": "Uses port 2", "namespace": "c"}]))


def test_what_the_known_memory_lacks_is_told(vault: Vault) -> None:
    agent = vault.agent("akashi")
    agent.remember("Uses port 8080", tags=["api"])
    again = agent.remember(
        "- uses port 8080", tags=["api", "net"], importance=0.9, ttl="3d", title="Uses port"
    )
    assert again.known
    assert again.notices == (
        (
            "that memory has not got the tag net, importance and ttl given here:"
            " vmem edit private/akashi/uses-port-8080.md adds it"
        ),
    )
    assert agent.remember("Uses port 8080", tags=["API"]).notices == ()


def test_a_title_that_says_what_a_text_is_about_makes_it_another_memory(vault: Vault) -> None:
    agent = vault.agent("akashi")
    first = agent.remember("Uses port 8080", title="The API server")
    second = agent.remember("Uses port 8080", title="Billing")
    third = agent.remember("- Uses port 8080", title="Metrics")
    assert not second.known
    assert not third.known
    assert len({first.path, second.path, third.path}) == 3


def test_a_new_value_supersedes_the_same_agents_memory_and_is_told_of_anothers(vault: Vault) -> None:
    akashi, mira = vault.agent("akashi"), vault.agent("mira")
    old = akashi.remember("Uses port 8080", namespace="api")
    new = akashi.remember("Uses port 9090", namespace="api")
    assert new.supersedes == (old.path,)
    assert akashi.show(new.path).memory.supersedes == (old.id,)
    assert new.notices == ()
    other = mira.remember("Uses port 7070", namespace="api")
    assert other.supersedes == ()
    assert other.notices == (
        (
            f"possible contradiction: {new.path}:8 says “Uses port 9090”; if the new one takes its place:"
            f" vmem link {other.path} {new.path} --type supersedes"
        ),
    )
    assert mira.remember("Uses port 6060", namespace="web").notices == ()  # a few words, of something else


def test_a_value_that_comes_back_is_written_again(vault: Vault) -> None:
    agent = vault.agent("akashi")
    first, second, third = (agent.remember(f"Uses port {port}") for port in (8080, 9090, 8080))
    assert not third.known
    assert second.supersedes == (first.path,)
    assert third.supersedes == (second.path,)
    [item] = [item for item in agent.recall("port").items if item.hit.superseded_by is None]
    assert item.hit.entry.path == third.path


def test_what_is_pinned_or_named_by_the_text_itself_is_left_to_the_writer(vault: Vault) -> None:
    agent = vault.agent("akashi")
    agent.remember("Uses port 8080", pinned=True)
    told = agent.remember("Uses port 9090")
    assert told.supersedes == ()
    assert "possible contradiction" in told.notices[0]
    own = agent.remember("Uses port 7070", extra={"supersedes": "nothing here"})
    assert own.supersedes == ()
    assert own.notices == ()
    assert agent.show(own.path).memory.supersedes == ("nothing here",)


def test_a_contradiction_is_told_only_of_what_the_caller_may_read(vault: Vault) -> None:
    vault.agent("mira").remember("The database port of the billing service is 5432")
    told = vault.agent("akashi").remember("The database port of the billing service is 5433")
    assert (told.supersedes, told.notices) == ((), ())
    person = vault.person.remember("The database port of the billing service is 5434")
    assert len(person.notices) == 2


def test_many_of_one_call_know_each_other(vault: Vault) -> None:
    texts = ["Uses port 8080", "- uses port 8080", "Uses port 9090", "uses port 9090.", "Uses port 8080"]
    one, again, new, known, back = vault.agent("akashi").remember_many(texts)
    assert (again.path, again.known, again.nearly) == (one.path, True, True)
    assert new.supersedes == (one.path,)
    assert (known.path, known.known) == (new.path, True)
    assert back.supersedes == (new.path,)
    assert len(vault.agent("akashi").list()) == 3


def test_a_form_that_many_fill_in_is_no_contradiction(vault: Vault) -> None:
    agent = vault.agent("akashi")
    written = agent.remember_many(
        [{"text": f"The room has {count} chairs", "title": f"Room of {name}"} for count, name in enumerate(
            ("Ada", "Bob", "Cleo", "Dan", "Eve", "Finn"), start=10)]
    )  # fmt: skip
    assert not any(one.supersedes or one.notices for one in written)


def test_refusing_is_an_error_before_anything_is_written_and_new_writes_all(vault: Vault) -> None:
    agent = vault.agent("akashi")
    first = agent.remember("Uses port 8080")
    with pytest.raises(
        RefusedError, match=r"refused by rule duplicate: private/akashi/uses-port-8080.md says nearly"
    ):
        agent.remember("- uses port 8080", on_duplicate="refuse")
    with pytest.raises(RefusedError, match="memory 2: refused by rule duplicate"):
        agent.remember_many(["Something else", "Uses port 8080"], on_duplicate=OnDuplicate.REFUSE)
    assert len(agent.list()) == 1
    twin = agent.remember("Uses port 8080", on_duplicate="new")
    assert (twin.known, twin.path != first.path) == (False, True)
    assert agent.remember("Uses port 9090", on_duplicate="new").supersedes == ()
    with pytest.raises(UsageError, match="no such way with duplicates: 'merge'"):
        agent.remember("x", on_duplicate="merge")


def test_what_a_person_edited_or_removed_meanwhile_swallows_nothing(vault: Vault) -> None:
    agent = vault.agent("akashi")
    first = agent.remember("- The queue is drained at night")
    path = vault.root / first.path
    path.write_bytes(path.read_bytes().replace(b"night", b"noon"))
    assert not agent.remember("The queue is drained at night").known
    path.unlink()
    assert not agent.remember("The queue is drained at noon").known


def test_recall_prefers_the_newest_and_marks_what_is_superseded(vault: Vault, clock: ToldClock) -> None:
    agent = vault.agent("akashi")
    old = agent.remember("Uses port 8080", importance=1.0)
    new = agent.remember("Uses port 9090", importance=0.1, ttl="2d")
    found = agent.recall("uses port 8080")
    assert [(item.hit.entry.path, item.hit.superseded_by) for item in found.items] == [
        (new.path, None),
        (old.path, new.path),
    ]
    assert f"{old.path}#L8 · superseded by {new.path}" in str(found)
    [first, second] = agent.search("uses port 8080").hits
    assert (first.score > second.score, second.superseded_by) == (True, new.path)
    clock.move(days=3)  # what has expired is in nobody's place
    assert [hit.superseded_by for hit in agent.search("uses port 8080").hits] == [None]


def test_superseding_is_read_however_a_person_writes_it(vault: Vault) -> None:
    for name, text in {
        "a": "one persimmon", "b": "---\naliases: [Bee]\n---\ntwo persimmons", "c": "# Sea\nthree persimmons",
        "new": '---\nsupersedes: ["[[a]]", Bee, Sea, new]\n---\nfour persimmons',
        "x": "---\nsupersedes: [y]\n---\npersimmon ring",
        "y": "---\nsupersedes: [x]\n---\npersimmon ring too",
    }.items():  # fmt: skip
        (vault.root / f"{name}.md").write_text(text + "\n", encoding="utf-8")
    vault.index.refresh()
    found = {hit.entry.path: hit.superseded_by for hit in vault.person.search("persimmon").hits}
    assert found == {
        "a.md": "new.md",
        "b.md": "new.md",
        "c.md": "new.md",
        "new.md": None,
        "x.md": None,
        "y.md": None,
    }
