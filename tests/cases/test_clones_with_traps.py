"""A vault that came from somebody else, with what they laid into the folder that is this machine's alone."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases.doors import Case, sound
from tests.gitrun import Git
from tests.stand import NOON
from vault_memory.adapters.journal import SqliteJournal
from vault_memory.model.namespace import VaultPath
from vault_memory.model.revision import Op, Operation
from vault_memory.vault import Vault

NEEDS = (
    "list",
    "search persimmon",
    "recall persimmon",
    "status",
    "doctor",
    "doctor --fix",
    "changes --seen",
    "remember quince",
)


@pytest.fixture
def trap(tmp_path: Path) -> tuple[Case, Path]:
    """A vault with a memory, its local folder empty, and a folder of a person's own beside it."""
    case = Case(Vault.create(tmp_path / "memory").root)
    assert case.vmem("remember", "persimmon", "--title", "Fruit").code == 0
    own = tmp_path / "own"
    own.mkdir()
    (own / "precious").write_bytes(b"precious\n")
    with sqlite3.connect(own / "precious.db") as connection:
        connection.execute("CREATE TABLE a (b)")
    connection.close()
    for one in (case.root / ".vmem" / "local").iterdir():
        if one.is_file():
            one.unlink()
    return case, own


def seen(folder: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in sorted(folder.iterdir())}


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("lock", "precious"), ("lock", "new"), ("index.db", "precious.db"), ("index.db", "new"),
        ("state.db", "precious.db"), ("state.db", "new"), ("git-recent.json", "precious"), ("tmp", ""),
        ("looked", ""),
    ],
)  # fmt: skip
def test_a_link_in_the_local_folder_is_not_written_through(
    trap: tuple[Case, Path], name: str, target: str
) -> None:
    case, own = trap
    place = case.root / ".vmem" / "local" / name
    if place.is_dir():
        place.rmdir()
    place.symlink_to(own / target)
    before = seen(own)
    for argv in NEEDS:
        assert case.vmem(*argv.split()).code == 0
    assert seen(own) == before
    assert not place.is_symlink()


def test_a_local_folder_that_leads_to_a_persons_own_is_refused(trap: tuple[Case, Path]) -> None:
    case, own = trap
    local = case.root / ".vmem" / "local"
    local.rename(case.root.parent / "aside")
    local.symlink_to(own)
    before, mode = seen(own), own.stat().st_mode
    for argv in NEEDS:
        ran = case.vmem(*argv.split())
        assert (ran.code, ran.out) == (74, "")
        assert "a link to a folder that holds other things (precious)" in ran.err
        assert "delete the link" in ran.err
    assert (seen(own), own.stat().st_mode) == (before, mode)
    local.unlink()
    assert case.vmem("search", "persimmon").code == 0


def test_a_local_folder_on_another_disk_may_hold_every_file_of_ours(tmp_path: Path) -> None:
    from tests.crash.witness import KNOWN_LOCAL
    from vault_memory.adapters.files.local import prepare_local

    elsewhere, root = tmp_path / "elsewhere", tmp_path / "vault"
    for folder in (elsewhere, root / ".vmem"):
        folder.mkdir(parents=True)
    for name in KNOWN_LOCAL:
        (elsewhere / name).touch()
    (root / ".vmem" / "local").symlink_to(elsewhere)
    prepare_local(root)
    assert {file.name for file in elsewhere.iterdir()} >= KNOWN_LOCAL


def test_a_lock_that_is_a_link_is_not_written_though_nothing_can_be_deleted(trap: tuple[Case, Path]) -> None:
    case, own = trap
    from vault_memory.adapters.files.lock import VaultLock
    from vault_memory.errors import StorageError

    place = case.root / "lock"
    place.symlink_to(own / "precious")
    with pytest.raises(StorageError), VaultLock(place).held(wait=0):
        pass
    assert (own / "precious").read_bytes() == b"precious\n"


Lay = Callable[[Case], str]


def beside(_: Case) -> str:
    return "../own/planted.md"


def settings_of_git(_: Case) -> str:
    return ".git/config"


def hook(_: Case) -> str:
    return ".git/hooks/pre-commit.md"


def settings_of_ours(_: Case) -> str:
    return ".vmem/config.toml"


def whole(case: Case) -> str:
    return f"{case.root.parent}/own/planted.md"


def no_memory(_: Case) -> str:
    return "notes/Makefile"


@pytest.mark.parametrize("lay", [beside, settings_of_git, hook, settings_of_ours, whole, no_memory])
def test_a_journal_that_came_along_writes_nothing_but_memories(
    trap: tuple[Case, Path], lay: Lay, git: Git
) -> None:
    case, own = trap
    path = lay(case)
    place = case.root / path
    there = place.read_bytes() if place.is_file() else None
    mine = (case.root / "notes" / "fruit.md").read_bytes()
    journal = SqliteJournal(case.root / ".vmem" / "local" / "state.db")
    operations = [
        operation("notes/fruit.md", mine, b"before"),
        operation(path, b"planted", there),
    ]
    intents = journal.open(operations, branch="refs/heads/main", at=NOON)
    journal.keep({intents[0].number: mine, intents[1].number: b"planted"})
    journal.close_file()
    before = seen(own)
    for argv in ("list", "search persimmon", "doctor --fix", "remember quince", "undo"):
        ran = sound(case.vmem(*argv.split()))
        assert ran.code == 0 or "an entry makes no sense" in ran.err + ran.out
    assert case.vmem("remember", "a quince").code == 74
    assert (place.read_bytes() if place.is_file() else None) == there
    assert seen(own) == before
    assert git(case.root, "status", "--porcelain", "--untracked-files=no") == ""


def operation(path: str, after: bytes, before: bytes | None) -> Operation:
    version = hashlib.sha256(after).hexdigest()
    was = None if before is None else hashlib.sha256(before).hexdigest()
    return Operation(Op.MOVE, VaultPath(path), version, was, "move: x\n", None, "B")


@pytest.mark.parametrize("key", ["inbox", "embedder_model", "exclude"])
def test_a_secret_does_not_get_into_settings_that_travel(trap: tuple[Case, Path], key: str) -> None:
    case, _ = trap
    secret = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE4f6"
    before = (case.root / ".vmem" / "config.toml").read_bytes()
    for form in ([], ["--json"]):
        ran = case.vmem("config", key, secret, *form)
        assert (ran.code, ran.out) == (65, "")
        assert secret not in ran.err
        assert "allow_secrets" in ran.err
    assert (case.root / ".vmem" / "config.toml").read_bytes() == before
    assert case.vmem("config", "allow_secrets", secret).code == 0
