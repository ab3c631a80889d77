"""Running a few lines in a vault as somebody who may not read everything, whoever runs the tests."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

_NOBODY = 65534

_PRELUDE = """
import json, os, sys
from pathlib import Path
from vault_memory.adapters.files.layout import create_layout, find_vault
from vault_memory.adapters.files.lock import VaultLock
from vault_memory.adapters.files.tree import VaultFiles
from vault_memory.adapters.journal import SqliteJournal
from vault_memory.errors import VmemError
import vault_memory.adapters.ids, apsw  # whoever we become may not read the modules

if os.geteuid() == 0:
    os.setgroups([])
    os.setgid({nobody})
    os.setuid({nobody})
os.umask(0o022)
root = Path(sys.argv[1])
told = []
report = told.append

def put(root, *names):
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(b"text\\n")

def fails(call):
    try:
        report(["no error", repr(call())])
    except VmemError as error:
        report(f"{{type(error).__name__}}: {{error}}".replace(str(root), "ROOT"))

create_layout(root, "format = 1\\n")
files = VaultFiles(root)
"""


def run_unprivileged(script: str) -> list[object]:
    """What the script gave to `report` and `fails`; it has `root` and `files` of a new vault."""
    home = Path(tempfile.mkdtemp(prefix="vmem-unprivileged-"))
    try:
        home.chmod(0o755)
        vault = home / "vault"
        vault.mkdir()
        if os.geteuid() == 0:
            os.chown(vault, _NOBODY, _NOBODY)
        lines = [_PRELUDE.format(nobody=_NOBODY), textwrap.dedent(script), "print(json.dumps(told))"]
        command = [sys.executable, "-c", "\n".join(lines), str(vault)]
        done = subprocess.run(
            command, cwd=Path(__file__).parents[3], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        told: list[object] = json.loads(done.stdout)
        return told
    finally:
        shutil.rmtree(home)
