"""No test sees the machine it runs on."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pygit2

from tests.gitrun import Git
from tests.machine import EMAIL, NAME, environment

HOSTILE = {
    "GIT_DIR": "/elsewhere/.git",
    "GIT_INDEX_FILE": "/elsewhere/index",
    "GIT_AUTHOR_NAME": "Somebody Else",
    "VMEM_VAULT": "/elsewhere",
    "LC_ALL": "de_DE.UTF-8",
    "TZ": "Asia/Kathmandu",
    "FORCE_COLOR": "1",
    "COLUMNS": "20",
    "EDITOR": "vim",
    "HOME": "/home/somebody",
    "XDG_CONFIG_HOME": "/home/somebody/.config",
    "PATH": "/usr/bin",
}


def test_nothing_of_the_outer_environment_but_the_path_survives(tmp_path: Path) -> None:
    kept = environment(HOSTILE, tmp_path)
    assert {name for name, value in HOSTILE.items() if kept.get(name) == value} == {"PATH"}
    assert kept["HOME"] == str(tmp_path)
    assert kept["TZ"] == "UTC"


def test_a_test_lives_in_its_own_home(home: Path) -> None:
    assert Path.home() == home
    assert os.environ["XDG_CONFIG_HOME"] == str(home / ".config")
    given = {name: value for name, value in os.environ.items() if name.startswith(("VMEM_", "GIT_DIR"))}
    assert given == {"VMEM_RESIDENT": "off"}
    assert time.tzname[0] == "UTC"


def test_what_one_test_leaves_in_the_environment_the_next_does_not_see() -> None:
    assert "VMEM_LEFT_BEHIND" not in os.environ
    os.environ["VMEM_LEFT_BEHIND"] = "1"


def test_nor_does_the_next() -> None:
    assert "VMEM_LEFT_BEHIND" not in os.environ


def test_git_commits_as_the_test_person(git: Git, repo: Path) -> None:
    (repo / "note.md").write_text("a note\n", encoding="utf-8")
    git(repo, "add", "note.md")
    git(repo, "commit", "--quiet", "--message", "a note")
    assert git(repo, "log", "--format=%an <%ae> %s") == f"{NAME} <{EMAIL}> a note"
    assert git(repo, "branch", "--show-current") == "main"


def test_git_reads_the_home_and_nothing_of_the_system(git: Git, repo: Path) -> None:
    scopes = {line.split("\t")[0] for line in git(repo, "config", "--list", "--show-scope").splitlines()}
    assert scopes == {"global", "local"}


def test_libgit2_reads_the_same(home: Path, repo: Path) -> None:
    with (home / ".gitconfig").open("a", encoding="utf-8") as config:
        config.write("[vmem]\n\ttest = here\n")
    entries = list(pygit2.Repository(str(repo)).config)
    assert {entry.name: entry.value for entry in entries}["vmem.test"] == "here"
    assert pygit2.enums.ConfigLevel.SYSTEM not in {entry.level for entry in entries}
