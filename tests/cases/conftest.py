"""Every case gets a fresh vault, two doors to it, and neighbours that nobody may touch."""

from __future__ import annotations

import os
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
def filled(case: Case) -> Case:
    """A vault with a note of a person's and a memory of an agent's."""
    case.write("note.md", "---\ntitle: The note\n---\npersimmon of a person\n")
    assert case.vmem("remember", "persimmon of an agent", "--agent=akashi", "-n", "ops").code == 0
    return case


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kept]:
    """A vault at `tmp_path/vault` that may have a resident, and has none afterwards."""
    with runtime_folder(monkeypatch), kept_open(new_desk(tmp_path / "vault")) as vault:
        yield vault


def _seen(place: Path, root: Path) -> dict[str, bytes | None]:
    """Every file and folder around the vault, and of its inside what is not memory."""
    found: dict[str, bytes | None] = {}
    for top in (str(place), str(root / ".git" / "hooks"), str(root / ".obsidian")):
        for folder, folders, files in os.walk(top):
            found[folder] = None
            if folder == str(root):
                folders.clear()
                continue
            for name in (*folders, *files):
                file = Path(folder, name)
                found[str(file)] = file.read_bytes() if file.is_file() else None
    return found
