"""One policy behind every door: Python, the command line, the resident's protocol, MCP, a live vault."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.forked import run_vmem
from tests.mcp.talking import served
from tests.policy.doors import POLICY, Door, doors
from vault_memory.errors import MemoryNotFoundError, QuotaError, ScopeError
from vault_memory.live.handle import LiveVault
from vault_memory.model.namespace import Scope
from vault_memory.vault import Vault

SECRET = "The combination of the safe is 4711"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A vault with a policy, and with a memory that akashi may not read."""
    root = Vault.create(tmp_path / "memory").root
    (root / ".vmem" / "config.toml").write_text(POLICY, encoding="utf-8")
    with Vault.open(root) as vault:
        vault.agent("mira").remember(SECRET, title="Combination", namespace="vault", tags=["safe"])
        vault.person.remember("Ferries sail at nine", title="Ferry", namespace="port")
    return root


@pytest.fixture(params=sorted(doors))
def door(request: pytest.FixtureRequest, root: Path) -> Iterator[Door]:
    with doors[request.param](root, "akashi") as door:
        yield door


def test_what_is_hidden_is_not_there_by_any_door(door: Door) -> None:
    assert "4711" not in door.said("search", query="combination safe")
    assert "Ferries" in door.said("search", query="ferries sail")
    for ref in ("shared/vault/combination.md", "Combination"):
        told = door.said("show", ref=ref)
        assert "no memory is called" in told
        assert "4711" not in told
        assert "no memory is called" in door.said("forget", ref=ref)
    missing = door.said("show", ref="shared/vault/nothing.md").replace("nothing", "combination")
    assert missing == door.said("show", ref="shared/vault/combination.md"), "as if there were none"


def test_what_may_not_be_written_is_refused_by_every_door(door: Door, root: Path) -> None:
    for namespace in ("vault", "board", "private/mira"):
        assert "may not write to" in door.said("remember", text="mine", namespace=namespace)
    assert not (root / "shared" / "board").exists()
    assert "plans" in door.said("remember", text="A plan of mine for the quay", namespace="plans")
    assert not (root / "shared" / "plans").exists(), "it is a proposal"
    for number in range(3):
        door.said("remember", text=f"A thought of mine, which is number {number}", title=f"T{number}")
    assert len(list((root / "private" / "akashi").iterdir())) == 2
    with Vault.open(root) as vault:
        denied = vault.overview.denied(vault.person.scope)
    assert {(one.agent, one.wanted.value) for one in denied} == {("akashi", "write"), ("akashi", "quota")}
    assert {one.what for one in denied} >= {"shared/vault", "shared/board", "private/mira"}
    assert {one.door for one in denied} == {door.name}


def test_in_python_the_errors_say_what_they_are(root: Path) -> None:
    with Vault.open(root) as vault:
        agent = vault.agent("akashi")
        with pytest.raises(ScopeError, match="may not write to 'shared/board'") as told:
            agent.remember("x", namespace="board")
        assert "vmem config agents" in str(told.value.hint)
        with pytest.raises(MemoryNotFoundError):
            vault.files.link(agent.scope, "Ferry", "Combination")
        agent.remember_many(["one thing", "another thing"])
        with pytest.raises(QuotaError):
            agent.remember("a third thing")
        with pytest.raises(ScopeError):
            vault.files.move(agent.scope, "Ferry", "shared/board/")
        assert vault.agent("reader").list()
        with pytest.raises(ScopeError):
            vault.agent("reader").remember("x")


@pytest.mark.parametrize("look", ["at", "reviewed", "proposed"])
def test_a_look_back_is_by_the_policy_of_now(root: Path, look: str) -> None:
    with Vault.open(root) as vault:
        scope = vault.agent("akashi").scope
        views: dict[str, Callable[[], Vault]] = {
            "at": partial(vault.history.at, "HEAD", scope=scope),
            "reviewed": vault.history.reviewed,
            "proposed": partial(vault.history.proposed, scope),
        }
        with views[look]() as view:
            assert "4711" not in repr(view.agent("akashi").search("combination safe"))
            assert "4711" in repr(view.agent("mira").search("combination safe"))


def test_a_policy_that_changes_counts_from_the_next_question_on(root: Path) -> None:
    config = root / ".vmem" / "config.toml"
    with LiveVault(root) as live:
        for text, sees in ((POLICY, False), ("format = 1\n", True), (POLICY, False)):
            config.write_text(text, encoding="utf-8")
            for _ in range(2):  # the second one is answered from what is kept
                with live.reading() as vault:
                    found = vault.agent("akashi").search("combination safe")
                    counted = vault.agent("akashi").opened.ports.index.count(vault.agent("akashi").scope)
                assert ("4711" in repr(found), counted) == (sees, 2 if sees else 1)


def test_a_check_of_an_agent_is_asked_within_its_policy(root: Path) -> None:
    with Vault.open(root) as vault:
        checks = vault.upkeep.checks
        checks.add(vault.person.scope, "combination safe", agent="mira")
        assert checks.run(vault.person.scope).results[0].broken == ()
        text = (root / ".vmem" / "checks.yaml").read_text()
        (root / ".vmem" / "checks.yaml").write_text(text.replace("mira", "akashi"))
        [result] = checks.run(vault.person.scope).results
        assert result.broken
        assert "4711" not in repr(result.recall)


def test_the_shell_offers_nothing_hidden(root: Path) -> None:
    ask = {"_VMEM_COMPLETE": "complete_bash", "COMP_WORDS": "vmem --agent akashi show ", "COMP_CWORD": "4"}
    ran = run_vmem([], stdin=b"", environment=dict(os.environ) | ask, cwd=root)
    assert b"shared/port/ferry.md" in ran.stdout
    assert b"combination" not in ran.stdout


def test_scopes_of_one_agent_with_and_without_a_policy_share_no_answer(root: Path) -> None:
    with LiveVault(root) as live, live.reading() as vault:
        from vault_memory.agent import Agent

        opened = vault.person.opened
        bare = Agent(opened, Scope("akashi"), lambda: ())
        assert "4711" in repr(bare.search("combination safe"))
        assert "4711" not in repr(vault.agent("akashi").search("combination safe"))


def test_an_mcp_client_meets_the_policy_in_its_answers(root: Path) -> None:
    with served(root, "akashi") as talk:
        told = talk.call("remember", text="x", namespace="board")
        assert told["isError"]
        assert "may not write to 'shared/board'" in json.dumps(told)
        listed: Any = talk.ask("resources/list")["result"]["resources"]
        assert [one["uri"] for one in listed if "combination" in one["uri"]] == []
        assert "4711" not in json.dumps(talk.ask("resources/read", uri="vmem://working-set"))
