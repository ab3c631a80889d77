"""What lies in a vault before it has an index: `vmem lint FILE` finds the same, and makes none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ops.test_lint import CASES, TOKEN, lines, note, vault_of
from vault_memory.model.namespace import PERSON, Scope
from vault_memory.ops import stock
from vault_memory.ops.stock import by_files, by_index
from vault_memory.vault import Vault

ALL = {name: content for bad, _, _ in CASES.values() for name, content in bad.items()}
ODD: dict[str, str | bytes] = {
    "wide.md": "title".encode("utf-16"),
    "zero.md": b"a\x00b",
    "half.md": '---\ntitle: "\\uD800 x"\naliases: ["\\0", b]\n---\n[[wide]] [[nobody]]\n',
    "large.md": "x" * 5_000,
    "private/akashi/own.md": note("[[wide]]", id="X"),
    "private/mira/hers.md": note("[[wide]]", id="x"),
    "private/stray.md": note(),
}


def is_unmade(vault: Vault) -> bool:
    return not vault.index.entries(PERSON) and vault._opened.ports.index.generation == 0


@pytest.mark.parametrize("agent", [None, "akashi"])
def test_the_files_tell_what_the_index_tells(tmp_path: Path, agent: str | None) -> None:
    scope = Scope(agent)
    with vault_of(tmp_path, ALL | ODD, max_file_bytes=4_096) as vault:
        ports = vault._opened.ports
        found = by_files(ports, vault.settings.zone, scope)
        assert is_unmade(vault)
        vault.index.refresh(vectors=False)
        assert by_files(ports, vault.settings.zone, scope) is None
        known = by_index(ports, scope)
    assert found is not None
    assert found.entries == known.entries
    assert found.links == known.links
    assert sorted(found.findings, key=lambda one: (one.path, one.line)) == known.findings
    assert found.odd == known.odd
    assert "large.md" in [path for path, _ in found.odd]
    assert ("private/mira/hers.md" in [one.path for one in found.entries]) is (agent is None)


def test_lint_of_given_files_finds_the_same_before_there_is_an_index_and_makes_none(tmp_path: Path) -> None:
    files = ALL | ODD
    with vault_of(tmp_path, files) as vault:
        before = {path: vault.upkeep.lint(PERSON, paths=[path], everything=True) for path in files}
        assert is_unmade(vault)
        vault.index.refresh(vectors=False)
        for path, report in before.items():
            assert report == vault.upkeep.lint(PERSON, paths=[path], everything=True)
    assert sum(len(report.findings) for report in before.values()) > len(files)


def test_lint_of_the_whole_vault_makes_the_index(tmp_path: Path) -> None:
    with vault_of(tmp_path, {"a.md": note(TOKEN)}) as vault:
        report = vault.upkeep.lint(PERSON)
        assert not is_unmade(vault)
    assert report.notices == ("built the search index: there was no index yet",)


def test_of_very_many_files_the_index_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stock, "MOST", 2)
    with vault_of(tmp_path, {f"{name}.md": note("[[nobody.md]]") for name in "abc"}) as vault:
        report = vault.upkeep.lint(PERSON, paths=["a.md"], rules=["broken-link"])
        assert not is_unmade(vault)
        assert lines(report) == [("VM034", "a.md", 1)]


def test_an_index_that_is_kept_in_memory_is_told_of(tmp_path: Path) -> None:
    Vault.create(tmp_path)
    (tmp_path / "a.md").write_text(note())
    (tmp_path / ".vmem/local/index.db").mkdir()
    with Vault.open(tmp_path) as vault:
        assert "searching from memory" in " ".join(vault.upkeep.lint(PERSON, paths=["a.md"]).notices)
