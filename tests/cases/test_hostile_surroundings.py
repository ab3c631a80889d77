"""A vault in a bad place: settings that are none, a broken or read-only sidecar, folders closed to us."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases.doors import REPOSITORY, Case, run_process
from vault_memory.errors import ConfigError, VaultNotFoundError
from vault_memory.vault import Vault

# --- where the vault is said to be ---------------------------------------------------------------

PLACES: dict[str, Callable[[Path], str]] = {
    "a file": lambda tmp: str(tmp / "outside.md"),
    "a folder that is no vault": lambda tmp: str(tmp / "beside"),
    "nothing": lambda tmp: str(tmp / "missing"),
    "a name of 300 characters": lambda tmp: str(tmp / ("x" * 300)),
    "a path of 6,000 characters": lambda tmp: str(tmp / "/".join(["y" * 200] * 30)),
    "a loop of links": lambda tmp: str(tmp / "loop"),
    "a link to nothing": lambda tmp: str(tmp / "gone"),
    "a device": lambda tmp: "/dev/null",
    "an option": lambda tmp: "--help",
    "nobody's home": lambda tmp: "~nobody-of-that-name/memory",
    "a line break": lambda tmp: "a\nb",
    "an escape": lambda tmp: "\x1b[31m",
}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_a_place_that_is_no_vault_is_not_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: Callable[[Path], str]
) -> None:
    (tmp_path / "outside.md").write_text("x")
    (tmp_path / "beside").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "gone").symlink_to("nowhere")
    monkeypatch.chdir(tmp_path / "beside")
    named = place(tmp_path)
    for argv in (["recall", "x"], ["remember", "x"], ["status", "--json"]):
        ran = run_process([f"--vault={named}", *argv], environment={}, cwd=tmp_path / "beside")
        assert (ran.code, ran.out) == (3, "")
        assert "\x1b" not in ran.err
        ran = run_process(argv, environment={"VMEM_VAULT": named}, cwd=tmp_path / "beside")
        assert (ran.code, ran.out) == (3, "")
    with pytest.raises(VaultNotFoundError):
        Vault.open(named)


def test_a_zero_byte_names_no_vault(tmp_path: Path) -> None:
    with pytest.raises(VaultNotFoundError):
        Vault.open("a\x00b")


def test_a_working_folder_that_was_deleted_is_no_vault(tmp_path: Path) -> None:
    place = tmp_path / "gone"
    place.mkdir()
    code = f"import os; os.rmdir({str(place)!r})\nfrom vault_memory.__main__ import main\nmain()"
    ran = subprocess.run(
        [sys.executable, "-c", code, "recall", "x"], cwd=place, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )  # fmt: skip
    assert ran.returncode == 3
    assert ran.stderr.startswith("vmem: no vault at ")


@pytest.mark.parametrize(
    "name", ["Akashi", "../x", "a b", "\x1b[31m", "x" * 100, "mira\n", "\u0430kashi", "a/b", "con"]
)
def test_a_hostile_agent_of_the_environment_is_refused(filled: Case, name: str) -> None:
    for argv in (["list"], ["recall", "persimmon"], ["remember", "x"]):
        ran = filled.process(*argv, environment={"VMEM_AGENT": name})
        assert (ran.code, ran.out) == (65, "")
        assert "\x1b" not in ran.err


def test_the_environment_says_who_asks_and_an_option_overrules_it(filled: Case) -> None:
    filled.write("private/mira/secret.md", "persimmon of mira\n")
    paths = {
        who: [one["path"] for one in filled.process(*argv, "list", "--json", environment=environment).value]
        for who, argv, environment in (
            ("mira", [], {"VMEM_AGENT": "mira"}),
            ("akashi", ["--agent=akashi"], {"VMEM_AGENT": "mira"}),
            ("person", [], {"VMEM_AGENT": ""}),
        )
    }
    assert "private/mira/secret.md" in paths["mira"]
    assert "private/mira/secret.md" not in paths["akashi"]
    assert "private/mira/secret.md" in paths["person"]


# --- settings ------------------------------------------------------------------------------------

BAD_SETTINGS = {
    "empty": b"",
    "cut short": b"format = ",
    "bytes": b"\x00\xff\x00",
    "UTF-16": "format = 1".encode("utf-16"),
    "a later format": b"format = 99",
    "a format in quotes": b'format = "1"',
    "a format below one": b"format = -1",
    "true as format": b"format = true",
    "an unknown key": b"format = 1\nfoo = 1",
    "a key misspelt": b'format = 1\nembeder = "none"',
    "twice the same key": b"format = 1\nformat = 1",
    "an editor": b'format = 1\neditor = "rm -rf /"',
    "patience of this machine": b"format = 1\nlock_seconds = 0",
    "a folder as model": b'format = 1\nembedder_model = "/etc"',
    "a folder above as model": b'format = 1\nembedder_model = "../x"',
    "an address as model": b'format = 1\nembedder_model = "http://evil.invalid/x"',
    "an inbox outside": b'format = 1\ninbox = "../../x"',
    "an inbox in git": b'format = 1\ninbox = ".git/hooks"',
    "a zone that is a file": b'format = 1\ntimezone = "../../etc/passwd"',
    "less than nothing": b"format = 1\nrecall_tokens = -1",
    "no number": b'format = 1\nrecall_tokens = "many"',
    "not a number": b"format = 1\nmax_memory_bytes = nan",
    "5,000 digits": b"format = 1\nrecall_tokens = " + b"9" * 5_000,
    "100,000 brackets": b"format = 1\nx = " + b"[" * 100_000,
    "a table": b"format = 1\n[embedder]\nname = 1",
    "a list": b"format = 1\ntimezone = []",
    "a date": b"format = 1\ntimezone = 2020-01-01",
    "12 MB of comments": b"format = 1\n" + b"# x\n" * 3_000_000,
}

COMMANDS = (
    ["recall", "persimmon"],
    ["list"],
    ["show", "The note"],
    ["remember", "x"],
    ["status"],
    ["reindex"],
)


@pytest.mark.parametrize("content", BAD_SETTINGS.values(), ids=BAD_SETTINGS)
def test_settings_that_are_none_stop_every_command_with_their_file_and_a_way_out(
    filled: Case, content: bytes
) -> None:
    settings = filled.root / ".vmem" / "config.toml"
    settings.write_bytes(content)
    before = filled.files()
    began = time.monotonic()
    for argv in COMMANDS:
        ran = filled.vmem(*argv)
        assert (ran.code, ran.out) == (78, "")
        assert re.match(rf"vmem: {re.escape(str(settings))}(:\d+)?: ", ran.err)
        assert len(ran.err.splitlines()) >= 2
        assert len(ran.err) < 1_000
    assert time.monotonic() - began < 3
    with pytest.raises(ConfigError):
        Vault.open(filled.root)
    assert filled.process("list", "--json").code == 78
    assert filled.files() == before
    assert settings.read_bytes() == content


def test_settings_that_are_no_file_stop_the_command_and_never_block(filled: Case) -> None:
    settings = filled.root / ".vmem" / "config.toml"
    good = settings.read_bytes()
    makers: list[Callable[[], None]] = [
        settings.mkdir,
        lambda: os.mkfifo(settings),
        lambda: settings.symlink_to("nowhere"),
    ]
    for make in makers:
        settings.unlink()
        make()
        for argv in COMMANDS:
            assert filled.vmem(*argv).code == 78
        if stat.S_ISDIR(settings.lstat().st_mode):
            settings.rmdir()
            settings.touch()
    settings.unlink()
    settings.write_bytes(good)
    assert filled.vmem("list").code == 0


def test_a_vault_of_broken_settings_never_sends_a_write_to_the_vault_around_it(case: Case) -> None:
    Vault.create(case.root / "inner")
    (case.root / "inner" / ".vmem" / "config.toml").unlink()
    (case.root / "inner" / ".vmem" / "config.toml").mkdir()
    ran = case.process("remember", "x", vault=str(case.root / "inner"))
    assert ran.code == 78
    assert case.files() == {}


@pytest.mark.parametrize("content", [b"\xef\xbb\xbfformat = 1\n", b"format = 1\r\n", b"# only\nformat = 1"])
def test_settings_of_any_editor_are_read(filled: Case, content: bytes) -> None:
    (filled.root / ".vmem" / "config.toml").write_bytes(content)
    assert filled.vmem("list").code == 0


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("RECALL_TOKENS", "many"),
        ("EMBEDDER", "openai"),
        ("TIMEZONE", "Mars/Base"),
        ("STRATEGY", "best"),
        ("MAX_FILE_BYTES", "-1"),
        ("MAX_MEMORY_BYTES", "9" * 5_000),
        ("INBOX", "../x"),
        ("REFRESH_SECONDS", "nan"),
        ("LOCK_SECONDS", "-1"),
        ("GIT_SECONDS", "inf"),
    ],
)
def test_a_setting_of_the_environment_that_is_none_is_named(filled: Case, name: str, text: str) -> None:
    ran = filled.process("list", environment={f"VMEM_{name}": text})
    assert (ran.code, ran.out) == (78, "")
    assert f"VMEM_{name}" in ran.err
    assert len(ran.err) < 500


def test_a_broken_file_of_the_persons_own_settings_is_named(filled: Case, home: Path) -> None:
    own = home / ".config" / "vault-memory" / "config.toml"
    own.parent.mkdir(parents=True)
    own.write_text("editor = ")
    ran = filled.vmem("list")
    own.unlink()
    shutil.rmtree(home / ".config")
    assert ran.code == 78
    assert str(own) in ran.err
