"""Where a resident may listen: in a folder that nobody else can get at, by whatever path, however long."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

import pytest

from tests.resident.processes import running, state
from vault_memory.errors import SidecarError
from vault_memory.surfaces.resident import door
from vault_memory.surfaces.resident.listening import Listening
from vault_memory.vault import Vault

OWN = f"/tmp/vmem-{os.getuid()}"


def folders(root: Path) -> list[str]:
    return [str(Path(place).parent) for place in door.places_of(str(root))]


def test_the_runtime_folder_comes_first_and_the_common_one_second(root: Path, home: Path) -> None:
    assert folders(root) == [str(home / "run" / "vault-memory"), OWN]


@pytest.mark.parametrize("value", ["", "run", "/nowhere/at/all"])
def test_without_a_usable_runtime_folder_there_is_the_common_one(
    root: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", value)
    assert folders(root) == [OWN]
    with running(root) as process:
        assert state(root).pid == process.pid


def test_a_runtime_folder_that_all_may_write_is_not_used(root: Path, home: Path) -> None:
    (home / "run").chmod(0o777)
    assert folders(root) == [OWN]
    (home / "run").chmod(0o1777)  # as /tmp: nobody takes away what is another's
    assert folders(root) == [str(home / "run" / "vault-memory"), OWN]


def test_a_folder_in_it_that_others_may_enter_is_not_used(root: Path, home: Path) -> None:
    (home / "run" / "vault-memory").mkdir(mode=0o755)
    assert folders(root) == [OWN]
    (home / "run" / "vault-memory").chmod(0o700)
    assert folders(root) == [str(home / "run" / "vault-memory"), OWN]


def test_a_link_in_its_place_is_not_used(root: Path, home: Path) -> None:
    (home / "elsewhere").mkdir(mode=0o700)
    (home / "run" / "vault-memory").symlink_to(home / "elsewhere")
    assert folders(root) == [OWN]


@pytest.mark.skipif(os.getuid() != 0, reason="only the administrator can give a folder away")
def test_a_folder_of_somebody_else_is_not_used(root: Path, home: Path) -> None:
    (home / "run" / "vault-memory").mkdir(mode=0o700)
    os.chown(home / "run" / "vault-memory", 65534, -1)
    assert folders(root) == [OWN]
    os.chown(home / "run", 65534, -1)
    (home / "run" / "vault-memory").rmdir()
    assert folders(root) == [OWN]


def test_a_path_too_long_for_a_socket_is_passed_over(
    root: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = home / ("r" * 120)
    long.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(long))
    assert folders(root) == [OWN]
    with running(root) as process:
        assert state(root).pid == process.pid


def test_a_vault_with_a_long_path_is_no_different(root: Path, home: Path) -> None:
    deep = home.joinpath(*["a folder with quite a name"] * 6)
    Vault.create(deep)
    with running(deep) as process:
        assert state(deep).pid == process.pid


def test_without_a_home_it_works_too(root: Path) -> None:
    with running(root, {"HOME": "", "XDG_CONFIG_HOME": ""}) as process:
        assert state(root).pid == process.pid


def test_where_nobody_can_be_kept_out_nobody_listens(
    root: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vault_memory.config.given.runtime_folders", lambda: (str(home / "open"),))
    (home / "open").mkdir()
    (home / "open").chmod(0o777)
    assert door.places_of(str(root)) == ()
    assert door.connect(str(root), 1.0) is None
    with pytest.raises(SidecarError, match="no place to listen"):
        Listening(root).open()


def test_one_vault_by_two_paths_is_one(root: Path, home: Path) -> None:
    (home / "link").symlink_to(root)
    assert door.places_of(str(home / "link")) == door.places_of(str(root))
    assert door.places_of(str(home)) == ()


def test_folder_and_socket_are_closed_to_others(root: Path) -> None:
    listening = Listening(root)
    listening.open()
    try:
        for file in map(Path, listening.files):
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
            assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    finally:
        listening.close()
    assert not any(Path(file).exists() for file in listening.files)
    listening.close()


def test_what_a_dead_one_left_is_taken_away_and_nothing_else(root: Path) -> None:
    place = Path(door.places_of(str(root))[0])
    place.parent.mkdir(mode=0o700, exist_ok=True)
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(place))
    listening = Listening(root)
    listening.open()
    place.unlink()
    place.write_text("somebody else's")
    assert not listening.is_whole()
    listening.close()
    assert place.read_text() == "somebody else's"


def test_who_comes_is_known_by_the_system(root: Path) -> None:
    listening = Listening(root)
    listening.open()
    try:
        ours = door.connect(str(root), 1.0)
        assert ours is not None
        peer, _ = listening.sockets[0].accept()
        with peer:
            assert listening.is_welcome(peer)
        ours.close()
    finally:
        listening.close()
