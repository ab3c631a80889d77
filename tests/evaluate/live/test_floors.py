"""What stands beside the figures is measured by doing it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from vault_memory.evaluate.live import floors, usage


def test_every_trip_over_a_socket_is_a_sample(tmp_path: Path) -> None:
    trips = floors.round_trips(5, tmp_path)
    assert len(trips) == 5
    assert min(trips) > 0


def test_a_walk_takes_time_and_leaves_hidden_folders_out(tmp_path: Path) -> None:
    for name in ("notes/a.md", "notes/deep/b.md", ".git/c.md", "notes/d.txt"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    assert floors.walk(tmp_path) > 0
    assert {entry.name for entry in floors._entries(os.fspath(tmp_path))} == {"a.md", "b.md"}


def test_each_commit_is_made_in_a_repository_of_its_own_that_is_gone_afterwards(tmp_path: Path) -> None:
    assert len(floors.commits(3, tmp_path)) == 3
    assert list(tmp_path.iterdir()) == []


def test_the_system_tells_of_every_file_that_is_moved_in(tmp_path: Path) -> None:
    assert len(floors.heard(3, tmp_path)) == 3
    assert list(tmp_path.iterdir()) == []


def test_an_idle_python_takes_some_megabytes() -> None:
    found = floors.idle_memory()
    assert found is not None
    assert 1 < found < 100


def test_the_cost_of_another_process_is_told_until_it_is_gone() -> None:
    busy = "sum(range(10**6)); print(flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", busy], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        memory, spent = usage.memory_mb(child.pid), usage.cpu_ms(child.pid)
        assert memory is not None
        assert spent is not None
        assert memory > 1
        assert spent > 1
        child.communicate("\n")
    assert usage.memory_mb(child.pid) is None
    assert usage.cpu_ms(child.pid) is None


def test_a_process_is_told_by_its_environment_and_ended(tmp_path: Path) -> None:
    mark = str(tmp_path / "a-place-of-this-test")
    argv = [sys.executable, "-c", "print(flush=True); input()"]
    with subprocess.Popen(
        argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "XDG_RUNTIME_DIR": mark}
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        assert usage.is_alive(child.pid)
        if sys.platform == "linux":
            assert usage.born_of(mark) == [child.pid]
        usage.end(child.pid)
        assert not usage.is_alive(child.pid)
    assert usage.born_of(mark) == []
    usage.end(child.pid)  # gone is no fault


@pytest.mark.parametrize(
    ("text", "ms"), [("0:01.50", 1500.0), ("01:02:03", 3_723_000.0), ("1-00:00:01", 86_401_000.0)]
)
def test_a_clock_of_ps_is_read(text: str, ms: float) -> None:
    assert usage._clock_ms(text) == ms
