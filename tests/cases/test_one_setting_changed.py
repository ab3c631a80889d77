"""`vmem config`: a value for a script, one line of one file changed, and a broken file that is named."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cases.doors import REPOSITORY, Case
from vault_memory.errors import ConfigError, PersonOnlyError, StorageError, VaultNotFoundError
from vault_memory.facets.configuration import Configuration
from vault_memory.model.namespace import PERSON, Scope


@pytest.fixture
def file(case: Case) -> Path:
    """The settings that travel with the vault."""
    return case.root / ".vmem" / "config.toml"


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: Case) -> Path:
    """This machine's settings, in the vault's neighbourhood that a case leaves alone."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(case.root / ".git" / "settings"))
    return case.root / ".git" / "settings" / "vault-memory" / "config.toml"


def test_setting_and_unsetting_changes_one_line_and_back(case: Case, file: Path) -> None:
    before = file.read_bytes()
    assert case.vmem("config", "timezone", "Europe/Berlin").code == 0
    assert file.read_bytes() == before.replace(b'# timezone = "UTC"', b'timezone = "Europe/Berlin"')
    assert case.vmem("config", "timezone").out == "Europe/Berlin\n"
    assert case.vmem("config", "timezone", "--unset").code == 0
    assert file.read_bytes() == before


def test_the_file_of_a_machine_is_made_and_its_mode_and_link_are_kept(case: Case, own: Path) -> None:
    assert case.vmem("config", "lock_seconds", "3").code == 0
    assert own.read_text() == "lock_seconds = 3.0\n"
    real = own.with_name("dotfile")
    own.rename(real)
    real.chmod(0o600)
    own.symlink_to(real)
    assert case.vmem("config", "timezone", "Europe/Berlin", "--machine").code == 0
    assert real.read_text() == 'lock_seconds = 3.0\ntimezone = "Europe/Berlin"\n'
    assert real.stat().st_mode & 0o777 == 0o600
    assert own.is_symlink()
    assert sorted(one.name for one in own.parent.iterdir()) == ["config.toml", "dotfile"]


def test_a_vaults_file_that_is_a_link_is_not_written_through(case: Case, file: Path, own: Path) -> None:
    own.parent.mkdir(parents=True)
    victim = own.with_name("victim")
    file.rename(victim)
    file.symlink_to(victim)
    before = victim.read_bytes()
    with pytest.raises(StorageError, match="it is a link"):
        Configuration.of(case.root).put(PERSON, "timezone", "Europe/Berlin")
    assert victim.read_bytes() == before


def test_an_agent_may_look_and_not_change(case: Case, file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(PersonOnlyError):
        Configuration.of(case.root).put(Scope("akashi"), "allow_secrets", "x")
    with pytest.raises(PersonOnlyError):
        Configuration.of(case.root).take_out(Scope("akashi"), "timezone")
    assert case.vmem("--agent", "akashi", "config", "timezone", "Europe/Berlin").code == 77
    assert case.vmem("--agent", "akashi", "config", "timezone").out == "UTC\n"
    assert file.read_bytes() == before


def test_lists_are_taken_with_commas_or_as_toml(case: Case) -> None:
    assert case.vmem("config", "exclude", "docs/, !docs/keep/").code == 0
    assert case.vmem("config", "exclude").out == "docs/\n!docs/keep/\n"
    assert case.vmem("config", "exclude", '["a,b", "[c].md"]').code == 0
    assert case.vmem("config", "exclude").out == "a,b\n[c].md\n"
    assert case.vmem("config", "exclude", "[c].md").code == 0
    assert case.vmem("config", "exclude").out == "[c].md\n"
    assert case.vmem("config", "exclude", "").code == 0
    assert case.vmem("config", "exclude").out == ""


def test_a_wrong_value_changes_nothing(case: Case, file: Path, own: Path) -> None:
    before = file.read_bytes()
    for argv in (
        ("timezone", "Mars/Base"),
        ("inbox", "../x"),
        ("recall_tokens", "many"),
        ("editor", "vi", "--shared"),
        ("embedder_model", "/models/mine"),
        ("timezon", "UTC"),
        ("format", "2"),
        ("allow_secrets", "\udcff"),
    ):
        ran = case.vmem("config", *argv)
        assert (ran.code, ran.out) == (78, ""), argv
    assert case.vmem("config", "format", "--unset").code == 2
    assert file.read_bytes() == before
    assert not own.exists()


def test_a_broken_file_is_named_by_its_line_and_can_be_mended(case: Case, file: Path) -> None:
    file.write_text('format = 1\n# mine\ntimezone = "Mars"\nlock_seconds = 1\nkolor = "red"\n')
    ran = case.vmem("config")
    assert ran.code == 78
    assert "recall_tokens" in ran.out
    for line, key in ((3, "timezone"), (4, "lock_seconds"), (5, "kolor")):
        assert f"{file}:{line}: {key}: " in ran.err
    assert (case.vmem("config", "recall_tokens").code, case.vmem("config", "timezone").out) == (78, "")
    assert case.vmem("config", "timezone", "Europe/Berlin").code == 0
    assert case.vmem("config", "lock_seconds", "--unset").code == 0
    assert case.vmem("config", "kolor", "--unset").code == 0
    assert file.read_text() == 'format = 1\n# mine\ntimezone = "Europe/Berlin"\n'
    assert case.vmem("config").code == 0

    file.write_text('format = 1\ntimezone = "UTC\n')
    for argv in (("config",), ("config", "timezone"), ("config", "inbox", "x"), ("list",)):
        ran = case.vmem(*argv)
        assert ran.code == 78
        assert f"{file}:2: not valid TOML" in ran.err
    assert file.read_text() == 'format = 1\ntimezone = "UTC\n'


def test_a_newer_format_is_not_written_to(case: Case, file: Path) -> None:
    file.write_text("format = 2\n")
    assert case.vmem("config", "timezone", "Europe/Berlin").code == 78
    assert file.read_text() == "format = 2\n"


def test_what_overrules_a_change_is_told(
    case: Case, own: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VMEM_TIMEZONE", "UTC")
    assert "VMEM_TIMEZONE all the same" in case.vmem("config", "timezone", "Europe/Berlin").err
    monkeypatch.delenv("VMEM_TIMEZONE")
    ran = case.vmem("config", "timezone", "Europe/Paris", "--machine")
    assert f"{file} all the same" in ran.err
    assert f"{own} all the same" in case.vmem("config", "timezone", "--unset").err
    assert case.vmem("config", "timezone").out == "Europe/Paris\n"


def test_it_needs_no_vault_but_for_a_shared_change(case: Case, tmp_path: Path, own: Path) -> None:
    outside = Configuration.of()
    assert outside.root is None
    assert outside.explain("timezone").holds.origin == "default"
    with pytest.raises(VaultNotFoundError):
        outside.put(PERSON, "timezone", "Europe/Berlin", shared=True)
    assert outside.put(PERSON, "timezone", "Europe/Berlin").file == own
    with pytest.raises(VaultNotFoundError):
        Configuration.of(tmp_path / "nowhere")
    with pytest.raises(ConfigError, match="timezon"):
        outside.explain("timezon")


def test_two_who_change_it_at_once_lose_nothing(case: Case, file: Path) -> None:
    """Whoever comes second is told, or both changes stand."""
    keys = {"recall_tokens": "11", "max_memory_bytes": "12", "timezone": "Europe/Berlin", "inbox": "mine"}
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "vault_memory", "--vault", str(case.root), "config", *pair],
            cwd=REPOSITORY,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for pair in keys.items()
    ]
    for one in running:
        one.communicate(timeout=60)
    codes = {key: one.returncode for key, one in zip(keys, running, strict=True)}
    assert set(codes.values()) <= {0, 75}
    for key, code in codes.items():
        if code == 0:
            assert case.vmem("config", key).out.strip() == keys[key]
