"""`vmem log` says that there is more where it stops by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gitrun import Git
from vault_memory.surfaces.cli.app import main
from vault_memory.surfaces.cli.commands.log import SHOWN
from vault_memory.vault import Vault


def test_a_log_that_goes_on_says_so_unless_a_number_was_named(
    tmp_path: Path, home: Path, git: Git, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "memory"
    Vault.create(root)
    monkeypatch.chdir(root)
    note = root / "note.md"
    for number in range(SHOWN + 1):
        note.write_text(f"number {number}\n")
        git(root, "add", "note.md")
        git(root, "commit", "--quiet", "-m", f"Number {number}")
        capsys.readouterr()
        if number == SHOWN - 1:
            assert main(["log"]) == 0
            assert capsys.readouterr().err == ""
    assert main(["log"]) == 0
    said = capsys.readouterr()
    assert (said.out.count("\n"), "Number 0\n" in said.out) == (SHOWN, False)
    assert said.err == f"vmem: these are the newest {SHOWN}; --limit N shows more\n"
    assert main(["log", "--limit", "3"]) == 0
    said = capsys.readouterr()
    assert (said.out.count("\n"), said.err) == (3, "")
    assert main(["log", "--json"]) == 0
    assert capsys.readouterr().out.count('"commit"') == SHOWN
