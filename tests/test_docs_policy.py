"""docs/policy.md: its tables are those of the program, its settings do what it says, its sessions hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from vault_memory.config.load import load
from vault_memory.config.tables import AGENTS, NAMESPACES, keys_markdown
from vault_memory.errors import ConfigError, QuotaError
from vault_memory.model.namespace import Scope
from vault_memory.model.policy import Policy, policy_from

PAGE = (Path(__file__).parent.parent / "docs" / "policy.md").read_text(encoding="utf-8")
[EXAMPLE] = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".vmem").mkdir()
    (tmp_path / ".vmem" / "config.toml").write_text(f"format = 1\n\n{EXAMPLE}", encoding="utf-8")
    return tmp_path


@pytest.fixture
def policy(root: Path) -> Policy:
    """The example's."""
    return policy_from(load(root).values)


@pytest.mark.parametrize(("name", "names"), [("agents", AGENTS), ("namespaces", NAMESPACES)])
def test_the_tables_of_keys_are_those_of_the_program(name: str, names: object) -> None:
    [table] = re.findall(rf"<!-- {name} -->\n(.*?)<!-- /{name} -->", PAGE, re.DOTALL)
    assert table == keys_markdown(names)  # type: ignore[arg-type]  # one of the two


def test_the_example_means_what_its_remarks_say(policy: Policy) -> None:
    akashi, mira, bo = (Scope(name, policy=policy) for name in ("akashi", "mira", "bo"))
    reads = [akashi.may_read(f"shared/{one}/x.md") for one in ("market", "ops", "ops/db", "plans")]
    writes = [akashi.may_write(f"shared/{one}/x.md") for one in ("market", "ops", "ops/db", "plans")]
    assert (reads, writes) == ([True, True, False, False], [True, False, False, False])
    assert akashi.rights.quotas[0].files == 500
    for other in (mira, bo):
        assert other.must_propose("shared/market/x.md")
        assert other.may_propose("shared/market/x.md")
        assert other.may_write(f"private/{other.agent}/x.md")
    assert (mira.may_read("shared/ops/db/deep/x.md"), bo.may_read("shared/ops/db/deep/x.md")) == (True, False)
    assert not mira.may_propose("shared/ops/db/x.md")


def test_the_messages_on_the_page_are_those_that_come(root: Path) -> None:
    config = root / ".vmem" / "config.toml"
    config.write_text(f"{config.read_text(encoding='utf-8')}[agents.Akashi]\n", encoding="utf-8")
    with pytest.raises(ConfigError) as faulty:
        load(root)
    assert str(config) in faulty.value.message
    assert f"2> vmem: /home/ann/memory{faulty.value.message.removeprefix(str(root))}\n" in PAGE
    assert f"2>       {faulty.value.hint}\n" in PAGE
    full = QuotaError("akashi", "agents.akashi", "quota_files", used=500, more=1, most=500)
    assert f"2> vmem: {full.message}\n2>       {full.hint}\n" in PAGE
