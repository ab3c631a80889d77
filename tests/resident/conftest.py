"""A vault whose resident listens in the test's own home, and is looked for."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.resident.living import Living
from tests.stand import CountedIds, ToldClock
from vault_memory.vault import Vault


@pytest.fixture
def root(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a vault, which is the working folder. Git hears nothing by variables: they would keep
    a write from the resident."""
    (home / "run").mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(home / "run"))
    monkeypatch.delenv("VMEM_RESIDENT")
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    Vault.create(home / "memory")
    monkeypatch.chdir(home / "memory")
    return home / "memory"


@pytest.fixture
def living(root: Path) -> Iterator[Living]:
    """The vault's resident; no thread of it is left in the end."""
    before = set(threading.enumerate())
    one = Living.of(root, ToldClock(), CountedIds())
    try:
        yield one
    finally:
        one.end()
        assert set(threading.enumerate()) <= before
