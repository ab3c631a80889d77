"""Eight processes remember at the same time: every memory is a file and a commit of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.crash.witness import (
    broken_objects,
    commits_since,
    files_of,
    look,
    pending,
    strays,
    unlike_a_rebuild,
)
from tests.gitrun import run_git
from vault_memory.vault import Vault

PROCESSES = 8
TWENTY_FIVE_TIMES = """
import sys
from vault_memory.surfaces.cli.app import main
for number in range(25):
    line = ["--vault", sys.argv[1], "--agent", sys.argv[2], "remember", f"{number} by {sys.argv[2]}"]
    code = main([*line, "--title", f"Note {number}", "--namespace", "market", "--require-commit"])
    if code:
        sys.exit(code)
"""


def at_once(command: Callable[[str], list[str]]) -> None:
    """Run the command in eight processes, each with an agent's name of its own."""
    running = [
        subprocess.Popen(
            command(f"agent-{number}"),
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )
        for number in range(PROCESSES)
    ]  # fmt: skip
    for process in running:
        _, said = process.communicate()
        assert process.returncode == 0, said


def check(root: Path, tmp_path: Path, count: int) -> None:
    """So many files and commits, each of one file; nothing left over; the index as if made anew."""
    assert len(files_of(root)) == count
    commits = commits_since(root, "")[1:]
    assert len(commits) == count
    assert {len(commit) for commit in commits} == {3}
    assert len({commit[2].split()[-1] for commit in commits}) == count
    assert all(commit[2].startswith("A ") for commit in commits)
    assert look(root).status == {}
    assert broken_objects(root) == ""
    assert strays(root) == []
    assert pending(root) == 0
    with Vault.open(root) as vault:
        assert unlike_a_rebuild(vault, tmp_path / "copy") == []


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A vault whose settings are committed."""
    folder = Vault.create(tmp_path / "memory").root
    run_git(folder, "add", ".vmem")
    run_git(folder, "commit", "-qm", "settings")
    return folder


@pytest.mark.slow
def test_eight_processes_remember_twenty_five_each_in_two_hundred_commits(root: Path, tmp_path: Path) -> None:
    at_once(lambda agent: [sys.executable, "-c", TWENTY_FIVE_TIMES, str(root), agent])
    check(root, tmp_path, PROCESSES * 25)


def test_eight_commands_at_once_wait_for_each_other(root: Path, tmp_path: Path) -> None:
    """With different texts under one title, so that they want one file name."""
    vmem = [str(Path(sys.executable).with_name("vmem")), "--vault", str(root)]
    told = ["--title", "Same", "--namespace", "market", "--require-commit"]
    at_once(lambda agent: [*vmem, "--agent", agent, "remember", f"by {agent}", *told])
    check(root, tmp_path, PROCESSES)
