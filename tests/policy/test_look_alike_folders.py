"""A folder that some system or a reader takes for a private or a closed one opens no way round the rules."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.policy.test_rights import policy_of
from vault_memory.agent import Agent
from vault_memory.errors import MemoryNotFoundError, ScopeError, UnsafePathError
from vault_memory.model.lookalike import alike
from vault_memory.model.namespace import Scope, namespace_for, owner_of
from vault_memory.vault import Vault

TWINS = (
    "Private", "PRIVATE", "private ", "private.", " private", "private. .", "ｐｒｉｖａｔｅ", "pri\u200bvate",
    "private\u00ad", "\ufeffprivate", "prıvate", "PRİVATE", "рrivаtе", "privαte",
    "private\u00a0", "pri\x7fvate",
)  # fmt: skip
"""Folders that Windows, macOS, a sync program or an eye takes for `private`."""
OTHERS = ("privat", "private2", "privaté", "my private", "pri-vate", "shared", "частное")


@pytest.mark.parametrize("twin", TWINS)
def test_a_twin_of_the_private_folder_is_private_and_nobody_s_to_write(twin: str) -> None:
    akashi, mira = Scope("akashi"), Scope("mira")
    path = f"{twin}/akashi/x.md"
    assert owner_of(path) == "akashi"
    assert (akashi.may_read(path), mira.may_read(path)) == (True, False)
    assert not akashi.may_read(f"{twin}/x.md")
    assert not akashi.may_read(f"{twin}/Akashi/x.md")
    assert not akashi.may_read(f"{twin}/akashi /x.md")
    assert not akashi.may_write(path)
    assert not Scope("akashi", proposing=True).may_propose(path)


@pytest.mark.parametrize("twin", [one for one in TWINS if one.strip() == one])
def test_a_namespace_that_poses_as_private_is_refused(twin: str) -> None:
    with pytest.raises(UnsafePathError):
        namespace_for(Scope("akashi"), f"{twin}/akashi", "notes")


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_merely_near_is_another_folder(name: str) -> None:
    assert Scope("akashi").may_read(f"{name}/mira/x.md")
    assert owner_of(f"{name}/mira/x.md") is None


@pytest.mark.parametrize("twin", ["market.", "market ", "ｍａｒｋｅｔ", "mаrket", "MARKET", "mar\u200cket"])
def test_a_rule_that_takes_away_holds_for_twins_and_one_that_grants_does_not(twin: str) -> None:
    closed = Scope("akashi", policy=policy_of({}, {"market": {"readers": ["mira"]}}))
    barred = Scope("akashi", policy=policy_of({}, {"market": {"readonly": True}}))
    granted = Scope("akashi", policy=policy_of({"akashi": {"reads": ["market"]}}))
    for folder in (f"shared/{twin}", f"shared/{twin}/deeper"):
        assert not closed.may_read(f"{folder}/x.md")
        assert barred.may_read(f"{folder}/x.md")
        assert not barred.may_write(f"{folder}/x.md")
        assert not granted.may_read(f"{folder}/x.md")


def test_names_of_other_alphabets_are_told_apart() -> None:
    assert (
        len({alike(name) for name in ("дом", "дым", "том", "λόγος", "λόφος", "東京", "京都", "é", "e")}) == 9
    )


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    root = tmp_path / "memory"
    Vault.create(root)
    for twin in ("Private", "private ", "ｐｒｉｖａｔｅ"):
        folder = root / twin / "mira"
        folder.mkdir(parents=True)
        (folder / f"falcon-{len(twin)}.md").write_text(
            f"---\ntitle: Falcon of {twin}.\n---\nThe falcon nests\n"
        )
    (root / "shared").mkdir()
    (root / "shared" / "x.md").write_text("A falcon was seen: [[Falcon of Private]] [[falcn-8]]\n")
    for words in (["add", "-A"], ["commit", "-qm", "falcon"]):
        subprocess.run(["git", *words], cwd=root, check=True)
    with Vault.open(root, settings={"embedder": "none"}) as opened:
        yield opened


def test_what_lies_in_a_twin_is_not_there_for_others_by_any_question(vault: Vault) -> None:
    bo, history = vault.agent("bo"), vault.history
    paths = [entry.path for entry in vault.person.list() if entry.path != "shared/x.md"]
    assert len(paths) == 3
    for agent in (bo, history.at("HEAD", scope=bo.scope).agent("bo")):
        assert [entry.path for entry in agent.list()] == ["shared/x.md"]
        assert [hit.entry.path for hit in agent.search("falcon").hits] == ["shared/x.md"]
        assert "(1 of 1, " in str(agent.recall("falcon"))
        for path in paths:
            _is_not_there(agent, path)
            _is_not_there(agent, path.rpartition("/")[2])
    for path in paths:
        for ask in (history.log, history.blame):
            with pytest.raises(MemoryNotFoundError):
                ask(bo.scope, path)
        with pytest.raises(MemoryNotFoundError):
            bo.edit(path, add_tags=["x"])
        with pytest.raises(ScopeError):
            vault.agent("mira").forget(path)
    told = [history.log(bo.scope), vault.overview.broken_links(bo.scope), vault.upkeep.lint(bo.scope)]
    assert "mira" not in str(told)
    assert "mira" not in str(vault.overview.agents(bo.scope))


def _is_not_there(agent: Agent, name: str) -> None:
    with pytest.raises(MemoryNotFoundError) as caught:
        agent.show(name)
    assert "mira" not in f"{caught.value.message.replace(name, '')} {caught.value.hint}"


def test_a_private_folder_that_is_a_link_is_written_by_no_agent(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    Vault.create(root)
    (root / "team").mkdir()
    (root / "private").symlink_to("team")
    with (
        Vault.open(root, settings={"embedder": "none"}) as vault,
        pytest.raises(UnsafePathError, match="a link"),
    ):
        vault.agent("mira").remember("for me alone")
    assert list((root / "team").iterdir()) == []
