"""The ways to a vault: by its resident where one runs, else by itself, and from one to the other."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.resident.living import Living
from tests.stand import CountedIds, ToldClock
from vault_memory.errors import MemoryNotFoundError, SidecarError, UsageError, VaultNotFoundError, VmemError
from vault_memory.live.handle import LiveVault
from vault_memory.surfaces.mcp import reach
from vault_memory.surfaces.mcp.reach import ByItself, ByResident, Reach
from vault_memory.vault import Vault


@pytest.fixture
def root(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A vault whose resident listens in the test's own home; the caller is a machine that begins none."""
    (home / "run").mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(home / "run"))
    monkeypatch.setenv("CI", "1")
    monkeypatch.delenv("VMEM_RESIDENT")
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    Vault.create(home / "memory")
    with Vault.open(home / "memory") as vault:
        vault.agent("ann").remember("Ferries sail north", title="Ferry")
    return home / "memory"


@pytest.fixture
def living(root: Path) -> Iterator[Living]:
    """Its resident."""
    one = Living.of(root, ToldClock(), CountedIds())
    yield one
    one.end()


@pytest.fixture
def ann(root: Path) -> Iterator[Reach]:
    """The vault as ann reaches it."""
    one = Reach(root, "ann")
    yield one
    one.close()


def test_a_resident_is_asked_where_there_is_one(root: Path, living: Living, ann: Reach) -> None:
    before = living.answers.requests
    assert "Ferries" in ann.ask("recall", query="ferries").value["text"]
    assert ann.ask("remember", text="Buoys are red", title="Buoy").value["path"] == "private/ann/buoy.md"
    ann.ask("link", ref="Buoy", to="Ferry")
    assert ann.ask("show", ref="Buoy").value["links"]
    changes = [{"verb": "remember", "args": {"text": "Perhaps", "title": "Perhaps"}}]
    assert ann.ask("propose", name="one", changes=changes).value["proposed"] == "memory/ann/one"
    with pytest.raises(MemoryNotFoundError):
        ann.ask("show", ref="Perhaps")
    assert living.answers.requests > before + 5


@pytest.mark.parametrize(
    "changes", [[], ["text"], [{"verb": "undo"}], [{"verb": "remember", "args": {}}], [{"args": {}}], "x"]
)
def test_a_proposal_of_nothing_that_can_be_proposed_is_refused(ann: Reach, changes: object) -> None:
    with pytest.raises(UsageError):
        ann.ask("propose", changes=changes)


def test_without_one_the_server_keeps_the_vault_open_itself(root: Path, ann: Reach) -> None:
    assert "Ferries" in ann.ask("recall", query="ferries").value["text"]
    assert isinstance(ann._way, ByItself)
    assert isinstance(ann._way.live, LiveVault)


def test_a_vault_that_can_t_be_kept_open_is_opened_for_each_question(
    root: Path, ann: Reach, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(root: Path) -> LiveVault:
        raise SidecarError("no process can keep it open: a network disk")

    monkeypatch.setattr(reach, "LiveVault", refuse)
    assert "Ferries" in ann.ask("recall", query="ferries").value["text"]
    assert ann.ask("remember", text="Buoys are red").value["committed"]


def test_a_reader_goes_on_without_the_resident_that_ended(root: Path, ann: Reach) -> None:
    living = Living.of(root, ToldClock(), CountedIds())
    assert ann.ask("list").value
    assert isinstance(ann._way, ByResident)
    living.end()
    assert "Ferries" in ann.ask("recall", query="ferries").value["text"]
    assert isinstance(ann._way, ByItself)


def test_a_writer_is_told_that_the_resident_ended_and_may_write_again(root: Path, ann: Reach) -> None:
    living = Living.of(root, ToldClock(), CountedIds())
    assert ann.ask("list").value
    living.end()
    with pytest.raises(VmemError, match="resident"):
        ann.ask("edit", ref="Ferry", text="Ferries sail south")
    assert ann.ask("edit", ref="Ferry", text="Ferries sail south").value["op"] == "edit"


def test_the_first_question_waits_until_all_files_were_looked_at(root: Path) -> None:
    (root / ".vmem" / "local" / "index.db").unlink()
    for number in range(300):
        (root / f"note-{number}.md").write_text(f"Note {number} on ferries\n", "utf-8")
    one = Reach(root, "ann")
    try:
        assert len(one.ask("list").value) == 301
    finally:
        one.close()


def test_a_vault_that_is_none_is_said_at_each_question_until_it_is_one(tmp_path: Path) -> None:
    one = Reach(tmp_path, "ann")
    try:
        for _ in range(2):
            with pytest.raises(VaultNotFoundError):
                one.begin()
        Vault.create(tmp_path)
        assert one.ask("list").value == []
    finally:
        one.close()
    with pytest.raises(VmemError, match="ending"):
        one.ask("list")
