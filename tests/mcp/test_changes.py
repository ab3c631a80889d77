"""What changed, as a client reads it: by tag and namespace, with notices, and after a rebuilt index."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mcp.talking import Talk, served
from vault_memory.vault import Vault

NAMED = "---\ntitle: For you\nnotify: [ann]\n---\nLook here.\n"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """A vault of its own: what one test writes, another would read."""
    root = Vault.create(tmp_path / "memory").root
    with Vault.open(root) as opened:
        opened.agent("ann").remember("The harbour closes at ten", title="Harbour", namespace="port")
        opened.agent("bob").remember("Bob's own marker zanzibar", title="Zanzibar")
    return root


def read(talk: Talk, uri: str) -> list[str]:
    [found] = talk.ask("resources/read", uri=uri)["result"]["contents"]
    return str(found["text"]).splitlines()


def follow(talk: Talk, uri: str) -> str:
    """The address of the next look."""
    ending = read(talk, uri)[-1]
    assert ending.startswith("Next time: vmem://changes/")
    return ending.removeprefix("Next time: ")


def rows(talk: Talk, uri: str) -> list[str]:
    """The titles that it tells of, each with what became of it."""
    return [" · ".join(line.split(" · ")[:2]) for line in read(talk, uri)[1:-1] if " · " in line]


def test_a_tag_and_a_namespace_choose_and_the_next_address_keeps_them(vault: Path) -> None:
    with served(vault) as ann:
        begin = follow(ann, "vmem://changes")
        by_tag, by_place = (follow(ann, f"{begin}?{query}") for query in ("tag=db", "namespace=ops"))
        assert by_tag.endswith("?tag=db")
        assert by_place.endswith("?namespace=ops")
        with Vault.open(vault) as opened:
            bob = opened.agent("bob")
            bob.remember("300 connections", title="Pool", namespace="ops", tags=["db"])
            bob.remember("Seats are few", title="Ferry", namespace="port", tags=["db"])
            bob.remember("A new rota", title="Rota", namespace="ops")
            bob.remember("zanzibar again", title="Hidden", tags=["db"])
        assert rows(ann, begin) == ["added · Rota", "added · Ferry", "added · Pool"]
        assert rows(ann, by_tag) == ["added · Ferry", "added · Pool"]
        assert rows(ann, by_place) == ["added · Rota", "added · Pool"]
        assert rows(ann, f"{begin}?namespace=ops&tag=db") == ["added · Pool"]
        assert follow(ann, by_tag).endswith("?tag=db")


def test_what_only_the_caller_changed_can_be_left_out(vault: Path) -> None:
    with served(vault) as ann:
        begin = follow(ann, "vmem://changes")
        ann.well("remember", text="Mine", title="Own")
        with Vault.open(vault) as opened:
            opened.agent("bob").remember("Theirs", title="Other", namespace="ops")
        assert rows(ann, f"{begin}?others=true") == ["added · Other"]
        assert rows(ann, begin) == ["added · Other", "added · Own"]


def test_a_memory_that_names_the_agent_notifies_it_and_nobody_else(vault: Path) -> None:
    (vault / "notes").mkdir()
    (vault / "notes" / "for-you.md").write_text(NAMED)
    with served(vault) as ann, served(vault, "bob") as bob:
        [told] = [line for line in read(ann, "vmem://changes") if "For you" in line]
        assert told.endswith("notifies you")
        assert not any("For you" in line for line in read(bob, "vmem://changes"))


def test_an_address_outlives_the_index_it_came_from(vault: Path) -> None:
    with served(vault) as ann:
        address = follow(ann, "vmem://changes?namespace=ops")
    with Vault.open(vault) as opened:
        opened.agent("bob").remember("300 connections", title="Pool", namespace="ops")
        opened.agent("bob").remember("Fog", title="Fog", namespace="port")
    for file in (vault / ".vmem" / "local").glob("index.db*"):
        file.unlink()
    with served(vault) as ann:
        assert rows(ann, address) == ["added · Pool"]
        assert any("made anew" in line for line in read(ann, address))
        assert rows(ann, follow(ann, address)) == []


@pytest.mark.parametrize(
    "query", ["colour=red", "tag=not%20and", "namespace=..%2Fetc", "namespace=private%2Fbob"]
)
def test_an_address_that_asks_for_nothing_that_there_is_is_an_error_or_empty(vault: Path, query: str) -> None:
    with served(vault) as ann:
        answer = ann.ask("resources/read", uri=f"vmem://changes/2020-01-01?{query}")
        assert "zanzibar" not in str(answer).casefold()
        assert "error" in answer or "Nothing." in answer["result"]["contents"][0]["text"]
