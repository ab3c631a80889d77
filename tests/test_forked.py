"""A forked `vmem` answers as a started one does, and is a process of its own."""

from __future__ import annotations

import fcntl
import os
import stat
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests import forked
from tests.forked import Bytes, run_vmem
from vault_memory.vault import Vault


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A vault with a memory, and a stem that has been asked often enough to be there."""
    Vault.create(tmp_path / "memory")
    with Vault.open(tmp_path / "memory") as vault:
        vault.person.remember("The heron flies over the harbour", title="Heron")
    for _ in range(forked.WORTH_IT):
        ask(tmp_path / "memory", "--version")
    assert all(stem.lives for stem in forked._stems.values())
    return tmp_path / "memory"


def ask(
    root: Path, *argv: str, stdin: bytes = b"", more: Mapping[str, str] | None = None, seconds: float = 60.0
) -> Bytes:
    return run_vmem(argv, stdin=stdin, environment={**os.environ, **(more or {})}, cwd=root, seconds=seconds)


CALLS = (
    ("recall", "heron"), ("show", "nowhere", "--json"), ("list", "--help"), ("no-such-command",),
    ("remember", "The heron flies over the harbour"),
)  # fmt: skip


def test_it_says_what_a_started_one_says(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quickly = [ask(root, *argv) for argv in CALLS]
    monkeypatch.setenv(forked.FRESH, "1")
    for argv, quick in zip(CALLS, quickly, strict=True):
        started = ask(root, *argv)
        assert (quick.returncode, quick.stdout, quick.stderr) == (
            started.returncode,
            started.stdout,
            started.stderr,
        ), argv
    assert {one.returncode for one in quickly} == {0, 2, 3}


def test_it_has_the_folder_the_variables_and_the_mask_that_it_is_given(root: Path, tmp_path: Path) -> None:
    assert ask(root, "list", "--json").returncode == 0
    assert ask(tmp_path, "list", "--json").returncode == 3
    mira = ask(root, "remember", "A note of hers", "--title", "Hers", more={"VMEM_AGENT": "mira"})
    assert b"private/mira/hers.md" in mira.stdout
    before = os.umask(0o077)
    try:
        ask(root, "remember", "For nobody else", "--title", "Own")
    finally:
        os.umask(before)
    assert stat.S_IMODE((root / "notes" / "own.md").stat().st_mode) == 0o600
    ask(root, "remember", "For all", "--title", "All")
    assert stat.S_IMODE((root / "notes" / "all.md").stat().st_mode) == 0o666 & ~before


def test_it_reads_and_writes_more_than_a_pipe_holds(root: Path) -> None:
    long = "persimmon " * 20_000
    written = ask(root, "remember", "-", "--title", "Long", stdin=long.encode())
    assert written.returncode == 0, written.stderr
    assert long.strip().encode() in ask(root, "show", "Long").stdout
    assert ask(root, "show", "Heron", stdin=long.encode()).returncode == 0


def test_one_that_takes_too_long_is_ended(root: Path) -> None:
    with (root / ".vmem" / "local" / "lock").open("rb+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(subprocess.TimeoutExpired):
            ask(root, "remember", "In vain", more={"VMEM_LOCK_SECONDS": "50"}, seconds=0.5)
    assert ask(root, "remember", "And on").returncode == 0


def test_what_counts_at_the_start_of_python_is_started(root: Path) -> None:
    loud = {"PYTHONVERBOSE": "1"}
    assert b"import 'vault_memory" in ask(root, "--version", more=loud).stderr
    assert b"import 'vault_memory" not in ask(root, "--version").stderr
