"""Every case gets a fresh vault, two doors to it, and neighbours that nobody may touch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cases.beside_git import new_desk
from tests.cases.doors import Case, CommandLine, Door, Python
from tests.cases.residents import Kept, kept_open, runtime_folder
from vault_memory.vault import Vault

DOORS = (CommandLine, Python)


@pytest.fixture
def case(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Case]:
    """A vault at `tmp_path/memory`. At the end whatever lies around it is as it was."""
    root = tmp_path / "memory"
    Vault.create(root)
    (root / ".obsidian").mkdir()
    (root / ".obsidian" / "app.json").write_text("{}", encoding="utf-8")
    (tmp_path / "outside.md").write_text("outside the vault: persimmon\n", encoding="utf-8")
    (tmp_path / "beside").mkdir()
    (tmp_path / "beside" / "note.md").write_text("beside the vault: persimmon\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "beside")
    places = (tmp_path, home)
    before = [_seen(place, root) for place in places]
    yield Case(root)
    assert [_seen(place, root) for place in places] == before, "something outside the vault was touched"


@pytest.fixture(params=DOORS, ids=[one.__name__ for one in DOORS])
def door(request: pytest.FixtureRequest, case: Case) -> Door:
    """The command line, then Python: each case must hold through both."""
    made: Door = request.param(case)
    return made


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kept]:
    """A vault at `tmp_path/vault` that may have a resident, and has none afterwards."""
    with runtime_folder(monkeypatch), kept_open(new_desk(tmp_path / "vault")) as vault:
        yield vault


def _seen(place: Path, root: Path) -> dict[str, bytes | None]:
    """Every file and folder around the vault, and of its inside what is not memory."""
    guarded = (root / ".git" / "hooks", root / ".obsidian")
    found: dict[str, bytes | None] = {}
    for one in sorted(place.rglob("*")):
        if root in one.parents and not any(one == guard or guard in one.parents for guard in guarded):
            continue
        found[str(one)] = one.read_bytes() if one.is_file() else None
    return found
