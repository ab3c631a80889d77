"""The tables of a policy in files: what is wrong is told with its line, and what may be meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.forked import run_vmem
from vault_memory.config.load import load, survey
from vault_memory.config.settings import table_markdown
from vault_memory.errors import ConfigError
from vault_memory.facets.configuration import Configuration
from vault_memory.model.namespace import PERSON


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".vmem").mkdir()
    return tmp_path


def settings_file(root: Path, text: str) -> Path:
    file = root / ".vmem" / "config.toml"
    file.write_text(f"format = 1\n{text}", encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("text", "line", "key", "says"),
    [
        ("[agents.akashi]\nreadonly = 'yes'\n", 3, "agents.akashi.readonly", "it takes true or false"),
        ("[agents.akashi]\nread_only = true\n", 3, "agents.akashi.read_only", "did you mean 'readonly'?"),
        ("[agents.akashi]\nquota = 3\n", 3, "agents.akashi.quota", "quota_"),
        ("[agents.akashi]\nquota_files = -1\n", 3, "agents.akashi.quota_files", "a whole number"),
        ("[agents.akashi]\nquota_files = true\n", 3, "agents.akashi.quota_files", "a whole number"),
        ("[agents.akashi]\nquota_bytes = '1MB'\n", 3, "agents.akashi.quota_bytes", "whole number of bytes"),
        ("[agents.akashi]\nreview = true\n", 3, "agents.akashi.review", "required or never"),
        ("[agents.akashi]\ncapture = 'all'\n", 3, "agents.akashi.capture", "inbox, propose or off"),
        ("[agents.akashi]\nreads = 'market'\n", 3, "agents.akashi.reads", "a list of namespaces"),
        ("[agents.akashi]\nreads = ['private/mira']\n", 3, "agents.akashi.reads", "a list of namespaces"),
        ("[agents.akashi]\nreads = ['\u0455hared/x']\n", 3, "agents.akashi.reads", "a list of"),
        ("[agents.akashi]\nwrites = ['../x']\n", 3, "agents.akashi.writes", "a list of namespaces"),
        ("[agents.Akashi]\n", 2, "agents.Akashi", "did you mean 'akashi'?"),
        ('[agents."akashı"]\n', 2, 'agents."akashı"', "named after an agent"),
        ('[agents."аka"]\n', 2, 'agents."аka"', ""),
        ('[agents."Ákashi"]\n', 2, 'agents."Ákashi"', "did you mean 'akashi'?"),
        ("[agents]\nakashi = 3\n", 3, "agents.akashi", "it is a table: [agents.akashi]"),
        ("agents = 3\n", 2, "agents", "it takes tables: [agents.NAME]"),
        ("[[agents]]\nakashi = 3\n", 2, "agents", "it takes tables: [agents.NAME]"),
        ("[namespaces.market]\nreaders = ['Mira']\n", 3, "namespaces.market.readers", "agents' names"),
        ("[namespaces.market]\nreader = ['mira']\n", 3, "namespaces.market.reader", "'readers'?"),
        ("[namespaces.market]\nreview = 'never'\ncapture = 'off'\n", 4, "namespaces.market.capture", ""),
        ('[namespaces."private/mira"]\n', 2, 'namespaces."private/mira"', ""),
        ('[namespaces."Shared/x"]\n', 2, 'namespaces."Shared/x"', ""),
        ("[namespaces.market]\n[namespaces.Market]\n", 3, "namespaces.Market", "keep one of the two"),
        ('[namespaces."shared/ops"]\n[namespaces.ops]\n', 3, "namespaces.ops", "keep one of the two"),
        ("[agents.akashi]\nreview = 'never'\nzone = 'UTC'\n", 4, "agents.akashi.zone", "there are: readonly"),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_file_line_key_and_what_is_meant(
    root: Path, text: str, line: int, key: str, says: str
) -> None:
    file = settings_file(root, text)
    with pytest.raises(ConfigError) as caught:
        load(root)
    error = caught.value
    assert (error.file, error.line, error.key) == (str(file), line, key)
    assert says in str(error.hint)
    assert error.exit_code == 78


def test_a_fault_in_one_table_keeps_no_other_from_being_found(root: Path) -> None:
    settings_file(
        root,
        "[agents.akashi]\nreadonly = 1\nreview = 'required'\n[agents.mira]\nx = 1\n[namespaces.a]\ny = 1\n",
    )
    settings, faults = survey(root)
    assert [(fault.key, fault.line) for fault in faults] == [
        ("agents.akashi.readonly", 3), ("agents.mira.x", 6), ("namespaces.a.y", 8),
    ]  # fmt: skip
    assert settings["agents"]["akashi"] == {"review": "required"}


def test_the_tables_of_two_places_are_put_together_key_by_key(root: Path, home: Path) -> None:
    own = home / ".config" / "vault-memory" / "config.toml"
    own.parent.mkdir(parents=True)
    own.write_text("[agents.akashi]\nreadonly = true\nquota_files = 3\n[agents.mira]\nreview = 'required'\n")
    settings_file(root, '[agents.akashi]\nquota_files = 9\n[namespaces."ops/db"]\nreaders = ["mira"]\n')
    settings = load(root)
    assert settings["agents"] == {
        "akashi": {"readonly": True, "quota_files": 9},
        "mira": {"review": "required"},
    }
    assert settings["namespaces"] == {"shared/ops/db": {"readers": ("mira",)}}
    assert load(root, flags={"agents": {"mira": {"readonly": True}}})["agents"]["mira"] == {
        "review": "required", "readonly": True,
    }  # fmt: skip


def test_no_variable_changes_a_policy(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings_file(root, "[agents.akashi]\nreadonly = true\n")
    monkeypatch.setenv("VMEM_AGENTS", "{}")
    with pytest.raises(ConfigError, match="VMEM_AGENTS: no such setting"):
        load(root)


def test_the_settings_are_shown_and_the_docs_have_them(root: Path) -> None:
    settings_file(root, "[agents.akashi]\nreads = ['market']\n")
    shown = Configuration(root).explain("agents")
    assert shown.holds.written == '{akashi = {reads = ["shared/market"]}}'
    assert shown.holds.origin.endswith("config.toml")
    assert not shown.by_variable
    assert "| `agents` | (empty) |" in table_markdown()


def test_one_line_holds_a_policy_and_tables_are_for_the_editor(root: Path) -> None:
    configuration = Configuration(root)
    file = settings_file(root, "")
    configuration.put(PERSON, "agents", "{akashi = {readonly = true}}", shared=True)
    assert load(root)["agents"] == {"akashi": {"readonly": True}}
    with pytest.raises(ConfigError, match=r"agents\.akashi\.readonl: no such key"):
        configuration.put(PERSON, "agents", "{akashi = {readonl = true}}", shared=True)
    assert configuration.take_out(PERSON, "agents").changed
    before = settings_file(root, "[agents.akashi]\nreadonly = true\n").read_bytes()
    with pytest.raises(ConfigError, match=r"config\.toml:2: agents: is written in tables of its own"):
        configuration.take_out(PERSON, "agents")
    with pytest.raises(ConfigError, match="can't be changed"):
        configuration.put(PERSON, "agents", "{}", shared=True)
    assert file.read_bytes() == before


def test_an_agent_may_look_at_the_policy_and_not_change_it(root: Path) -> None:
    import os

    settings_file(root, "[agents.akashi]\nreadonly = true\n")
    for words in (["config", "agents", "{}"], ["config", "agents", "--unset"], ["config", "review", "x"]):
        ran = run_vmem(["--agent", "akashi", *words], stdin=b"", environment=os.environ, cwd=root)
        assert ran.returncode == 77, ran
    ran = run_vmem(["--agent", "akashi", "config", "agents"], stdin=b"", environment=os.environ, cwd=root)
    assert ran.stdout == b"{akashi = {readonly = true}}\n"
