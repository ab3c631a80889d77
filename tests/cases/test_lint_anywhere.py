"""Lint where it is run: in a fresh clone, a hook, CI, a vault that may not be written, on a terminal."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cases.doors import REPOSITORY
from tests.cases.nobody import nobodys_vault
from tests.forked import run_vmem
from tests.gitrun import Git
from tests.transcripts.test_terminal import on_terminal
from vault_memory.vault import Vault

ID = "01K8ZQ4T7R3M5N9V2XW6Y0ABCD"
BAD = "---\ntitle: Plan: phase two\n---\nText\n"
GOOD = f'---\nid: "{ID}"\n---\nText\n'


@pytest.fixture
def root(home: Path, git: Git) -> Path:
    """A vault with one bad and one good note, committed."""
    root = home / "memory"
    Vault.create(root)
    (root / "notes").mkdir()
    (root / "notes" / "bad.md").write_text(BAD)
    (root / "notes" / "good.md").write_text(GOOD)
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "notes")
    return root


def lint(*argv: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    done = run_vmem(["lint", *argv], stdin=b"", environment=os.environ, cwd=cwd)
    return subprocess.CompletedProcess(argv, done.returncode, done.stdout.decode(), done.stderr.decode())


def test_a_fresh_clone_is_linted_in_one_go_and_nothing_tracked_changes(
    root: Path, home: Path, git: Git
) -> None:
    git(home, "clone", "--quiet", "memory", "clone")
    clone = home / "clone"
    named = lint("notes/bad.md", cwd=clone)
    assert named.returncode == 1
    assert named.stdout.startswith("notes/bad.md:2   VM012  ")
    assert lint("notes/good.md", cwd=clone).returncode == 0
    assert git(clone, "status", "--porcelain") == ""
    log = json.loads(lint("--format", "sarif", cwd=clone / "notes").stdout)
    assert [result["ruleId"] for result in log["runs"][0]["results"]] == ["VM012"]


def test_paths_are_those_of_the_repository_where_ci_reads_them(home: Path, git: Git) -> None:
    top = home / "code"
    top.mkdir()
    git(top, "init", "--quiet")
    Vault.create(top / "docs" / "vault")
    (top / "docs" / "vault" / "bad.md").write_text(BAD)
    (top / "README.md").write_text("no memory\n")
    asked = ("--vault", "docs/vault", "README.md", "docs/vault/bad.md")
    said = lint(*asked, "--format", "github", cwd=top)
    assert said.stdout.startswith("::error file=docs/vault/bad.md,line=2,title=VM012 not-yaml::")
    assert said.stderr.splitlines()[0] == "vmem: README.md lies outside of the vault and was left out"
    assert lint("--vault", "docs/vault", "README.md", cwd=top).returncode == 0
    nothing = lint("--vault", "docs/vault", "README.md", "--json", cwd=top)
    assert json.loads(nothing.stdout)["findings"] == []


def test_a_hook_stops_the_commit_of_a_bad_note_and_lets_a_good_one_through(root: Path, git: Git) -> None:
    hook = root / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(
        "#!/bin/sh\ngit diff --cached --name-only --diff-filter=d -z -- '*.md' |\n"
        f"PYTHONPATH='{REPOSITORY}' xargs -0 '{sys.executable}' -m vault_memory lint\n"
    )
    hook.chmod(0o755)
    (root / "notes" / "new.md").write_text("New\n")
    git(root, "add", "notes/new.md")
    git(root, "commit", "--quiet", "--message", "good")
    (root / "copy of good.md").write_text(GOOD)
    git(root, "add", "copy of good.md")
    with pytest.raises(AssertionError, match="git commit"):
        git(root, "commit", "--quiet", "--message", "bad")
    assert git(root, "log", "-1", "--format=%s") == "good"
    assert git(root, "status", "--porcelain") == 'A  "copy of good.md"'


def test_a_vault_that_may_not_be_written_is_linted_and_fix_says_why_it_cannot() -> None:
    with nobodys_vault() as theirs:
        theirs.write("bad.md", BAD)
        theirs.write("twin-a.md", GOOD)
        theirs.write("twin-b.md", GOOD)
        for place in (theirs.root, *theirs.root.rglob("*")):
            if ".git" not in place.parts[-3:]:
                place.chmod(0o555 if place.is_dir() else 0o444)
        try:
            told, fixed = theirs.several([["lint", "--json"], ["lint", "--fix", "--yes"]])
        finally:
            for place in (theirs.root, *theirs.root.rglob("*")):
                place.chmod(0o755 if place.is_dir() else 0o644)
        assert told.code == 1
        assert [one["code"] for one in told.value["findings"]] == ["VM012", "VM031"]
        assert fixed.code != 0
        assert (theirs.root / "twin-b.md").read_text() == GOOD


@pytest.mark.parametrize(("typed", "mended"), [(b"y\n", True), (b"n\n", False)])
def test_on_a_terminal_fix_lists_what_it_would_change_and_asks(
    typed: bytes, mended: bool, root: Path, git: Git
) -> None:
    (root / "notes" / "copy.md").write_text(GOOD)
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "copied")
    code, shown = on_terminal("lint", "--fix", "--ignore", "VM012", cwd=root, typed=typed)
    assert shown.index("1 file can be mended") < shown.index("Mend it in one commit? [y/N]")
    assert code == (0 if mended else 1)
    texts = {(root / "notes" / name).read_text() for name in ("good.md", "copy.md")}
    assert (texts == {GOOD}) is not mended
    assert git(root, "log", "-1", "--format=%s").startswith("fix: " if mended else "copied")
