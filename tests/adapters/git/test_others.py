"""The system's list of processes tells which gits are at work in a working tree."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.gitrun import run_git
from vault_memory.adapters.git import others, processes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="told by /proc, which only Linux has")

HOOK = "#!/bin/sh\ntouch .git/began\nwhile [ ! -e .git/go ]; do sleep 0.02; done\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    root.mkdir()
    run_git(root, "init", "--quiet", "--initial-branch=main")
    (root / ".git/hooks").mkdir(exist_ok=True)
    return root


@contextmanager
def running(root: Path, hook: str, *words: str) -> Iterator[None]:
    """A git that waits in one of its hooks."""
    file = root / ".git/hooks" / hook
    file.write_text(HOOK)
    file.chmod(0o755)
    with subprocess.Popen(["git", *words], cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
        until = time.monotonic() + 30
        while not (root / ".git/began").exists():
            assert time.monotonic() < until
            time.sleep(0.01)
        try:
            yield
        finally:
            (root / ".git/go").touch()
    file.unlink()
    (root / ".git/began").unlink()
    (root / ".git/go").unlink()


def test_a_command_of_several_steps_is_at_work_in_its_own_working_tree(repository: Path) -> None:
    run_git(repository, "commit", "--quiet", "--allow-empty", "-m", "first")
    beside = repository.with_name("repository-2")
    beside.mkdir()
    (repository / "below").mkdir()
    with running(repository, "post-checkout", "-c", "core.abbrev=9", "switch", "--quiet", "-c", "mine"):
        assert others.at_work(str(repository))
        assert not others.at_work(str(repository / "below"))
        assert not others.at_work(str(beside))
    assert not others.at_work(str(repository))


def test_a_commit_that_waits_for_a_person_is_not(repository: Path) -> None:
    with running(repository, "pre-commit", "commit", "--quiet", "--allow-empty", "-m", "switch"):
        assert not others.at_work(str(repository))


def test_the_git_that_runs_us_as_a_hook_is_not_waited_for(repository: Path, tmp_path: Path) -> None:
    run_git(repository, "commit", "--quiet", "--allow-empty", "-m", "first")
    told = tmp_path / "told"
    hook = repository / ".git/hooks/post-checkout"
    call = f"from vault_memory.adapters.git import others; print(others.at_work({str(repository)!r}))"
    hook.write_text(f'#!/bin/sh\nexec {sys.executable} -P -c "{call}" > {told}\n')
    hook.chmod(0o755)
    run_git(repository, "switch", "--quiet", "-c", "mine")
    assert told.read_text() == "False\n"


def test_where_the_system_does_not_tell_nobody_is(
    repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(processes, "PROCESSES", os.fspath(tmp_path / "none"))
    assert not others.at_work(str(repository))
