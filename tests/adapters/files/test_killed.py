"""Killed before and after every call that changes the disk: each file is the old or the new one, whole."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.contracts.files_contract import version
from vault_memory.adapters.files.layout import create_layout
from vault_memory.adapters.files.tree import VaultFiles
from vault_memory.errors import ConflictError
from vault_memory.model.namespace import VaultPath

ROOT = Path(__file__).parents[3]
OLD, NEW = b"old text\n" * 500, b"new text\n" * 900
EDITED, CREATED = VaultPath("notes/old.md"), VaultPath("fresh/folder/new.md")

# Forks one child a kill point, each in a vault of its own, until a child comes to its end alive.
DRIVER = """
import json, os, shutil, signal, sys
from pathlib import Path
from vault_memory.adapters.files import scratch
from vault_memory.adapters.files.layout import create_layout
from vault_memory.adapters.files.tree import VaultFiles
from tests.adapters.files import test_killed as here

home, step = Path(sys.argv[1]), sys.argv[2]
calls = ("fsync", "link", "replace", "unlink", "rename", "mkdir", "rmdir", "write", "open", "close")

def die_at(number, after):
    count = 0
    def deadly(real):
        def call(*args, **options):
            nonlocal count
            count += 1
            if count == number and not after:
                os.kill(os.getpid(), signal.SIGKILL)
            mine = count
            try:
                return real(*args, **options)
            finally:
                if mine == number and after:
                    os.kill(os.getpid(), signal.SIGKILL)
        return call
    for name in calls:
        setattr(os, name, deadly(getattr(os, name)))

deaths = []
number, alive = 0, False
while not alive:
    number += 1
    for after in (False, True):
        root = home / f"{number}-{'after' if after else 'before'}"
        here.prepare(root, step)
        child = os.fork()
        if child == 0:
            die_at(number, after)
            here.carry_out(root, step)
            os._exit(0)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert code in (0, -signal.SIGKILL), code
        if code == 0:
            alive = True
        else:
            deaths.append(root.name)
print(json.dumps(deaths))
"""


def prepare(root: Path, step: str) -> None:
    """A vault with one note, but for the step that makes vaults."""
    if step == "layout":
        return
    create_layout(root, "format = 1\n")
    VaultFiles(root).write(EDITED, OLD, replacing=None)
    (root / "alias.md").symlink_to(EDITED)


def carry_out(root: Path, step: str) -> None:
    """One of the things that change the disk."""
    STEPS[step](root)


def _create(root: Path) -> None:
    VaultFiles(root).write(CREATED, NEW, replacing=None)


def _edit(root: Path) -> None:
    VaultFiles(root).write(EDITED, NEW, replacing=version(OLD))


def _edit_by_link(root: Path) -> None:
    VaultFiles(root).write(VaultPath("alias.md"), NEW, replacing=version(OLD))


def _remove(root: Path) -> None:
    VaultFiles(root).remove(EDITED, replacing=version(OLD))


def _beside(root: Path) -> VaultFiles:
    """As on another disk than `.vmem/local/`."""
    files = VaultFiles(root)
    name_for = files._scratch.name_for
    files._scratch.name_for = lambda folder, *, beside: name_for(folder, beside=True)  # type: ignore[method-assign]
    return files


def _create_beside(root: Path) -> None:
    _beside(root).write(CREATED, NEW, replacing=None)


def _edit_beside(root: Path) -> None:
    _beside(root).write(EDITED, NEW, replacing=version(OLD))


def _layout(root: Path) -> None:
    create_layout(root, "format = 1\n")


STEPS = {
    "create": _create,
    "edit": _edit,
    "edit by link": _edit_by_link,
    "remove": _remove,
    "create beside": _create_beside,
    "edit beside": _edit_beside,
    "layout": _layout,
}
OUTCOMES: dict[str, set[tuple[bytes | None, bytes | None]]] = {
    "create": {(OLD, None), (OLD, NEW)},
    "edit": {(OLD, None), (NEW, None)},
    "edit by link": {(OLD, None), (NEW, None)},
    "remove": {(OLD, None), (None, None)},
    "create beside": {(OLD, None), (OLD, NEW)},
    "edit beside": {(OLD, None), (NEW, None)},
}
"""For each step: what the two notes may hold, before it and after it."""


def kill_everywhere(home: Path, step: str) -> list[Path]:
    """The vaults in which the step was killed, one for each place."""
    command = [sys.executable, "-c", DRIVER, str(home), step]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [home / name for name in json.loads(done.stdout)]


def content(place: Path) -> bytes | None:
    return place.read_bytes() if place.exists() else None


def left_over(root: Path) -> set[str]:
    """All files but the notes, the link and what makes a vault."""
    known = {EDITED, CREATED, "alias.md", ".vmem/config.toml", ".vmem/.gitignore"}
    return {str(place.relative_to(root)) for place in root.rglob("*") if not place.is_dir()} - known


@pytest.mark.parametrize("step", OUTCOMES)
def test_a_killed_step_leaves_the_old_bytes_or_the_new(tmp_path: Path, step: str) -> None:
    killed = kill_everywhere(tmp_path, step)
    assert len(killed) >= 6
    seen = set()
    for root in killed:
        files = VaultFiles(root)
        state = content(root / EDITED), content(root / CREATED)
        assert state in OUTCOMES[step], root.name
        seen.add(state)
        notes = {path for path, there in zip((EDITED, CREATED), state, strict=True) if there is not None}
        assert {stamp.path for stamp in files.scan().stamps} == notes
        files.sweep()
        assert left_over(root) == set(), root.name
        assert (root / "alias.md").is_symlink()
    assert seen == OUTCOMES[step]


@pytest.mark.parametrize("step", OUTCOMES)
def test_a_killed_step_can_simply_be_done_again(tmp_path: Path, step: str) -> None:
    for root in kill_everywhere(tmp_path, step):
        try:
            carry_out(root, step)
        except ConflictError:
            # It had been finished, and says that it is not undone a second time.
            assert (content(root / EDITED), content(root / CREATED)) in OUTCOMES[step] - {(OLD, None)}
        VaultFiles(root).sweep()
        assert left_over(root) == set()
        assert (content(root / EDITED), content(root / CREATED)) != (OLD, None)


def test_a_vault_killed_while_it_is_made_is_none_or_can_be_finished(tmp_path: Path) -> None:
    killed = kill_everywhere(tmp_path, "layout")
    assert len(killed) >= 10
    for root in killed:
        if content(root / ".vmem/config.toml") is not None:
            assert content(root / ".vmem/.gitignore") == b"/local\n"  # whole before it counts as a vault
        create_layout(root, "format = 1\n")
        assert content(root / ".vmem/config.toml") == b"format = 1\n"
        assert content(root / ".vmem/.gitignore") == b"/local\n"
        VaultFiles(root).sweep()
        assert left_over(root) == set()
