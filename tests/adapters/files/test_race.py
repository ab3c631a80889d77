"""Several processes that write the same names at once, without the lock."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from vault_memory.adapters.files.tree import VaultFiles
from vault_memory.model.namespace import VaultPath

ROOT = Path(__file__).parents[3]
PROCESSES, NAMES = 4, 50

WRITER = """
import hashlib, json, sys
from pathlib import Path
from vault_memory.adapters.files.tree import VaultFiles
from vault_memory.errors import ConflictError

root, me, names, how = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
files = VaultFiles(root)
print("ready", flush=True)
sys.stdin.readline()
won = []
for number in range(names):
    before = hashlib.sha256(b"start").hexdigest() if how == "edit" else None
    try:
        files.write(f"new/folder/{number}.md", f"{me} wrote {number}".encode() * 50, replacing=before)
        won.append(number)
    except ConflictError:
        pass
print(json.dumps(won))
"""


def race(root: Path, how: str) -> list[list[int]]:
    """For each process, the numbers of the files that it could write."""
    running = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(root), str(me), str(NAMES), how],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for me in range(PROCESSES)
    ]  # fmt: skip
    for process in running:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in running:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    return [json.loads(process.communicate()[0]) for process in running]


def test_every_name_has_exactly_one_winner(files: VaultFiles, vault: Path) -> None:
    won = race(vault, "create")
    assert sorted(number for mine in won for number in mine) == list(range(NAMES))
    for me, mine in enumerate(won):
        for number in mine:
            found = files.read(VaultPath(f"new/folder/{number}.md"))
            assert found is not None
            assert found.content == f"{me} wrote {number}".encode() * 50
    assert files.sweep() == ()
    assert len(files.scan().stamps) == NAMES


def test_edits_that_race_leave_whole_files(files: VaultFiles, vault: Path) -> None:
    # Who edits takes the vault's lock; without it two may win, but no file is ever a mixture.
    for number in range(NAMES):
        files.write(VaultPath(f"new/folder/{number}.md"), b"start", replacing=None)
    won = race(vault, "edit")
    assert {number for mine in won for number in mine} == set(range(NAMES))
    for number in range(NAMES):
        found = files.read(VaultPath(f"new/folder/{number}.md"))
        assert found is not None
        winners = [me for me, mine in enumerate(won) if number in mine]
        assert found.content in [f"{me} wrote {number}".encode() * 50 for me in winners]
    assert files.sweep() == ()
