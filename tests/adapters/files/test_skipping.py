"""What a look passes over: folders that git ignores, what a person leaves out; never where vmem writes."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.adapters.files.placed import paths, put
from tests.gitrun import Git
from vault_memory.adapters.files.layout import create_layout
from vault_memory.adapters.files.tree import VaultFiles


def test_folders_that_git_ignores_are_passed_over_and_named(files: VaultFiles, vault: Path) -> None:
    put(vault, "in.md", "build/a.md", "deep/build/a.md", "deep/in.md", "web/out/a.md", "other/out/in.md")
    (vault / ".gitignore").write_text("build/\n")
    (vault / "web" / ".gitignore").write_text("/out\n")
    assert paths(files) == ["deep/in.md", "in.md", "other/out/in.md"]
    assert files.scan().skipped == (
        ("build", "git ignores it"),
        ("deep/build", "git ignores it"),
        ("web/out", "git ignores it"),
    )


def test_single_notes_that_git_ignores_are_found(files: VaultFiles, vault: Path) -> None:
    put(vault, "in.md", "diary/in.md", "diary/deep/in.md")
    (vault / ".gitignore").write_text("*.md\ndiary/*.md\n")
    assert paths(files) == ["diary/deep/in.md", "diary/in.md", "in.md"]


@pytest.mark.parametrize("rules", ["private/\nshared/\nnotes/\nbuild/\n", "*\n"])
def test_what_vmem_writes_to_is_looked_into_whatever_git_ignores(
    files: VaultFiles, vault: Path, rules: str
) -> None:
    put(vault, "private/akashi/in.md", "shared/build/in.md", "shared/node_modules/in.md", "notes/in.md")
    put(vault, "build/a.md", "node_modules/a.md")
    (vault / ".gitignore").write_text(rules)
    (vault / "shared" / ".gitignore").write_text(rules)
    assert paths(files) == [
        "notes/in.md", "private/akashi/in.md", "shared/build/in.md", "shared/node_modules/in.md",
    ]  # fmt: skip


def test_an_inbox_of_ones_own_is_looked_into_with_the_folders_above_it(vault: Path) -> None:
    put(vault, "drafts/inbox/in.md", "drafts/other/a.md")
    (vault / ".gitignore").write_text("drafts/\nother/\n")
    assert paths(VaultFiles(vault)) == []
    assert paths(VaultFiles(vault, inbox="drafts/inbox")) == ["drafts/inbox/in.md"]


def test_the_rules_of_the_repository_around_hold_too(tmp_path: Path, git: Git) -> None:
    top, vault = tmp_path / "code", tmp_path / "code" / "docs" / "memory"
    create_layout(vault, "format = 1\n")
    git(top, "init", "--quiet")
    put(vault, "in.md", "build/a.md", "deep/out/a.md", "deep/in.md")
    (top / ".gitignore").write_text("build/\n/deep/\n/memory/\n")
    (top / "docs" / ".gitignore").write_text("/memory/deep/out/\n")
    assert paths(VaultFiles(vault)) == ["deep/in.md", "in.md"]
    (top / ".git").rename(top / "no-repository")
    assert paths(VaultFiles(vault)) == ["build/a.md", "deep/in.md", "deep/out/a.md", "in.md"]


@pytest.mark.parametrize("rule", ["*", "memory/", "docs/"])
def test_a_vault_that_is_ignored_as_a_whole_keeps_its_notes(tmp_path: Path, git: Git, rule: str) -> None:
    top, vault = tmp_path / "code", tmp_path / "code" / "docs" / "memory"
    create_layout(vault, "format = 1\n")
    git(top, "init", "--quiet")
    (top / ".gitignore").write_text(f"{rule}\nbuild/\n")
    put(vault, "birds/in.md", "build/in.md")
    assert paths(VaultFiles(vault)) == ["birds/in.md", "build/in.md"]


def test_a_person_leaves_out_and_brings_back(vault: Path) -> None:
    put(vault, "_templates/a.md", "in.md", "sketch.excalidraw.md", "drafts/in.md", "old/a.md", "old/in.md")
    put(vault, "shared/_templates/in.md", "shared/x.excalidraw.md")
    (vault / ".gitignore").write_text("drafts/\n")
    lines = ["_templates/", "*.excalidraw.md", "!drafts/", "old/*", "!old/in.md"]
    files = VaultFiles(vault, exclude=lines)
    assert paths(files) == [
        "drafts/in.md", "in.md", "old/in.md", "shared/_templates/in.md", "shared/x.excalidraw.md",
    ]  # fmt: skip
    assert files.scan().skipped == (("_templates", "the setting exclude leaves it out"),)


def test_rules_that_cant_be_read_leave_nothing_out(files: VaultFiles, vault: Path, tmp_path: Path) -> None:
    put(vault, "a/in.md", "b/in.md", "c/in.md")
    (tmp_path / "rules").write_text("in.md\n*\n")
    (vault / ".gitignore").symlink_to(tmp_path / "rules")  # git follows no link either
    (vault / "a" / ".gitignore").mkdir()
    (vault / "b" / ".gitignore").write_bytes(b"\xff\xfe\x00*\n")
    assert paths(files) == ["a/in.md", "b/in.md", "c/in.md"]


def test_thirty_thousand_ignored_files_cost_next_to_nothing(files: VaultFiles, vault: Path) -> None:
    put(vault, *(f"notes/{number}.md" for number in range(200)))
    before = _seconds(files)
    for folder in ("node_modules", "vendor"):
        for package in range(30):
            (vault / folder / str(package)).mkdir(parents=True)
            for number in range(500):
                (vault / folder / str(package) / f"{number}.md").touch()
    (vault / ".gitignore").write_text("vendor/\n")
    assert len(paths(files)) == 200
    assert _seconds(files) < before + 0.05


def _seconds(files: VaultFiles) -> float:
    """The best of several looks: others are at work on this machine too."""
    taken = []
    for _ in range(5):
        start = time.perf_counter()
        files.scan()
        taken.append(time.perf_counter() - start)
    return min(taken)
