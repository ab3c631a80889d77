"""A vault on a network disk: said once in so many words, and kept in a form that others may write beside."""

from __future__ import annotations

import shutil
from pathlib import Path

import apsw
import pytest

from tests.cases.doors import Case, Door
from vault_memory.adapters.files import disk

WORDS = (
    "the vault lies on a network disk (nfs4): its index is kept in safe mode, which is slower;"
    " write from one machine at a time"
)


@pytest.fixture
def far(case: Case, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Case:
    """The vault on a disk that the system's list of mounts calls a network's."""
    mounts = tmp_path_factory.mktemp("system") / "mounts"
    mounts.write_text(
        "27 1 254:0 / / rw,relatime - ext4 /dev/root rw\n"
        f"31 27 0:40 / {case.root} rw,relatime shared:12 - nfs4 server:/export rw,vers=4.2\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(disk, "_MOUNTS", str(mounts))
    return case


def modes(root: Path) -> set[str]:
    """How index and journal are kept."""
    found: set[str] = set()
    for name in ("index.db", "state.db"):
        db = apsw.Connection(str(root / ".vmem" / "local" / name), apsw.SQLITE_OPEN_READONLY)
        found.add(str(db.pragma("journal_mode")))
        db.close()
    return found


def test_every_verb_works_without_shared_memory(door: Door, far: Case) -> None:
    written = door.remember("a heron by the lake", title="Heron").value
    assert written["committed"]
    assert door.edit("Heron", importance=0.9).value["committed"]
    assert [hit["path"] for hit in door.search("heron").value["hits"]] == [written["path"]]
    assert door.forget("Heron").value["committed"]
    assert door.restore("Heron").value["committed"]
    assert modes(far.root) == {"delete"}
    names = {one.name for one in (far.root / ".vmem" / "local").iterdir()}
    assert not {name for name in names if name.endswith(("-wal", "-shm"))}


def test_the_warning_comes_with_the_index_and_then_where_it_is_asked_for(far: Case) -> None:
    far.write("heron.md", "a heron by the lake\n")
    assert WORDS in far.vmem("search", "heron").err
    assert WORDS not in far.vmem("search", "heron").err
    assert WORDS in far.vmem("status").out
    said = far.vmem("doctor")
    assert said.code == 0
    assert WORDS in said.out


def test_a_disk_of_this_machine_is_not_spoken_of(door: Door, case: Case) -> None:
    case.write("heron.md", "a heron by the lake\n")
    door.remember("an owl")
    assert "network disk" not in str(door.search("heron")) + case.vmem("status").out + case.vmem("doctor").out
    assert modes(case.root) == {"wal"}


def test_the_folder_of_this_machine_may_lie_on_a_disk_of_its_own(
    door: Door, far: Case, tmp_path_factory: pytest.TempPathFactory
) -> None:
    local = far.root / ".vmem" / "local"
    shutil.rmtree(local)
    local.symlink_to(tmp_path_factory.mktemp("near"))
    assert door.remember("a heron by the lake").value["committed"]
    assert modes(far.root) == {"wal"}
    assert "network disk" not in far.vmem("status").out


def test_a_person_may_know_better_than_the_system(
    door: Door, far: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VMEM_DISK", "local")
    assert door.remember("a heron by the lake").value["committed"]
    assert modes(far.root) == {"wal"}
    monkeypatch.setenv("VMEM_DISK", "network")
    assert door.remember("an owl in the barn").value["committed"]
    assert modes(far.root) == {"delete"}
    assert "a network disk (by the setting disk)" in far.vmem("status").out
