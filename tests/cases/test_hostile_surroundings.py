"""A vault in a bad place: settings that are none, a broken or read-only sidecar, folders closed to us."""

from __future__ import annotations

import json
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

from tests.cases.doors import REPOSITORY, Case, Door, Python, run_process
from tests.cases.nobody import Nobodys, nobodys_vault
from vault_memory.errors import ConfigError, VaultNotFoundError
from vault_memory.vault import Vault


@pytest.fixture
def filled(case: Case) -> Case:
    """A vault with a note of a person's and a memory of an agent's."""
    case.write("note.md", "---\ntitle: The note\n---\npersimmon of a person\n")
    assert case.vmem("remember", "persimmon of an agent", "--agent=akashi", "-n", "ops").code == 0
    return case


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


# --- the sidecar ---------------------------------------------------------------------------------


def local(case: Case) -> Path:
    """The folder that may be deleted at any time."""
    return case.root / ".vmem" / "local"


def no_folder(case: Case) -> None:
    shutil.rmtree(local(case))
    local(case).write_text("a file")


def link_to_nothing(case: Case) -> None:
    shutil.rmtree(local(case))
    local(case).symlink_to("/nowhere/at/all")


def folder_for(name: str) -> Callable[[Case], None]:
    def make(case: Case) -> None:
        for one in local(case).glob(f"{name}*"):
            one.unlink()
        (local(case) / name).mkdir()

    return make


def garbage(case: Case) -> None:
    for name in ("index.db", "state.db"):
        for one in local(case).glob(f"{name}-*"):
            one.unlink()
        (local(case) / name).write_bytes(b"garbage" * 1_000)


def nothing(case: Case) -> None:
    shutil.rmtree(local(case))


SIDECARS: dict[str, tuple[Callable[[Case], None], str | None, int]] = {
    "deleted": (nothing, "built the search index", 0),
    "local is a file": (no_folder, "searching from memory", 74),
    "local leads nowhere": (link_to_nothing, "searching from memory", 74),
    "index.db is a folder": (folder_for("index.db"), "searching from memory", 0),
    "state.db is a folder": (folder_for("state.db"), None, 74),
    "lock is a folder": (folder_for("lock"), None, 74),
    "garbage": (garbage, "built the search index: the file was damaged", 74),
}
"""What became of the sidecar, what recall says of it, and the exit code of the next write."""


@pytest.mark.parametrize(("ruin", "word", "write"), SIDECARS.values(), ids=SIDECARS)
def test_a_broken_sidecar_never_means_no_memories(
    door: Door, filled: Case, ruin: Callable[[Case], None], word: str | None, write: int
) -> None:
    ruin(filled)
    recalled = door.recall("persimmon").value
    assert {one["path"] for one in recalled["memories"]} == {"note.md", "shared/ops/persimmon-of-an-agent.md"}
    notices = "\n".join(recalled["notices"])
    assert (word in notices) if word else notices == ""
    assert len(door.search("persimmon").value["hits"]) == 2
    assert len(door.list().value) == 2
    assert door.show("The note").value["path"] == "note.md"
    assert door.status().value["memories"] == 2
    before = filled.files()
    written = door.remember("a new one", namespace="ops")
    assert written.code == write
    assert (len(filled.files()) == 3) is (write == 0)
    assert before.items() <= filled.files().items()


@pytest.mark.parametrize("name", ["local is a file", "index.db is a folder", "local leads nowhere"])
def test_list_and_show_say_when_they_answer_from_memory(filled: Case, name: str) -> None:
    SIDECARS[name][0](filled)
    for argv in (
        ["list"],
        ["list", "--json"],
        ["show", "note.md"],
        ["search", "persimmon"],
        ["recall", "persimmon"],
    ):
        ran = filled.process(*argv)
        assert ran.code == 0
        said = ran.err if "--json" in argv or argv[0] != "search" else ran.err + ran.out
        assert "searching from memory" in said, argv
    doctor = filled.vmem("doctor")
    assert doctor.code == 1
    assert "\u2718 index" in doctor.out
    assert filled.vmem("reindex").code == 74


@pytest.mark.parametrize(
    ("name", "check"),
    [("state.db is a folder", "journal"), ("lock is a folder", "locks"), ("garbage", "journal")],
)
def test_the_doctor_names_what_no_write_can_do_without(filled: Case, name: str, check: str) -> None:
    SIDECARS[name][0](filled)
    doctor = filled.vmem("doctor")
    assert doctor.code == 1
    assert f"\u2718 {check}" in doctor.out


# --- as somebody who may not -----------------------------------------------------------------------


def _filled(theirs: Nobodys) -> None:
    theirs.write("note.md", "---\ntitle: The note\n---\npersimmon of a person\n")
    theirs.write("shared/ops/other.md", "persimmon of an agent\n")


READS = (
    ["recall", "persimmon"],
    ["search", "persimmon"],
    ["list"],
    ["show", "The note"],
    ["status"],
    ["log"],
)


def _close(theirs: Nobodys, *, but_for: tuple[str, ...] = ()) -> None:
    for place in (theirs.root, *theirs.root.rglob("*")):
        if not any(str(place).startswith(str(theirs.root / kept)) for kept in but_for):
            place.chmod(0o555 if place.is_dir() else 0o444)


@pytest.mark.parametrize("indexed", [True, False], ids=["indexed before", "never indexed"])
def test_a_read_only_vault_is_read_and_says_what_it_is(indexed: bool) -> None:
    with nobodys_vault() as theirs:
        _filled(theirs)
        if indexed:
            assert theirs.vmem("status").code == 0
        _close(theirs)
        reads = theirs.several(READS)
        writes = theirs.several(
            [["remember", "new"], ["edit", "note.md", "--importance=0.4"], ["forget", "note.md"], ["reindex"]]
        )
    assert [ran.code for ran in reads] == [0] * len(READS)
    for ran in reads[:2]:
        assert "persimmon of a person" in ran.out.replace("\u2039", "").replace("\u203a", "")
    assert "2 memories" in reads[2].out
    assert reads[3].out == "---\ntitle: The note\n---\npersimmon of a person\n"
    for ran in reads[:4]:
        assert "the index can't be written" in ran.err, ran
    assert [ran.code for ran in writes] == [74] * 4
    for ran in writes:
        assert ran.out == ""


def test_a_read_only_sidecar_is_searched_as_it_is_and_says_so() -> None:
    with nobodys_vault() as theirs:
        _filled(theirs)
        assert theirs.vmem("status").code == 0
        local_folder = theirs.root / ".vmem" / "local"
        for place in (local_folder, *local_folder.iterdir()):
            place.chmod(0o555 if place.is_dir() else 0o444)
        found, listed, remembered = theirs.several(
            [["search", "persimmon", "--json"], ["list"], ["remember", "new"]]
        )
    assert len(found.value["hits"]) == 2
    assert any("can't be written" in notice for notice in found.value["notices"])
    assert "2 memories" in listed.out
    assert "can't be written" in listed.err
    assert remembered.code == 74


def test_files_changed_since_a_read_only_index_was_made_are_never_shown_as_they_were() -> None:
    with nobodys_vault() as theirs:
        _filled(theirs)
        assert theirs.vmem("status").code == 0
        theirs.write("note.md", "---\ntitle: The note\n---\nquince of a person\n")
        (theirs.root / "shared" / "ops" / "other.md").unlink()
        _close(theirs)
        found, recalled = theirs.several([["search", "persimmon", "--json"], ["recall", "persimmon"]])
    assert found.value["hits"] == []
    assert any("the index is behind the files" in notice for notice in found.value["notices"])
    assert "persimmon of" not in recalled.out
    assert "the index is behind the files" in recalled.err


@pytest.mark.parametrize("closed", ["shared", "shared/ops"])
def test_a_folder_that_may_not_be_listed_is_an_error_and_removes_nothing(closed: str) -> None:
    with nobodys_vault() as theirs:
        _filled(theirs)
        assert theirs.vmem("status").code == 0
        (theirs.root / closed).chmod(0)
        answers = theirs.several([["recall", "persimmon"], ["list"], ["reindex"], ["remember", "new"]])
        (theirs.root / closed).chmod(0o755)
        again = theirs.vmem("search", "persimmon", "--json")
    for ran in answers[:3]:
        assert (ran.code, ran.out) == (74, "")
        assert f"can't read {closed}: permission denied" in ran.err.lower()
    assert len(again.value["hits"]) >= 2


@pytest.mark.parametrize("closed", [".", ".vmem"])
def test_a_vault_that_may_not_be_entered_is_not_found_and_nothing_is_lost(closed: str) -> None:
    with nobodys_vault() as theirs:
        _filled(theirs)
        assert theirs.vmem("status").code == 0
        (theirs.root / closed).chmod(0)
        answers = theirs.several([["recall", "persimmon"], ["list"], ["remember", "new"]])
        (theirs.root / closed).chmod(0o755)
        again = theirs.vmem("search", "persimmon", "--json")
    assert {ran.code for ran in answers} <= {3, 74, 78}
    assert {ran.out for ran in answers} == {""}
    assert len(again.value["hits"]) == 2


def test_settings_that_may_not_be_read_are_named() -> None:
    with nobodys_vault() as theirs:
        _filled(theirs)
        (theirs.root / ".vmem" / "config.toml").chmod(0)
        ran = theirs.vmem("list")
    assert ran.code == 78
    assert "config.toml: can't be read: permission denied" in ran.err.lower()


def test_a_home_that_may_not_be_entered_is_no_obstacle(filled: Case) -> None:
    with nobodys_vault() as theirs:
        _filled(theirs)
        (theirs.home / ".config").mkdir()
        (theirs.home / ".config").chmod(0)
        ran = theirs.vmem("list", "--json")
    assert len(json.loads(ran.out)) == 2


def test_python_and_the_command_line_tell_the_same_of_a_broken_place(filled: Case) -> None:
    no_folder(filled)
    python = Python(filled)
    said = filled.vmem("recall", "persimmon", "--json").value
    assert said == python.recall("persimmon").value
