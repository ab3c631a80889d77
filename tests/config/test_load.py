"""Settings from their places: later wins, unknown keys are errors, and a vault can't make anything run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from vault_memory.config import tomlline
from vault_memory.config.load import accepted, load, survey
from vault_memory.config.settings import SETTINGS, Setting, table_markdown
from vault_memory.creating import config_text
from vault_memory.errors import ConfigError
from vault_memory.model.tomlwords import toml

SHARED = [row for row in SETTINGS if row.shared]
MACHINE = [row for row in SETTINGS if not row.shared]
ONLY_COMPARED = {"exclude", "allow_secrets"}
"""Lists of patterns and samples: they are held against names and texts, and lead nowhere."""
A_FOLDER_BELOW = {"inbox", "review"}
"""What looks like a place elsewhere is refused or means one below the vault's own folder."""


def key_of(row: Setting) -> str:
    return row.key


@pytest.fixture(autouse=True)
def _nothing_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """The setting by which no test starts a resident is one more place here."""
    monkeypatch.delenv("VMEM_RESIDENT")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with a vault's settings."""
    (tmp_path / ".vmem").mkdir()
    (tmp_path / ".vmem" / "config.toml").write_text(config_text(), encoding="utf-8")
    return tmp_path


def settings_file(root: Path, text: str) -> None:
    (root / ".vmem" / "config.toml").write_text(f"format = 1\n{text}", encoding="utf-8")


def machine_file(home: Path, text: str) -> Path:
    file = home / ".config" / "vault-memory" / "config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def test_a_later_place_wins_and_every_place_is_known(
    root: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = machine_file(home, "recall_tokens = 1\nlock_seconds = 2\n")
    settings_file(root, "recall_tokens = 3\n")
    monkeypatch.setenv("VMEM_RECALL_TOKENS", "4")
    settings = load(root, flags={"recall_tokens": 5, "strategy": None})
    shared = str(root / ".vmem" / "config.toml")
    assert settings["recall_tokens"] == 5
    assert settings.layers["recall_tokens"] == (
        ("default", 2000),
        (str(own), 1),
        (shared, 3),
        ("VMEM_RECALL_TOKENS", 4),
        ("flag", 5),
    )
    assert settings.origins == {
        row.key: {"recall_tokens": "flag", "lock_seconds": str(own)}.get(row.key, "default")
        for row in SETTINGS
    }


@pytest.mark.parametrize("row", MACHINE, ids=key_of)
def test_what_is_this_machines_own_is_refused_in_a_vaults_file(root: Path, home: Path, row: Setting) -> None:
    text = f"{row.key} = {toml(row.default)}\n"
    settings_file(root, f"# mine\n{text}")
    with pytest.raises(ConfigError, match=rf"config\.toml:3: {row.key}: is this machine's own"):
        load(root)
    settings_file(root, "")
    machine_file(home, text)
    assert load(root)[row.key] == row.default


@pytest.mark.parametrize("row", SHARED, ids=key_of)
@pytest.mark.parametrize(
    "text", ["/bin/sh", "https://example.org/x", "file:///etc/passwd", "../outside", "os:system", "~/x"]
)
def test_nothing_that_may_travel_with_a_vault_takes_a_command_an_address_or_a_place(
    row: Setting, text: str
) -> None:
    if row.key in ONLY_COMPARED:
        assert accepted(row, text, "", shared_only=True) == (text,)
        return
    try:
        taken = accepted(row, text, "", shared_only=True)
    except ConfigError:
        return
    assert row.key in A_FOLDER_BELOW
    for folder in taken if isinstance(taken, tuple) else (str(taken),):
        assert not folder.startswith("/")
        assert ".." not in folder.split("/")


def test_every_default_is_a_value_that_its_setting_takes() -> None:
    for row in SETTINGS:
        assert accepted(row, row.default, "", shared_only=row.shared) == row.default


def test_a_variable_of_ours_that_is_no_setting_is_an_error(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("VMEM_VAULT", "VMEM_AGENT", "VMEM_DEBUG", "VMEM_OWN_COMMIT", "_VMEM_COMPLETE", "VMEMO"):
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("VMEM_TIMEZON", "")  # not given
    assert load(root)["timezone"] == "UTC"
    monkeypatch.setenv("VMEM_TIMEZON", "Europe/Berlin")
    with pytest.raises(ConfigError, match="VMEM_TIMEZON: no such setting") as caught:
        load(root)
    assert caught.value.hint is not None
    assert "did you mean VMEM_TIMEZONE?" in caught.value.hint


def test_all_faults_are_found_and_the_rest_is_read(root: Path, home: Path) -> None:
    own = machine_file(home, "= 1\n")
    settings_file(root, 'timezon = "UTC"\nrecall_tokens = 7\nstrategy = "best"\n')
    settings, faults = survey(root)
    assert settings["recall_tokens"] == 7
    assert [(Path(fault.file), fault.key, fault.line) for fault in faults] == [
        (own, "", 1),
        (root / ".vmem" / "config.toml", "timezon", 2),
        (root / ".vmem" / "config.toml", "strategy", 4),
    ]


def test_the_table_in_the_docs_writes_flags_and_lists_as_a_file_does() -> None:
    table = table_markdown()
    assert "| `inline_tags` | `true` |" in table
    assert "| `exclude` | (empty) |" in table
    assert "| `timezone` | `UTC` |" in table


def test_a_file_of_which_every_key_is_wrong_is_read_but_a_few_times(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings_file(
        root,
        "".join(f"k{number} = 1\n" for number in range(50))
        + "".join(f"[agents.a{number}]\nno = 1\n" for number in range(50)),
    )
    readings: list[str] = []
    pieces = tomlline._pieces

    def counted(text: str) -> Iterator[tomlline.Statement]:
        readings.append(text)
        return pieces(text)

    monkeypatch.setattr(tomlline, "_pieces", counted)
    _, faults = survey(root)
    assert [fault.line for fault in faults] == [*range(2, 52), *range(53, 153, 2)]
    assert len(readings) == 2
